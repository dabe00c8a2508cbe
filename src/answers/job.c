/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - answers "job": what is known of one job, and why it does not run */

#include "answers/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/in_the_way.h"
#include "answers/job_help.h"
#include "base/limits.h"
#include "base/strbuf.h"
#include "explain/advice.h"
#include "explain/explain.h"
#include "explain/outlook.h"
#include "explain/text.h"
#include "model/reason.h"
#include "plan/finished.h"
#include "verbs/job.h"

int maui_job_count_nodes(const struct maui_question *q, const struct maui_node_reasons *nodes,
			 const struct maui_count **ret, size_t *ret_count)
{
	struct maui_count *counts = maui_question_alloc(q, MAUI_REASON_COUNT, sizeof(*counts));

	*ret = counts;
	*ret_count = 0;
	for (int r = 0; counts && nodes && r < MAUI_REASON_COUNT; r++)
		if (nodes->counts[r] > 0)
			counts[(*ret_count)++] =
				(struct maui_count){ maui_reason_node_text((enum maui_reason)r),
						     nodes->counts[r] };
	return counts ? 0 : -1;
}

/* ---- a job that waits ---- */

/* The lines of a text that is complete unless `failed`. -1 without memory. */
static int list_lines(const struct maui_waiting_job *w, const struct maui_strbuf *text, bool failed,
		      const char *const **ret, size_t *ret_count)
{
	if (failed || text->failed) {
		maui_question_no_memory(w->q);
		return -1;
	}
	return maui_question_lines(w->q, text->text, ret, ret_count);
}

/* The first reason, and all. */
static int fill_reasons(const struct maui_waiting_job *w)
{
	char line[MAUI_EXPLAIN_LINE_SIZE];
	const char *first = maui_explain_first(w->e, line, sizeof(line));
	struct maui_strbuf all = { 0 };
	bool failed = maui_explain_all(w->e, &all) != 0;
	int rc = list_lines(w, &all, failed, &w->ret->reasons, &w->ret->reasons_count);

	w->ret->reason = *first ? maui_question_copy(w->q, first) : NULL;
	maui_strbuf_finish(&all);
	return *first && !w->ret->reason ? -1 : rc;
}

static int fill_blocking(const struct maui_waiting_job *w)
{
	const struct maui_blocking_reservation *blocking = w->e->blocking;
	struct maui_job_blocking *ret;

	if (!blocking)
		return 0;
	ret = maui_question_alloc(w->q, 1, sizeof(*ret));
	if (!ret)
		return -1;
	*ret = (struct maui_job_blocking){
		.name = maui_question_copy(w->q, blocking->name),
		.start = blocking->start_s,
		.end = blocking->end_s,
	};
	w->ret->blocking_reservation = ret;
	return blocking->name && !ret->name ? -1 : 0;
}

static int fill_outlook(const struct maui_waiting_job *w)
{
	struct maui_strbuf lines = { 0 };
	bool failed = maui_explain_outlook(w->e, &lines) != 0;
	int rc = list_lines(w, &lines, failed, &w->ret->outlook, &w->ret->outlook_count);
	char limit[MAUI_ADVICE_SIZE];

	maui_strbuf_finish(&lines);
	if (*maui_explain_longest_limit(w->e, limit, sizeof(limit)))
		w->ret->with_shorter_limit = maui_question_copy(w->q, limit);
	return *limit && !w->ret->with_shorter_limit ? -1 : rc;
}

static struct maui_job_waiting waiting_part(const struct maui_waiting_job *w)
{
	const struct maui_plan *plan = w->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[w->index];
	const struct maui_plan_job *planned = &plan->jobs[w->index];
	const struct maui_explanation *e = w->e;
	int64_t estimate_s = maui_document_estimate(w->p, w->index);

	return (struct maui_job_waiting){
		.gpus = (int64_t)idle->job.gpus,
		.features = plan->snapshot->requests[planned->request].features,
		.reservation = idle->advres,
		.submit = idle->submit_s,
		.queued_since = idle->queue_since_s,
		.priority = e->verdict->published,
		.rank = e->verdict->rank == UINT32_MAX ? MAUI_NEVER : (int64_t)e->verdict->rank + 1,
		.ahead = e->ahead,
		.expected_start = estimate_s,
		.earliest_start = e->start.basis == MAUI_START_NOW ? estimate_s : e->start.when_s,
		.start_by = e->start_by_s ? e->start_by_s : MAUI_NEVER,
		.has_reservation = planned->reserved,
		.asks_slurm = e->asks_slurm,
		.fits_now_with_limit = e->longest_s ? e->longest_s : MAUI_NEVER,
	};
}

/* What the explanation of the job says; it is no longer valid afterwards. */
static const struct maui_job_waiting *explain(const struct maui_question *q, uint32_t index,
					      struct maui_explainer *x,
					      const struct maui_explanation *e)
{
	struct maui_job_waiting *ret = maui_question_alloc(q, 1, sizeof(*ret));
	const struct maui_waiting_job w = { q, q->document, index, e, ret };
	bool nodes = e->nodes != NULL;

	if (!ret)
		return NULL;
	*ret = waiting_part(&w);
	if (fill_reasons(&w) ||
	    maui_job_count_nodes(q, e->nodes, &ret->nodes_by_reason, &ret->nodes_by_reason_count) ||
	    fill_blocking(&w) || fill_outlook(&w))
		return NULL;
	ret->estimates = maui_estimate_moves(q, index, &ret->estimates_count);
	if (ret->estimates && maui_job_help(&w, x) == 0 &&
	    maui_in_the_way(q, index, x, nodes, ret) == 0)
		return ret;
	return NULL;
}

/* When the first running task of the array ends by its limit. */
static int64_t next_task(const struct maui_document *p, uint32_t array_job_id)
{
	int64_t end_s = MAUI_NEVER;

	for (size_t i = 0; array_job_id && i < p->rsv_count; i++) {
		const struct maui_document_rsv *row = &p->rsvs[i];

		if (maui_document_is_active(row) && row->array_job_id == array_job_id &&
		    row->end_s < end_s)
			end_s = row->end_s;
	}
	return end_s;
}

/* What the running job is called. *ret NULL: the user may not see it. -1 without memory. */
static int label_going(const struct maui_question *q, uint64_t job_id, const char **ret)
{
	const struct maui_document *p = q->document;
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = NULL;
	for (size_t i = 0; i < p->rsv_count; i++) {
		if (!maui_document_is_active(&p->rsvs[i]) || p->rsvs[i].job_id != job_id)
			continue;
		if (!maui_document_shows(p, &p->rsvs[i], q->uid))
			return 0;
		*ret = maui_question_copy(q, maui_active_label(&p->rsvs[i], label));
		return *ret ? 0 : -1;
	}
	return 0;
}

/* -1 without memory. */
static int find_facts(const struct maui_question *q, uint32_t index,
		      const struct maui_going_jobs *going, struct maui_slurm_facts *ret)
{
	const struct maui_document *p = q->document;
	uint32_t named = 0;

	*ret = maui_waiting_facts(p, index);
	ret->next_task_s = next_task(p, p->idle[index].array_job_id);
	for (uint32_t i = 0; i < going->count && named < MAUI_EXPLAIN_NAMED_JOBS; i++) {
		if (label_going(q, p->plan->snapshot->active[going->list[i]].id,
				&ret->going[named]))
			return -1;
		named += ret->going[named] != NULL;
	}
	return 0;
}

static const struct maui_job_waiting *explain_waiting(const struct maui_question *q, uint32_t index)
{
	struct maui_explainer *x = maui_question_explainer(q);
	const struct maui_job_waiting *ret = NULL;
	struct maui_slurm_facts facts;
	struct maui_explanation e;

	if (!x || maui_explain_job(x, index, &e)) {
		maui_question_no_memory(q);
	} else if (find_facts(q, index, &e.going, &facts) == 0) {
		e.now_s = q->document->plan->now_s;
		e.tasks = q->document->idle[index].waiting;
		e.facts = &facts;
		ret = explain(q, index, x, &e);
	}
	maui_explainer_destroy(x);
	return ret;
}

/* MAUI_NEVER for a job that is not of an array. */
static int64_t array_job(uint32_t array_job_id)
{
	return array_job_id ? array_job_id : MAUI_NEVER;
}

static int64_t array_task(uint32_t array_job_id, uint32_t task)
{
	return array_job_id && task != MAUI_NO_TASK ? task : MAUI_NEVER;
}

static int fill_waiting(const struct maui_question *q, uint32_t index, struct maui_job_details *ret)
{
	const struct maui_plan *plan = q->document->plan;
	const struct maui_document_idle *of = &q->document->idle[index];
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	uint32_t row = plan->jobs[index].row;
	const struct maui_request *request =
		&plan->snapshot->requests[maui_idle_request(idle, row)];
	const char *const *cred = plan->snapshot->creds[idle->rows[row].creds].cred;
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_job_details){
		.id = (int64_t)idle->id,
		.array_job = array_job(of->array_job_id),
		.array_task = array_task(of->array_job_id, of->array_task),
		.label = maui_question_copy(q, maui_waiting_label(q->document, index, label)),
		.name = of->name,
		.state = maui_waiting_state(q->document, index),
		.jobs = of->waiting,
		.user = cred[MAUI_CRED_USER],
		.group = cred[MAUI_CRED_GROUP],
		.account = cred[MAUI_CRED_ACCOUNT],
		.qos = cred[MAUI_CRED_QOS],
		.partition = cred[MAUI_CRED_CLASS],
		.limit = idle->limit_s,
		.nodes = request->nodes_min,
		.tasks = maui_request_task_count(request),
		.procs = idle->procs,
	};
	if (!ret->label)
		return -1;
	ret->waiting = explain_waiting(q, index);
	return ret->waiting ? 0 : -1;
}

/* ---- a job that runs ---- */

static int fill_active(const struct maui_question *q, const struct maui_document_rsv *row,
		       struct maui_job_details *ret)
{
	struct maui_job_active *active = maui_question_alloc(q, 1, sizeof(*active));
	char label[MAUI_JOB_LABEL_SIZE];

	if (!active)
		return -1;
	*active = (struct maui_job_active){ .start = row->start_s,
					    .end = row->end_s,
					    .gres = row->gres,
					    .gres_count = row->gres_count,
					    .suspensions = row->suspensions,
					    .suspended = row->suspended_s,
					    .resumes = row->resumes };
	*ret = (struct maui_job_details){
		.id = (int64_t)row->job_id,
		.array_job = array_job(row->array_job_id),
		.array_task = array_task(row->array_job_id, row->array_task),
		.label = maui_question_copy(q, maui_active_label(row, label)),
		.name = row->job_name,
		.state = row->state,
		.user = row->cred[MAUI_CRED_USER],
		.group = row->cred[MAUI_CRED_GROUP],
		.account = row->cred[MAUI_CRED_ACCOUNT],
		.qos = row->cred[MAUI_CRED_QOS],
		.partition = row->cred[MAUI_CRED_CLASS],
		.limit = -1,
		.nodes = row->node_count,
		.tasks = -1,
		.node_names = maui_job_node_names(q, row),
		.procs = row->procs,
		.active = active,
	};
	return ret->label && ret->node_names ? 0 : -1;
}

/* ---- either ---- */

/* In: struct maui_job_args. Out: struct maui_job_answer; NULL with an error: the job is unknown, or
 * PrivateData hides it from the user; there is no plan yet; no memory. */
const void *maui_answer_job(const struct maui_question *q, const void *arguments)
{
	const struct maui_job_args *args = arguments;
	const struct maui_job_name name = { args->job, args->task, args->component };
	struct maui_job_details *details;
	struct maui_job_answer *ret;
	struct maui_found_job found;

	if (maui_find_job(q, &name, &found))
		return NULL;
	ret = maui_question_alloc(q, 1, sizeof(*ret));
	details = maui_question_alloc(q, 1, sizeof(*details));
	if (!ret || !details ||
	    (found.active ? fill_active(q, found.active, details) :
			    fill_waiting(q, found.waiting, details)))
		return NULL;
	*ret = (struct maui_job_answer){
		.cluster = q->document->cluster,
		.time = found.active ? q->document->now_s : q->document->plan->now_s,
		.job = details,
	};
	return ret;
}
