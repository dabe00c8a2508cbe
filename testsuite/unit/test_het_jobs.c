/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_het_jobs.c - the components of a het job start together, or not at all
 *
 * Rules: HET-1, HET-2.
 */

#include "plan_world.h"
#include "rows.h"

/* het=NUMBER: the leader is that job of the queue, from 1; off: the component's place; of: how many
 * components. Nodes: n0 to n3 with 4 processors each. */
#define PAIR "A procs=4 het=1 of=2; B procs=4 het=1 off=1"
#define LATE "A procs=4 het=1 of=2; B procs=4 qos=late het=1 off=1"

static const struct {
	const char *name, *config, *running, *queue, *planned;
} rows[] = {
	{ "all start, on nodes of their own", "", "",
	  "A procs=1 het=1 of=3; B procs=1 het=1 off=1; C procs=1 het=1 off=2", "A:n0 B:n1 C:n2" },
	{ "none starts before the other can, both have job reservations", "",
	  "a nodes=n0 procs=4 end=50; b nodes=n1 procs=4 end=80; c nodes=n2 procs=4 end=90", PAIR,
	  "| A@50:n0*4 B@50:n3*4" },
	{ "they may run at different places only", "",
	  "a nodes=n0 procs=4 end=50; b nodes=n1 procs=4 end=80; c nodes=n2 procs=4 end=90",
	  "A procs=1 het=1 of=2; B procs=1 het=1 off=1", "| A@50:n0 B@50:n3" },
	{ "the leader's priority counts: it is behind A", "RESERVATIONDEPTH 0\n",
	  "a nodes=n0 procs=4 end=50; b nodes=n1 procs=4 end=80; c nodes=n2 procs=4 end=90",
	  "A procs=4; B procs=4 het=2 of=2; C procs=4 het=2 off=1", "A:n3*4" },
	{ "other jobs fill what a het job cannot use", "",
	  "a nodes=n0 procs=4 end=50; b nodes=n1 procs=4 end=80; c nodes=n2 procs=4 end=90",
	  PAIR "; C procs=4 limit=50", "C:n3*4 | A@50:n0*4 B@50:n3*4" },
	{ "but do not delay it", "",
	  "a nodes=n0 procs=4 end=50; b nodes=n1 procs=4 end=80; c nodes=n2 procs=4 end=90",
	  PAIR "; C procs=4 limit=51", "| A@50:n0*4 B@50:n3*4" },
	{ "behind a blocked job, after backfill", "", "a nodes=n0 procs=4 end=50",
	  "A procs=16; B procs=4 limit=9 het=2 of=2; "
	  "C procs=4 limit=9 het=2 off=1; D procs=4 limit=9",
	  "D:n1*4 B:n2*4 C:n3*4 | A@50:n0*4+n1*4+n2*4+n3*4" },
	{ "never where it would delay that job", "", "a nodes=n0 procs=4 end=50",
	  "A procs=16; B procs=4 limit=60 het=2 of=2; "
	  "C procs=4 limit=9 het=2 off=1",
	  "| A@50:n0*4+n1*4+n2*4+n3*4" },
	{ "a component is missing", "", "", "A procs=4 het=1 of=3; B procs=4 het=1 off=1", "" },
	{ "a component is held", "", "", "A procs=4 het=1 of=2; B procs=4 het=1 off=1 held", "" },
	{ "a component can never run, and blocks nobody", "", "",
	  "A procs=4 het=1 of=2; B procs=9 nodes=1 het=1 off=1; C procs=16",
	  "C:n0*4+n1*4+n2*4+n3*4" },
	{ "components that need more nodes than there are block nobody", "", "",
	  "A procs=12 het=1 of=2; B procs=8 het=1 off=1; C procs=16", "C:n0*4+n1*4+n2*4+n3*4" },
	{ "components that need more licences than there are block nobody", "", "",
	  "A procs=4 lic=2 het=1 of=2; B procs=4 lic=2 het=1 off=1; C procs=16",
	  "C:n0*4+n1*4+n2*4+n3*4" },
	{ "as many as there are suffice", "", "",
	  "A procs=4 lic=2 het=1 of=2; B procs=4 lic=1 het=1 off=1", "A:n0*4 B:n1*4" },
	{ "a limit counts all components", "USERCFG[DEFAULT] MAXPROC=7\n", "", PAIR, "" },
	{ "and lets those through that fit together", "USERCFG[DEFAULT] MAXPROC=8\n", "", PAIR,
	  "A:n0*4 B:n1*4" },
	{ "hard limits let those through that soft limits kept out",
	  "USERCFG[DEFAULT] MAXPROC=4,8\n", "", PAIR, "A:n0*4 B:n1*4" },
	{ "also when the soft limit is a later component's", "QOSCFG[late] MAXPROC=3,8\n", "", LATE,
	  "A:n0*4 B:n1*4" },
	{ "a later component at its limit keeps the leader out", "QOSCFG[late] MAXPROC=3\n", "",
	  LATE, "" },
	{ "and blocks nobody", "QOSCFG[late] MAXPROC=3\n", "", LATE "; C procs=16",
	  "C:n0*4+n1*4+n2*4+n3*4" },
	{ "nor do components that a limit keeps from running side by side",
	  "USERCFG[somebody] MAXPROC=7\n", "", PAIR "; C procs=16 user=bob",
	  "C:n0*4+n1*4+n2*4+n3*4" },
	{ "whole nodes that limits do not allow side by side block nobody",
	  "USERCFG[somebody] MAXPROC=7\nBACKFILLPOLICY NONE\n", "",
	  "A procs=1 whole het=1 of=2; B procs=1 whole het=1 off=1; C procs=16 user=bob",
	  "C:n0*4+n1*4+n2*4+n3*4" },
	{ "an idle limit keeps all out", "USERCFG[DEFAULT] MAXIJOB=1\n", "", PAIR, "" },
	{ "licences of the leader", "", "a nodes=n0 procs=4 end=50 lic=2",
	  "A procs=4 lic=2 het=1 of=2; B procs=4 het=1 off=1", "| A@50:n0*4 B@50:n1*4" },
};

static void check_plan(const char *name, const char *config, const char *nodes, const char *running,
		       const char *queue, const char *planned)
{
	struct world w;
	char *got;

	world_make(&w, config, nodes, NULL, running, queue, 0);
	got = world_plan(&w);
	EXPECT_TEXT(name, got, planned);
	free(got);
	world_finish(&w);
}

TEST_ROWS(het_jobs, plan, rows, row)
{
	check_plan(row->name, row->config, "4 procs=4", row->running, row->queue, row->planned);
}

#define ONE_IN_P0 "CLASSCFG[p0] MAXJOB=1\n"

/* Components that name several partitions. Jobs of p2 come first. */
static const struct {
	const char *name, *config, *nodes, *running, *queue, *planned;
} choices[] = {
	{ "a component without a choice has the partition at its limit", ONE_IN_P0,
	  "4 procs=4 part=p0,p1", "",
	  "A procs=4 part=p0,p1 het=1 of=2; B procs=4 part=p0 het=1 off=1", "A:n1*4 B:n0*4" },
	{ "also behind a blocked job", "CLASSCFG[p0] MAXJOB=2\n", "4 procs=4 part=p0,p1",
	  "a nodes=n3 procs=4 end=50 user=bob",
	  "Z procs=16 part=p1; A procs=4 limit=9 part=p0,p1 het=2 of=2; "
	  "B procs=4 limit=9 part=p0 het=2 off=1",
	  "A:n1*4 B:n0*4 | Z@50:n0*4+n1*4+n2*4+n3*4" },
	{ "also when all have to wait", ONE_IN_P0, "2 procs=4 from=50 part=p0,p1", "",
	  "A procs=4 part=p0,p1 het=1 of=2; B procs=4 part=p0 het=1 off=1",
	  "| B@50:n0*4 A@50:n1*4" },
	{ "also under hard limits alone", "CLASSCFG[p0] MAXJOB=1,2\nUSERCFG[DEFAULT] MAXJOB=1,3\n",
	  "4 procs=4 part=p0,p1", "",
	  "A procs=4 part=p0,p1 het=1 of=3; B procs=4 part=p0 het=1 off=1; "
	  "C procs=4 part=p0 het=1 off=2",
	  "A:n2*4 B:n0*4 C:n1*4" },
	{ "and the only node of its partition", "", "1 procs=4; 1 procs=4 part=p1", "",
	  "A procs=4 part=p0,p1 het=1 of=2; B procs=4 part=p0 het=1 off=1", "A:n1*4 B:n0*4" },
	{ "a choice that another job's start has taken away is none",
	  ONE_IN_P0 "CLASSCFG[p2] MAXJOB=1\n", "4 procs=4 part=p0,p1,p2", "",
	  "Z procs=4 part=p2; A procs=4 part=p0,p1 het=2 of=2; "
	  "B procs=4 part=p0,p2 het=2 off=1",
	  "Z:n0*4 A:n2*4 B:n1*4" },
	{ "nor is a partition that is too small", "BACKFILLPOLICY NONE\nCLASSCFG[p1] MAXJOB=1\n",
	  "1 procs=2; 2 procs=4 part=p1", "",
	  "A procs=4 part=p1 het=1 of=2; B procs=4 nodes=1 part=p0,p1 het=1 off=1; "
	  "C procs=1 part=p0; D procs=1 part=p1",
	  "C:n0 D:n1" },
	{ "the leader's first partition is too small", "BACKFILLPOLICY NONE\n",
	  "1 procs=2; 2 procs=4 part=p1", "",
	  "A procs=4 nodes=1 part=p0,p1 het=1 of=2; B procs=4 part=p1 het=1 off=1",
	  "A:n1*4 B:n2*4" },
	{ "two components that need more nodes of one kind than there are block nobody",
	  "BACKFILLPOLICY NONE\n", "2 procs=4 feature=big; 3 procs=4", "",
	  "A procs=8 nodes=2 feature=big het=1 of=3; B procs=4 feature=big het=1 off=1; "
	  "C procs=4 het=1 off=2; D procs=20",
	  "D:n0*4+n1*4+n2*4+n3*4+n4*4" },
	{ "as many of that kind as there are suffice", "", "2 procs=4 feature=big; 3 procs=4", "",
	  "A procs=4 nodes=1 feature=big het=1 of=3; B procs=4 feature=big het=1 off=1; "
	  "C procs=12 het=1 off=2",
	  "A:n0*4 B:n1*4 C:n2*4+n3*4+n4*4" },
	{ "a partition within limits that is full is passed over", ONE_IN_P0,
	  "1 procs=4; 2 procs=4 part=p1", "a nodes=n0 procs=4 end=50 user=bob qos=x",
	  "A procs=4 part=p0,p1 het=1 of=2; B procs=4 part=p0,p1 het=1 off=1", "A:n1*4 B:n2*4" },
	{ "unless a later component then has none within limits",
	  "CLASSCFG[p1] MAXJOB=1\nCLASSCFG[p2] MAXJOB=1\n",
	  "1 procs=4 from=50; 2 procs=4 part=p1; 2 procs=4 part=p2", "",
	  "A procs=4 part=p0,p1 het=1 of=3; B procs=4 part=p2,p0 het=1 off=1; "
	  "C procs=4 part=p1,p2 het=1 off=2",
	  "| B@50:n3*4 A@50:n0*4 C@50:n1*4" },
	{ "a component leaves the limit of one partition to a job reservation there",
	  ONE_IN_P0 "RESERVATIONDEPTH 2\n", "1 procs=4; 1 procs=4 from=100; 2 procs=4 part=p1", "",
	  "Z procs=8 part=p0; A procs=4 limit=200 part=p0,p1 het=2 of=2; "
	  "B procs=4 limit=200 part=p1 het=2 off=1",
	  "A:n3*4 B:n2*4 | Z@100:n0*4+n1*4" },
	{ "the component that few nodes serve has the first choice", "BACKFILLPOLICY NONE\n",
	  "1 procs=8; 2 procs=4", "",
	  "A procs=4 nodes=1 het=1 of=2; B procs=8 nodes=1 het=1 off=1; C procs=4",
	  "A:n1*4 B:n0*8 C:n2*4" },
	{ "then the one that has found no node beside the others", "", "3 procs=4", "",
	  "A procs=4 not=n2 het=1 of=3; B procs=4 not=n0 het=1 off=1; "
	  "C procs=4 not=n2 het=1 off=2",
	  "A:n1*4 B:n2*4 C:n0*4" },
	{ "components that find no nodes beside each other block nobody", "BACKFILLPOLICY NONE\n",
	  "3 procs=4", "",
	  "A procs=4 not=n1,n2 het=1 of=2; B procs=4 not=n1,n2 het=1 off=1; C procs=8",
	  "C:n0*4+n1*4" },
	{ "nodes that are free are over a limit together, smaller ones are not",
	  "USERCFG[DEFAULT] MAXPROC=11\n", "2 procs=4; 2 procs=8",
	  "a nodes=n0 procs=4 end=100 user=bob; b nodes=n1 procs=4 end=100 user=bob",
	  "A whole het=1 of=2; B whole het=1 off=1", "| A@100:n0 B@100:n1" },
};

TEST_ROWS(het_jobs, chooses_partitions, choices, row)
{
	check_plan(row->name, row->config, row->nodes, row->running, row->queue, row->planned);
}

/* Something is free on n0, and all of it at 100; n1 is free at 5000. */
#define FAR_RUNNING "a nodes=n0 procs=3 end=100; b nodes=n1 procs=8 end=5000"
/* The moments that were tried in vain leave nothing behind. */
Test(het_jobs, tries_leave_nodes_to_shared_processors)
{
	struct world w;
	char *got;

	world_make(&w, "", "1 procs=4; 1 procs=8", NULL, FAR_RUNNING,
		   "A procs=1 nodes=1 not=n1 het=1 of=2; B procs=8 nodes=1 het=1 off=1; "
		   "S procs=2 nodes=1 not=n1 asks shares limit=50",
		   0);
	w.slurm_chooses = true;
	got = world_plan(&w);
	EXPECT_TEXT("got", got, "S:n0*2? ...");
	free(got);
	world_finish(&w);
}

Test(het_jobs, tries_wake_no_cycle)
{
	struct world w;
	char *got;

	world_make(&w, "", "1 procs=4; 1 procs=8", NULL, FAR_RUNNING,
		   "A procs=4 nodes=1 not=n1 het=1 of=2; B procs=8 nodes=1 het=1 off=1", 0);
	got = world_plan(&w);
	EXPECT_TEXT("got", got, "| B@5000:n1*8 A@5000:n0*4");
	cr_expect(w.decisions.next_s == 5000, "%d", (int)w.decisions.next_s);
	free(got);
	world_finish(&w);
}

Test(het_jobs, starts_are_marked)
{
	struct world w;

	world_make(&w, "", "4 procs=4", NULL, "", PAIR "; C procs=4", 0);
	free(world_plan(&w));
	cr_assert(w.decisions.start_count == 3);
	cr_expect(w.decisions.starts[0].together == 2);
	cr_expect(w.decisions.starts[1].together == 0 && w.decisions.starts[2].together == 0);
	world_finish(&w);
}

/* The reasons of A and B, and the limits that they name. */
static const struct {
	const char *name, *config, *queue;
	enum maui_reason reasons[2];
	const char *limits[2];
} reasons[] = {
	{ "a component is held",
	  "",
	  "A procs=4 het=1 of=2; B procs=4 het=1 off=1 held",
	  { MAUI_REASON_COMPONENT, MAUI_REASON_HELD },
	  { NULL, NULL } },
	{ "a component is larger than its limit",
	  "QOSCFG[late] MAXPROC=3\n",
	  LATE,
	  { MAUI_REASON_COMPONENT, MAUI_REASON_LIMIT },
	  { NULL, "late" } },
	{ "a limit keeps the second from running beside the first",
	  "USERCFG[DEFAULT] MAXPROC=7\n",
	  PAIR,
	  { MAUI_REASON_COMPONENT, MAUI_REASON_LIMIT },
	  { NULL, "somebody" } },
};

TEST_ROWS(het_jobs, says_why, reasons, row)
{
	struct world w;

	world_make(&w, row->config, "4 procs=4", NULL, "", row->queue, 0);
	free(world_plan(&w));
	for (int i = 0; i < 2; i++) {
		const struct maui_block *block = w.decisions.verdicts[i].blocks;

		cr_assert(block && block->reason == row->reasons[i], "%s: reason %d of %d",
			  row->name, block ? (int)block->reason : -1, i);
		cr_expect(!row->limits[i] || strcmp(block->violation->name, row->limits[i]) == 0,
			  "%s: %s", row->name, row->limits[i] ? block->violation->name : "");
		cr_expect(block->component == (row->reasons[i] == MAUI_REASON_COMPONENT ? 2 : 0),
			  "%s: component %d", row->name, (int)block->component);
		/* what the other component would have counts as asked for, not as in use */
		cr_expect(!block->violation || block->violation->in_use == 0, "%s", row->name);
	}
	cr_expect(w.decisions.start_count == 0, "%s", row->name);
	world_finish(&w);
}
