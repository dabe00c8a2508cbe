/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - answers "report": the schedule, usage, and the queue: sums, reasons, the
 * first waiting jobs
 *
 * Rules: CMD-37.
 */

#include "answers/report.h"

#include <math.h>
#include <stdlib.h>

#include "answers/answer.h"
#include "answers/fairshare.h"
#include "answers/gres.h"
#include "answers/job.h"
#include "answers/partition_shares.h"
#include "answers/queue_sums.h"
#include "answers/schedule.h"
#include "base/calendar.h"
#include "base/limits.h"
#include "explain/explain.h"
#include "plan/finished.h"
#include "rows/estimate_errors.h"
#include "state/utilisation.h"

/* ---- sums of the queue ---- */

static const struct maui_report_queue *make_queue(const struct maui_question *q,
						  const struct maui_queue_sums *of)
{
	struct maui_report_queue *queue = maui_question_alloc(q, 1, sizeof(*queue));
	struct maui_report_sum *sums = maui_question_alloc(q, MAUI_QUEUE_STATES, sizeof(*sums));

	if (!queue || !sums)
		return NULL;
	for (int i = 0; i < MAUI_QUEUE_STATES; i++)
		sums[i] = (struct maui_report_sum){ of->states[i].jobs, of->states[i].procs };
	*queue = (struct maui_report_queue){
		.running = &sums[MAUI_QUEUE_RUNNING],
		.starting = &sums[MAUI_QUEUE_STARTING],
		.suspended = &sums[MAUI_QUEUE_SUSPENDED],
		.reserved = &sums[MAUI_QUEUE_RESERVED],
		.eligible = &sums[MAUI_QUEUE_ELIGIBLE],
		.blocked = &sums[MAUI_QUEUE_BLOCKED],
	};
	return maui_gres_list_all(q, &queue->gres, &queue->gres_count) ? NULL : queue;
}

static const struct maui_report_reason *list_reasons(const struct maui_question *q,
						     const struct maui_queue_sums *sums,
						     size_t *ret_count)
{
	struct maui_report_reason *list = maui_question_alloc(q, MAUI_REASON_COUNT, sizeof(*list));
	size_t count = 0;

	for (int i = 0; list && i < MAUI_REASON_COUNT; i++)
		if (sums->reasons[i].jobs > 0)
			list[count++] = (struct maui_report_reason){
				.reason = maui_reason_text((enum maui_reason)i),
				.jobs = sums->reasons[i].jobs,
				.procs = sums->reasons[i].procs,
			};
	*ret_count = count;
	return list;
}

/* ---- the first waiting jobs ---- */

static const struct maui_pair *list_components(const struct maui_question *q,
					       const struct maui_priority *priority,
					       size_t *ret_count)
{
	struct maui_pair *list = maui_question_alloc(q, MAUI_COMP_COUNT, sizeof(*list));
	size_t count = 0;

	for (int c = 0; list && c < MAUI_COMP_COUNT; c++)
		if (priority->component[c] != 0)
			list[count++] =
				(struct maui_pair){ maui_component_name((enum maui_component)c),
						    priority->component[c] };
	*ret_count = count;
	return list;
}

/* What each component adds to the priority, and by what the priority differs from their sum;
 * nothing for a job whose priority was set directly. -1 without memory. */
static int explain_priority(const struct maui_question *q, uint32_t index,
			    struct maui_report_waiting *ret)
{
	const struct maui_idle *job = &q->document->plan->snapshot->idle[index];
	struct maui_report_besides *besides;
	struct maui_report_clip *clip;
	struct maui_priority priority;

	if (job->priority_given || job->job.system_priority > 0)
		return 0;
	maui_plan_job_priority(q->document->plan, index, &priority);
	ret->components = list_components(q, &priority, &ret->components_count);
	ret->besides = besides = maui_question_alloc(q, 1, sizeof(*besides));
	clip = maui_question_alloc(q, 1, sizeof(*clip));
	if (!ret->components || !besides || !clip)
		return -1;
	besides->system_priority_added = job->job.system_priority_relative;
	besides->nice = job->nice;
	clip->clipped = priority.value - job->job.system_priority_relative;
	if (fabs(clip->clipped - priority.raw) > 0.01) /* more than rounding */
		ret->clip = clip;
	return 0;
}

/* -1 without memory. */
static int describe_job(const struct maui_question *q, uint32_t index,
			struct maui_report_waiting *ret)
{
	const struct maui_plan *plan = q->document->plan;
	const struct maui_idle *job = &plan->snapshot->idle[index];
	const struct maui_row *row = maui_plan_row(plan, index);
	uint32_t request = plan->jobs[index].request;
	const char *const *cred = plan->snapshot->creds[row->creds].cred;

	*ret = (struct maui_report_waiting){
		.id = (int64_t)job->id,
		.user = cred[MAUI_CRED_USER],
		.account = cred[MAUI_CRED_ACCOUNT],
		.partition = cred[MAUI_CRED_CLASS],
		.nodes = plan->snapshot->requests[request].nodes_min,
		.procs = job->procs,
		.limit = job->limit_s,
		.priority = plan->decisions.verdicts[index].published,
		.reason = maui_reason_text(maui_queue_reason(plan, index)),
		.expected_start = maui_document_estimate(q->document, index),
	};
	return explain_priority(q, index, ret);
}

/* The nodes of the job, counted by reason. -1 without memory. */
static int explain_nodes(const struct maui_question *q, struct maui_explainer *x, uint32_t index,
			 struct maui_report_why *ret)
{
	const struct maui_plan *plan = q->document->plan;
	struct maui_explanation e;

	if (maui_explain_job(x, index, &e))
		return -1;
	*ret = (struct maui_report_why){
		.id = (int64_t)plan->snapshot->idle[index].id,
		.reason = maui_reason_text(maui_queue_reason(plan, index)),
		.wanted = e.nodes ? e.nodes->wanted : 0,
	};
	return maui_job_count_nodes(q, e.nodes, &ret->nodes, &ret->nodes_count);
}

/* Fills in the indices of the first waiting jobs that the user may see; returns how many. */
static size_t find_first(const struct maui_question *q, uint32_t *indices)
{
	const struct maui_document *p = q->document;
	size_t count = 0;

	for (uint32_t index = p->plan ? p->plan->first_job : UINT32_MAX;
	     index != UINT32_MAX && count < MAUI_REPORT_MAX_JOBS; index = p->plan->jobs[index].next)
		if (maui_document_shows_idle(p, index, q->uid) && p->idle[index].waiting > 0)
			indices[count++] = index;
	return count;
}

/* -1 without memory. */
static int list_jobs(const struct maui_question *q, const uint32_t *indices, size_t count,
		     struct maui_report_now *ret)
{
	struct maui_report_waiting *jobs = maui_question_alloc(q, count, sizeof(*jobs));

	ret->waiting = jobs;
	ret->waiting_count = count;
	for (size_t i = 0; jobs && i < count; i++)
		if (describe_job(q, indices[i], &jobs[i]))
			return -1;
	return jobs ? 0 : -1;
}

/* -1 without memory. */
static int list_why(const struct maui_question *q, const uint32_t *indices, size_t count,
		    struct maui_report_now *ret)
{
	struct maui_report_why *list = maui_question_alloc(q, count, sizeof(*list));
	struct maui_explainer *x = count > 0 ? maui_question_explainer(q) : NULL;
	int rc = list && (x || count == 0) ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = explain_nodes(q, x, indices[i], &list[i]);
	maui_explainer_destroy(x);
	ret->why_not = list;
	ret->why_not_count = count;
	return rc;
}

static const struct maui_report_now *fill_now(const struct maui_question *q)
{
	const struct maui_queue_sums sums = maui_queue_sums(q->document, q->uid);
	struct maui_report_now *now = maui_question_alloc(q, 1, sizeof(*now));
	uint32_t first[MAUI_REPORT_MAX_JOBS];
	size_t count = find_first(q, first);

	if (!now)
		return NULL;
	now->queue = make_queue(q, &sums);
	now->reasons = list_reasons(q, &sums, &now->reasons_count);
	if (q->document->plan && maui_partition_shares(q, &now->partitions, &now->partitions_count))
		return maui_question_no_memory(q);
	if (!now->queue || !now->reasons || list_jobs(q, first, count, now) ||
	    list_why(q, first, count < MAUI_REPORT_MAX_WHY ? count : MAUI_REPORT_MAX_WHY, now))
		return maui_question_no_memory(q);
	return now;
}

/* ---- the answer ---- */

static const struct maui_report_schedule *make_schedule(const struct maui_question *q,
							int64_t horizon_s)
{
	struct maui_report_schedule *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct maui_schedule schedule;
	int rc;

	if (!ret)
		return NULL;
	rc = maui_schedule_make(q, horizon_s, &schedule);
	if (rc == 0)
		rc = maui_schedule_record(&schedule, ret);
	maui_schedule_finish(&schedule);
	return rc == 0 ? ret : maui_question_no_memory(q);
}

static const struct maui_report_shares *make_shares(const struct maui_question *q)
{
	struct maui_report_shares *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (!ret || !q->document->plan || !q->document->usage)
		return ret;
	ret->fairshare = maui_fairshare_largest(q, MAUI_REPORT_MAX_SHARES);
	return ret->fairshare ? ret : NULL;
}

static struct maui_report_span mean_of(const struct maui_utilisation_span *span)
{
	double known_s = span->known_s;

	return (struct maui_report_span){
		.start = span->start_s,
		.end = span->start_s + MAUI_UTILISATION_SPAN_S,
		.procs = span->sum[MAUI_LOAD_PROCS] / known_s,
		.down = span->sum[MAUI_LOAD_DOWN] / known_s,
		.used = span->sum[MAUI_LOAD_USED] / known_s,
		.reserved = span->sum[MAUI_LOAD_RESERVED] / known_s,
		.idle = span->sum[MAUI_LOAD_IDLE] / known_s,
		.running = span->sum[MAUI_LOAD_RUNNING] / known_s,
		.waiting = span->sum[MAUI_LOAD_WAITING] / known_s,
	};
}

/* The means of each span of the last day of which anything is known. */
static const struct maui_report_span *list_spans(const struct maui_question *q, size_t *ret_count)
{
	const struct maui_document *p = q->document;
	const struct maui_utilisation *u = p->utilisation;
	struct maui_report_span *list = maui_question_alloc(q, u ? u->count : 0, sizeof(*list));
	size_t count = 0;

	for (uint32_t i = 0; list && u && i < u->count; i++)
		if (u->spans[i].known_s > 0 && u->spans[i].start_s > p->now_s - MAUI_DAY_S)
			list[count++] = mean_of(&u->spans[i]);
	*ret_count = count;
	return list;
}

/* -1 with the error: no memory. */
static int list_estimates(const struct maui_question *q, struct maui_report *report)
{
	const struct maui_statistics_view *view = q->document->statistics;

	if (view && maui_estimate_error_rows(q->arena, view, &report->estimates,
					     &report->estimates_count)) {
		maui_question_no_memory(q);
		return -1;
	}
	return 0;
}

/* Returns a struct maui_report, of a struct maui_report_args; NULL with the error: the horizon is
 * out of range; nodes are hidden; no memory. */
const void *maui_answer_report(const struct maui_question *q, const void *args)
{
	const struct maui_report_args *wanted = args;
	int64_t horizon_s = wanted->horizon ? wanted->horizon : MAUI_REPORT_HORIZON_S;
	struct maui_report *report;

	if (horizon_s < 1 || horizon_s > MAUI_REPORT_MAX_HORIZON_S)
		return maui_question_fail(
			q, MAUI_QUERY_BAD,
			"a report looks ahead for a second at least, for a year at most");
	report = maui_question_alloc(q, 1, sizeof(*report));
	if (!report)
		return NULL;
	report->cluster = q->document->cluster;
	report->time = q->document->now_s;
	report->schedule = make_schedule(q, horizon_s);
	if (!report->schedule)
		return NULL;
	if (wanted->schedule_only)
		return report;
	report->shares = make_shares(q);
	report->utilisation = list_spans(q, &report->utilisation_count);
	report->now = fill_now(q);
	if (list_estimates(q, report))
		return NULL;
	return report->shares && report->utilisation && report->now ? report : NULL;
}
