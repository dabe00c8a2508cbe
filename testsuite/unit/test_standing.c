/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing.c - on which nodes new reservations are placed (RSV-5, RSV-7, RSV-9 to RSV-11)
 *
 * Rules: RSV-8, RSV-10, RSV-22, RSV-25, RSV-27, RSV-28, RSV-29.
 */

#include "standing_world.h"
#include "rows.h"

static const struct {
	const char *name, *nodes, *claims, *running, *rsvs, *placed;
} rows[] = {
	/* node-locked: HOSTLIST alone */
	{ "one task a host with whole nodes", "4 procs=4", NULL, NULL, "a hosts=n[0-2]",
	  "a:n0+n1+n2" },
	{ "as many tasks as a host takes", "2 procs=4; 1 procs=9", NULL, NULL,
	  "a hosts=n[0-2] procs=2", "a:n0*2+n1*2+n2*4" },
	{ "memory bounds the tasks", "1 procs=8 mem=300; 1 procs=8 mem=90", NULL, NULL,
	  "a hosts=n0,n1 procs=1 mem=100", "a:n0*3 !1" },
	{ "a node-locked instance takes busy, down and reserved hosts",
	  "3 procs=4 ; 1 procs=4 down", "R nodes=n2", "j nodes=n0,n1 procs=4 end=1000",
	  "a hosts=n[0-3] end=100", "a:n0+n1+n2+n3" },
	{ "two node-locked reservations are stacked", "2 procs=4", NULL, NULL,
	  "a hosts=n0,n1; b hosts=n1", "a:n0+n1 b:n1" },
	{ "hosts that lack a feature", "2 procs=4 feature=x; 2 procs=4 feature=x,y", NULL, NULL,
	  "a hosts=n[0-3] feature=x,y", "a:n2+n3" },
	{ "hosts of another partition", "1 procs=4 part=p0; 1 procs=4 part=p1", NULL, NULL,
	  "a hosts=n0,n1 part=p1", "a:n1" },
	{ "a list that matches no node", "1 procs=4", NULL, NULL, "a hosts=zebra", "a !1" },
	{ "every node by an expression", "3 procs=1", NULL, NULL, "a hosts=ALL", "a:n0+n1+n2" },
	{ "neither hosts nor tasks", "3 procs=1", NULL, NULL, "a", "a" },

	/* floating: TASKCOUNT alone */
	{ "in the order of the node table", "4 procs=4", NULL, NULL, "a tasks=2", "a:n0+n1" },
	{ "as many tasks as fit a node", "4 procs=4", NULL, NULL, "a tasks=6 procs=2",
	  "a:n0*2+n1*2+n2*2" },
	{ "a task fits one node", "3 procs=3", NULL, NULL, "a tasks=3 procs=2", "a:n0+n1+n2" },
	{ "disk is counted", "2 procs=4", NULL, NULL, "a tasks=1 procs=1 disk=5", "a !1" },
	{ "a task of memory only", "1 procs=4 mem=1000", NULL, NULL, "a tasks=2 procs=0 mem=400",
	  "a:n0*2" },
	{ "a task without resources", "1 procs=4", NULL, NULL, "a tasks=2 procs=0", "a !2" },
	{ "nodes that are down", "1 procs=4 down; 1 procs=4", NULL, NULL, "a tasks=2", "a:n1 !1" },
	{ "a node that is silent for a moment", "1 procs=4 from=30", NULL, NULL,
	  "a tasks=1 start=30; b tasks=1 start=10 end=30", "a:n0 b:n0" },
	{ "a job that runs into the window", "2 procs=4", NULL, "j nodes=n0 procs=1 end=50",
	  "a tasks=1 start=20 end=90; b tasks=1 procs=3 start=20 end=90", "a:n1 b:n0" },
	{ "a job that ends before the window", "2 procs=4", NULL, "j nodes=n0 procs=1 end=50",
	  "a tasks=1 start=50 end=90", "a:n0" },
	{ "a job that ends inside the window", "1 procs=4", NULL, "j nodes=n0 procs=1 end=50",
	  "a tasks=1 end=90", "a !1" },
	{ "partial", "2 procs=4", NULL, NULL, "a tasks=5 best", "a:n0+n1 !3" },
	{ "features", "2 procs=4 feature=x; 2 procs=4 feature=x,y", NULL, NULL,
	  "a tasks=1 feature=x,y; b tasks=1 feature=x", "a:n2 b:n0" },
	{ "partition", "1 procs=4 part=p0; 1 procs=4 part=p1,p0", NULL, NULL, "a tasks=2 part=p1",
	  "a:n1 !1" },
	{ "units of a node", "2 procs=8 unit=2", NULL, NULL,
	  "a tasks=1 procs=3; b tasks=1 procs=5; c tasks=1 procs=4", "a:n0 b:n1 c:n0" },
	{ "tasks share a core", "1 procs=4 unit=2", NULL, NULL, "a tasks=4 procs=1", "a:n0*4" },

	/* floating within a list */
	{ "inside its list", "6 procs=4", NULL, NULL, "a tasks=2 hosts=n[2-4]", "a:n2+n3" },
	{ "two tasks on a host: not all hosts are needed", "4 procs=4", NULL, NULL,
	  "a tasks=6 procs=2 hosts=n[0-3]", "a:n0*2+n1*2+n2*2" },
	{ "inside its list, whose hosts are busy", "6 procs=4", NULL, "j nodes=n2,n3 procs=4",
	  "a tasks=2 hosts=n[2-4]", "a:n4 !1" },
	{ "a list that is too small: all hosts, then others", "6 procs=4", NULL,
	  "j nodes=n0,n3 procs=4", "a tasks=4 hosts=n[3-4]", "a:n1+n2+n3+n4" },
	{ "a list that just suffices is locked", "4 procs=4", NULL, "j nodes=n3 procs=4",
	  "a tasks=2 hosts=n[2-3]", "a:n2+n3" },
	{ "a list that is too small: others with its features", "2 procs=4; 1 procs=4 feature=x",
	  NULL, NULL, "a tasks=2 hosts=n2 feature=x", "a:n2 !1" },
	{ "a list of which no host exists: no other nodes", "2 procs=4", NULL, NULL,
	  "a tasks=2 hosts=zebra; b tasks=2 hosts=zebra force; c tasks=1 hosts=zebra,n1",
	  "a !2 b !2 c:n1" },

	/* TPN */
	{ "TPN tasks fit each node", "1 procs=7; 2 procs=8", NULL, NULL, "a tasks=8 procs=2 tpn=4",
	  "a:n1*4+n2*4" },
	{ "remaining tasks are spread", "2 procs=5", NULL, NULL, "a tasks=6 procs=1 tpn=3",
	  "a:n0*3+n1*3" },
	{ "if spreading fails, the last node has fewer tasks", "2 procs=4", NULL, NULL,
	  "a tasks=6 procs=1 tpn=4", "a:n0*4+n1*2" },
	{ "TPN on hosts", "1 procs=7; 1 procs=8", NULL, NULL, "a hosts=n0,n1 procs=2 tpn=4",
	  "a:n1*4 !1" },
	{ "TPN counts free capacity", "2 procs=8", NULL, "j nodes=n0 procs=1",
	  "a tasks=4 procs=2 tpn=4", "a:n1*4" },

	/* side by side before stacked */
	{ "8 of 16 beside another 8", "2 procs=16", NULL, NULL,
	  "a tasks=1 procs=8; b tasks=1 procs=8; c tasks=1 procs=8", "a:n0 b:n0 c:n1" },
	{ "4 and 10 of 16 leave 2 for all", "1 procs=16", NULL, NULL,
	  "a tasks=1 procs=4; b tasks=1 procs=10; c tasks=1 procs=3; d tasks=1 procs=2",
	  "a:n0 b:n0 c !1 d:n0" },
	{ "not at the same time", "1 procs=4", NULL, NULL,
	  "a tasks=1 end=50; b tasks=1 start=50; c tasks=1 start=49", "a:n0 b:n0 c !1" },
	{ "never stacked when it floats", "1 procs=4", NULL, NULL, "a tasks=1; b tasks=1",
	  "a:n0 b !1" },
	{ "a floating reservation avoids a later node-locked one", "2 procs=4", NULL, NULL,
	  "a tasks=1; b hosts=n0", "a:n1 b:n0" },
	{ "Slurm's reservations", "2 procs=4", "R nodes=n0 start=50", NULL,
	  "a tasks=1; b tasks=1 end=50", "a:n1 b:n0" },
	{ "SHARED: stacked on others if there is no other node", "2 procs=4", "R nodes=n0", NULL,
	  "a tasks=1; b tasks=2 shared", "a:n1 b:n0+n1" },
	{ "SHARED: side by side first", "2 procs=4", NULL, NULL,
	  "a tasks=1; b tasks=1 shared; c tasks=1 shared", "a:n0 b:n1 c:n0" },
	{ "SHARED: two reservations share the same nodes", "2 procs=4", NULL, NULL,
	  "a tasks=3 shared; b tasks=3 shared", "a:n0+n1 !1 b:n0+n1 !1" },
	{ "SHARED: not over jobs", "1 procs=4", NULL, "j nodes=n0 procs=1", "a tasks=1 shared",
	  "a !1" },
	{ "FORCE: over jobs", "1 procs=4; 1 procs=4 down", NULL, "j nodes=n0 procs=1",
	  "a tasks=2 force", "a:n0 !1" },
	{ "FORCE: free nodes, then jobs, then reservations", "3 procs=4", NULL,
	  "j nodes=n1 procs=1", "a tasks=1; b tasks=3 force; c tasks=2 force",
	  "a:n0 b:n0+n1+n2 c:n0+n1" },
	{ "FORCE: each attempt fills nodes in order", "2 procs=4", NULL,
	  "j nodes=n0 procs=2; k nodes=n1 procs=4",
	  "c hosts=n0,n1 end=5; a tasks=3 procs=2 force start=10; "
	  "b tasks=1 procs=2 force start=10",
	  "c:n0+n1 a:n0*2+n1 b:n1" },
	{ "FORCE: jobs rather than reservations", "2 procs=4", NULL, "j nodes=n1 procs=4",
	  "a tasks=1; b tasks=1 force", "a:n0 b:n1" },
	{ "DEDICATEDRESOURCE cancels SHARED and FORCE", "1 procs=4", NULL, NULL,
	  "a tasks=1; b tasks=1 shared force dedres", "a:n0 b !1" },
	{ "DEDICATEDNODE: no other reservation joins it", "2 procs=4", NULL, NULL,
	  "a tasks=1 procs=1 dednode; b tasks=1 procs=1", "a:n0 b:n1" },
	{ "DEDICATEDNODE: it joins no other reservation", "2 procs=4", NULL, NULL,
	  "b tasks=1 procs=1; a tasks=6 procs=1 dednode", "b:n0 a:n1*4 !2" },
	{ "STANDINGRES has no effect", "1 procs=4", NULL, NULL, "a tasks=1 standing", "a:n0" },

	/* setres -E */
	{ "setres -E: hosts that no reservation holds in its time", "4 procs=4",
	  "R nodes=n2 start=90", "j nodes=n3 procs=4",
	  "a hosts=n0 end=50; b hosts=n1 start=60; s hosts=n[0-3] exclusive "
	  "start=10 end=60; t hosts=n[0-3] exclusive start=60 end=90",
	  "a:n0 b:n1 s:n1+n2+n3 !1 t:n0+n2+n3 !1" },
	{ "setres -E: hosts that are down", "1 procs=4; 1 procs=4 down", NULL, NULL,
	  "s hosts=n0,n1 exclusive", "s:n0+n1" },
	{ "setres -E: Slurm's reservations", "2 procs=4", "R nodes=n0 start=50", NULL,
	  "s hosts=n0,n1 exclusive; t hosts=n0 exclusive end=50", "s:n1 !1 t:n0" },
	{ "setres -E: shares no node with another", "3 procs=4", NULL, NULL,
	  "a hosts=n0 procs=1; s hosts=n0,n1 procs=1 exclusive; t tasks=2 procs=1 exclusive; "
	  "c tasks=3 procs=1 shared; d tasks=4 force",
	  "a:n0*4 s:n1*4 !1 t:n2*2 c:n0*3 d:n0 !3" },
	{ "setres -E: the first of two", "2 procs=4", NULL, NULL,
	  "s hosts=n0 exclusive; t hosts=n0,n1 exclusive", "s:n0 t:n1 !1" },
	{ "setres -E: another takes the node that it could not have", "1 procs=4", NULL, NULL,
	  "a tasks=1 procs=1 prio=2; s tasks=1 procs=1 exclusive prio=1; b tasks=1 procs=1",
	  "a:n0 s !1 b:n0" },
	{ "setres -E of a user: another takes the node that it could not have", "1 procs=4", NULL,
	  NULL,
	  "s tasks=1 procs=1 userexclusive prio=2; a tasks=1 procs=1 userexclusive shared prio=1; "
	  "b tasks=1 procs=1",
	  "s:n0 a !1 b:n0" },
	{ "setres -E: by PRIORITY", "2 procs=4", NULL, NULL,
	  "s hosts=n0 exclusive; t hosts=n0,n1 exclusive prio=1", "s !1 t:n0+n1" },
	{ "setres -E: as many tasks as TASKCOUNT", "2 procs=4", NULL, NULL,
	  "a hosts=n0; s hosts=n0,n1 tasks=8 procs=1 exclusive; t hosts=n0,n1 tasks=6 procs=1 exclusive",
	  "a:n0 s:n1*4 !4 t !6" },
	{ "setres -E: FORCE overlaps jobs", "3 procs=4", NULL, "j nodes=n1,n2 procs=4",
	  "a hosts=n0; b hosts=n1; s tasks=2 exclusive force", "a:n0 b:n1 s:n2 !1" },
	{ "setres -E: TPN", "1 procs=3; 1 procs=4", NULL, NULL,
	  "s hosts=n0,n1 procs=1 tpn=4 exclusive", "s:n1*4 !1" },

	/* competition */
	{ "PRIORITY before the order of the file", "1 procs=4", NULL, NULL,
	  "a tasks=1; b tasks=1 prio=5", "a !1 b:n0" },
	{ "the order of the file", "1 procs=4", NULL, NULL, "a tasks=1; b tasks=1", "a:n0 b !1" },

	/* the order of choice */
	{ "sleeping nodes last", "1 procs=4 asleep; 2 procs=4", NULL, NULL, "a tasks=2",
	  "a:n1+n2" },
	{ "weight before the node table", "1 procs=4 weight=5; 2 procs=4 weight=2", NULL, NULL,
	  "a tasks=2", "a:n1+n2" },
	{ "reservations that adjoin act as one", "3 procs=4", "R nodes=n0 start=79200 end=86400",
	  NULL, "a day tasks=1 from=20 to=24; b day tasks=1 from=0 to=6 depth=2",
	  "a.0:n1 b.0:n0 b.1:n1" },
	{ "adjoining reservations in any order of lines and PRIORITY", "3 procs=4",
	  "R nodes=n0 start=86400 end=90000", NULL,
	  "b day tasks=1 from=0 to=6 depth=2; a day tasks=1 from=20 to=24",
	  "b.0:n0 b.1:n1 a.0:n1" },

	/* TIMEFLEX */
	{ "TIMEFLEX: begins when a job ends", "1 procs=4", NULL, "j nodes=n0 procs=4 end=50",
	  "a tasks=1 time start=10 end=90", "a@50:n0" },
	{ "TIMEFLEX: begins in time if other nodes are free", "2 procs=4", NULL,
	  "j nodes=n0 procs=4 end=50", "a tasks=1 time start=10 end=90", "a:n1" },
	{ "TIMEFLEX: the first moment for all tasks", "3 procs=4", NULL,
	  "j nodes=n0 procs=4 end=50; k nodes=n1 procs=4 end=60; l nodes=n2 procs=4 end=70",
	  "a tasks=2 time start=10 end=90", "a@60:n0+n1" },
	{ "TIMEFLEX: begins in time if all tasks never fit", "2 procs=4", NULL,
	  "j nodes=n0 procs=4 end=50; k nodes=n1 procs=4 end=95", "a tasks=2 time start=10 end=90",
	  "a !2" },
	{ "TIMEFLEX: beside a reservation that ends", "1 procs=4", NULL, NULL,
	  "a hosts=n0 end=40; b tasks=1 time end=90", "a:n0 b@40:n0" },
};

static void check(const char *name, struct standing_world *s, const char *expected)
{
	char *placed = standing_place(s);

	EXPECT_TEXT(name, placed, expected);
	free(placed);
	standing_finish(s);
}

TEST_ROWS(standing, place, rows, row)
{
	struct standing_world s;

	standing_make(&s, row->nodes, row->claims, row->running, row->rsvs, 0);
	check(row->name, &s, row->placed);
}

static const struct {
	const char *name, *nodes, *claims, *running, *rsvs, *placed;
	int allocation;
	int64_t res_depth;
	bool shared; /* the resource manager shares tasks out */
} ruled[] = {
	{ "RESDEPTH: reservations on one node", "2 procs=8", NULL, NULL,
	  "a tasks=1 procs=1; b tasks=1 procs=1; c tasks=1 procs=1; d tasks=1 procs=1; "
	  "e tasks=1 procs=1",
	  "a:n0 b:n0 c:n1 d:n1 e !1", MAUI_ALLOC_FIRSTAVAILABLE, 2, false },
	{ "RESDEPTH: Slurm's count", "1 procs=8", "R nodes=n0 start=500", NULL,
	  "a tasks=1 procs=1 end=100; b tasks=1 procs=1 end=100", "a:n0 b !1",
	  MAUI_ALLOC_FIRSTAVAILABLE, 2, false },
	{ "RESDEPTH: hosts", "2 procs=8", NULL, NULL, "a hosts=n0; b hosts=n0,n1", "a:n0 b:n1 !1",
	  MAUI_ALLOC_FIRSTAVAILABLE, 1, false },
	{ "LASTAVAILABLE: where the free time ends soonest", "3 procs=4", NULL, NULL,
	  "a hosts=n1 start=200; b hosts=n2 start=100; c tasks=1 end=50; d tasks=1 end=150; "
	  "e tasks=1 end=150",
	  "a:n1 b:n2 c:n2 d:n1 e:n0", MAUI_ALLOC_LASTAVAILABLE, 0, false },
	{ "LASTAVAILABLE: sleeping nodes last, though their free time ends",
	  "1 procs=4; 1 procs=4 asleep", NULL, NULL, "a hosts=n1 start=100; b tasks=1 end=50",
	  "a:n1 b:n0", MAUI_ALLOC_LASTAVAILABLE, 0, false },
	{ "MINRESOURCE", "1 procs=8; 2 procs=4", NULL, NULL, "a tasks=2 procs=3", "a:n1+n2",
	  MAUI_ALLOC_MINRESOURCE, 0, false },
	{ "PRIORITY of nodes", "1 procs=4 priority=1; 1 procs=4 priority=3", NULL, NULL,
	  "a tasks=1", "a:n1", MAUI_ALLOC_PRIORITY, 0, false },
	{ "CPULOAD", "1 procs=4 load=2; 1 procs=4", NULL, NULL, "a tasks=1", "a:n1",
	  MAUI_ALLOC_CPULOAD, 0, false },
	{ "FASTEST, in its list", "2 procs=4 speed=9; 1 procs=4; 1 procs=4 speed=2", NULL, NULL,
	  "a tasks=1 hosts=n[2-3]", "a:n3", MAUI_ALLOC_FASTEST, 0, false },
	{ "CONTIGUOUS", "5 procs=4", NULL, "j nodes=n1 procs=4", "a tasks=2", "a:n2+n3",
	  MAUI_ALLOC_CONTIGUOUS, 0, false },
	{ "CONTIGUOUS: any nodes if no range suffices", "3 procs=4", NULL, "j nodes=n1 procs=4",
	  "a tasks=2; b tasks=1", "a:n0+n2 b !1", MAUI_ALLOC_CONTIGUOUS, 0, false },
	{ "MAXBALANCE",
	  "1 procs=1 speed=1; 1 procs=1 speed=9; 1 procs=1 speed=5; 1 procs=1 speed=8", NULL, NULL,
	  "a tasks=2", "a:n1+n3", MAUI_ALLOC_MAXBALANCE, 0, false },
	{ "slurm-maui spreads the tasks, not Slurm", "3 procs=4", NULL, NULL,
	  "a tasks=6 procs=2 hosts=n[0-2],", "a:n0*2+n1*2+n2*2", MAUI_ALLOC_FIRSTAVAILABLE, 0,
	  true },
	{ "no search for one node that holds all tasks", "1 procs=4; 1 procs=12", NULL, NULL,
	  "a tasks=6 procs=2", "a:n0*2+n1*4", MAUI_ALLOC_FIRSTAVAILABLE, 0, true },
};

TEST_ROWS(standing, rules, ruled, row)
{
	struct standing_world s;

	standing_make(&s, row->nodes, row->claims, row->running, row->rsvs, 0);
	s.input.allocation = row->allocation;
	s.input.res_depth = row->res_depth;
	s.w.snapshot->shares_tasks = row->shared;
	check(row->name, &s, row->placed);
}

/* Reserved capacity is not free for a job that no reservation admits, during the window. */
Test(standing, instances_are_claims_of_the_timeline)
{
	static const struct {
		int64_t from, until, procs;
	} spans[] = { { 0, 20, 16 }, { 10, 30, 12 }, { 40, 50, 2 },
		      { 10, 90, 0 }, { 80, 90, 0 },  { 90, 95, 16 } };
	struct standing_world s;

	standing_make(&s, "1 procs=16", NULL, NULL,
		      "a tasks=2 procs=2 start=20 end=80; b tasks=1 procs=10 start=40 end=80; "
		      "c hosts=n0 start=80 end=90",
		      0);
	free(standing_place(&s));
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		cr_expect(maui_timeline_procs(&s.t, 0, spans[i].from, spans[i].until, NULL) ==
				  spans[i].procs,
			  "%d to %d", (int)spans[i].from, (int)spans[i].until);
	standing_finish(&s);
	standing_make(&s, "1 procs=8 unit=2", NULL, NULL, "a tasks=1 procs=3", 0);
	free(standing_place(&s));
	cr_expect(maui_timeline_procs(&s.t, 0, 0, 10, NULL) == 4, "whole cores are kept");
	standing_finish(&s);
}
