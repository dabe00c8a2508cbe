/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_cost.c - what users may ask for does not make a plan long
 *
 * The processor time of a plan for jobs of which each asks for something else, against that for
 * jobs that all ask for the same. Each row was over its bound once, and is far below it now.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <criterion/criterion.h>

#include "base/strbuf.h"
#include "plan/plan.h"
#include "reservation/placement/placement.h"
#include "rows.h"

enum { RSVS = 14, PROCS = 16 };

/* What each job has of its own. */
enum kind {
	ITS_DAYS, /* which days of R it names */
	STACKED,  /* which of R01 and so on, that lie upon each other today */
	LIMITS,   /* its limit; it names R, which has too little of each node */
	EXCLUDES, /* a node it leaves out; R has all but one of them, for others, without an end */
};

static const struct row {
	const char *name;
	enum kind kind;
	uint32_t nodes, jobs;
	double times;               /* as much as for those that ask for the same */
	uint32_t instances, starts; /* so many at least start */
	const char *config;
} rows[] = {
	{ "which days", ITS_DAYS, 1200, 1200, 8, RSVS, 1200 / 64 + 1, "" },
	{ "which of those that are stacked", STACKED, 2500, 2000, 8, RSVS, 2000 / 64 + 1, "" },
	{ "limits", LIMITS, 10000, 2000, 12, 1, 0, "" },
	{ "nodes left out", EXCLUDES, 10000, 2000, 20, 1, 0, "RESERVATIONPOLICY NEVER\n" },
};

/* What a plan is made of. */
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

	cr_assert(s && maui_snapshot_add_partition(s, &partition) == 0);
	for (uint32_t n = 0; n < count; n++) {
		char name[16];
		const struct maui_node node = { .id = n,
						.name = name,
						.have = have,
						.partitions = &member,
						.partition_count = 1 };

		snprintf(name, sizeof(name), "n%05u", n);
		cr_assert(maui_snapshot_add_node(s, &node) >= 0);
	}
	s->totals = (struct maui_totals){ (double)count * PROCS, count * 1000.0, 0, 0 };
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
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

/* Behind one that R keeps out. Most of those that name some last for longer than these. */
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
		cr_assert(maui_snapshot_add_idle(s, &idle) >= 0);
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
	cr_assert(maui_standing_targets(w->snapshot, w->list, w->standing.count, &w->arena,
					&targets, NULL) == 0);
	w->standing.targets = targets;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* By a planner that has no memory yet. */
static double plan_once(const struct row *row, const struct maui_plan_input *input)
{
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct maui_err err;
	double since = seconds();

	cr_assert(maui_plan(planner, input, &d, &err) == 0, "%s", err.text);
	since = seconds() - since;
	cr_expect(d.instance_count == row->instances &&
		  d.instances[0].place_count == row->nodes - (row->kind == EXCLUDES));
	cr_expect(d.start_count >= row->starts, "%s: %u start", row->name, d.start_count);
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	return since;
}

static struct maui_config *configure(const char *more, struct maui_diags *diags)
{
	char text[128];
	int length = snprintf(text, sizeof(text), "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n%s", more);

	return maui_config_parse("maui.cfg", text, (size_t)length, NULL, diags);
}

/* The shortest of three: others may be at work. */
static double plan_seconds(const struct row *row, bool own)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config = configure(row->config, &diags);
	struct world w = { .snapshot = make_nodes(row->nodes) };
	const struct maui_plan_input input = { .config = config,
					       .snapshot = w.snapshot,
					       .standing = &w.standing,
					       .want_reasons = true };
	double best = 0;

	add_jobs(w.snapshot, row, own);
	make_rsvs(&w, row);
	for (int i = 0; i < 3; i++) {
		double took = plan_once(row, &input);

		if (i == 0 || took < best)
			best = took;
	}
	maui_snapshot_destroy(w.snapshot);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	maui_arena_finish(&w.arena);
	return best;
}

TEST_ROWS(plan_cost, cost, rows, row)
{
	double same, own;

	setenv("TZ", "UTC", 1);
	tzset();
	same = plan_seconds(row, false);
	own = plan_seconds(row, true);
	cr_log_info("%s: the same %.0f ms, each its own %.0f ms", row->name, same * 1e3, own * 1e3);
	cr_expect(own < row->times * same + 0.05, "%s: the same %f s, each its own %f s", row->name,
		  same, own);
}
