/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - answers "report": the schedule, usage, and the queue of report_queue.c */

#include "answers/report.h"

#include "answers/answer.h"
#include "answers/fairshare.h"
#include "answers/schedule.h"
#include "base/limits.h"
#include "rows/estimate_errors.h"
#include "state/utilisation.h"

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
		if (u->spans[i].known_s > 0 && u->spans[i].start_s > p->now_s - (int64_t)24 * 3600)
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
	report->now = maui_report_now(q);
	if (list_estimates(q, report))
		return NULL;
	return report->shares && report->utilisation && report->now ? report : NULL;
}
