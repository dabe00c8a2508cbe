/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing_holders.c - the sentence about missing tasks of a reservation
 *
 * Rules: RSV-9.
 */

#include "reservation/placement/shortage.h"
#include "standing_world.h"
#include "rows.h"

static const struct {
	const char *name, *nodes, *claims, *running, *rsvs, *text; /* of the last instance */
} rows[] = {
	{ "a job; a single instance has no DEPTH to raise", "2 procs=4", NULL,
	  "j nodes=n0 procs=1 end=100", "a tasks=2 end=50",
	  "1 of 2 tasks missing: job 0 holds n0" },
	{ "a job: DEPTH", "3 procs=4", NULL, "j nodes=n0,n1 procs=1", "a day tasks=3",
	  "2 of 3 tasks missing: job 0 holds 2 nodes (n0, ...); raise DEPTH of SRCFG[a] to have "
	  "nodes before jobs do" },
	{ "a job on nodes of another reservation: DEPTH does not help", "2 procs=4", NULL,
	  "j nodes=n0 procs=1", "b hosts=n0; a day tasks=2",
	  "1 of 2 tasks missing: job 0 holds n0, reservation b holds n0" },
	{ "a job that ends before the window", "1 procs=4", NULL, "j nodes=n0 procs=1 end=50",
	  "a tasks=2 start=50", "1 of 2 tasks missing: there is room for 1 in all" },
	{ "another reservation, and one of Slurm's", "3 procs=4", "R nodes=n2", NULL,
	  "b tasks=1; a tasks=3",
	  "2 of 3 tasks missing: reservation b holds n0, Slurm's reservation R holds n2" },
	{ "another reservation: DEPTH is not named", "2 procs=4", "R nodes=n1", NULL,
	  "b day tasks=1; a day tasks=2",
	  "2 of 2 tasks missing: reservation b.0 holds n0, Slurm's reservation R holds n1" },
	{ "a reservation at another time is not named", "1 procs=4", NULL, NULL,
	  "b tasks=1 start=0 end=50; a tasks=2 start=50",
	  "1 of 2 tasks missing: there is room for 1 in all" },
	{ "down, and too small", "1 procs=4 down; 2 procs=2", NULL, NULL, "a tasks=2 procs=4",
	  "2 of 2 tasks missing: there is room for 1 in all, too small: 2 nodes (n1, ...), not "
	  "usable: n0" },
	{ "most nodes first, and the number of further holders", "6 procs=4", NULL,
	  "j nodes=n0 procs=1; k nodes=n1,n2 procs=1; l nodes=n3 procs=1; m nodes=n4 procs=1",
	  "a tasks=6 end=50",
	  "5 of 6 tasks missing: job 1 holds 2 nodes (n1, ...), job 0 holds n0, job 2 holds n3, "
	  "and 1 more" },
	{ "hosts", "1 procs=4; 1 procs=2", NULL, NULL, "a hosts=n0,n1 procs=3",
	  "1 of its hosts missing: too small: n1" },
	{ "no such hosts", "1 procs=4", NULL, NULL, "a hosts=zebra",
	  "1 of its hosts missing: no node is named or matches 'zebra'" },
	{ "no such hosts, tasks", "1 procs=4", NULL, NULL, "a tasks=2 hosts=zebra",
	  "2 of 2 tasks missing: no node is named or matches 'zebra'" },
	{ "no such partition", "1 procs=4", NULL, NULL, "a hosts=n0 part=nosuch",
	  "there is no partition nosuch" },
	{ "more tasks than all nodes hold", "4 procs=4", NULL, NULL, "a tasks=9 procs=2",
	  "1 of 9 tasks missing: there is room for 8 in all" },
	{ "more tasks than all nodes hold, and another reservation", "4 procs=4", NULL, NULL,
	  "b tasks=1; a tasks=9 procs=2",
	  "3 of 9 tasks missing: there is room for 8 in all, reservation b holds n0" },
	{ "SHARED: reservations are not named", "2 procs=4", "R nodes=n1",
	  "j nodes=n0 procs=1 end=100", "a tasks=2 shared end=50",
	  "1 of 2 tasks missing: job 0 holds n0" },
	{ "hosts of setres -E: reservations are named, jobs are not", "4 procs=4", "R nodes=n1",
	  "j nodes=n0,n2 procs=1",
	  "b hosts=n0; c hosts=n3 end=10; a hosts=n[0-3] exclusive start=10",
	  "2 of its hosts missing: reservation b holds n0, Slurm's reservation R holds n1" },
	{ "SHARED: reservations of setres -E are named", "2 procs=4", NULL, NULL,
	  "b hosts=n0; s tasks=1 exclusive; a tasks=2 shared",
	  "1 of 2 tasks missing: reservation s holds n1" },
};

TEST_ROWS(standing_holders, rows, rows, row)
{
	struct standing_world s;
	const char *text;

	standing_make(&s, row->nodes, row->claims, row->running, row->rsvs, 0);
	free(standing_place(&s));
	text = maui_standing_explain(s.w.snapshot, &s.input, s.instances, s.count, s.count - 1, 0,
				     3, &s.arena);
	cr_assert(text, "%s: memory", row->name);
	EXPECT_TEXT(row->name, text, row->text);
	standing_finish(&s);
}

/* Nodes of a job reservation are not taken, and the timeline gets them back. */
Test(standing_holders, job_reservations_hold_nodes)
{
	const int64_t amounts[WORLD_AMOUNTS] = { 4 };
	const struct maui_piece piece = { .node = 0, .amounts = amounts };
	const struct maui_standing_job_rsv job_rsv = {
		.job = 77, .start_s = 100, .end_s = 200, .pieces = &piece, .piece_count = 1
	};
	struct standing_world s;
	const char *text;
	char *placed;

	standing_make(&s, "2 procs=4", NULL, NULL, "a day tasks=2; b tasks=1 end=100", 0);
	s.input.job_rsvs = &job_rsv;
	s.input.job_rsv_count = 1;
	placed = standing_place(&s);
	cr_expect_str_eq(placed, "a.0:n1 !1 b:n0");
	text = maui_standing_explain(s.w.snapshot, &s.input, s.instances, s.count, 0, 0, 3,
				     &s.arena);
	cr_expect_str_eq(text, "1 of 2 tasks missing: waiting job 77 has reserved n0, reservation "
			       "b holds n0");
	for (uint32_t i = 0; i < s.t.lines[0].count; i++)
		cr_expect(maui_line_step(&s.t, &s.t.lines[0], i)->free[0] == 4, "step %u", i);
	free(placed);
	standing_finish(&s);
}
