/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - answers "jobs": jobs with their requests, what blocks them, and what is wrong with them
 *
 * A job that cannot start even on idle nodes has its reasons in Maui's words.
 *
 * Rules: CMD-9, CMD-33.
 */

#include "answers/answer.h"

#include <inttypes.h>
#include <stdio.h>

#include "answers/find_job.h"
#include "answers/queue_sums.h"
#include "answers/refused.h"
#include "base/hashtable.h"
#include "base/limits.h"
#include "explain/text.h"
#include "model/when.h"
#include "plan/finished.h"
#include "verbs/jobs.h"

struct listing {
	const struct maui_question *q;
	const struct maui_document *p;
	int64_t id; /* of the arguments; 0 or less: any */
	bool blocked;
	struct maui_hashtable rows; /* of active jobs, by id, for their owners and arrays */
	struct maui_jobs_job *jobs;
	size_t count;
	bool failed;
};

static const char *copy(struct listing *l, const char *text)
{
	const char *ret = maui_question_copy(l->q, text);

	l->failed |= !ret;
	return ret;
}

/* ---- what blocks a job, and what is wrong ---- */

/* The lines that the function writes of the explanation; `last` NULL: no more. */
static void list_lines(struct listing *l, const struct maui_explanation *e,
		       int (*write)(const struct maui_explanation *e, struct maui_strbuf *ret),
		       const char *last, const char *const **ret, size_t *ret_count)
{
	struct maui_strbuf text = { 0 };

	l->failed |= write(e, &text) != 0;
	if (last)
		maui_strbuf_addf(&text, "%s\n", last);
	l->failed |= text.failed || maui_question_lines(l->q, text.text, ret, ret_count);
	maui_strbuf_finish(&text);
}

static void list_texts(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_slurm_facts facts = maui_waiting_facts(l->p, index);
	struct maui_explanation e = maui_explain_recorded(l->p->plan, index);

	e.facts = &facts;
	list_lines(l, &e, maui_explain_as_maui, NULL, &ret->blocked_by, &ret->blocked_by_count);
	list_lines(l, &e, maui_explain_never, ret->limit == MAUI_NEVER ? "has no time limit" : NULL,
		   &ret->messages, &ret->messages_count);
}

static const char *const over_limit[] = { "has exceeded its time limit" };

static bool is_over_limit(const struct listing *l, const struct maui_active *a)
{
	return !a->no_limit && a->end_s <= l->p->plan->now_s && !a->completing && !a->suspended;
}

/* ---- jobs ---- */

static void fill_waiting(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_plan *plan = l->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const struct maui_row *row = maui_plan_row(plan, index);
	uint32_t request = plan->jobs[index].request;
	const char *const *cred = plan->snapshot->creds[row->creds].cred;
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_jobs_job){
		.id = (int64_t)idle->id,
		.job = copy(l, maui_waiting_label(l->p, index, label)),
		.state = maui_waiting_state(l->p, index),
		.user = cred[MAUI_CRED_USER],
		.group = cred[MAUI_CRED_GROUP],
		.account = cred[MAUI_CRED_ACCOUNT],
		.qos = cred[MAUI_CRED_QOS],
		.class = cred[MAUI_CRED_CLASS],
		.procs = idle->procs,
		.limit = idle->limit_s,
		.queued = plan->now_s - idle->queue_since_s,
		.mem_mb = (int64_t)idle->job.mem_mb,
		.disk_mb = (int64_t)idle->job.disk_mb,
		.features = plan->snapshot->requests[request].features,
	};
	list_texts(l, index, ret);
}

/* A job that completes has none. */
static const struct maui_document_rsv *row_of(const struct listing *l, uint32_t active)
{
	return maui_hashtable_find_id(&l->rows, (uint32_t)l->p->plan->snapshot->active[active].id);
}

static void fill_active(struct listing *l, uint32_t index, struct maui_jobs_job *ret)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;
	const struct maui_active *active = &s->active[index];
	const struct maui_document_rsv *row = row_of(l, index);
	const char *const *cred = s->creds[active->creds].cred;
	char label[MAUI_JOB_LABEL_SIZE];

	if (!row)
		snprintf(label, sizeof(label), "%" PRIu64, active->id);
	*ret = (struct maui_jobs_job){
		.id = (int64_t)active->id,
		.job = copy(l, row ? maui_active_label(row, label) : label),
		.state = active->suspended  ? MAUI_JOB_SUSPENDED :
			 active->completing ? MAUI_JOB_COMPLETING :
					      MAUI_JOB_RUNNING,
		.user = cred[MAUI_CRED_USER],
		.group = cred[MAUI_CRED_GROUP],
		.account = cred[MAUI_CRED_ACCOUNT],
		.qos = cred[MAUI_CRED_QOS],
		.class = cred[MAUI_CRED_CLASS],
		.procs = active->procs,
		.limit = active->no_limit ? MAUI_NEVER : maui_when_of(active->job.walltime_s),
		.queued = (int64_t)active->job.queue_time_s,
		.mem_mb = (int64_t)active->job.mem_mb,
		.disk_mb = (int64_t)active->job.disk_mb,
		.messages = over_limit,
		.messages_count = is_over_limit(l, active),
	};
}

/* ---- which ---- */

static int index_active(struct listing *l)
{
	const struct maui_document *p = l->p;

	for (size_t i = 0; i < p->rsv_count; i++)
		if (maui_document_is_active(&p->rsvs[i]) &&
		    maui_hashtable_set_id(&l->rows, (uint32_t)p->rsvs[i].job_id, &p->rsvs[i]))
			return -1;
	return 0;
}

static bool is_active_wanted(const struct listing *l, uint32_t index)
{
	const struct maui_document_rsv *row = row_of(l, index);
	int64_t id = (int64_t)l->p->plan->snapshot->active[index].id;

	if (l->blocked || (l->id > 0 && id != l->id && !(row && row->array_job_id == l->id)))
		return false;
	return row ? maui_document_shows(l->p, row, l->q->uid) :
		     !l->p->privacy.hide_jobs || maui_document_sees_all(l->p, l->q->uid);
}

/* With tasks that only an idle limit keeps out. */
static bool is_blocked(const struct maui_plan *plan, uint32_t index)
{
	return plan->decisions.verdicts[index].idle_limit ||
	       maui_queue_state(plan, index) == MAUI_QUEUE_BLOCKED;
}

static bool is_meant(const struct listing *l, uint32_t index)
{
	const struct maui_plan *plan = l->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];

	if (l->id > 0)
		return (int64_t)idle->id == l->id || l->p->idle[index].array_job_id == l->id;
	return plan->decisions.verdicts[index].started < idle->copies &&
	       (!l->blocked || is_blocked(plan, index));
}

static bool is_waiting_wanted(const struct listing *l, uint32_t index)
{
	return is_meant(l, index) && maui_document_shows_idle(l->p, index, l->q->uid);
}

static size_t count_wanted(const struct listing *l)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;
	size_t count = 0;

	for (uint32_t i = 0; i < s->active_count; i++)
		count += is_active_wanted(l, i);
	for (uint32_t i = 0; i < s->idle_count; i++)
		count += is_waiting_wanted(l, i);
	return count;
}

static void list_wanted(struct listing *l)
{
	const struct maui_snapshot *s = l->p->plan->snapshot;

	for (uint32_t i = 0; !l->failed && i < s->active_count; i++)
		if (is_active_wanted(l, i))
			fill_active(l, i, &l->jobs[l->count++]);
	for (uint32_t i = 0; !l->failed && i < s->idle_count; i++)
		if (is_waiting_wanted(l, i))
			fill_waiting(l, i, &l->jobs[l->count++]);
}

/* ---- the answer ---- */

static const void *answer(struct listing *l)
{
	struct maui_jobs *ret = maui_question_alloc(l->q, 1, sizeof(*ret));
	size_t wanted = count_wanted(l);

	if (l->id > 0 && wanted == 0)
		return maui_question_fail(l->q, MAUI_QUERY_NOT_FOUND,
					  "no job %" PRId64 " is waiting%s", l->id,
					  l->blocked ? "" : " or running");
	if (wanted > MAUI_QUERY_MAX_ROWS)
		return maui_question_too_many(l->q, MAUI_QUERY_MAX_ROWS, "jobs",
					      "name one, or see showq");
	l->jobs = maui_question_alloc(l->q, wanted, sizeof(*l->jobs));
	if (!ret || !l->jobs)
		return NULL;
	list_wanted(l);
	*ret = (struct maui_jobs){
		.cluster = l->p->cluster,
		.time = l->p->plan->now_s,
		.jobs = l->jobs,
		.jobs_count = l->count,
	};
	return l->failed || maui_refused_get(l->q, &ret->refused) ? NULL : ret;
}

/* In: struct maui_jobs_args. Out: struct maui_jobs, of all jobs that the asker may see, or of that
 * number; NULL with an error: there is no plan yet; no such job; too many; no memory. */
const void *maui_answer_jobs(const struct maui_question *q, const void *arguments)
{
	const struct maui_jobs_args *args = arguments;
	struct listing l = { .q = q, .p = q->document, .id = args->job, .blocked = args->blocked };
	const void *ret;

	if (!maui_question_has_plan(q))
		return NULL;
	ret = index_active(&l) ? maui_question_no_memory(q) : answer(&l);
	maui_hashtable_finish(&l.rows);
	return ret;
}
