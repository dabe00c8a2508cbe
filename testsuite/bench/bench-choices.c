/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench-choices.c - how long a plan takes when all jobs differ
 *
 * 10,000 jobs on 10,000 nodes: each names other reservations, has another time limit, or excludes
 * another node. Prints the processor time of the plan and of the reasons for squeue, for jobs with
 * equal requests and for jobs that all differ. The bound is 100 ms together. The program does not
 * fail on a slow machine.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/strbuf.h"
#include "explain/explain.h"
#include "plan/plan.h"
#include "reservation/placement/placement.h"

enum { RSVS = 14, PROCS = 16 };

/* What differs from job to job. */
enum kind {
	ITS_DAYS, /* the days of R that the job names */
	/* the reservations of R01 and so on that the job names; today they lie on top of each
	 * other */
	STACKED,
	LIMITS, /* the time limit; the job names R, which has too little of each node */
	/* the node that the job excludes; R keeps all nodes but one for others, without end */
	EXCLUDES,
};

static const struct row {
	const char *name;
	enum kind kind;
	uint32_t nodes, jobs;
	const char *config;
} rows[] = {
	{ "which days", ITS_DAYS, 10000, 10000, "" },
	{ "which of those that are stacked", STACKED, 10000, 10000, "" },
	{ "limits", LIMITS, 10000, 10000, "" },
	{ "nodes left out", EXCLUDES, 10000, 10000, "RESERVATIONPOLICY NEVER\n" },
};

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "bench-choices: %s\n", what);
	exit(1);
}

/* The input of a plan. */
struct world {
	struct maui_snapshot *snapshot;
	struct maui_rsv rsvs[RSVS];
	const struct maui_rsv *list[RSVS];
	char names[RSVS][16], hosts[32];
	struct maui_acl_entry guest;
	struct maui_standing_input standing;
	struct maui_arena arena;
};

static struct maui_snapshot *make_nodes(uint32_t count)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { PROCS, 1000, 0 };
	const struct maui_partition partition = { .name = "p0" };
	const uint32_t member = 0;

	check(s && maui_snapshot_add_partition(s, &partition) == 0, "no memory");
	for (uint32_t n = 0; n < count; n++) {
		char name[16];
		const struct maui_node node = { .id = n,
						.name = name,
						.have = have,
						.partitions = &member,
						.partition_count = 1 };

		snprintf(name, sizeof(name), "n%05u", n);
		check(maui_snapshot_add_node(s, &node) >= 0, "no memory");
	}
	s->totals =
		(struct maui_totals){ .procs = (double)count * PROCS, .mem_mb = count * 1000.0 };
	check(maui_snapshot_seal(s, NULL) == 0, "no memory");
	return s;
}

static char *name_some(enum kind kind, uint32_t j, bool own)
{
	struct maui_strbuf names = { 0 };

	if (kind == LIMITS)
		maui_strbuf_addf(&names, "R01");
	for (uint32_t d = 0; d < RSVS && kind <= STACKED; d++)
		if (!own || d == 0 || ((j * 7919) & (1u << d)))
			maui_strbuf_addf(&names, "%s%s%02u", d > 0 ? "," : "",
					 kind == STACKED ? "R" : "maui.R01.197001", d + 1);
	return names.text;
}

/* Jobs behind one that R keeps out. Most jobs that name reservations last longer than these. */
static void add_jobs(struct maui_snapshot *s, const struct row *row, bool own)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_CLASS] = "p0" };
	struct maui_row where = { .partition = 0 };
	bool large = row->kind >= LIMITS;

	for (uint32_t j = 0; j <= row->jobs; j++) {
		uint32_t nodes = row->kind == EXCLUDES ? 2 : 1, out = 1 + j % (row->nodes - 1);
		uint32_t procs = large ? PROCS : PROCS / 2;
		struct maui_request request = { .nodes_min = nodes,
						.tasks = nodes,
						.procs_per_task = procs,
						.excluded = &out,
						.excluded_count = own && row->kind == EXCLUDES };
		char *names = j ? name_some(row->kind, j, own) : NULL;
		struct maui_idle idle = { .id = j,
					  .copies = 1,
					  .rows = &where,
					  .row_count = 1,
					  .procs = nodes * procs,
					  .advres = names,
					  .limit_s = j % 32 ? 20 * 86400 : 3600 };

		if (large)
			idle.limit_s = 600 + (own && row->kind == LIMITS ? j : 0);
		cred[MAUI_CRED_USER] = j ? "ann" : "eve";
		where.creds = (uint32_t)maui_snapshot_creds(s, cred);
		idle.request = (uint32_t)maui_snapshot_request(s, &request);
		check(maui_snapshot_add_idle(s, &idle) >= 0, "no memory");
		free(names);
	}
}

static void make_rsvs(struct world *w, const struct row *row)
{
	bool endless = row->kind == EXCLUDES;
	struct maui_standing_targets *targets;

	w->guest =
		(struct maui_acl_entry){ .kind = MAUI_CRED_USER, .name = endless ? "amy" : "ann" };
	snprintf(w->hosts, sizeof(w->hosts), "n[%05d-%05u]", endless, row->nodes - 1);
	w->standing.list = w->list;
	w->standing.count = row->kind == STACKED ? RSVS : 1;
	for (uint32_t i = 0; i < w->standing.count; i++) {
		snprintf(w->names[i], sizeof(w->names[i]), "R%02u", i + 1);
		w->rsvs[i] = (struct maui_rsv){
			.name = w->names[i],
			.owner_kind = -1,
			.days = 127,
			.hosts = w->hosts,
			.task = { .procs = row->kind == LIMITS ? PROCS / 2 + 1 : -1 },
			.period = endless ? MAUI_RSV_INFINITY : MAUI_RSV_DAY,
			.acl = { .list = &w->guest, .count = 1 },
			.depth = row->kind == ITS_DAYS ? RSVS : 1,
		};
		w->list[i] = &w->rsvs[i];
	}
	check(maui_standing_targets(w->snapshot, w->list, w->standing.count, &w->arena, &targets,
				    NULL) == 0,
	      "no memory");
	w->standing.targets = targets;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct times {
	double plan, reasons;
};

/* By a new planner without memory of earlier plans. */
static struct times plan_once(const struct maui_plan_input *input, struct maui_snapshot *s)
{
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct maui_explanation e;
	struct maui_explainer *x;
	struct maui_plan *plan;
	struct maui_err err = { .text = "" };
	double since = seconds();
	struct times times;

	check(maui_plan(planner, input, &d, &err) == 0, err.text);
	times.plan = seconds() - since;
	since = seconds();
	plan = maui_plan_finish(planner, s, 0);
	x = plan ? maui_explainer_create(plan) : NULL;
	for (uint32_t j = 0; j < s->idle_count; j++)
		check(x && maui_explain_short(x, j, &e) == 0, "no memory");
	maui_explainer_destroy(x);
	times.reasons = seconds() - since;
	maui_plan_unref(plan);
	maui_planner_destroy(planner);
	return times;
}

/* The shortest of three, because other programs may run. */
static void run_row(const struct row *row, bool own)
{
	char text[128];
	int length = snprintf(text, sizeof(text), "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n%s",
			      row->config);
	struct maui_diags diags = { 0 };
	struct maui_config *config =
		maui_config_parse("maui.cfg", text, (size_t)length, NULL, &diags);
	struct world w = { .snapshot = make_nodes(row->nodes) };
	const struct maui_plan_input input = { .config = config,
					       .snapshot = w.snapshot,
					       .standing = &w.standing,
					       .want_reasons = true };
	struct times best = { 0 };

	add_jobs(w.snapshot, row, own);
	make_rsvs(&w, row);
	for (int i = 0; i < 3; i++) {
		struct times times = plan_once(&input, w.snapshot);

		if (i == 0 || times.plan + times.reasons < best.plan + best.reasons)
			best = times;
	}
	printf("%-32s %-12s plan %.1f ms reasons %.1f ms\n", row->name,
	       own ? "each its own" : "the same", best.plan * 1e3, best.reasons * 1e3);
	maui_snapshot_destroy(w.snapshot);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	maui_arena_finish(&w.arena);
}

int main(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		run_row(&rows[i], false);
		run_row(&rows[i], true);
	}
	return 0;
}
