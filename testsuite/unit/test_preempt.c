/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_preempt.c - which jobs are preempted for which, and when suspended jobs resume
 *
 * Rules: PRE-1, PRE-2, PRE-3, PRE-4, PRE-5, PRE-10, PRE-11.
 */

#include "plan_world.h"
#include "rows.h"

#define PREEMPTOR "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSWEIGHT 1\nQUEUETIMEWEIGHT 0\n"

static const struct {
	const char *name, *config, *running, *queue, *planned;
} preemptions[] = {
	{ "preemptor, preemptee, and a higher priority: all three are needed",
	  "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=5\nQOSWEIGHT 1\nQUEUETIMEWEIGHT 0\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=100 preemptee", "A procs=4 qos=now",
	  "| A@0:n1*4 !b" },
	{ "no higher priority", "QOSCFG[now] QFLAGS=PREEMPTOR\nQUEUETIMEWEIGHT 0\n",
	  "b nodes=n1 procs=4 end=100 preemptee; a nodes=n0 procs=4 end=90", "A procs=4 qos=now",
	  "| A@90:n0*4" },
	{ "no preemptor", "QOSCFG[now] PRIORITY=5\nQOSWEIGHT 1\n",
	  "b nodes=n1 procs=4 end=100 preemptee; a nodes=n0 procs=4 end=90", "A procs=4 qos=now",
	  "| A@90:n0*4" },
	{ "preemptee by its QOS",
	  "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=5\nQOSCFG[low] QFLAGS=PREEMPTEE\nQOSWEIGHT 1\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=100 qos=low", "A procs=4 qos=now",
	  "| A@0:n1*4 !b" },
	{ "lowest run priority first, and no more than needed",
	  "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSCFG[low] PRIORITY=1 QFLAGS=PREEMPTEE\n"
	  "QOSCFG[mid] PRIORITY=5 QFLAGS=PREEMPTEE\nQOSWEIGHT 1\nQUEUETIMEWEIGHT 0\n",
	  "a nodes=n0 procs=4 end=100 qos=mid; b nodes=n1 procs=2 end=100 qos=low; "
	  "c nodes=n1 procs=2 end=100 qos=mid",
	  "A procs=2 qos=now", "| A@0:n1*2 !b" },
	{ "no job is preempted if that would not suffice",
	  "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSWEIGHT 1\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=50 preemptee", "A procs=8 qos=now",
	  "| A@100:n0*4+n1*4" },
	{ "one victim for one preemptor", "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSWEIGHT 1\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=50 preemptee",
	  "A procs=4 qos=now limit=40; B procs=4 qos=now limit=40", "| A@0:n1*4 B@40:n1*4 !b" },
	{ "no job is preempted if the preemptor fits", PREEMPTOR,
	  "b nodes=n1 procs=4 end=100 preemptee", "A procs=4 qos=now", "A:n0*4" },
	{ "no job is preempted for a job over its limit", PREEMPTOR "USERCFG[ann] MAXJOB=1\n",
	  "a nodes=n0 procs=4 end=100 user=ann; b nodes=n1 procs=4 end=100 preemptee",
	  "A procs=4 qos=now user=ann", "" },
	{ "no job is preempted if a licence is missing", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 lic=2; b nodes=n1 procs=4 end=100 lic=1 preemptee",
	  "A procs=4 qos=now lic=2", "| A@100:n0*4" },
	{ "a licence is given back, too", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 lic=2; b nodes=n1 procs=4 end=100 lic=1 preemptee",
	  "A procs=4 qos=now lic=1", "| A@0:n1*4 !b" },
	{ "not on nodes where Slurm would refuse the preemptor all the same", PREEMPTOR,
	  "a nodes=n0 procs=4 start=-9 end=100 preemptee; b nodes=n1 procs=4 end=90 preemptee",
	  "A procs=4 nodes=1 qos=now spares=n1", "| A@0:n0*4 !a" },
	{ "a job of the same shape preempts there", PREEMPTOR "RESERVATIONDEPTH 2\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=90 preemptee",
	  "A procs=4 nodes=1 qos=now spares=n1; B procs=4 nodes=1 qos=now",
	  "| A@90:n1*4 B@0:n1*4 !b" },
	{ "of a job that fits by number, but for which Slurm finds no nodes, Slurm is asked",
	  PREEMPTOR, "a nodes=n0 procs=2 end=100; b nodes=n1 procs=2 end=90 preemptee",
	  "A procs=2 nodes=1 qos=now busy=50", "| A@0:n1*2 !b" },
	{ "not where nobody may go", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 preemptee; b nodes=n1 procs=2 end=90",
	  "A procs=2 nodes=1 qos=now busy=50 spares=n0", "| A@50:n1*2" },
	{ "nor on nodes that could not serve", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=100 preemptee",
	  "A procs=4 nodes=1 not=n1 qos=now", "| A@100:n0*4" },
	{ "lowest priority first, as many as needed",
	  PREEMPTOR "QOSCFG[low] PRIORITY=1\nQOSCFG[mid] PRIORITY=5\n",
	  "a nodes=n0 procs=2 end=100 qos=mid preemptee; b nodes=n0 procs=2 end=100 qos=low preemptee; "
	  "c nodes=n1 procs=2 end=100 qos=low preemptee; d nodes=n1 procs=2 end=100 qos=mid preemptee",
	  "A procs=4 qos=now", "| A@0:n0*2+n1*2 !b !c" },
	{ "of equals the jobs that lose least time", PREEMPTOR,
	  "a nodes=n0 procs=4 start=-50 end=100 preemptee; b nodes=n1 procs=4 start=-9 end=100 preemptee",
	  "A procs=4 qos=now", "| A@0:n1*4 !b" },
	{ "two preemptors have different victims", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 preemptee; b nodes=n1 procs=4 end=100 preemptee",
	  "A procs=4 qos=now; B procs=4 qos=now", "| A@0:n1*4 B@0:n0*4 !b !a" },
	{ "not a job that can neither be requeued nor suspended", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=90 preemptee never",
	  "A procs=4 qos=now", "| A@90:n1*4" },
	{ "REQUEUE gives memory back", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 mem=900 end=90 preemptee",
	  "A procs=4 nodes=1 mem=101 qos=now", "| A@0:n1*4 !b" },
	{ "SUSPEND does not", PREEMPTOR "PREEMPTPOLICY SUSPEND\nRESERVATIONDEPTH 2\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 mem=900 end=90 preemptee",
	  "A procs=4 nodes=1 mem=101 qos=now; B procs=4 mem=100 qos=now",
	  "| A@90:n1*4 B@0:n1*4 !b" },
	{ "a victim that goes no longer keeps other users away", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 user=ann; b nodes=n1 procs=2 end=90 user=ann sole preemptee",
	  "A procs=2 qos=now user=bob", "| A@0:n1*2 !b" },
	{ "a suspended one does", PREEMPTOR "PREEMPTPOLICY SUSPEND\n",
	  "a nodes=n0 procs=4 end=100 user=ann; b nodes=n1 procs=2 end=90 user=ann sole preemptee",
	  "A procs=2 qos=now user=bob", "| A@90:n1*2" },
	{ "PREEMPTSPV of the victim's QOS: only over a soft limit",
	  PREEMPTOR "QOSCFG[soft] QFLAGS=PREEMPTSPV\n",
	  "a nodes=n0 procs=4 end=100 qos=soft; b nodes=n1 procs=4 end=90 qos=soft over",
	  "A procs=4 qos=now", "| A@0:n1*4 !b" },
	{ "PREEMPTSPV of the preemptor's",
	  "QOSCFG[now] QFLAGS=PREEMPTOR,PREEMPTSPV PRIORITY=9\nQOSWEIGHT 1\n",
	  "a nodes=n0 procs=4 end=100 over; b nodes=n1 procs=4 end=90", "A procs=4 qos=now",
	  "| A@0:n0*4 !a" },
	{ "over a soft limit alone is nothing", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 over; b nodes=n1 procs=4 end=90", "A procs=4 qos=now",
	  "| A@90:n1*4" },
	{ "USAGE is part of the run priority: a nearly finished job stays",
	  PREEMPTOR "USAGEWEIGHT 1\nUSAGEPERCENTWEIGHT 1\nQOSCFG[now] PRIORITY=50\n",
	  "a nodes=n0 procs=4 start=-10 end=90 preemptee; b nodes=n1 procs=4 start=-90 end=10 preemptee",
	  "A procs=4 qos=now; B procs=4 qos=now limit=5", "| A@0:n0*4 B@10:n0*4 !a" },
	{ "a suspended job is no victim", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=90 preemptee suspended; "
	  "c nodes=n1 procs=4 end=80",
	  "A procs=4 qos=now", "| A@80:n1*4" },
	{ "BACKFILLPOLICY PREEMPT: no reservations, any blocked job preempts",
	  "BACKFILLPOLICY PREEMPT\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\nUSERCFG[vip] PRIORITY=100\n",
	  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=2 end=100 preemptee",
	  "A procs=4 user=vip; B procs=8; C procs=1 limit=1000", "| A@0:n1*4 !b" },
};

TEST_ROWS(preempt, preemption, preemptions, row)
{
	struct world w;

	world_make(&w, row->config, "2 procs=4", NULL, row->running, row->queue, 0);
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}

/* Slurm's: kind 2 preempts kinds 0 and 1, kind 1 jobs of kind 0, and of kind 1 those of lower
 * priority. */
static const struct maui_preemption_rule slurms_rules[] = {
	{ 1, 0, MAUI_PREEMPTS_LOWER | MAUI_PREEMPTS_EQUAL | MAUI_PREEMPTS_HIGHER },
	{ 1, 1, MAUI_PREEMPTS_LOWER },
	{ 2, 0, MAUI_PREEMPTS_LOWER | MAUI_PREEMPTS_EQUAL | MAUI_PREEMPTS_HIGHER },
	{ 2, 1, MAUI_PREEMPTS_LOWER | MAUI_PREEMPTS_EQUAL },
};

#define TWO_BUSY "a nodes=n0 procs=4 end=100 kind=3; "

static const struct {
	const char *name, *config, *running, *queue, *planned;
} slurms[] = {
	{ "Slurm, not maui.cfg, says whom its kind may preempt", PREEMPTOR,
	  TWO_BUSY "b nodes=n1 procs=4 end=100", "A procs=4 kind=2", "| A@0:n1*4 !b" },
	{ "a kind without rules preempts nobody", PREEMPTOR,
	  "a nodes=n0 procs=4 end=100 preemptee; b nodes=n1 procs=4 end=90 preemptee",
	  "A procs=4 kind=4 qos=now", "| A@90:n1*4" },
	{ "of its own kind those of lower priority", "",
	  TWO_BUSY "b nodes=n1 procs=4 end=90 kind=1 prio=1", "A procs=4 kind=1 wait=60000",
	  "| A@0:n1*4 !b" },
	{ "not those of higher priority", "", TWO_BUSY "b nodes=n1 procs=4 end=90 kind=1 prio=1001",
	  "A procs=4 kind=1 wait=60000", "| A@90:n1*4" },
	{ "the cheapest first", "",
	  "a nodes=n0 procs=4 end=100 cost=7; b nodes=n1 procs=4 end=90 cost=5", "A procs=4 kind=1",
	  "| A@0:n1*4 !b" },
	{ "of equals those that lose least time", "",
	  "a nodes=n0 procs=4 start=-50 end=100; b nodes=n1 procs=4 start=-9 end=100",
	  "A procs=4 kind=1", "| A@0:n1*4 !b" },
	{ "as many as needed, and no more", "",
	  "a nodes=n0 procs=2 end=100 cost=9; b nodes=n0 procs=2 end=100 cost=1; "
	  "c nodes=n1 procs=3 end=100 cost=2",
	  "A procs=4 nodes=1 kind=1", "| A@0:n1*4 !c" },
	{ "nobody, if that would not suffice", "", TWO_BUSY "b nodes=n1 procs=4 end=90",
	  "A procs=8 kind=1", "| A@100:n0*4+n1*4" },
	{ "a het job goes as a whole, for the nodes of any component", "",
	  "a nodes=n0 procs=1 end=100 kind=3; b nodes=n0 procs=3 end=100 het=1; "
	  "c nodes=n1 procs=4 end=100 het=1 never",
	  "A procs=4 nodes=1 kind=1; B procs=3 limit=50", "B:n0*3 | A@0:n1*4 !b" },
	{ "only if each component may", "",
	  "a nodes=n0 procs=1 end=100 kind=3; b nodes=n0 procs=3 end=100 het=1; "
	  "c nodes=n1 procs=4 end=100 het=1 never kind=3",
	  "A procs=4 nodes=1 kind=1", "| A@100:n0*4" },
	{ "not one that is exempt", "", TWO_BUSY "b nodes=n1 procs=4 end=90 never",
	  "A procs=4 kind=1", "| A@90:n1*4" },
	{ "nor one in its grace time", "", TWO_BUSY "b nodes=n1 procs=4 end=90 warned",
	  "A procs=4 kind=1", "| A@90:n1*4" },
	{ "a suspended job keeps its memory", "RESERVATIONDEPTH 2\n",
	  TWO_BUSY "b nodes=n1 procs=4 mem=900 end=90 sleeps",
	  "A procs=4 nodes=1 mem=101 kind=1; B procs=4 mem=100 kind=1", "| A@90:n1*4 B@0:n1*4 !b" },
	{ "a licence makes room only where Slurm reclaims it", "",
	  "a nodes=n0 procs=4 end=100 lic=1; b nodes=n1 procs=4 end=90 lic=2 keeps",
	  "A procs=4 lic=1 kind=2", "| A@0:n0*4 !a" },
	{ "behind a blocked job that nobody makes room for", "",
	  "a nodes=n0 procs=4 end=100 kind=3; b nodes=n1 procs=4 end=50",
	  "A procs=4 kind=4 nodes=1 need=n0; B procs=4 kind=1", "| A@100:n0*4 B@0:n1*4 !b" },
	{ "but not where it would delay that job", "",
	  "a nodes=n0 procs=4 end=100 kind=3; b nodes=n1 procs=4 end=50",
	  "A procs=4 kind=4; B procs=4 kind=1 limit=60", "| A@50:n1*4" },
	{ "a job that fits by number decides for no other of its shape", "RESERVATIONDEPTH 2\n",
	  TWO_BUSY "b nodes=n1 procs=2 end=90",
	  "A procs=2 nodes=1 kind=1 busy=50 limit=60; B procs=2 nodes=1 kind=1 limit=60",
	  "| A@0:n1*2 B@60:n1*2 !b" },
	{ "not under BACKFILLPOLICY NONE", "BACKFILLPOLICY NONE\n",
	  "a nodes=n0 procs=4 end=100 kind=3; b nodes=n1 procs=4 end=50",
	  "A procs=4 kind=4 need=n0; B procs=4 kind=1", "" },
};

TEST_ROWS(preempt, slurms_preemption, slurms, row)
{
	struct world w;

	world_make(&w, row->config, "2 procs=4", NULL, row->running, row->queue, 0);
	cr_assert(maui_snapshot_set_preemption(w.snapshot, slurms_rules, 4) == 0);
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}

/* A licence makes room wherever its job runs. */
Test(preempt, licence_of_a_job_on_other_nodes)
{
	struct world w;

	world_make(&w, "", "1 procs=4; 1 procs=8 part=p1", NULL,
		   "b nodes=n1 procs=4 end=90 lic=3 part=p1", "A procs=4 lic=1 kind=1", 0);
	cr_assert(maui_snapshot_set_preemption(w.snapshot, slurms_rules, 4) == 0);
	world_expect(&w, "licence", "| A@0:n0*4 !b");
	world_finish(&w);
}

Test(preempt, nodes_of_a_job_in_its_grace_time_stay_reserved)
{
	struct world w;

	world_make(&w, "", "1 procs=4", NULL, "b nodes=n0 procs=4 end=100",
		   "A procs=4 kind=1; B procs=4", 0);
	cr_assert(maui_snapshot_set_preemption(w.snapshot, slurms_rules, 4) == 0);
	world_expect(&w, "b has to go", "| A@0:n0*4 B@10:n0*4 !b");
	world_promise(&w);
	w.snapshot->active[0].warned = true;
	w.snapshot->active[0].end_s = 30;
	w.now = 2;
	world_expect(&w, "it has until 30", "| A@0:n0*4 B@40:n0*4");
	world_finish(&w);
}

Test(preempt, rules_are_in_order)
{
	const struct maui_preemption_rule twice[] = { slurms_rules[1], slurms_rules[0] };
	struct maui_snapshot *s = maui_snapshot_create(1);

	cr_expect(maui_snapshot_set_preemption(s, twice, 2) == -1);
	cr_expect(maui_snapshot_set_preemption(s, slurms_rules, 4) == 0);
	cr_expect(maui_snapshot_preempts(s, 1, 1) == MAUI_PREEMPTS_LOWER);
	cr_expect(maui_snapshot_preempts(s, 0, 1) == 0);
	maui_snapshot_destroy(s);
}

Test(preempt, nodes_of_leaving_victims_stay_reserved)
{
	struct world w;

	world_make(&w, "QOSCFG[now] QFLAGS=PREEMPTOR PRIORITY=9\nQOSWEIGHT 1\n", "1 procs=4", NULL,
		   "b nodes=n0 procs=4 end=100 preemptee", "A procs=4 qos=now; B procs=4", 0);
	world_expect(&w, "b has to go", "| A@0:n0*4 B@10:n0*4 !b");
	world_promise(&w);
	w.snapshot->active[0].completing = true;
	w.snapshot->active[0].end_s = w.now = 2;
	world_expect(&w, "on its way: gone the next second, for all the plan knows",
		     "| A@0:n0*4 B@13:n0*4");
	maui_snapshot_drop_active(w.snapshot, 0);
	w.now = 4;
	world_expect(&w, "gone", "A:n0*4 | B@14:n0*4");
	world_finish(&w);
}

Test(preempt, backfill_preempt_marks_its_jobs)
{
	struct world w;

	world_make(&w, "BACKFILLPOLICY PREEMPT\nBFPRIORITYPOLICY DURATION\n", "1 procs=4", NULL,
		   "a nodes=n0 procs=2 end=100",
		   "A procs=4; B procs=1 limit=500; C procs=1 limit=20", 0);
	world_expect(&w, "shortest first", "C:n0 B:n0");
	cr_expect(w.decisions.starts[0].preemptible && w.decisions.starts[0].backfilled,
		  "not preemptible");
	world_finish(&w);
}

/* The plan names the jobs beside which Slurm may be unable to place the preemptor. */
Test(preempt, further_jobs_on_the_nodes_of_the_preemptor_are_named)
{
	struct world w;

	world_make(&w, PREEMPTOR "QOSCFG[low] PRIORITY=1\nQOSCFG[mid] PRIORITY=5\n", "2 procs=6",
		   NULL,
		   "a nodes=n0 procs=2 end=100 qos=mid preemptee; "
		   "b nodes=n0 procs=2 end=100 qos=low preemptee; c nodes=n0 procs=2 end=100; "
		   "d nodes=n1 procs=6 end=100 qos=mid preemptee",
		   "A procs=2 qos=now", 0);
	world_expect(&w, "b suffices", "| A@0:n0*2 !b");
	cr_assert(w.decisions.further_count == 1, "a, but neither c nor d");
	cr_expect(w.decisions.further[0].active == 0 && w.decisions.further[0].job == 0);
	world_finish(&w);
}

/* While the victim is leaving, no other job is preempted, neither for A nor for B. */
Test(preempt, no_job_is_preempted_twice)
{
	struct world w;

	world_make(&w, PREEMPTOR, "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 start=-5 preemptee; "
		   "b nodes=n1 procs=4 end=90 preemptee",
		   "A procs=4 qos=now limit=20", 0);
	world_expect(&w, "b has to go for A", "| A@0:n1*4 !b");
	world_promise(&w);
	w.snapshot->active[1].completing = true;
	w.snapshot->active[1].end_s = w.now = 1;
	world_expect(&w, "A waits", "| A@0:n1*4");
	world_finish(&w);
}

/* Preempting failed: the same victim is chosen again. */
Test(preempt, a_failed_preemption_is_repeated)
{
	struct world w;

	world_make(&w, PREEMPTOR, "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=90 preemptee",
		   "A procs=4 qos=now limit=20; B procs=4 qos=now limit=20", 0);
	world_expect(&w, "b has to go for A", "| A@0:n1*4 B@20:n1*4 !b");
	world_promise(&w);
	w.now = 1;
	world_expect(&w, "the victim still runs", "| A@1:n1*4 B@21:n1*4 !b");
	world_finish(&w);
}

/* Of two victims one was suspended: the other one is chosen again, and no third job. */
Test(preempt, one_of_two_preemptions_failed)
{
	struct world w;

	world_make(&w, PREEMPTOR "PREEMPTPOLICY SUSPEND\n", "2 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 preemptee; b nodes=n1 procs=4 end=90 preemptee",
		   "A procs=8 qos=now limit=20", 0);
	world_expect(&w, "both have to go", "| A@0:n0*4+n1*4 !a !b");
	world_promise(&w);
	w.snapshot->active[0].suspended = true;
	memset((void *)w.snapshot->active[0].pieces[0].amounts, 0, sizeof(int64_t));
	w.now = 1;
	world_expect(&w, "b runs on", "| A@1:n0*4+n1*4 !b");
	world_finish(&w);
}

/* The node goes down before the victim has left: the job gets another one. */
Test(preempt, a_node_goes_down_while_the_victim_leaves)
{
	struct world w;

	world_make(
		&w, PREEMPTOR, "2 procs=4", NULL,
		"a nodes=n0 procs=4 end=100 start=-5 preemptee; b nodes=n1 procs=4 end=90 preemptee",
		"A procs=4 qos=now", 0);
	world_expect(&w, "b has to go", "| A@0:n1*4 !b");
	world_promise(&w);
	maui_snapshot_drop_active(w.snapshot, 1);
	w.snapshot->nodes[1].usable_from_s = MAUI_NEVER;
	w.now = 5;
	world_expect(&w, "then a", "| A@5:n0*4 !a");
	world_finish(&w);
}

Test(preempt, backfilled_jobs_become_safe)
{
	struct world w;

	world_make(&w,
		   "BACKFILLPOLICY PREEMPT\nQUEUETIMEWEIGHT 0\nUSERWEIGHT 1\n"
		   "USERCFG[high] PRIORITY=100\nUSERCFG[low] PRIORITY=10\n",
		   "3 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 preemptee user=high; "
		   "b nodes=n1 procs=4 end=100 preemptee user=low; "
		   "c nodes=n2 procs=4 end=100 user=high",
		   "A procs=4 user=high; B procs=4 user=low", 0);
	world_expect(&w, "b is the victim", "| A@0:n1*4 !b");
	cr_assert(w.decisions.secured_count == 1, "%u are safe", w.decisions.secured_count);
	cr_expect(w.decisions.secured[0] == 0, "a is");
	w.snapshot->idle_count = 0;
	free(world_plan(&w));
	cr_expect(w.decisions.secured_count == 0, "no job waits: nothing is decided");
	world_finish(&w);
}

Test(preempt, soft_violations_are_marked)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXJOB=1,2\n", "1 procs=4", NULL, NULL,
		   "A user=ann; B user=ann; C user=ann; D user=bob", 0);
	world_expect(&w, "plan", "A:n0 D:n0 B:n0");
	cr_expect(!w.decisions.starts[0].soft_violation, "A is the one");
	cr_expect(!w.decisions.starts[1].soft_violation, "D has no limit");
	cr_expect(w.decisions.starts[2].soft_violation, "B is over its soft limit");
	world_finish(&w);
}

/* ---- suspended jobs ---- */

static const struct {
	const char *name, *config, *running, *queue, *planned;
} resumptions[] = {
	{ "its processors are free", "", "b nodes=n0,n1 procs=4 end=90 suspended", NULL, " +b" },
	{ "they are not", "", "b nodes=n0,n1 procs=4 end=90 suspended; a nodes=n1 procs=1 end=50",
	  NULL, "" },
	{ "before jobs of lower priority", "QUEUETIMEWEIGHT 0\nQOSWEIGHT 1\nQOSCFG[x] PRIORITY=5\n",
	  "b nodes=n0 procs=4 end=90 suspended qos=x", "A procs=4 limit=9; B procs=4 limit=9",
	  "A:n1*4 | B@9:n1*4 +b" },
	{ "behind a job of higher priority that gets the processors",
	  "QUEUETIMEWEIGHT 0\nQOSWEIGHT 1\nQOSCFG[x] PRIORITY=5\n",
	  "b nodes=n0 procs=4 end=90 suspended",
	  "A procs=4 nodes=1 need=n0 limit=9 qos=x; "
	  "B procs=4 nodes=1 need=n0 limit=9; C procs=4 limit=9",
	  "A:n0*4 C:n1*4 | B@99:n0*4" },
	{ "jobs that end in time use the nodes kept for it",
	  "QUEUETIMEWEIGHT 0\nQOSWEIGHT 1\nQOSCFG[x] PRIORITY=5\n",
	  "b nodes=n0,n1 procs=4 end=90 suspended qos=x; a nodes=n0 procs=4 end=50",
	  "A procs=4 limit=51; B procs=4 limit=50", "B:n1*4 | A@140:n0*4" },
	{ "not against a limit", "USERCFG[ann] MAXPROC=5\n",
	  "b nodes=n0 procs=4 end=90 suspended user=ann; a nodes=n1 procs=2 end=50 user=ann",
	  "A procs=1 limit=9 user=ann", "A:n0" },
	{ "a resumed job counts against limits", "USERCFG[ann] MAXPROC=6\n",
	  "b nodes=n0 procs=4 end=90 suspended user=ann; a nodes=n1 procs=2 end=50 user=ann",
	  "A procs=1 limit=9 user=ann wait=0", " +b" },
};

TEST_ROWS(preempt, resumption, resumptions, row)
{
	struct world w;

	world_make(&w, row->config, "2 procs=4", NULL, row->running, row->queue, 0);
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}
