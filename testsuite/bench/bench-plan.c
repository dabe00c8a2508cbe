/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-plan.c - how long one iteration takes
 *
 * A cluster of nodes with 32 processors that is full of running jobs, and as mixed a queue: half of
 * the jobs 1 to 32 processors of one node, 35 % 1 to 16 whole nodes, 15 % 1 to a quarter of all
 * nodes (both log-uniform), limits log-uniform from 1 to 724 minutes, memory by processor, 8 users.
 * The running jobs are what a plan of the empty machine started, at random ages. What is timed is
 * maui_plan(): timeline, priorities, walk, reservations, backfill, reasons. "spread": every third
 * job is of tasks that go wherever there is room. "kept": with the reservations of the plan before,
 * under RESERVATIONPOLICY HIGHEST. "with ... reservations": standing ones of 20 nodes each (every
 * fifth of processors of them), from 9 to 17 on 7 days ahead, each for one of the users (every
 * third with a TIMELIMIT of an hour for all); the last time is that of putting them in place once
 * more, alone, as the plan has done, too. "without an end": these from now on, day and night; "of
 * 5,000 nodes": from any node on, half of all each; "mirrors": the same as Slurm reservations.
 * "estimates" and "reasons" follow the plan in slurmctld, for squeue, without writing them to the
 * jobs there. "days", "names": every job names reservations that cover all nodes between them, 14
 * instances of one or 14 that have begun; "the same": all of them, "each its own": each job another
 * subset, as any user may; "under another": every second job does, and on all of them lies one that
 * admits no job. "preempt": with Slurm's own preemption, jobs of one to three whole nodes. Prints
 * `p50 X ms p99 Y ms` a row and always succeeds: a figure of another machine is no test.
 * bench-plan [REPETITIONS [TEXT]]: only rows with TEXT in their names, for profilers.
 * bench-plan -p FILE [REPETITIONS]: one row, of a plan that `maui snapshot FILE` saved, with its
 * maui.cfg, usage and job reservations; reservations of maui.cfg are left out.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cycle/job_reservations.h"
#include "explain/explain.h"
#include "bench.h"
#include "mix.h"
#include "mix_rsv.h"
#include "plan/plan.h"
#include "policy/fairshare.h"
#include "reservation/placement/placement.h"
#include "state/saved_plan/saved_plan.h"

enum { MOST_REPETITIONS = 101 };

static struct bench_rsvs rsvs;

/* The time of placing reservations alone, as the plan does it. */
static double place_once(const struct maui_snapshot *s)
{
	struct maui_timeline t = { 0 };
	struct maui_arena arena = { 0 };
	struct maui_rsv_instance *list;
	uint32_t count;
	double start;

	if (rsvs.input.count == 0)
		return 0;
	if (maui_timeline_build(&t, s, BENCH_NOW, false))
		bench_die("no memory");
	start = bench_cpu_ms();
	if (maui_standing_place(&t, s, &rsvs.input, BENCH_NOW, &arena, &list, &count))
		bench_die("no memory");
	start = bench_cpu_ms() - start;
	maui_timeline_finish(&t);
	maui_arena_finish(&arena);
	return start;
}

/* The time of maui_plan() alone, as `plan` in slurmctld's log begins. */
static double run_plan(struct maui_planner *planner, const struct maui_plan_input *input,
		       struct maui_decisions *d)
{
	struct maui_err err;
	double start = bench_cpu_ms();

	if (maui_plan(planner, input, d, &err))
		bench_die(err.text);
	return bench_cpu_ms() - start;
}

/* Keeps the job reservations of `last`. */
static double plan_once(struct maui_planner *planner, const struct maui_snapshot *s,
			const struct maui_config *config, const struct maui_decisions *last,
			struct maui_decisions *d, bool reasons)
{
	struct maui_job_reservation *job_rsvs =
		calloc(last->reservation_count + 1u, sizeof(*job_rsvs));
	const struct maui_plan_input input = { .config = config,
					       .snapshot = s,
					       .now_s = BENCH_NOW,
					       .standing = rsvs.input.count ? &rsvs.input : NULL,
					       .job_rsvs = job_rsvs,
					       .job_rsv_count = last->reservation_count,
					       .want_reasons = reasons };
	double took;

	for (uint32_t i = 0; job_rsvs && i < last->reservation_count; i++)
		job_rsvs[i] =
			(struct maui_job_reservation){ .job = s->idle[last->reservations[i].job].id,
						       .start_s = last->reservations[i].start_s,
						       .places = last->reservations[i].places,
						       .place_count =
							       last->reservations[i].place_count };
	if (!job_rsvs)
		bench_die("no memory");
	took = run_plan(planner, &input, d);
	free(job_rsvs);
	return took;
}

/* What a cycle does for squeue. */
struct afterwards {
	double estimates, reasons;
};

/* The finished plan with its estimates, then each job's reason. */
static struct afterwards finish_once(struct maui_planner *planner, struct maui_snapshot *s)
{
	struct maui_explanation e;
	struct maui_explainer *x;
	struct maui_plan *plan;
	struct afterwards took;
	double start = bench_cpu_ms();

	plan = maui_plan_finish(planner, s, MAUI_PLAN_ESTIMATES);
	took.estimates = bench_cpu_ms() - start;
	start = bench_cpu_ms();
	x = plan ? maui_explainer_create(plan) : NULL;
	for (uint32_t j = 0; j < s->idle_count; j++)
		if (!x || maui_explain_short(x, j, &e))
			bench_die("no memory");
	took.reasons = bench_cpu_ms() - start;
	maui_explainer_destroy(x);
	maui_plan_unref(plan);
	return took;
}

/* The medians. */
static void print_afterwards(const struct afterwards *took, int repetitions)
{
	double estimates[MOST_REPETITIONS] = { 0 }, reasons[MOST_REPETITIONS] = { 0 };

	for (int i = 0; i < repetitions; i++) {
		estimates[i] = took[i].estimates;
		reasons[i] = took[i].reasons;
	}
	qsort(estimates, (size_t)repetitions, sizeof(estimates[0]), bench_by_value);
	qsort(reasons, (size_t)repetitions, sizeof(reasons[0]), bench_by_value);
	printf("; then estimates %.1f ms, reasons %.1f ms", estimates[repetitions / 2],
	       reasons[repetitions / 2]);
}

static struct afterwards explain_once(struct maui_snapshot *s, const struct maui_config *config,
				      const struct maui_decisions *last)
{
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct afterwards took;

	plan_once(planner, s, config, last, &d, true);
	took = finish_once(planner, s);
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	return took;
}

/* Slurm's own preemption: so many waiting jobs may preempt all that run. */
static void let_preempt(struct maui_snapshot *s, uint32_t count)
{
	const struct maui_preemption_rule rule = {
		1, 0, MAUI_PREEMPTS_LOWER | MAUI_PREEMPTS_EQUAL | MAUI_PREEMPTS_HIGHER
	};

	if (maui_snapshot_set_preemption(s, &rule, 1))
		bench_die("no memory");
	for (uint32_t a = 0; a < s->active_count; a++) {
		s->active[a].going = MAUI_GOING_ENDED;
		s->active[a].cost = a % 7;
	}
	for (uint32_t j = 0; j < s->idle_count && j < count; j++)
		((struct maui_row *)s->idle[j].rows)->kind = 1;
}

/* A job of one to three whole nodes, so that 5,000 of them fill 10,000 nodes. */
static void small_job(struct maui_snapshot *s, uint32_t id)
{
	const struct maui_request request = { .nodes_min = 1 + id % 3,
					      .nodes_max = 1 + id % 3,
					      .procs_per_task = BENCH_PROCS,
					      .whole_nodes = true };
	const char *cred[MAUI_CRED_COUNT] = {
		[MAUI_CRED_USER] = id % 2 ? "u1" : "u2", [MAUI_CRED_CLASS] = "batch"
	};
	struct maui_row row = { .creds = (uint32_t)maui_snapshot_creds(s, cred) };
	const struct maui_idle idle = { .id = id + 1,
					.request = (uint32_t)maui_snapshot_request(s, &request),
					.copies = 1,
					.rows = &row,
					.row_count = 1,
					.submit_s = BENCH_NOW - 1000,
					.queue_since_s = BENCH_NOW - 1000 + id % 1000,
					.limit_s = 600 + 60 * (int64_t)(id % 100),
					.procs = (1 + id % 3) * BENCH_PROCS,
					.job = { .procs = (1 + id % 3) * BENCH_PROCS } };

	if (maui_snapshot_add_idle(s, &idle) < 0)
		bench_die("no memory");
}

struct row {
	const char *name;
	uint32_t nodes, jobs;
	const char *config;
	bool empty; /* an empty machine: no job runs yet */
	bool spread, kept;
	uint32_t standing; /* reservations */
	enum bench_rsv_kind kind;
	bool own; /* each job names other reservations than the next */
	uint32_t preemptors;
	bool small;
};

static void run_row(const struct row *row, int repetitions)
{
	double times[MOST_REPETITIONS], places[MOST_REPETITIONS];
	struct afterwards after[MOST_REPETITIONS];
	struct maui_snapshot *s;
	struct maui_planner *planner = maui_planner_create();
	struct maui_config *config = bench_config(row->config);
	struct maui_decisions d = { 0 }, last = { 0 }, none = { 0 };

	bench_mix_begin();
	s = bench_mix_cluster(row->nodes);
	if (!planner)
		bench_die("no memory");
	for (uint32_t j = 0; !row->empty && j < row->jobs; j++)
		row->small ? small_job(s, j) : bench_mix_job(s, j, row->spread);
	plan_once(planner, s, config, &last, &d, true);
	bench_mix_activate(s, &d);
	for (uint32_t j = s->idle_count; j < row->jobs; j++)
		row->small ? small_job(s, row->jobs + j) :
			     bench_mix_job(s, row->jobs + j, row->spread);
	if (row->preemptors > 0)
		let_preempt(s, row->preemptors);
	if (row->standing > 0 && row->kind == BENCH_MIRRORS)
		bench_rsvs_mirror(s, row->standing);
	else if (row->standing > 0)
		bench_rsvs_make(&rsvs, s, row->standing, row->kind);
	if (row->kept || row->standing > 0)
		plan_once(planner, s, config, &last, &last, true);
	rsvs.input.before = last.instances; /* the plan before chose their nodes */
	rsvs.input.before_count = last.instance_count;
	if (row->kind == BENCH_NAMED || row->kind == BENCH_UPON)
		bench_rsvs_name(&rsvs, s, &last, row->kind == BENCH_UPON ? 2 : 1, row->own);
	for (int i = 0; i < repetitions; i++) {
		places[i] = place_once(s);
		times[i] = plan_once(planner, s, config, row->kept ? &last : &none, &d, true);
		after[i] = explain_once(s, config, row->kept ? &last : &none);
	}
	qsort(times, (size_t)repetitions, sizeof(times[0]), bench_by_value);
	qsort(places, (size_t)repetitions, sizeof(places[0]), bench_by_value);
	printf("%-60s p50 %.1f ms p99 %.1f ms  (%u run, %u start, %u reserved)", row->name,
	       times[repetitions / 2], times[(repetitions * 99 + 99) / 100 - 1], s->active_count,
	       d.start_count, d.reservation_count);
	if (row->preemptors > 0)
		printf(" %u preempted", d.preemption_count);
	print_afterwards(after, repetitions);
	if (row->standing > 0)
		printf("; placing %u instances alone %.1f ms", d.instance_count,
		       places[repetitions / 2]);
	printf("\n");
	bench_rsvs_finish(&rsvs);
	maui_decisions_finish(&d);
	maui_decisions_finish(&last);
	maui_snapshot_destroy(s);
	maui_planner_destroy(planner);
	maui_config_unref(config);
}

/* ---- a plan of a live slurmctld ---- */

static char *read_file(const char *path, size_t *ret_length)
{
	struct maui_strbuf text = { 0 };
	char part[65536];
	FILE *file = fopen(path, "r");
	size_t got;

	if (!file)
		bench_die("the saved plan cannot be read");
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		maui_strbuf_add(&text, part, got);
	fclose(file);
	if (text.failed || text.length == 0)
		bench_die("the saved plan cannot be read");
	*ret_length = text.length;
	return text.text;
}

static void time_saved(const struct maui_saved_plan *saved, const struct maui_plan_input *input,
		       int repetitions)
{
	struct afterwards after[MOST_REPETITIONS];
	double times[MOST_REPETITIONS];
	struct maui_snapshot *s = maui_snapshot_ref((struct maui_snapshot *)saved->snapshot);
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };

	if (!planner)
		bench_die("no memory");
	for (int i = 0; i < repetitions; i++) {
		times[i] = run_plan(planner, input, &d);
		after[i] = finish_once(planner, s);
	}
	qsort(times, (size_t)repetitions, sizeof(times[0]), bench_by_value);
	printf("saved plan: %u nodes, %u wait p50 %.1f ms p99 %.1f ms  (%u run, %u start, "
	       "%u reserved)",
	       s->node_count, s->idle_count, times[repetitions / 2],
	       times[(repetitions * 99 + 99) / 100 - 1], s->active_count, d.start_count,
	       d.reservation_count);
	print_afterwards(after, repetitions);
	printf("\n");
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s);
}

static void run_saved(const char *path, int repetitions)
{
	struct maui_saved_plan saved;
	struct maui_usage usage = { 0 };
	struct maui_config *config;
	const struct maui_job_reservation *job_rsvs;
	struct maui_fs_table *table = NULL;
	struct maui_err err;
	size_t length;
	char *text = read_file(path, &length), *config_text;

	if (maui_saved_plan_read(text, length, &saved, &err))
		bench_die(err.text);
	config_text = strndup(saved.config_text, saved.config_length);
	if (!config_text)
		bench_die("no memory");
	config = bench_config(config_text);
	if (saved.usage && (maui_usage_restore(saved.usage, &usage) ||
			    !(table = maui_fs_table_create(&usage, config, saved.now_s))))
		bench_die("no memory");
	job_rsvs = maui_job_reservations_of_plan(&saved, &saved.arena);
	if (!job_rsvs)
		bench_die("no memory");
	time_saved(&saved,
		   &(struct maui_plan_input){ .config = config,
					      .snapshot = saved.snapshot,
					      .now_s = saved.now_s,
					      .usage = table,
					      .chunk_until_s = saved.chunk_until_s,
					      .job_rsvs = job_rsvs,
					      .job_rsv_count = saved.job_rsv_count,
					      .slurm_chooses = true,
					      .want_reasons = true },
		   repetitions);
	maui_fs_table_destroy(table);
	maui_usage_finish(&usage);
	maui_config_unref(config);
	maui_saved_plan_finish(&saved);
	free(config_text);
	free(text);
}

static const char one[] = "RESERVATIONDEPTH 1\n", all[] = "RESERVATIONDEPTH 100000\n";
static const char keep[] = "RESERVATIONDEPTH 100000\nRESERVATIONPOLICY HIGHEST\n";
static const struct row rows[] = {
	{ .name = "1,000 nodes 1,000 jobs depth 1", .nodes = 1000, .jobs = 1000, .config = one },
	{ .name = "10,000 nodes 5,000 run, 2,000 of 5,000 waiting ones preempt",
	  .nodes = 10000,
	  .jobs = 5000,
	  .config = one,
	  .preemptors = 2000,
	  .small = true },
	{ .name = "1,000 nodes 1,000 jobs every job reserved",
	  .nodes = 1000,
	  .jobs = 1000,
	  .config = all },
	{ .name = "1,000 nodes 1,000 jobs every job reserved, kept",
	  .nodes = 1000,
	  .jobs = 1000,
	  .config = keep,
	  .kept = true },
	{ .name = "1,000 nodes 1,000 jobs every job reserved, spread",
	  .nodes = 1000,
	  .jobs = 1000,
	  .config = all,
	  .spread = true },
	{ .name = "160,000 nodes 100,000 jobs depth 1",
	  .nodes = 160000,
	  .jobs = 100000,
	  .config = one },
	{ .name = "160,000 nodes 100,000 jobs depth 1, idle",
	  .nodes = 160000,
	  .jobs = 100000,
	  .config = one,
	  .empty = true },
	{ .name = "10,000 nodes 10,000 jobs depth 1",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one },
	{ .name = "10,000 nodes 10,000 jobs depth 1, spread",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .spread = true },
	{ .name = "10,000 nodes 10,000 jobs depth 1, idle",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true },
	{ .name = "... with 500 reservations",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 500 },
	{ .name = "... with 500 reservations, spread",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .spread = true,
	  .standing = 500 },
	{ .name = "... with 500 reservations, idle",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = 500 },
	{ .name = "... with 500 reservations without an end",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 500,
	  .kind = BENCH_ENDLESS },
	{ .name = "... with 900 reservations of 5,000 nodes",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 900,
	  .kind = BENCH_WIDE },
	{ .name = "... with 900 mirrors of 5,000 nodes",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 900,
	  .kind = BENCH_MIRRORS },
	{ .name = "10,000 nodes 10,000 jobs, days, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 1,
	  .kind = BENCH_NAMED },
	{ .name = "10,000 nodes 10,000 jobs, days, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 1,
	  .kind = BENCH_NAMED,
	  .own = true },
	{ .name = "10,000 nodes 10,000 jobs, days, idle, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = 1,
	  .kind = BENCH_NAMED },
	{ .name = "10,000 nodes 10,000 jobs, days, idle, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = 1,
	  .kind = BENCH_NAMED,
	  .own = true },
	{ .name = "10,000 nodes 10,000 jobs, names, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 14,
	  .kind = BENCH_NAMED },
	{ .name = "10,000 nodes 10,000 jobs, names, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = 14,
	  .kind = BENCH_NAMED,
	  .own = true },
	{ .name = "10,000 nodes 10,000 jobs, names, idle, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = 14,
	  .kind = BENCH_NAMED },
	{ .name = "10,000 nodes 10,000 jobs, names, idle, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = 14,
	  .kind = BENCH_NAMED,
	  .own = true },
	{ .name = "10,000 nodes 10,000 jobs, under another, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = BENCH_RSV_NAMES + 1,
	  .kind = BENCH_UPON },
	{ .name = "10,000 nodes 10,000 jobs, under another, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .standing = BENCH_RSV_NAMES + 1,
	  .kind = BENCH_UPON,
	  .own = true },
	{ .name = "10,000 nodes 10,000 jobs, under another, idle, the same",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = BENCH_RSV_NAMES + 1,
	  .kind = BENCH_UPON },
	{ .name = "10,000 nodes 10,000 jobs, under another, idle, each its own",
	  .nodes = 10000,
	  .jobs = 10000,
	  .config = one,
	  .empty = true,
	  .standing = BENCH_RSV_NAMES + 1,
	  .kind = BENCH_UPON,
	  .own = true },
};

int main(int argc, char **argv)
{
	bool saved = argc > 2 && !strcmp(argv[1], "-p");
	const char *count = argc > (saved ? 3 : 1) ? argv[saved ? 3 : 1] : "21";
	int repetitions = atoi(count);

	if (repetitions < 1 || repetitions > MOST_REPETITIONS)
		repetitions = MOST_REPETITIONS;
	if (saved) {
		run_saved(argv[2], repetitions);
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (argc <= 2 || strstr(rows[i].name, argv[2]))
			run_row(&rows[i], repetitions);
	return 0;
}
