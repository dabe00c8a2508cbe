/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing_keep.c - reservations from plan to plan: kept, completed, moved, rolled
 *
 * Rules: RSV-7, RSV-9, RSV-34.
 */

#include "standing_world.h"
#include "rows.h"

enum { STEPS = 4, HOUR = 3600, DAY = 24 * HOUR };

/* NULL: as in the previous step. */
struct step {
	const char *placed;
	const char *nodes, *claims, *running, *rsvs;
	int64_t now;
};

static const struct {
	const char *name;
	struct step steps[STEPS];
} rows[] = {
	{ "restart: nodes stay, though others would be chosen now",
	  { { "a:n1", "2 procs=4", NULL, "j nodes=n0 procs=4 end=500", "a tasks=1 end=900", 0 },
	    { "a:n1", NULL, NULL, "", NULL, 1 },
	    { "a:n1", NULL, NULL, "k nodes=n1 procs=4 end=100", NULL, 2 } } },
	{ "at midnight tomorrow's instance becomes today's and keeps its nodes",
	  { { "a.0:n0", "3 procs=4", NULL, "", "a day tasks=1 depth=1", 10 },
	    { "a.0:n0 a.1:n1", NULL, NULL, "j nodes=n0 procs=4 end=90000", "a day tasks=1 depth=2",
	      20 },
	    { "a.0:n1 a.1:n1", NULL, NULL, "", NULL, DAY + 5 },
	    { "a.0:n1 a.1:n1", NULL, NULL, "", NULL, 2 * DAY + 5 } } },
	{ "an instance whose window has ended",
	  { { "a.0:n0 a.1:n0", "2 procs=4", NULL, "", "a day tasks=1 depth=2 from=9 to=17",
	      10 * HOUR },
	    { "a.1:n0", NULL, NULL, NULL, NULL, 17 * HOUR },
	    { "a.0:n0 a.1:n0", NULL, NULL, NULL, NULL, DAY } } },
	{ "days on the same nodes: only the day that misses a task is completed",
	  { { "a.0:n1 !1 a.1:n0+n1 a.2:n0+n1", "2 procs=4", NULL, "j nodes=n0 procs=4 end=3600",
	      "a day tasks=2 depth=3", 0 },
	    { "a.0:n0+n1 a.1:n0+n1 a.2:n0+n1", NULL, NULL, "", NULL, 7200 },
	    { "a.0:n0+n1+n2 a.1:n0+n1+n2 a.2:n0+n1+n2", "3 procs=4", NULL, NULL,
	      "a day tasks=3 depth=3", 7300 },
	    { "a.0:n0+n2 !1 a.1:n0+n2 !1 a.2:n0+n2 !1", "1 procs=4; 1 procs=4 down; 1 procs=4",
	      NULL, NULL, NULL, 7400 } } },
	{ "days on the same nodes: TASKCOUNT is lowered",
	  { { "a.0:n0*2+n1 a.1:n0*2+n1", "2 procs=2", NULL, NULL, "a day tasks=3 procs=1 depth=2",
	      0 },
	    { "a.0:n0*2 a.1:n0*2", NULL, NULL, NULL, "a day tasks=2 procs=1 depth=2", 10 },
	    { "a.0:n0 a.1:n0", NULL, NULL, NULL, "a day tasks=1 procs=1 depth=2", 20 },
	    { "a.0:n0*2 a.1:n0*2", NULL, NULL, NULL, "a day tasks=2 procs=1 depth=2", 30 } } },
	{ "days on the same nodes: a day no longer fits beside another reservation",
	  { { "b:n0 a.0:n0*2 a.1:n0*2 a.2:n0*2", "2 procs=4", NULL, NULL,
	      "b tasks=1 procs=2 start=86400 end=172800; a day tasks=2 procs=1 depth=3", 0 },
	    { "b:n0 a.0:n0*2 a.1:n0+n1 a.2:n0*2", NULL, NULL, NULL,
	      "b tasks=1 procs=3 start=86400 end=172800; a day tasks=2 procs=1 depth=3", 10 } } },
	{ "days on the same nodes: one day moves",
	  { { "a.0:n0 a.1:n0", "2 procs=4", NULL, "", "a day tasks=1 depth=2 user=amy space", 0 },
	    { "a.0:n1 a.1:n0", NULL, NULL, "j user=bob nodes=n0 procs=4 end=80000", NULL, 10 } } },
	{ "listed days, some with tasks on further nodes",
	  { { "a.0:n0 !1 a.1:n0+n1 a.2:n0+n1", "2 procs=4", NULL, "j nodes=n1 procs=4 end=50000",
	      "a day tasks=2 depth=3 hosts=n0", 0 },
	    { "a.0:n0 !1 a.1:n0+n1 a.2:n0+n1", NULL, NULL, NULL, NULL, 10 } } },
	{ "partial instances are completed",
	  { { "a:n1 !1", "2 procs=4", NULL, "j nodes=n0 procs=4 end=50", "a tasks=2 end=900", 0 },
	    { "a:n1 !1", NULL, NULL, NULL, NULL, 49 },
	    { "a:n0+n1", NULL, NULL, "", NULL, 50 } } },
	{ "partial instances are completed on their own nodes",
	  { { "a:n0 !1", "1 procs=4", NULL, "j nodes=n0 procs=1 end=50",
	      "a tasks=2 procs=2 end=900", 0 },
	    { "a:n0*2", NULL, NULL, "", NULL, 60 } } },
	{ "a core shared by tasks of two plans",
	  { { "a:n0", "1 procs=4 unit=2", NULL, "j nodes=n0 procs=2 end=50",
	      "a tasks=1 procs=1 end=900", 0 },
	    { "a:n0*2", NULL, NULL, NULL, "a tasks=2 procs=1 end=900", 10 },
	    { "a:n0*2 !1", NULL, NULL, NULL, "a tasks=3 procs=1 end=900", 20 } } },
	{ "a node goes down: its tasks move",
	  { { "a:n0+n1", "3 procs=4", NULL, NULL, "a tasks=2", 0 },
	    { "a:n1+n2", "1 procs=4 down; 2 procs=4", NULL, NULL, NULL, 1 },
	    { "a:n1+n2", "3 procs=4", NULL, NULL, NULL, 2 } } },
	{ "a node goes down: the task is missing until it is back",
	  { { "a:n0+n1", "2 procs=4", NULL, NULL, "a tasks=2", 0 },
	    { "a:n1 !1", "1 procs=4 down; 1 procs=4", NULL, NULL, NULL, 1 },
	    { "a:n0+n1", "2 procs=4", NULL, NULL, NULL, 2 } } },
	{ "a silent node, as after a restart, is kept",
	  { { "a.0:n0 a.1:n0", "2 procs=4", NULL, NULL, "a day tasks=1 depth=2", 0 },
	    { "a.0:n0 a.1:n0", "1 procs=4 from=61; 1 procs=4", NULL, NULL, NULL, 1 },
	    { "a.0:n0 a.1:n0", "2 procs=4 from=62", NULL, NULL, NULL, 2 },
	    { "a.0:n0 a.1:n0", "2 procs=4", NULL, NULL, NULL, 3 } } },
	{ "a node that is cleaned up after a job is kept",
	  { { "a:n0", "2 procs=4", NULL, "", "a tasks=1 end=900", 0 },
	    { "a:n0", NULL, NULL, "j nodes=n0 procs=1 end=50", NULL, 1 },
	    { "a:n0", "1 procs=4 from=52; 1 procs=4", NULL, "", NULL, 51 } } },
	{ "all nodes silent after the first start: chosen as if they had answered",
	  { { "a:n0 b:n1", "3 procs=4 from=60", NULL, NULL,
	      "a tasks=1 end=900; b tasks=1 start=100 end=900", 0 },
	    { "a:n0 b:n1", "1 procs=4 from=61; 2 procs=4", NULL, NULL, NULL, 1 },
	    { "a:n0 b:n1", "3 procs=4", NULL, NULL, NULL, 2 } } },
	{ "silent nodes: in the order of PRIORITY",
	  { { "a !1 b:n0+n1", "2 procs=4 from=60", NULL, NULL, "a tasks=1; b tasks=2 prio=9", 0 },
	    { "a !1 b:n0+n1", "2 procs=4", NULL, NULL, NULL, 2 } } },
	{ "nodes that answer come first",
	  { { "a:n1 b:n0+n2", "1 procs=4 from=60; 2 procs=4", NULL, NULL, "a tasks=1; b tasks=2",
	      0 },
	    { "a:n1 b:n0+n2", "3 procs=4", NULL, NULL, NULL, 1 } } },
	{ "nodes that answer come first, for each part of a reservation",
	  { { "a:n0+n1*2", "1 procs=4 from=60; 1 procs=4", NULL, NULL, "a tasks=3 procs=2", 0 },
	    { "a:n0+n1*2", "2 procs=4", NULL, NULL, NULL, 1 } } },
	{ "a silent node goes down: its tasks move",
	  { { "a:n0", "2 procs=4 from=60", NULL, NULL, "a tasks=1", 0 },
	    { "a:n1", "1 procs=4 down; 1 procs=4 from=61", NULL, NULL, NULL, 1 } } },
	{ "a job on a silent node",
	  { { "a:n1 b:n0", "2 procs=4 from=60", NULL, "j nodes=n0 procs=2 end=100",
	      "a tasks=1; b tasks=1 procs=2", 0 },
	    { "a:n1 b:n0", "2 procs=4", NULL, NULL, NULL, 1 } } },
	{ "a job reservation that begins when a silent node is back",
	  { { "a:n1", "2 procs=4 from=60", NULL,
	      "j nodes=n0 procs=4 end=60; k nodes=n0 procs=1 "
	      "start=60 end=90",
	      "a tasks=1 procs=4 end=900", 0 } } },
	{ "a silent node before a node with a job",
	  { { "a:n1", "1 procs=4; 1 procs=4 from=60", NULL, "j nodes=n0 procs=4 end=100",
	      "a tasks=1 force", 0 } } },
	{ "TIMEFLEX: a silent node is no reason to begin later",
	  { { "a:n0+n1", "2 procs=4 from=60", NULL, NULL, "a tasks=2 time start=0 end=90", 0 } } },
	{ "times change while nodes are silent",
	  { { "a:n0", "2 procs=4", NULL, "", "a tasks=1 start=0 end=900", 0 },
	    { "a:n0", "2 procs=4 from=61", NULL, NULL, "a tasks=1 start=0 end=800", 1 } } },
	{ "a node of a node-locked reservation goes down",
	  { { "a:n0+n1", "2 procs=4", NULL, NULL, "a hosts=n0,n1", 0 },
	    { "a:n0+n1", "1 procs=4 down; 1 procs=4", NULL, NULL, NULL, 1 } } },
	{ "all instances leave a node that goes down",
	  { { "a.0:n0 a.1:n0", "2 procs=4", NULL, NULL, "a day tasks=1 depth=2", 0 },
	    { "a.0:n1 a.1:n1", "1 procs=4 down; 1 procs=4", NULL, NULL, NULL, 1 } } },
	{ "HOSTLIST loses a host",
	  { { "a:n0", "4 procs=4", NULL, NULL, "a tasks=1 hosts=n[0-3]", 0 },
	    { "a:n2", NULL, NULL, NULL, "a tasks=1 hosts=n[2-3]", 1 } } },
	{ "HOSTLIST loses a host, node-locked",
	  { { "a:n0+n1+n2", "3 procs=4", NULL, NULL, "a hosts=n[0-2]", 0 },
	    { "a:n1+n2", NULL, NULL, NULL, "a hosts=n[1-2]", 1 } } },
	{ "TASKCOUNT is raised, with a job on the next node",
	  { { "a:n0", "3 procs=4", NULL, NULL, "a tasks=1", 0 },
	    { "a:n0+n2 !1", NULL, NULL, "j nodes=n1 procs=4", "a tasks=3", 1 } } },
	{ "TASKCOUNT is lowered",
	  { { "a:n0*2+n1", "2 procs=4", NULL, NULL, "a tasks=3 procs=2", 0 },
	    { "a:n0*2", NULL, NULL, NULL, "a tasks=2 procs=2", 1 } } },
	{ "larger tasks: two kept reservations never exceed the node",
	  { { "a:n0 b:n0", "2 procs=8", NULL, NULL, "a tasks=1 procs=4; b tasks=1 procs=4", 0 },
	    { "a:n0 b:n1", NULL, NULL, NULL, "a tasks=1 procs=5; b tasks=1 procs=4", 1 } } },
	{ "NODEFEATURES changes",
	  { { "a:n0", "1 procs=4 feature=x; 1 procs=4 feature=x,y", NULL, NULL,
	      "a tasks=1 feature=x", 0 },
	    { "a:n1", NULL, NULL, NULL, "a tasks=1 feature=y", 1 } } },
	{ "other times: nodes are kept where a new instance could be",
	  { { "a:n0+n1", "3 procs=4", NULL, NULL, "a tasks=2 start=100 end=200", 0 },
	    { "a:n1+n2", NULL, NULL, "j nodes=n0 procs=4 end=80", "a tasks=2 start=50 end=200",
	      1 } } },
	{ "other times: with FORCE nodes with jobs are kept",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1 force start=100 end=200", 0 },
	    { "a:n0", NULL, NULL, "j nodes=n0 procs=4 end=80", "a tasks=1 force start=50 end=200",
	      1 } } },
	{ "an instance grows on its own node, which is closed to a similar reservation that found no node",
	  { { "a:n0", "1 procs=4", NULL, NULL, "a tasks=1 procs=1 dednode", 0 },
	    { "a:n0*3 b !1", NULL, NULL, NULL,
	      "a tasks=3 procs=1 dednode; b tasks=1 procs=1 dednode prio=1", 1 } } },
	{ "an instance grows on its own node, alone",
	  { { "a:n0", "1 procs=4", NULL, NULL, "a tasks=1 procs=1 exclusive", 0 },
	    { "a:n0*3 b !1", NULL, NULL, NULL,
	      "a tasks=3 procs=1 exclusive; b tasks=1 procs=1 exclusive prio=1", 1 } } },
	{ "an instance grows on its own node, in the rest of a core",
	  { { "a:n0", "1 procs=2 unit=2", NULL, NULL, "a tasks=1 procs=1", 0 },
	    { "a:n0*2 b !1", NULL, NULL, NULL, "a tasks=2 procs=1; b tasks=1 procs=1 prio=1",
	      1 } } },
	{ "a later node-locked reservation overlaps; the earlier one stays",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1", 0 },
	    { "a:n0 b:n0", NULL, NULL, NULL, "a tasks=1; b hosts=n0", 1 } } },
	{ "a later Slurm reservation",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1", 0 },
	    { "a:n0", NULL, "R nodes=n0", NULL, NULL, 1 } } },
	{ "a higher PRIORITY takes nothing away",
	  { { "a:n0", "1 procs=4", NULL, NULL, "a tasks=1", 0 },
	    { "a:n0 b !1", NULL, NULL, NULL, "a tasks=1; b tasks=1 prio=9", 1 } } },
	{ "remaining capacity of a kept node goes by PRIORITY",
	  { { "a:n0 !1", "1 procs=4; 1 procs=4 down", NULL, NULL, "a tasks=2", 0 },
	    { "a:n0 !1 b:n1", "2 procs=4", NULL, NULL, "a tasks=2; b tasks=1 prio=9", 1 } } },
	{ "INFINITY is in force when the clock is set back before it was made",
	  { { "a:n0", "2 procs=4", NULL, "", "a forever tasks=1", 100 },
	    { "a:n0", NULL, NULL, "j nodes=n0 procs=4 end=500", NULL, 40 },
	    { "a:n0", NULL, NULL, NULL, NULL, 60 } } },
	{ "INFINITY begins when it was first made, and stays",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a forever tasks=1", 5 },
	    { "a:n0", NULL, NULL, "j nodes=n0 procs=4 end=500", NULL, 50 } } },
	{ "nodes outside a list that is too small are kept",
	  { { "a:n0+n2", "3 procs=4", NULL, "j nodes=n1 procs=4 end=50", "a tasks=2 hosts=n0", 0 },
	    { "a:n0+n2", NULL, NULL, "", NULL, 60 } } },
	{ "RESDEPTH does not count a reservation against itself",
	  { { "a.0:n0 a.1:n0", "1 procs=4", NULL, NULL, "a day tasks=1 depth=2", 0 },
	    { "a.0:n0 a.1:n0", NULL, NULL, NULL, NULL, 5 } } },

	/* setres -E */
	{ "setres -E: later reservations do not overlap it",
	  { { "s:n0+n1", "3 procs=4", "", NULL, "s hosts=n0,n1 exclusive end=50", 0 },
	    { "s:n0+n1 a:n2 !2 b:n2 !1 c !1 d:n0+n1", NULL, NULL, NULL,
	      "s hosts=n0,n1 exclusive end=50; a hosts=n[0-2]; b tasks=2 shared; c tasks=1 end=50; "
	      "d tasks=2 force start=50",
	      1 },
	    { "a:n0+n1+n2 b:n0+n2 d:n0+n1", NULL, NULL, NULL, NULL, 51 } } },
	{ "setres -E: a later Slurm reservation overlaps it; it is completed when others end",
	  { { "a:n0 s:n1 !1", "2 procs=4", "", NULL, "a hosts=n0 end=50; s hosts=n0,n1 exclusive",
	      0 },
	    { "a:n0 s:n1 !1", NULL, "R nodes=n1", NULL, NULL, 1 },
	    { "s:n0+n1", NULL, NULL, NULL, NULL, 51 } } },
	{ "setres -E: a reservation that becomes exclusive leaves shared nodes",
	  { { "a:n0 s:n0+n1", "3 procs=4", "", NULL, "a hosts=n0; s hosts=n0,n1 shared", 0 },
	    { "a:n0 s:n1 !1", NULL, NULL, NULL, "a hosts=n0; s hosts=n0,n1 exclusive", 1 },
	    { "a:n0 s:n1 !1", NULL, NULL, NULL, NULL, 2 } } },
	{ "setres -E: a floating reservation that becomes exclusive leaves shared nodes",
	  { { "a:n0 s:n0", "2 procs=4", "", NULL, "a hosts=n0; s tasks=1 hosts=n0 shared", 0 },
	    { "a:n0 s:n1", NULL, NULL, NULL, "a hosts=n0; s tasks=1 exclusive", 1 },
	    { "a:n0 s:n1", NULL, NULL, NULL, NULL, 2 } } },
	{ "setres -E: made longer, it does not reach into others' time, nor do they take its nodes",
	  { { "s:n0+n1 a:n1", "2 procs=4", "", NULL,
	      "s hosts=n0,n1 exclusive end=50; a hosts=n1 start=50 end=90", 0 },
	    { "s:n0 !1 a:n1 b:n0", NULL, NULL, NULL,
	      "s hosts=n0,n1 exclusive end=60; a hosts=n1 start=50 end=90; b hosts=n0 start=60",
	      1 } } },
	{ "setres -E: others that are made longer do not reach into its time",
	  { { "s:n0 a:n0", "1 procs=4", "", NULL,
	      "s hosts=n0 exclusive end=50; a hosts=n0 start=50", 0 },
	    { "s:n0 a !1", NULL, NULL, NULL, "s hosts=n0 exclusive end=50; a hosts=n0 start=40",
	      1 } } },
	{ "setres -E: beside each period of a standing reservation",
	  { { "d.0:n0 d.1:n0 s !1", "1 procs=4", "", NULL,
	      "d day hosts=n0 depth=2 from=9; s hosts=n0 exclusive start=120000 end=130000", 0 },
	    { "d.0:n0 s:n0", NULL, NULL, NULL,
	      "d day hosts=n0 depth=1 from=9; s hosts=n0 exclusive start=120000 end=130000", 1 },
	    { "d.0:n0 d.1 !1 s:n0", NULL, NULL, NULL,
	      "d day hosts=n0 depth=2 from=9; s hosts=n0 exclusive start=120000 end=130000",
	      2 } } },
	{ "setres -E of a user keeps off users' reservations only",
	  { { "s:n0+n1", "3 procs=4", "", NULL, "s hosts=n0,n1 userexclusive", 0 },
	    { "s:n0+n1 a:n0 t !1 u !1 b:n1", NULL, NULL, NULL,
	      "s hosts=n0,n1 userexclusive; a hosts=n0; t hosts=n1 userexclusive; u hosts=n1 exclusive; "
	      "b hosts=n1 shared",
	      1 } } },
	{ "setres -E: hosts are removed from and added to the list",
	  { { "s:n0+n1", "3 procs=4", "", NULL, "s hosts=n0,n1 exclusive", 0 },
	    { "s:n1+n2 a:n0", NULL, NULL, NULL, "s hosts=n1,n2 exclusive; a hosts=n0", 1 } } },
	{ "setres -E: one of its nodes goes down",
	  { { "s:n0 t:n1", "3 procs=4", "", NULL, "s hosts=n0 exclusive; t tasks=1 exclusive", 0 },
	    { "s:n0 t:n2", "2 procs=4 down; 1 procs=4", NULL, NULL, NULL, 1 } } },

	/* SPACEFLEX */
	{ "SPACEFLEX: leaves a node that another reservation overlaps",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1 space", 0 },
	    { "a:n1 b:n0", NULL, NULL, NULL, "a tasks=1 space; b hosts=n0", 1 } } },
	{ "SPACEFLEX: leaves one node in each plan",
	  { { "a:n0+n1", "4 procs=4", NULL, NULL, "a tasks=2 space", 0 },
	    { "a:n1+n2 b:n0+n1", NULL, NULL, NULL, "a tasks=2 space; b hosts=n0,n1", 1 },
	    { "a:n2+n3 b:n0+n1", NULL, NULL, NULL, NULL, 2 },
	    { "a:n2+n3 b:n0+n1", NULL, NULL, NULL, NULL, 3 } } },
	{ "SPACEFLEX: stays without another node",
	  { { "a:n0", "1 procs=4", NULL, NULL, "a tasks=1 space", 0 },
	    { "a:n0 b:n0", NULL, NULL, NULL, "a tasks=1 space; b hosts=n0", 1 } } },
	{ "SPACEFLEX: leaves the node of a job that it does not admit",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1 space user=amy start=50", 0 },
	    { "a:n1", NULL, NULL, "j nodes=n0 procs=4 end=100 user=bob", NULL, 10 } } },
	{ "SPACEFLEX: stays on nodes of admitted jobs",
	  { { "a:n0", "2 procs=4", NULL, NULL, "a tasks=1 space user=amy", 0 },
	    { "a:n0", NULL, NULL, "j nodes=n0 procs=4 end=100 user=amy", NULL, 10 } } },
	{ "SPACEFLEX: leaves a node wholly free",
	  { { "a:n1 b:n0", "2 procs=8", NULL, "j nodes=n0 procs=1 end=60",
	      "a tasks=1 procs=2 space start=50; b hosts=n0 procs=6 start=50", 0 },
	    { "a:n0 b:n0", NULL, NULL, "", NULL, 1 },
	    { "a:n0 b:n0", NULL, NULL, NULL, NULL, 2 } } },
	{ "SPACEFLEX: stays on a node that another reservation uses",
	  { { "a:n0 b:n0 c:n1", "1 procs=8 feature=x; 1 procs=8 feature=y", NULL, NULL,
	      "a tasks=1 procs=2 space; b tasks=1 procs=2 feature=x; c tasks=1 procs=2 feature=y",
	      0 },
	    { "a:n0 b:n0 c:n1", NULL, NULL, NULL, NULL, 1 } } },
	{ "SPACEFLEX: two reservations do not swap nodes",
	  { { "a:n0 b:n1", "1 procs=8 feature=x; 1 procs=8 feature=y", NULL, NULL,
	      "a tasks=1 procs=2 space feature=x; b tasks=1 procs=2 space feature=y", 0 },
	    { "a:n1 b:n1", "2 procs=8 feature=x,y", NULL, NULL, NULL, 1 },
	    { "a:n1 b:n1", NULL, NULL, NULL, NULL, 2 } } },
	{ "SPACEFLEX: does not move from one free node to another",
	  { { "a:n0", "3 procs=8", NULL, NULL, "a tasks=1 procs=2 space", 0 },
	    { "a:n0", NULL, NULL, NULL, NULL, 1 } } },
	{ "without SPACEFLEX no reservation moves",
	  { { "a:n0 b:n1", "1 procs=8 feature=x; 1 procs=8 feature=y", NULL, NULL,
	      "a tasks=1 procs=2 feature=x; b tasks=1 procs=2 feature=y", 0 },
	    { "a:n0 b:n1", "2 procs=8 feature=x,y", NULL, NULL, NULL, 1 } } },

	/* TIMEFLEX */
	{ "TIMEFLEX: keeps its shifted start",
	  { { "a@50:n0", "1 procs=4", NULL, "j nodes=n0 procs=4 end=50",
	      "a tasks=1 time start=10 end=90", 0 },
	    { "a@50:n0", NULL, NULL, "", NULL, 5 },
	    { "a@50:n0", NULL, NULL, "k nodes=n0 procs=4 end=50", NULL, 40 } } },
	{ "TIMEFLEX: drops a shifted start outside its window",
	  { { "a@50:n0", "1 procs=4", NULL, "j nodes=n0 procs=4 end=50",
	      "a tasks=1 time start=10 end=90", 0 },
	    { "a:n0", NULL, NULL, "", "a tasks=1 time start=10 end=50", 5 } } },
	{ "TIMEFLEX: shifts again before its start, never after",
	  { { "a:n0 !1", "1 procs=4; 1 procs=4 down", NULL, NULL, "a tasks=2 time start=20 end=90",
	      0 },
	    { "a@60:n0+n1", "2 procs=4", NULL, "j nodes=n1 procs=4 end=60", NULL, 10 },
	    { "a@60:n0 !1", "1 procs=4; 1 procs=4 down", NULL, "", NULL, 61 },
	    { "a@60:n0 !1", "2 procs=4", NULL, "k nodes=n1 procs=4 end=80", NULL, 62 } } },
};

static const char *either(const char *one, const char *other)
{
	return one ? one : other;
}

/* One step from the instances in *last, which it replaces. */
static void run_step(const char *name, unsigned number, const struct step *step,
		     struct standing_world *last)
{
	struct standing_world s;
	char *placed;

	standing_make(&s, step->nodes, step->claims, step->running, step->rsvs, step->now);
	s.input.before = last->instances;
	s.input.before_count = last->count;
	placed = standing_place(&s);
	cr_expect(strcmp(placed, step->placed) == 0, "%s, step %u: '%s', not '%s'", name, number,
		  placed, step->placed);
	free(placed);
	if (last->w.snapshot)
		standing_finish(last);
	*last = s;
}

TEST_ROWS(standing_keep, steps, rows, row)
{
	struct standing_world last = { 0 };
	struct step step = { 0 };

	for (unsigned i = 0; i < STEPS && row->steps[i].placed; i++) {
		const struct step *next = &row->steps[i];

		step = (struct step){ next->placed,
				      either(next->nodes, step.nodes),
				      either(next->claims, step.claims),
				      either(next->running, step.running),
				      either(next->rsvs, step.rsvs),
				      next->now };
		run_step(row->name, i, &step, &last);
	}
	standing_finish(&last);
}

/* A released instance is not placed; other instances are. */
Test(standing_keep, released_instances_are_not_placed)
{
	const struct maui_standing_skip skip = { .rsv = 0, .day = 19700102 };
	struct standing_world s;
	char *placed;

	standing_make(&s, "1 procs=4", NULL, NULL, "a day tasks=1 depth=3; b day tasks=1 depth=2",
		      0);
	s.input.skips = &skip;
	s.input.skip_count = 1;
	placed = standing_place(&s);
	cr_expect_str_eq(placed, "a.0:n0 a.2:n0 b.0 !1 b.1:n0");
	free(placed);
	standing_finish(&s);
}

/* Without a gap at midnight, also when clocks change; on the same nodes. */
Test(standing_keep, nodes_stay_across_midnight)
{
	const int64_t spring =
		1678500000; /* 2023-03-10 19:00 in Denver; the change is on the 12th */
	struct standing_world s;

	standing_make(&s, "4 procs=4", NULL, NULL,
		      "a day tasks=2 from=20 to=24 depth=5; b day tasks=2 from=0 to=6 depth=5; "
		      "c day tasks=1 depth=5",
		      spring);
	setenv("TZ", "America/Denver", 1);
	free(standing_place(&s));
	for (uint32_t i = 0; i < s.count; i++) {
		const struct maui_rsv_instance *a = &s.instances[i];
		bool joined = false;

		for (uint32_t k = 0; k < s.count; k++)
			if (s.instances[k].start_s == a->end_s &&
			    (s.instances[k].rsv == 2) == (a->rsv == 2)) {
				joined = true;
				cr_expect(s.instances[k].place_count == a->place_count &&
						  memcmp(s.instances[k].places, a->places,
							 a->place_count * sizeof(*a->places)) == 0,
					  "%s.%u", s.list[a->rsv]->name, a->ordinal);
			}
		if (a->rsv != 1 && a->ordinal < 4)
			cr_expect(joined, "after %s.%u", s.list[a->rsv]->name, a->ordinal);
	}
	standing_finish(&s);
}

/* HOSTLISTs are matched again when node names change, and dropped when no reservation has them. */
Test(standing_keep, hosts_are_kept)
{
	struct maui_standing_hosts *hosts = maui_standing_hosts_create();
	static const char *const rsvs[] = { "a hosts=n[0-1]", "a hosts=n[1-2]; b hosts=n[0-1]" };
	static const char *const placed[] = { "a:n0+n1", "a:n1+n2 b:n0+n1" };

	for (unsigned i = 0; i < 6; i++) {
		struct standing_world s;
		struct maui_standing_targets *targets;
		char *got;

		standing_make(&s, i < 3 ? "3 procs=1" : "4 procs=2", NULL, NULL, rsvs[i % 2], 0);
		cr_assert(maui_standing_targets_with(hosts, s.w.snapshot, s.list, s.rsv_count,
						     &s.arena, &targets, NULL) == 0);
		s.input.targets = targets;
		got = standing_place(&s);
		cr_expect_str_eq(got, placed[i % 2]);
		free(got);
		standing_finish(&s);
	}
	maui_standing_hosts_destroy(hosts);
}

/* ---- kept places without a number of tasks ---- */

static const struct {
	const char *name;
	const char *nodes, *rsvs;
	unsigned count; /* on the last so many of the nodes */
	const char *placed;
} unknown[] = {
	{ "whole nodes", "4 procs=4", "a tasks=2", 2, "a:n2+n3" },
	{ "one node", "4 procs=4", "a tasks=3 procs=1", 1, "a:n3*3" },
	{ "full nodes first, no node is given up", "4 procs=4", "a tasks=6 procs=1", 3,
	  "a:n1*4+n2+n3" },
	{ "more tasks than the nodes take", "4 procs=4", "a tasks=9 procs=1", 2, "a:n0+n2*4+n3*4" },
	{ "fewer tasks than nodes", "4 procs=4", "a tasks=2 procs=1", 3, "a:n1+n2" },
	{ "days", "4 procs=4", "a tasks=2 procs=1 day depth=2", 1, "a.0:n3*2 a.1:n3*2" },
};

TEST_ROWS(standing_keep, unknown_tasks, unknown, row)
{
	struct maui_rsv_place places[4] = { 0 };
	struct maui_rsv_instance *before;
	struct standing_world s, last;
	char *placed;

	standing_make(&last, row->nodes, NULL, NULL, row->rsvs, 0);
	free(standing_place(&last));
	for (unsigned i = 0; i < row->count; i++)
		places[i].node = 4 - row->count + i;
	before = last.instances;
	for (uint32_t i = 0; i < last.count; i++) {
		before[i].places = places;
		before[i].place_count = row->count;
	}
	standing_make(&s, row->nodes, NULL, NULL, row->rsvs, 10);
	s.input.before = before;
	s.input.before_count = last.count;
	placed = standing_place(&s);
	EXPECT_TEXT(row->name, placed, row->placed);
	free(placed);
	standing_finish(&s);
	standing_finish(&last);
}
