/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_limits.c - limits where what a job counts is known with its place
 *
 * Rules: THR-1, THR-19.
 */

#include "plan_world.h"
#include "rows.h"

#define PREEMPTION "QOSCFG[high] QFLAGS=PREEMPTOR\nQOSCFG[low] QFLAGS=PREEMPTEE\n"

struct row {
	const char *name, *config, *nodes, *running, *queue, *planned;
};

static const struct row rows[] = {
	{ "nodes of one leaf switch that limits allow are found", "USERCFG[ann] MAXPROC=16\n",
	  "1 procs=16 leaf=l0; 1 procs=2 leaf=l0; 2 procs=8 leaf=l1; 1 procs=16 leaf=l1", NULL,
	  "A nodes=2 whole switches=1 user=ann", "A:n2+n3" },
	{ "neighbours that limits allow are found", "USERCFG[ann] MAXPROC=8\n",
	  "1 procs=4; 1 procs=8; 2 procs=4", NULL, "A nodes=2 whole contiguous user=ann",
	  "A:n2+n3" },
	{ "a job that may have one node only gets the smallest that holds it",
	  "USERCFG[ann] MAXPROC=8\n", "1 procs=16; 2 procs=4; 1 procs=8", NULL,
	  "A procs=7 nodes=1 exactly whole user=ann", "A:n3*7" },
	{ "limits are judged by the smallest nodes, not by the smallest number",
	  "USERCFG[ann] MAXPROC=12\n", "1 procs=16; 3 procs=4", NULL, "A procs=12 whole user=ann",
	  "A:n1*4+n2*4+n3*4" },
	{ "nodes of which the smallest is of no use", "USERCFG[ann] MAXPROC=12\n",
	  "1 procs=2; 1 procs=16; 3 procs=4", NULL, "A procs=12 whole user=ann",
	  "A:n2*4+n3*4+n4*4" },
	{ "small nodes and one large one rather than two large ones", "USERCFG[ann] MAXPROC=24\n",
	  "2 procs=4; 2 procs=16", NULL, "A procs=20 whole user=ann", "A:n0*4+n1*4+n2*12" },
	{ "dear nodes of a leaf switch that the policy prefers are left out",
	  "NODEALLOCATIONPOLICY SLURM\nUSERCFG[ann] MAXPROC=8\n",
	  "2 procs=16 leaf=l0; 3 procs=4 leaf=l1", NULL, "A nodes=2 whole user=ann", "A:n2+n3" },
	{ "dear neighbours are left out",
	  "NODEALLOCATIONPOLICY CONTIGUOUS\nUSERCFG[ann] MAXPROC=8\n",
	  "1 procs=16; 1 procs=8 down; 2 procs=4; 1 procs=8", NULL, "A nodes=1 whole user=ann",
	  "A:n2" },
	{ "dear nodes of equal speed are left out",
	  "NODEALLOCATIONPOLICY MAXBALANCE\nUSERCFG[ann] MAXPROC=8\n",
	  "2 procs=16 speed=1; 1 procs=4 speed=2; 1 procs=4 speed=3", NULL,
	  "A nodes=2 whole user=ann", "A:n2+n3" },
	{ "dear nodes that the job would fill are left out",
	  "JOBNODEMATCHPOLICY EXACTPROC\nUSERCFG[ann] MAXMEM=1000\n",
	  "1 procs=8 mem=8000; 2 procs=4 mem=500", NULL, "A procs=8 whole allmem user=ann",
	  "A:n1*4+n2*4" },
	{ "a preemptor preempts beside an idle node that limits refuse",
	  PREEMPTION "USERCFG[ann] MAXPROC=8\n", "1 procs=16; 1 procs=4",
	  "b nodes=n1 procs=4 end=900 qos=low", "A whole user=ann qos=high", "| A@0:n1 !b" },
	{ "only jobs that are needed go for a preemptor whose larger places limits refuse",
	  PREEMPTION "USERCFG[ann] MAXPROC=8\n",
	  "10 procs=16; 1 procs=4; 10 procs=16; 1 procs=4; 10 procs=16",
	  "a nodes=n0,n1,n2,n3,n4,n5,n6,n7,n8,n9 procs=16 end=900 qos=low; "
	  "b nodes=n10 procs=4 end=900 qos=low; c nodes=n21 procs=4 end=900 qos=low; "
	  "d nodes=n11,n12,n13,n14,n15,n16,n17,n18,n19,n20 procs=16 end=900 qos=low; "
	  "e nodes=n22,n23,n24,n25,n26,n27,n28,n29,n30,n31 procs=16 end=900 qos=low",
	  "A nodes=2 whole user=ann qos=high", "| A@0:n10+n21 !b !c" },
	{ "a place that takes what a reserved job needs later is reserved before jobs behind it start",
	  "RESERVATIONDEPTH 2\nUSERCFG[ann] MAXPROC=6\n", "3 procs=4; 1 procs=1",
	  "r nodes=n0 procs=4 end=100 user=bob; s nodes=n3 procs=1 end=900 user=bob",
	  "A procs=3 need=n0 user=ann limit=50; B nodes=1 whole user=ann limit=200; "
	  "C procs=3 need=n2 user=ann limit=300",
	  "| A@100:n0*3 B@150:n0" },
};

TEST_ROWS(plan_limits, places, rows, row)
{
	struct world w;

	world_make(&w, row->config, row->nodes, NULL, row->running, row->queue, 0);
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}

/* Forty jobs of ann whose limits refuse the free node, each with another time limit, and then her
 * small one; in between those of bob. */
Test(plan_limits, refused_jobs_keep_nobody_waiting)
{
	struct maui_strbuf queue = { 0 };
	struct world w;
	char *planned;

	for (int i = 0; i < 40; i++)
		maui_strbuf_addf(&queue, "A%d whole user=ann limit=%d; ", i, 1000 - i);
	maui_strbuf_addf(&queue, "B1 whole user=bob limit=500; B2 procs=1 user=bob; "
				 "Z procs=1 user=ann");
	world_make(&w, "USERCFG[DEFAULT] MAXPROC=8\nRESERVATIONDEPTH 0\n", "2 procs=4; 1 procs=8",
		   NULL, "a nodes=n0 procs=4 end=100 user=ann; b nodes=n1 procs=4 end=100 user=bob",
		   queue.text, 0);
	planned = world_plan(&w);
	cr_expect_str_eq(planned, "B2:n2 Z:n2");
	free(planned);
	world_finish(&w);
	maui_strbuf_finish(&queue);
}

/* 256 searches for jobs of ann are refused: her others have no turn. That takes nothing from
 * bob. */
Test(plan_limits, one_user_does_not_use_up_the_turns_of_another)
{
	struct maui_snapshot *s;
	struct world w;
	char *planned;

	world_make(&w, "USERCFG[DEFAULT] MAXPROC=7\nRESERVATIONDEPTH 0\n", "30 procs=8; 30 procs=4",
		   NULL, NULL, "Z procs=5 whole user=bob", 0);
	s = w.snapshot;
	for (unsigned i = 0; i < 300; i++) {
		const char *cred[MAUI_CRED_COUNT] = {
			[MAUI_CRED_USER] = "ann", [MAUI_CRED_CLASS] = "p0"
		};
		struct maui_row row = { .creds = (uint32_t)maui_snapshot_creds(s, cred) };
		struct maui_idle idle = s->idle[0];

		idle.rows = &row;
		idle.id = 1000 + i;
		idle.submit_s = -1000;
		idle.limit_s = 5000 - i;
		cr_assert(maui_snapshot_add_idle(s, &idle) >= 0);
	}
	s->idle[0].submit_s = 0;
	planned = world_plan(&w);
	cr_expect_str_eq(planned, "");
	cr_expect_eq(w.decisions.verdicts[0].blocks->reason, MAUI_REASON_LIMIT, "bob's");
	cr_expect_eq(w.decisions.verdicts[300].blocks->reason, MAUI_REASON_PRIORITY,
		     "the last of ann's: %d", w.decisions.verdicts[300].blocks->reason);
	free(planned);
	world_finish(&w);
}

/* B is refused by what was tried for A. */
Test(plan_limits, each_of_two_alike_jobs_says_the_limit)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=8\nBACKFILLPOLICY NONE\n", "1 procs=4; 1 procs=8",
		   NULL, "a nodes=n0 procs=4 end=100 user=ann",
		   "A whole user=ann; B whole user=ann; C whole user=ann", 0);
	free(world_plan(&w));
	for (const char *name = "ABC"; *name; name++) {
		const struct maui_block *block = world_verdict(&w, (char[]){ *name, '\0' })->blocks;

		cr_assert(block, "%c", *name);
		cr_expect_eq(block->reason, MAUI_REASON_LIMIT, "%c", *name);
	}
	world_finish(&w);
}

/* n1 breaks ann's soft limit and is all that is free. */
Test(plan_limits, a_place_over_a_soft_limit_is_a_violation)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=8,64\n", "1 procs=4; 1 procs=8", NULL,
		   "a nodes=n0 procs=4 end=100 user=ann", "A whole user=ann", 0);
	free(world_plan(&w));
	cr_assert_eq(w.decisions.start_count, 1);
	cr_expect(w.decisions.starts[0].soft_violation);
	world_finish(&w);
}

/* A job reservation that limits alone keep from starting blocks nobody in the next plan either: B
 * is in both, and may not be backfilled. */
Test(plan_limits, a_held_job_over_a_limit_blocks_nobody)
{
	struct world w;
	char *planned;

	world_make(&w, "QOSCFG[nb] QFLAGS=NOBF\nUSERCFG[ann] MAXPROC=8\n", "1 procs=4; 1 procs=8",
		   NULL, "a nodes=n0 procs=4 end=100 user=ann",
		   "A whole user=ann; B procs=8 nodes=1 qos=nb user=bob", 0);
	for (int round = 0; round < 2; round++) {
		planned = world_plan(&w);
		cr_expect_str_eq(planned, "B:n1*8 | A@100:n0", "round %d", round);
		free(planned);
		world_promise(&w);
	}
	world_finish(&w);
}

/* A is behind X, which blocks, and its limit refuses every node: no reservation is to blame. */
Test(plan_limits, limits_are_no_reservations)
{
	struct world w;

	world_make(&w, "BACKFILLPOLICY NONE\nUSERCFG[ann] MAXPROC=4\n",
		   "1 procs=4 down; 1 procs=8; 1 procs=8", NULL, "b nodes=n2 procs=8 end=900",
		   "X procs=16 user=bob; A whole user=ann", 0);
	w.estimates = 10;
	free(world_plan(&w));
	cr_expect(!world_finished(&w)->jobs[world_find(&w, "A")].kept_out);
	world_finish(&w);
}

/* Under NODEACCESSPOLICY SINGLEJOB maui.cfg keeps others from the node, but Slurm gives the job one
 * processor: once it runs it counts no more than that. */
Test(plan_limits, a_started_job_counts_what_slurm_gives_it)
{
	struct maui_active started = { .id = 0 };
	struct world w;
	char *planned;

	world_make(&w, "NODEACCESSPOLICY SINGLEJOB\nUSERCFG[ann] MAXPROC=4\n", "2 procs=8", NULL,
		   NULL, "A procs=1 user=ann; B procs=1 user=ann", 0);
	planned = world_plan(&w);
	cr_expect_str_eq(planned, "A:n0 B:n1");
	free(planned);
	started.job = w.snapshot->idle[0].job;
	cr_assert(maui_snapshot_launch(w.snapshot, &w.decisions.starts[0], &started) >= 0);
	cr_expect_eq(w.snapshot->active[0].job.procs, 1);
	world_finish(&w);
}
