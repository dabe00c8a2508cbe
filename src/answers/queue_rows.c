/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_rows.c - a job as a row of "queue" */

#include "answers/queue_rows.h"

#include "answers/find_job.h"
#include "answers/queue_sums.h"
#include "base/limits.h"
#include "explain/text.h"
#include "explain/violation_text.h"
#include "plan/finished.h"
#include "policy/priority.h"
#include "verbs/queue.h"

static const char *const *creds_of(const struct maui_queue_rows *rows, uint32_t index)
{
	return rows->p->plan->snapshot->creds[maui_plan_row(rows->p->plan, index)->creds].cred;
}

static double xfactor(const struct maui_queue_rows *rows, const char *const *cred, int64_t waited_s,
		      int64_t limit_s)
{
	const struct maui_config *config = rows->p->plan->config;

	return maui_priority_xfactor(
		maui_config_priority(config, cred[MAUI_CRED_CLASS]), (double)waited_s,
		(double)(limit_s == MAUI_NEVER ? config->default_walltime_s : limit_s));
}

void maui_queue_fill_active(struct maui_queue_rows *rows, const struct maui_document_rsv *row,
			    struct maui_queue_active *ret)
{
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_queue_active){
		.job = maui_question_copy(rows->question, maui_active_label(row, label)),
		.user = row->cred[MAUI_CRED_USER],
		.state = row->state,
		.procs = row->procs,
		.end = row->end_s,
		.start = row->start_s,
	};
	rows->failed |= !ret->job;
	if (!rows->wide)
		return;
	ret->id = (int64_t)row->job_id;
	ret->name = row->job_name;
	ret->group = row->cred[MAUI_CRED_GROUP];
	ret->account = row->cred[MAUI_CRED_ACCOUNT];
	ret->qos = row->cred[MAUI_CRED_QOS];
	ret->class = row->cred[MAUI_CRED_CLASS];
	ret->nodes = row->node_count;
	ret->first_node = row->node_count ? rows->p->nodes[row->nodes[0].node] : NULL;
	ret->submit = row->submit_s ? row->submit_s : MAUI_NEVER;
	ret->xfactor = xfactor(rows, row->cred, row->submit_s ? row->start_s - row->submit_s : 0,
			       maui_when_length(row->start_s, row->end_s));
	ret->suspended = row->suspended_s;
}

/* Maui's word: a held job is not just idle. */
static enum maui_job_state waiting_state(const struct maui_queue_rows *rows, uint32_t index)
{
	enum maui_reason blocked = rows->p->plan->snapshot->idle[index].blocked;
	enum maui_job_state state = maui_waiting_state(rows->p, index);

	if (blocked == MAUI_REASON_HELD)
		return rows->p->idle[index].held_by_user ? MAUI_JOB_USER_HOLD :
							   MAUI_JOB_SYSTEM_HOLD;
	if (blocked == MAUI_REASON_DEFERRED)
		return MAUI_JOB_DEFERRED;
	return state == MAUI_JOB_BLOCKED ? MAUI_JOB_IDLE : state;
}

/* A line of the why column. */
static const char *reason_of(struct maui_queue_rows *rows, uint32_t index)
{
	const struct maui_slurm_facts facts = maui_waiting_facts(rows->p, index);
	struct maui_explanation e;
	char text[64 + MAUI_EXPLAIN_LINE_SIZE];

	if (maui_explain_short(rows->explainer, index, &e)) {
		rows->failed = true;
		return NULL;
	}
	e.now_s = rows->p->plan->now_s;
	e.start_apart = true; /* it has a column of its own */
	e.too_late = maui_explain_is_too_late(&e, e.verdict->estimate_s);
	e.facts = &facts;
	maui_explain_first(&e, text, sizeof(text));
	return *text ? maui_question_copy(rows->question, text) : NULL;
}

/* When the job could start, if the cycle made no estimate. */
static int64_t earliest(struct maui_queue_rows *rows, uint32_t index)
{
	struct maui_start_time start = { .when_s = MAUI_NEVER };

	if (!rows->p->plan->jobs[index].waits || rows->searches >= MAUI_QUERY_MAX_SEARCHES)
		return MAUI_NEVER;
	rows->searches++;
	rows->failed |= maui_explain_start(rows->explainer, index, &start) != 0;
	return start.when_s;
}

static uint32_t least_nodes(struct maui_queue_rows *rows, uint32_t index)
{
	const struct maui_row *row = maui_plan_row(rows->p->plan, index);
	const struct maui_idle *idle = &rows->p->plan->snapshot->idle[index];
	uint32_t request = maui_idle_request(idle, (uint32_t)(row - idle->rows));

	if (!rows->measured.row || rows->measured.request != request ||
	    rows->measured.row->partition != row->partition ||
	    rows->measured.row->creds != row->creds) {
		rows->failed |= maui_explain_least_nodes(rows->explainer, index,
							 &rows->measured.nodes) != 0;
		rows->measured.row = row;
		rows->measured.request = request;
	}
	return rows->measured.nodes;
}

/* When the jobs start, and why not now. */
static void fill_outlook(struct maui_queue_rows *rows, uint32_t index,
			 struct maui_queue_waiting *ret)
{
	ret->expected_start = maui_document_estimate(rows->p, index);
	ret->earliest_start =
		ret->expected_start != MAUI_NEVER ? ret->expected_start : earliest(rows, index);
	ret->reserved = rows->p->plan->jobs[index].reserved;
	ret->reason = reason_of(rows, index);
}

/* The same of the tasks that an idle limit keeps out, while others of their array wait for
 * resources. */
static void fill_idle_limit(struct maui_queue_rows *rows, uint32_t index,
			    struct maui_queue_waiting *ret)
{
	char text[MAUI_VIOLATION_SIZE];

	ret->expected_start = ret->earliest_start = MAUI_NEVER;
	ret->reason = maui_question_copy(
		rows->question,
		maui_violation_format(rows->p->plan->decisions.verdicts[index].idle_limit, text,
				      sizeof(text)));
}

static void fill_wide(struct maui_queue_rows *rows, uint32_t index, bool blocked,
		      struct maui_queue_waiting *ret)
{
	const struct maui_plan *plan = rows->p->plan;
	const struct maui_idle *idle = &plan->snapshot->idle[index];
	const char *const *cred = creds_of(rows, index);

	ret->id = (int64_t)idle->id;
	ret->name = rows->p->idle[index].name;
	ret->group = cred[MAUI_CRED_GROUP];
	ret->account = cred[MAUI_CRED_ACCOUNT];
	ret->qos = cred[MAUI_CRED_QOS];
	ret->class = cred[MAUI_CRED_CLASS];
	ret->nodes = least_nodes(rows, index);
	ret->jobs = maui_queue_count_part(rows->p, index, blocked);
	ret->priority = plan->decisions.verdicts[index].published;
	ret->xfactor = xfactor(rows, cred, plan->now_s - idle->queue_since_s, idle->limit_s);
	ret->queued_since = idle->queue_since_s;
	if (blocked && maui_queue_state(plan, index) != MAUI_QUEUE_BLOCKED)
		fill_idle_limit(rows, index, ret);
	else
		fill_outlook(rows, index, ret);
}

void maui_queue_fill_waiting(struct maui_queue_rows *rows, uint32_t index, bool blocked,
			     struct maui_queue_waiting *ret)
{
	const struct maui_idle *idle = &rows->p->plan->snapshot->idle[index];
	char label[MAUI_JOB_LABEL_SIZE];

	maui_waiting_part_label(rows->p, index, maui_queue_count_part(rows->p, index, blocked),
				label);
	*ret = (struct maui_queue_waiting){
		.job = maui_question_copy(rows->question, label),
		.user = creds_of(rows, index)[MAUI_CRED_USER],
		.state = waiting_state(rows, index),
		.procs = idle->procs,
		.limit = idle->limit_s,
		.submit = idle->submit_s,
	};
	rows->failed |= !ret->job;
	if (rows->wide)
		fill_wide(rows, index, blocked, ret);
}
