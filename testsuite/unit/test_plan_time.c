/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_time.c - what carries over between plans
 *
 * Rules: BF-3.
 */

#include "plan_world.h"
#include "rows.h"

/* n0 is free at 100, n1 at 200. B arrives with a higher priority than A's: which job gets which
 * node at 10? */
struct keeping {
	const char *name, *config, *then;
};

static const struct keeping keepings[] = {
	{ "CURRENTHIGHEST: to the leader of the queue", "RESERVATIONPOLICY CURRENTHIGHEST\n",
	  "| B@100:n0*4" },
	{ "HIGHEST: A keeps its own, and B gets one, too", "RESERVATIONPOLICY HIGHEST\n",
	  "| B@110:n0*4 A@100:n0*4" },
	{ "NEVER", "RESERVATIONPOLICY NEVER\n", "" },
};

TEST_ROWS(plan_time, keeping, keepings, row)
{
	struct world w;

	world_make(&w, row->config, "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=200", "B procs=4; A procs=4",
		   0);
	w.snapshot->idle_count = 0; /* A alone at first */
	world_idle(&w, "A procs=4");
	w.snapshot->idle[0].id = 2;
	snprintf(w.names[2], sizeof(w.names[2]), "A");
	free(world_plan(&w));
	world_promise(&w);
	w.snapshot->idle_count = 0;
	world_idle(&w, "B procs=4");
	world_idle(&w, "A procs=4");
	w.now = 10;
	world_expect(&w, row->name, row->then);
	world_finish(&w);
}

Test(plan_time, a_reservation_slides_forward)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=200", "A procs=4; B procs=8",
		   0);
	world_expect(&w, "at first", "| A@100:n0*4 B@200:n0*4+n1*4");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 1); /* b ends early */
	w.now = 20;
	world_expect(&w, "then", "A:n1*4 | B@100:n0*4+n1*4");
	world_finish(&w);
}

/* a runs over its limit, its nodes are cleaned up, nothing was heard of a node for a moment. */
Test(plan_time, a_job_reservation_survives_late_nodes)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\n", "2 procs=4", NULL,
		   "a nodes=n0,n1 procs=4 end=100", "B procs=8 limit=90; A procs=8 limit=50", 0);
	w.snapshot->idle_count = 0; /* A alone at first */
	world_idle(&w, "A procs=8 limit=50");
	w.snapshot->idle[0].id = 2;
	snprintf(w.names[2], sizeof(w.names[2]), "A");
	world_expect(&w, "at first", "| A@100:n0*4+n1*4");
	world_promise(&w);
	w.snapshot->idle_count = 0;
	world_idle(&w, "B procs=8 limit=90");
	world_idle(&w, "A procs=8 limit=50");
	for (w.now = 100; w.now < 103; w.now++) {
		world_expect(&w, "over its limit",
			     w.now == 100 ? "| B@151:n0*4+n1*4 A@101:n0*4+n1*4" :
			     w.now == 101 ? "| B@152:n0*4+n1*4 A@102:n0*4+n1*4" :
					    "| B@153:n0*4+n1*4 A@103:n0*4+n1*4");
		world_promise(&w);
	}
	maui_snapshot_drop_active(w.snapshot, 0);
	w.snapshot->nodes[0].usable_from_s = 160;
	world_expect(&w, "silent", "| B@210:n0*4+n1*4 A@160:n0*4+n1*4");
	world_promise(&w);
	w.snapshot->nodes[0].usable_from_s = 0;
	w.now = 104;
	world_expect(&w, "there", "A:n0*4+n1*4 | B@210:n0*4+n1*4");
	world_finish(&w);
}

/* A begins two seconds late, so B has to wait as long, and ann is at her limit when A has begun. */
Test(plan_time, a_job_reservation_survives_a_late_start_at_a_limit)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\nUSERCFG[DEFAULT] MAXJOB=2\n",
		   "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 user=bob; b nodes=n1 procs=4 end=9999 user=ann",
		   "A procs=4 limit=50 user=ann; B procs=4 limit=50 user=ann", 0);
	world_expect(&w, "at first", "| A@100:n0*4 B@150:n0*4");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0);
	w.now = 102;
	world_expect(&w, "late", "A:n0*4 | B@152:n0*4");
	world_finish(&w);
}

Test(plan_time, a_due_reservation_is_retried)
{
	struct world w;

	world_make(&w, "RESERVATIONRETRYTIME 30\n", "1 procs=4", NULL, "a nodes=n0 procs=4 end=100",
		   "A procs=4 limit=50; B procs=4", 0);
	world_expect(&w, "at first", "| A@100:n0*4");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0);
	w.snapshot->idle[0].refused = true;
	w.now = 100;
	world_expect(&w, "due, refused", "| A@100:n0*4");
	w.now = 129;
	world_expect(&w, "still kept", "| A@100:n0*4");
	w.now = 130;
	world_expect(&w, "given up", "B:n0*4");
	world_finish(&w);
}

Test(plan_time, without_retry_other_jobs_pass_a_refused_job)
{
	struct world w;

	world_make(&w, "", "1 procs=4", NULL, "a nodes=n0 procs=4 end=100", "A procs=4; B procs=4",
		   0);
	free(world_plan(&w));
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0);
	w.snapshot->idle[0].refused = true;
	w.now = 100;
	world_expect(&w, "refused", "B:n0*4");
	world_finish(&w);
}

/* b ends ten seconds late, which moves J and so A by as much, and A moves B. */
Test(plan_time, a_late_job_reservation_moves_those_behind_it)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\nUSERCFG[ann] MAXJOB=1\n",
		   "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=150 user=bob; b nodes=n1 procs=4 end=100 user=bob",
		   "J procs=4 limit=60 user=ann need=n1; A procs=4 limit=50 user=ann need=n0; "
		   "B procs=4 limit=50 user=bob need=n0",
		   0);
	world_expect(&w, "at first", "| J@100:n1*4 A@160:n0*4 B@210:n0*4");
	world_promise(&w);
	w.snapshot->active[1].end_s = 110;
	w.now = 10;
	world_expect(&w, "then", "| J@110:n1*4 A@170:n0*4 B@220:n0*4");
	world_finish(&w);
}

/* a ends ten seconds late. J could have all of n1 sooner than its own places, and A would then wait
 * for J to end. */
Test(plan_time, a_late_job_reservation_takes_no_more_of_a_node_than_it_was_promised)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=2 end=100; d nodes=n0 procs=2 end=500; "
		   "b nodes=n1 procs=2 end=100; c nodes=n1 procs=2 end=105",
		   "J procs=4 limit=60; A procs=2 limit=50 need=n1", 0);
	world_expect(&w, "at first", "| J@100:n0*2+n1*2 A@105:n1*2");
	world_promise(&w);
	w.snapshot->active[0].end_s = 110;
	w.now = 10;
	world_expect(&w, "then", "| J@110:n0*2+n1*2 A@100:n1*2");
	world_finish(&w);
}

/* C has the only job reservation of the depth when A has to move. */
Test(plan_time, a_job_reservation_that_moves_needs_no_depth)
{
	struct world w;

	world_make(
		&w, "RESERVATIONPOLICY HIGHEST\n", "3 procs=4", NULL,
		"a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=200; c nodes=n2 procs=4 end=300",
		"C procs=4; A procs=4", 0);
	w.snapshot->idle_count = 0; /* A alone at first */
	world_idle(&w, "A procs=4");
	w.snapshot->idle[0].id = 2;
	world_expect(&w, "at first", "| A@100:n0*4");
	world_promise(&w);
	w.snapshot->idle_count = 0;
	world_idle(&w, "C procs=4");
	world_idle(&w, "A procs=4");
	world_expect(&w, "C comes", "| C@110:n0*4 A@100:n0*4");
	world_promise(&w);
	w.snapshot->nodes[0].usable_from_s = MAUI_NEVER;
	w.now = 10;
	world_expect(&w, "n0 goes", "| C@200:n1*4 A@210:n1*4");
	world_finish(&w);
}

/* ann is over her soft limit until 500. */
Test(plan_time, a_job_reservation_under_hard_limits_stays)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\nUSERCFG[ann] MAXJOB=1,2\n",
		   "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 user=bob; b nodes=n1 procs=4 end=500 user=ann",
		   "A procs=4 limit=50 user=ann; B procs=4 limit=50 user=bob", 0);
	world_expect(&w, "at first", "| B@100:n0*4 A@150:n0*4");
	world_promise(&w);
	w.now = 10;
	world_expect(&w, "then", "| B@100:n0*4 A@150:n0*4");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 0); /* a ends early: B goes, and A moves forward */
	w.now = 20;
	world_expect(&w, "sooner", "B:n0*4 | A@70:n0*4");
	world_finish(&w);
}

/* With one task on one node and three on the other, A would get six processors. Slurm may place it
 * so, and a start counts that: a job reservation, too. */
Test(plan_time, a_job_reservation_counts_what_a_start_counts)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=6\n", "2 procs=4 unit=2", NULL,
		   "b nodes=n1 procs=2 end=500 user=ann; c nodes=n0 procs=2 end=900 user=bob",
		   "A procs=4 nodes=2 asks limit=50 user=ann", 0);
	w.slurm_chooses = true;
	world_expect(&w, "chosen", "| A@500:n0*2+n1*2");
	world_finish(&w);
}

/* Two tasks on each node, and no other way to place them. */
Test(plan_time, tasks_of_nodes_that_slurm_chooses_are_counted_once)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=6\n", "3 procs=2", NULL, NULL,
		   "A procs=6 nodes=3 each=2 mincpus=2 asks limit=50 user=ann", 0);
	w.slurm_chooses = true;
	world_expect(&w, "chosen", "A:n0*2+n1*2+n2*2? ...");
	world_finish(&w);
}

Test(plan_time, a_job_reservation_moves_off_a_down_node)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=200", "A procs=4", 0);
	free(world_plan(&w));
	world_promise(&w);
	w.snapshot->nodes[0].usable_from_s = MAUI_NEVER;
	w.now = 10;
	world_expect(&w, "another node", "| A@200:n1*4");
	world_finish(&w);
}

Test(plan_time, a_start_in_one_partition_gives_back_the_reservation_kept_in_another)
{
	struct world w;

	world_make(&w,
		   "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\n"
		   "CLASSWEIGHT 1\nCLASSCFG[p0] PRIORITY=1000\n",
		   "1 procs=4 part=p0; 1 procs=4 part=p1", NULL, "b nodes=n1 procs=4 end=100",
		   "X procs=4 part=p1,p0 limit=500; Y procs=4 part=p1 limit=50", 0);
	w.snapshot->nodes[0].usable_from_s = MAUI_NEVER;
	world_expect(&w, "at first", "| X@100:n1*4 Y@600:n1*4");
	world_promise(&w);
	w.snapshot->nodes[0].usable_from_s = 0;
	w.now = 20;
	world_expect(&w, "then", "X:n0*4 | Y@100:n1*4");
	world_finish(&w);
}

Test(plan_time, a_reservation_that_slides_forward_gives_back_its_licences)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY HIGHEST\nRESERVATIONDEPTH 5\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=200",
		   "A procs=4 lic=2 limit=50; B procs=4 lic=2 limit=50", 0);
	world_expect(&w, "at first", "| A@100:n0*4 B@150:n0*4");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 1); /* b ends early */
	w.now = 20;
	world_expect(&w, "then", "A:n1*4 | B@70:n1*4");
	world_finish(&w);
}
