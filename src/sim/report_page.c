/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_page.c - the page of simulated runs
 *
 * Rules: CMD-38.
 */

#include "sim/report_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/need.h"
#include "report/page.h"
#include "rows/schedule.h"
#include "sim/compare.h"

enum { SPANS = 144 };

/* The time that all runs are shown in. */
struct period {
	int64_t from_s, until_s; /* seconds of the trace */
};

static struct period period_of(const struct maui_sim_outcome *outcomes, size_t count)
{
	struct period p = { outcomes[0].run->first_s, outcomes[0].run->last_s };

	for (size_t i = 1; i < count; i++) {
		if (outcomes[i].run->first_s < p.from_s)
			p.from_s = outcomes[i].run->first_s;
		if (outcomes[i].run->last_s > p.until_s)
			p.until_s = outcomes[i].run->last_s;
	}
	if (p.until_s <= p.from_s)
		p.until_s = p.from_s + 1;
	return p;
}

/* ---- nodes over time ---- */

static const char *label_text(struct maui_schedule *s, const struct maui_sim_job *job)
{
	char text[MAUI_SIM_LABEL_SIZE];

	return maui_need(maui_arena_strdup(s->arena, maui_sim_job_label(job, text)));
}

static void add_job(struct maui_schedule *s, const struct maui_sim_trace *trace,
		    const struct maui_sim_job *job)
{
	struct maui_schedule_item item = {
		.kind = MAUI_SCHEDULE_RUNNING,
		.user = job->cred[MAUI_CRED_USER],
		.account = job->cred[MAUI_CRED_ACCOUNT],
		.start_s = trace->epoch_s + job->start_s,
		.end_s = trace->epoch_s + job->start_s + job->run_s,
		.nodes = job->nodes_used,
		.procs = maui_sim_job_procs(job),
	};
	uint32_t index;

	item.id = label_text(s, job);
	index = maui_schedule_add_item(s, &item);
	for (uint32_t i = 0; i < job->nodes_used && job->places; i++)
		maui_schedule_add_box(s, index, job->places[i]);
}

static const char **names_of(struct maui_arena *arena, const struct maui_snapshot *snapshot)
{
	const char **names =
		maui_need(maui_arena_alloc_list(arena, snapshot->node_count, sizeof(*names)));

	for (uint32_t i = 0; i < snapshot->node_count; i++)
		names[i] = snapshot->nodes[i].name;
	return names;
}

static const struct maui_report_schedule *make_schedule(struct maui_arena *arena,
							const struct maui_sim_outcome *outcome,
							const struct maui_sim_cluster *cluster,
							struct period period)
{
	const struct maui_sim_trace *trace = outcome->trace;
	const struct maui_snapshot *snapshot = cluster->conf.snapshot;
	struct maui_report_schedule *ret = maui_need(maui_arena_alloc(arena, sizeof(*ret)));
	const char **names = names_of(arena, snapshot);
	struct maui_schedule s;

	maui_schedule_begin(&s, arena, trace->epoch_s + period.from_s,
			    period.until_s - period.from_s, names, snapshot->node_count);
	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].start_s >= 0)
			add_job(&s, trace, &trace->jobs[i]);
	if (maui_schedule_end(&s, NULL) || maui_schedule_record(&s, ret))
		maui_out_of_memory();
	maui_schedule_finish(&s);
	return ret;
}

/* ---- utilisation ---- */

struct span {
	double used, waiting; /* processors, jobs: multiplied by seconds */
};

/* Adds amount x seconds to each span that [from, until) overlaps. */
static void add_to(struct span *spans, struct period p, int64_t from_s, int64_t until_s,
		   double used, double waiting)
{
	double length = (double)(p.until_s - p.from_s) / SPANS;
	double from = (double)(from_s - p.from_s) / length;
	double until = (double)(until_s - p.from_s) / length;

	from = from < 0 ? 0 : from;
	until = until > SPANS ? SPANS : until;
	for (int i = (int)from; i < SPANS && i < until; i++) {
		double left = i > from ? i : from, right = i + 1 < until ? i + 1 : until;

		spans[i].used += (right - left) * length * used;
		spans[i].waiting += (right - left) * length * waiting;
	}
}

static const struct maui_report_span *list_spans(struct maui_arena *arena,
						 const struct maui_sim_outcome *outcome,
						 struct period p)
{
	const struct maui_sim_trace *trace = outcome->trace;
	double length = (double)(p.until_s - p.from_s) / SPANS;
	double procs = (double)outcome->results.procs;
	struct maui_report_span *list =
		maui_need(maui_arena_alloc_list(arena, SPANS, sizeof(*list)));
	struct span spans[SPANS] = { 0 };

	for (size_t i = 0; i < trace->count; i++) {
		const struct maui_sim_job *job = &trace->jobs[i];
		int64_t start_s = job->start_s >= 0 ? job->start_s : p.until_s;

		add_to(spans, p, job->submit_s, start_s, 0, 1);
		if (job->start_s >= 0)
			add_to(spans, p, start_s, start_s + job->run_s,
			       (double)maui_sim_job_procs(job), 0);
	}
	for (int i = 0; i < SPANS; i++) {
		int64_t at_s = trace->epoch_s + p.from_s;
		double used = spans[i].used / length;

		list[i] = (struct maui_report_span){
			.start = at_s + (int64_t)(i * length),
			.end = at_s + (int64_t)((i + 1) * length),
			.procs = procs,
			.used = used,
			.idle = procs > used ? procs - used : 0,
			.waiting = spans[i].waiting / length,
		};
	}
	return list;
}

/* ---- the page ---- */

/* A pool of processors is one node, which says nothing that utilisation does not. */
static const struct maui_report *report_of(struct maui_arena *arena,
					   const struct maui_sim_outcome *outcome,
					   const struct maui_sim_cluster *cluster, struct period p)
{
	struct maui_report *report = maui_need(maui_arena_alloc(arena, sizeof(*report)));
	struct maui_report_period *period = maui_need(maui_arena_alloc(arena, sizeof(*period)));
	int64_t epoch_s = outcome->trace->epoch_s;

	*period = (struct maui_report_period){ epoch_s + p.from_s, epoch_s + p.until_s };
	*report = (struct maui_report){
		.cluster = outcome->config_path,
		.time = epoch_s + p.from_s,
		.schedule = cluster->pool ? NULL : make_schedule(arena, outcome, cluster, p),
		.utilisation = list_spans(arena, outcome, p),
		.utilisation_count = SPANS,
		.period = period,
	};
	return report;
}

static int write_runs(const char *path, const struct maui_page_run *runs, size_t count,
		      struct maui_err *err)
{
	const struct maui_page page = { .runs = runs, .run_count = count };
	size_t length;
	char *text = maui_page_make(&page, &length);
	int rc = maui_file_publish(path, text, length, false, err);

	free(text);
	return rc;
}

int maui_sim_write_page(const char *path, const struct maui_sim_outcome *outcomes,
			const struct maui_sim_cluster *const *clusters, size_t count,
			struct maui_err *err)
{
	struct period period = period_of(outcomes, count);
	struct maui_arena arena = { 0 };
	struct maui_page_run *runs = maui_need(maui_arena_alloc_list(&arena, count, sizeof(*runs)));
	int rc;

	for (size_t i = 0; i < count; i++)
		runs[i].report = report_of(&arena, &outcomes[i], clusters[i], period);
	rc = write_runs(path, runs, count, err);
	maui_arena_finish(&arena);
	return rc;
}
