/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - answers "start": when one job starts, what that rests on, and how it moved
 *
 * The start of a job without an estimate of the cycle is searched when it is asked for.
 *
 * Rules: CMD-25, CMD-67.
 */

#include <math.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/find_job.h"
#include "answers/question.h"
#include "explain/explain.h"
#include "explain/text.h"
#include "model/when.h"
#include "plan/finished.h"
#include "state/statistics.h"
#include "verbs/start.h"

/* ---- how true estimates were ---- */

enum { LEAST_JOBS = 10 };

/* Half of the first estimates in this partition that were about as far ahead were off by so many
 * seconds at most; MAUI_NEVER: fewer than ten jobs. */
static int64_t half_within(const struct maui_document *p, const char *partition, int64_t ahead_s)
{
	const struct maui_statistics_view *view = p->statistics;

	for (size_t i = 0; view && i < view->error_count; i++) {
		const struct maui_error_counts *counts =
			&view->errors[i].counts[MAUI_ESTIMATE_FIRST][maui_ahead_step(ahead_s)];

		if (strcmp(view->errors[i].partition, partition) == 0)
			return maui_error_counts_jobs(counts) < LEAST_JOBS ?
				       MAUI_NEVER :
				       (int64_t)ceil(maui_error_counts_within(counts, 0.5));
	}
	return MAUI_NEVER;
}

/* ---- a start ---- */

static const char *const bases[] = {
	[MAUI_START_UNKNOWN] = NULL,
	[MAUI_START_NOW] = "starting",
	[MAUI_START_RESERVATION] = "reservation",
	[MAUI_START_LIMIT] = "limit",
	[MAUI_START_PROJECTION] = "projection",
	[MAUI_START_FIT] = "fit",
};

/* *ret NULL: none. -1 without memory. */
static int first_reason(const struct maui_question *q, const struct maui_explanation *why,
			const char **ret)
{
	char line[MAUI_EXPLAIN_LINE_SIZE];
	const char *reason = maui_explain_first(why, line, sizeof(line));

	*ret = *reason ? maui_question_copy(q, reason) : NULL;
	return *reason && !*ret ? -1 : 0;
}

static int fill_waiting(const struct maui_question *q, uint32_t index,
			const struct maui_start_time *when, const struct maui_explanation *why,
			struct maui_job_start *ret)
{
	const struct maui_document *p = q->document;
	const struct maui_idle *idle = &p->plan->snapshot->idle[index];
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_job_start){
		.label = maui_question_copy(q, maui_waiting_label(p, index, label)),
		.state = maui_waiting_state(p, index),
		.jobs = p->idle[index].waiting,
		.partition = why->partition,
		.procs = idle->procs,
		.limit = idle->limit_s,
		.basis = bases[when->basis],
		.start = when->when_s,
		.half_within =
			when->when_s == MAUI_NEVER || when->when_s <= p->plan->now_s ?
				MAUI_NEVER :
				half_within(p, why->partition, when->when_s - p->plan->now_s),
		.end = maui_when_add(when->when_s, idle->limit_s),
		.start_by = idle->start_by_s ? idle->start_by_s : MAUI_NEVER,
		.ahead = why->ahead,
	};
	ret->history = maui_estimate_moves(q, index, &ret->history_count);
	return ret->label && ret->history ? first_reason(q, why, &ret->reason) : -1;
}

static int waiting_start(const struct maui_question *q, uint32_t index, struct maui_job_start *ret)
{
	const struct maui_plan *plan = q->document->plan;
	const struct maui_slurm_facts facts = maui_waiting_facts(q->document, index);
	struct maui_explainer *x = maui_question_explainer(q);
	struct maui_explanation why;
	struct maui_start_time when;
	int rc = -1;

	if (!x || maui_explain_start(x, index, &when) || maui_explain_short(x, index, &why)) {
		maui_question_no_memory(q);
	} else {
		why.now_s = plan->now_s;
		why.start_apart = true;
		why.facts = &facts;
		if (when.basis == MAUI_START_NOW &&
		    maui_document_estimate(q->document, index) == MAUI_NEVER)
			when = (struct maui_start_time){ .when_s = MAUI_NEVER };
		rc = fill_waiting(q, index, &when, &why, ret);
	}
	maui_explainer_destroy(x);
	return rc;
}

static int active_start(const struct maui_question *q, const struct maui_document_rsv *row,
			struct maui_job_start *ret)
{
	char label[MAUI_JOB_LABEL_SIZE];

	*ret = (struct maui_job_start){
		.label = maui_question_copy(q, maui_active_label(row, label)),
		.state = row->state,
		.partition = row->cred[MAUI_CRED_CLASS],
		.procs = row->procs,
		.limit = maui_when_length(row->start_s, row->end_s),
		.basis = "active",
		.start = row->start_s,
		.end = row->end_s,
		.ahead = -1,
	};
	return ret->label ? 0 : -1;
}

/* In: struct maui_job_args. Out: struct maui_start_answer; NULL with an error: the job is unknown,
 * or PrivateData hides it from the user; there is no plan yet; no memory. */
const void *maui_answer_start(const struct maui_question *q, const void *arguments)
{
	const struct maui_job_args *args = arguments;
	const struct maui_job_name name = { args->job, args->task, args->component };
	struct maui_start_answer *ret;
	struct maui_job_start *start;
	struct maui_found_job found;

	if (maui_find_job(q, &name, &found))
		return NULL;
	ret = maui_question_alloc(q, 1, sizeof(*ret));
	start = maui_question_alloc(q, 1, sizeof(*start));
	if (!ret || !start ||
	    (found.active ? active_start(q, found.active, start) :
			    waiting_start(q, found.waiting, start)))
		return NULL;
	*ret = (struct maui_start_answer){ q->document->cluster, q->document->now_s, start };
	return ret;
}
