/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_views.c - jobs of which each names other reservations: what that costs, and who
 * starts */

#include <stdlib.h>
#include <time.h>

#include "rsv_world.h"

#define HERS "R hosts=n0 users=ann; S hosts=n1 users=ann; T hosts=n2 users=ann"
#define FULL "r nodes=n3 procs=4 end=50 user=bob"
#define DAYS_OF_R "R hosts=n0,n1,n2 users=ann depth=4"

/* X is blocked: all behind it is backfill. */
static const struct row {
	const char *name, *reservations, *queue, *plan;
	uint64_t looks;
} rows[] = {
	{ "each its own", HERS,
	  "X user=bob need=n3; A user=ann rsv=R,S nodes=2 whole; B user=ann rsv=S,T whole; "
	  "C user=ann rsv=T,R whole", "A:n0+n1 B:n2 | X@50:n3", 0 },
	{ "who comes too late sees one of them: no other", HERS,
	  "X user=bob need=n3; A user=ann rsv=R,S nodes=2 whole; B user=ann rsv=S,T whole; "
	  "C user=ann rsv=T,R whole", "A:n0+n1 | X@50:n3", 1 },
	{ "but sees that", HERS,
	  "X user=bob need=n3; A user=ann rsv=S,T whole; B user=ann rsv=T,R nodes=2 whole; "
	  "C user=ann rsv=R,S whole", "A:n1 C:n0 | X@50:n3", 1 },
	{ "in its turn all", HERS,
	  "A user=ann rsv=R,S nodes=2 whole; X user=bob need=n3; B user=ann rsv=T whole",
	  "A:n0+n1 B:n2 | X@50:n3", 1 },
	{ "who names none, or one, is told apart all the same", HERS "; U hosts=n0,n2 users=eve",
	  "X user=bob need=n3; A user=ann rsv=S,R whole; B user=ann rsv=R whole; "
	  "C user=ann rsv=S whole; D user=ann whole", "A:n1 | X@50:n3", 1 },
	{ "days that adjoin are as good as one", DAYS_OF_R,
	  "X user=bob need=n3; A user=ann rsv=R.19700101 limit=86401 whole; "
	  "B user=ann rsv=R.19700101,R.19700102 limit=86401 whole; "
	  "C user=ann rsv=R.19700101,R.19700103 limit=86401 whole; "
	  "D user=ann rsv=R.19700101,R.19700103 limit=86400 whole; "
	  "E user=ann rsv=R.19700102,R.19700103 limit=10 whole; "
	  "F user=ann rsv=R.19700101,R.19700102,R.19700103 limit=259200 whole",
	  "B:n0 D:n1 F:n2 | X@50:n3", 0 },
	{ "who comes too late has today", DAYS_OF_R,
	  "X user=bob need=n3; A user=ann rsv=R.19700101,R.19700103 limit=10 whole; "
	  "B user=ann rsv=R.19700101,R.19700102 limit=86401 whole; "
	  "C user=ann rsv=R.19700101,R.19700102 limit=86400 whole", "A:n0 C:n1 | X@50:n3", 1 },
};

static void utc(void)
{
	setenv("TZ", "UTC", 1);
	tzset();
}

/* ---- what it costs ---- */

enum { NODES = 1200, JOBS = 1200, DAYS = 14, PROCS = 16 };

static struct maui_snapshot *make_nodes(void)
{
	struct maui_snapshot *s = maui_snapshot_create(MAUI_AMOUNT_FIXED);
	const int64_t have[] = { PROCS, 1000, 0 };
	const struct maui_partition partition = { .name = "p0" };
	const uint32_t member = 0;

	cr_assert(s && maui_snapshot_add_partition(s, &partition) == 0);
	for (uint32_t n = 0; n < NODES; n++) {
		char name[16];
		const struct maui_node node = { .id = n, .name = name, .have = have,
						.partitions = &member, .partition_count = 1 };

		snprintf(name, sizeof(name), "n%04u", n);
		cr_assert(maui_snapshot_add_node(s, &node) >= 0);
	}
	s->totals = (struct maui_totals){ (double)NODES * PROCS, NODES * 1000.0, 0, 0 };
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	return s;
}

/* What jobs name: days of R, or as many reservations, R01 and so on, that lie upon each other
 * today. */
enum kind { ITS_DAYS, STACKED };

/* Behind one that R keeps out, jobs of a processor each, which name some (all, or each other
 * ones). Most last for longer. */
static void add_jobs(struct maui_snapshot *s, enum kind kind, bool own)
{
	const char *cred[MAUI_CRED_COUNT] = { [MAUI_CRED_CLASS] = "p0" };
	struct maui_row row = { .partition = 0 };

	for (uint32_t j = 0; j <= JOBS; j++) {
		struct maui_request request = { .nodes_min = 1, .tasks = 1,
						.procs_per_task = PROCS / 2 };
		struct maui_strbuf names = { 0 };
		struct maui_idle idle = { .id = j, .copies = 1, .rows = &row, .row_count = 1,
					  .procs = PROCS / 2,
					  .limit_s = j % 32 ? 20 * 86400 : 3600 };

		for (uint32_t d = 0; d < DAYS; d++)
			if (!own || d == 0 || ((j * 7919) & (1u << d)))
				maui_strbuf_addf(&names, "%s%s%02u", d > 0 ? "," : "",
						 kind == STACKED ? "R" : "R.197001", d + 1);
		idle.advres = j ? names.text : NULL;
		cred[MAUI_CRED_USER] = j ? "ann" : "eve";
		row.creds = (uint32_t)maui_snapshot_creds(s, cred);
		idle.request = (uint32_t)maui_snapshot_request(s, &request);
		cr_assert(maui_snapshot_add_idle(s, &idle) >= 0);
		maui_strbuf_finish(&names);
	}
}

static double plan_seconds(enum kind kind, bool own)
{
	static const char first[] = "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n";
	struct maui_acl_entry ann = { .kind = MAUI_CRED_USER, .name = (char[]){ "ann" } };
	const struct maui_rsv r = { .name = (char[]){ "R" }, .owner_kind = -1, .days = 127,
				    .hosts = (char[]){ "ALL" }, .task = { .procs = -1 },
				    .acl = { .list = &ann, .count = 1 },
				    .depth = kind == STACKED ? 1 : DAYS };
	struct maui_rsv stacked[DAYS];
	char names[DAYS][16];
	const struct maui_rsv *list[DAYS] = { &r };
	struct maui_standing_input standing = { .list = list,
						.count = kind == STACKED ? DAYS : 1 };
	struct maui_standing_targets *targets;
	struct maui_plan_input input = { .now_s = 0, .standing = &standing, .want_reasons = true };
	struct maui_snapshot *s = make_nodes();
	struct maui_planner *planner = maui_planner_create();
	struct maui_decisions d = { 0 };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_parse("maui.cfg", first, strlen(first), NULL, &diags);
	struct maui_arena arena = { 0 };
	struct timespec from, until;
	struct maui_err err;

	for (uint32_t i = 0; i < standing.count && kind == STACKED; i++) {
		snprintf(names[i], sizeof(names[i]), "R%02u", i + 1);
		stacked[i] = r;
		stacked[i].name = names[i];
		list[i] = &stacked[i];
	}
	add_jobs(s, kind, own);
	cr_assert(maui_standing_targets(s, list, standing.count, &arena, &targets, &err) == 0);
	standing.targets = targets;
	input.config = config;
	input.snapshot = s;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	cr_assert(maui_plan(planner, &input, &d, &err) == 0, "%s", err.text);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &until);
	cr_expect(d.instance_count == DAYS && d.instances[0].place_count == NODES);
	cr_expect(d.start_count > JOBS / 64, "%u start", d.start_count);
	maui_decisions_finish(&d);
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	maui_arena_finish(&arena);
	return (double)(until.tv_sec - from.tv_sec) + (double)(until.tv_nsec - from.tv_nsec) / 1e9;
}

/* A user's job names what he likes: 30 times as much for each its own was the cost once, of stacked
 * ones 40 times. */
static void compare_costs(enum kind kind)
{
	double same, own;

	plan_seconds(kind, false); /* memory is there by then */
	same = plan_seconds(kind, false);
	own = plan_seconds(kind, true);
	cr_log_info("the same %.0f ms, each its own %.0f ms", same * 1e3, own * 1e3);
	cr_expect(own < 8 * same + 0.05, "the same %f s, each its own %f s", same, own);
}

Test(plan_views, cost, .init = utc)
{
	compare_costs(ITS_DAYS);
}

Test(plan_views, cost_of_stacked, .init = utc)
{
	compare_costs(STACKED);
}

/* ---- who starts ---- */

static void expect(const struct row *row)
{
	struct world *w = rsv_make("", "4 procs=4", NULL, row->reservations, FULL, row->queue);
	char *plan;

	w->looks = row->looks;
	plan = world_plan(w);
	cr_expect(strcmp(plan, row->plan) == 0, "%s: '%s'", row->name, plan);
	free(plan);
	rsv_drop();
}

Test(plan_views, who_starts, .init = utc)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect(&rows[i]);
}
