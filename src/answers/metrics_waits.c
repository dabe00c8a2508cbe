/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_waits.c - how long jobs waited and are expected to wait
 *
 * Rules: CMD-48, CMD-67, CMD-69.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/metric_parts.h"
#include "answers/own_creds.h"
#include "base/limits.h"
#include "model/when.h"
#include "plan/finished.h"
#include "rows/estimate_errors.h"

/* A number of seconds as a label. */
static const char *label_of(struct maui_metric_families *f, int64_t seconds)
{
	const char *label = "+Inf";

	if (seconds != MAUI_NEVER) {
		label = maui_question_printf(f->question, "%" PRId64, seconds);
		f->failed |= !label;
	}
	return label;
}

/* ---- of jobs that started ---- */

static void put_waits(struct maui_metric_families *f, const struct maui_statistics_row *row,
		      enum maui_wait wait)
{
	const double *value = maui_waits_of(&row->waits, wait);
	const char *labels[] = { "kind", maui_cred_name(row->kind), "name", row->name,
				 "wait", maui_wait_names[wait],     NULL,   NULL,
				 NULL };
	double jobs = 0;

	for (int step = 0; step < MAUI_WAIT_STEPS; step++) {
		const char *bound = label_of(f, maui_wait_limit(step));

		jobs += value[step];
		labels[6] = "le";
		labels[7] = bound;
		maui_metric_add(f, "_bucket", labels, jobs);
	}
	labels[6] = NULL;
	maui_metric_add(f, "_sum", labels, value[MAUI_WAIT_SUM]);
	maui_metric_add(f, "_count", labels, jobs);
}

static double jobs_of(const struct maui_statistics_row *row)
{
	const double *value = maui_waits_of(&row->waits, MAUI_WAIT_ELIGIBLE);
	double jobs = 0;

	for (int step = 0; step < MAUI_WAIT_STEPS; step++)
		jobs += value[step];
	return jobs;
}

/* Partitions first, then by jobs. */
static int by_jobs(const void *a, const void *b)
{
	const struct maui_statistics_row *x = *(const struct maui_statistics_row *const *)a;
	const struct maui_statistics_row *y = *(const struct maui_statistics_row *const *)b;
	bool x_class = x->kind == MAUI_CRED_CLASS, y_class = y->kind == MAUI_CRED_CLASS;

	if (x_class != y_class)
		return x_class ? -1 : 1;
	return (jobs_of(x) < jobs_of(y)) - (jobs_of(x) > jobs_of(y));
}

/* Users and groups would be too many for a monitoring system. */
static bool is_measured(const struct maui_statistics_row *row)
{
	return (row->kind == MAUI_CRED_CLASS || row->kind == MAUI_CRED_ACCOUNT ||
		row->kind == MAUI_CRED_QOS) &&
	       jobs_of(row) > 0 && maui_metric_takes(row->name);
}

/* Accounts and QOS may be invented by users: those with the most jobs. */
static void add_waits(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	const struct maui_statistics_view *view = p->statistics;
	const struct maui_statistics_row **rows =
		maui_question_alloc(f->question, view->count, sizeof(*rows));
	size_t count = 0, others = 0;
	struct maui_own_creds own;

	if (!rows || maui_own_creds_find_usage(p, uid, &own)) {
		f->failed = true;
		return;
	}
	for (size_t i = 0; i < view->count; i++)
		if (is_measured(&view->rows[i]) &&
		    maui_own_creds_shows(&own, view->rows[i].kind, view->rows[i].name))
			rows[count++] = &view->rows[i];
	maui_own_creds_finish(&own);
	qsort(rows, count, sizeof(const struct maui_statistics_row *), by_jobs);
	maui_metric_begin(f, "job_wait_seconds", "histogram",
			  "How long jobs waited that have started since the statistics began, "
			  "before they were eligible (blocked) and then.");
	for (size_t i = 0; i < count && others < MAUI_REPORT_MAX_SHARES; i++) {
		others += rows[i]->kind != MAUI_CRED_CLASS;
		for (int wait = 0; wait < MAUI_WAITS; wait++)
			put_waits(f, rows[i], (enum maui_wait)wait);
	}
}

/* ---- of jobs that wait ---- */

struct expected {
	const char *partition;
	int64_t wait_s;
};

static int by_partition(const void *a, const void *b)
{
	const struct expected *x = a, *y = b;
	int order = strcmp(x->partition, y->partition);

	return order ? order : (x->wait_s > y->wait_s) - (x->wait_s < y->wait_s);
}

static void put_expected(struct maui_metric_families *f, const struct expected *list, size_t count)
{
	static const struct {
		const char *percentile;
		double part;
	} percentiles[] = { { "10", 0.1 }, { "50", 0.5 }, { "90", 0.9 } };

	for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		maui_metric_add(
			f, NULL,
			(const char *const[]){ "partition", list->partition, "percentile",
					       percentiles[i].percentile, NULL },
			(double)list[(size_t)((double)(count - 1) * percentiles[i].part)].wait_s);
}

static const char *partition_of(const struct maui_plan *plan, uint32_t index)
{
	uint32_t creds = maui_plan_row(plan, index)->creds;

	return plan->snapshot->creds[creds].cred[MAUI_CRED_CLASS];
}

/* Jobs without an estimate are not among them. */
static void add_expected(struct maui_metric_families *f, const struct maui_document *p, uid_t uid)
{
	const struct maui_plan *plan = p->plan;
	struct expected *list =
		maui_question_alloc(f->question, plan->snapshot->idle_count, sizeof(*list));
	size_t count = 0;

	f->failed |= !list;
	for (uint32_t i = 0; list && i < plan->snapshot->idle_count; i++) {
		int64_t start_s = maui_document_estimate(p, i);

		if (start_s != MAUI_NEVER && p->idle[i].waiting > 0 &&
		    maui_document_shows_idle(p, i, uid))
			list[count++] = (struct expected){
				.partition = partition_of(plan, i),
				.wait_s = start_s > p->now_s ? start_s - p->now_s : 0,
			};
	}
	if (count == 0)
		return;
	qsort(list, count, sizeof(*list), by_partition);
	maui_metric_begin(
		f, "expected_wait_seconds", "gauge",
		"How much longer waiting jobs are expected to wait, of those that have an "
		"estimate.");
	for (size_t from = 0, to = 0; from < count; from = to) {
		while (to < count && strcmp(list[to].partition, list[from].partition) == 0)
			to++;
		put_expected(f, &list[from], to - from);
	}
}

/* ---- estimates ---- */

static void add_quantiles(struct maui_metric_families *f,
			  const struct maui_statistics_estimate *row, const char *ahead)
{
	const struct {
		const char *percentile;
		double error_s;
	} list[] = { { "10", row->p10 }, { "50", row->p50 }, { "90", row->p90 } };

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		maui_metric_add(f, NULL,
				(const char *const[]){ "partition", row->partition, "estimate",
						       row->estimate, "ahead", ahead, "percentile",
						       list[i].percentile, NULL },
				list[i].error_s);
}

/* Of each partition; Prometheus can sum them up. */
static void add_estimates(struct maui_metric_families *f)
{
	const struct maui_statistics_estimate *rows;
	size_t count;

	if (maui_estimate_error_rows(f->question->arena, f->question->document->statistics, &rows,
				     &count)) {
		f->failed = true;
		return;
	}
	maui_metric_begin(f, "estimate_error_seconds", "gauge",
			  "How much later than estimated jobs started, since the statistics began, "
			  "by how many seconds ahead (at most) the estimate was.");
	for (size_t i = 0; i < count; i++)
		if (rows[i].partition)
			add_quantiles(f, &rows[i], label_of(f, rows[i].ahead));
}

void maui_metrics_waits(struct maui_metric_families *families)
{
	const struct maui_question *q = families->question;

	add_expected(families, q->document, q->uid);
	if (!q->document->statistics)
		return;
	add_waits(families, q->document, q->uid);
	add_estimates(families);
}
