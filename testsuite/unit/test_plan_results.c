/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_results.c - what one plan says beside its starts: verdicts, estimates, licences, node
 * reasons
 *
 * Rules: BF-8, BF-11, BF-19.
 */

#include "explain/hypothetical_job.h"
#include "explain/text.h"
#include "explain/violation_text.h"
#include "plan_world.h"
#include "policy/throttle/throttle.h"
#include "rows.h"

/* ---- chunking, bypass, verdicts ---- */

Test(plan_results, chunking)
{
	struct world w;

	world_make(&w, "BFCHUNKSIZE 3\nBFCHUNKDURATION 50\n", "1 procs=4", NULL,
		   "a nodes=n0 procs=2 end=100", "A procs=4; B procs=3 limit=5; C procs=1 limit=5",
		   10);
	w.chunk_until = 40;
	world_expect(&w, "collecting", "| A@100:n0*4");
	cr_expect(w.decisions.next_s == 40, "looks again at %d", (int)w.decisions.next_s);
	cr_expect(world_verdict(&w, "C")->blocks->reason == MAUI_REASON_CHUNKING, "C: reason");
	w.now = 40;
	world_expect(&w, "over", "C:n0 | A@100:n0*4");
	world_finish(&w);
}

Test(plan_results, passed_jobs_count_a_bypass)
{
	struct world w;

	world_make(&w, "RESERVATIONDEPTH 2\n", "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
		   "A procs=4; B procs=1 limit=20; C procs=4; D procs=1 limit=20; E procs=4", 0);
	world_expect(&w, "two go past", "B:n0 D:n0 | A@100:n0*4 C@110:n0*4");
	cr_expect(world_verdict(&w, "A")->bypass == 2, "A: %u", world_verdict(&w, "A")->bypass);
	cr_expect(world_verdict(&w, "C")->bypass == 1, "C: %u", world_verdict(&w, "C")->bypass);
	cr_expect(world_verdict(&w, "E")->bypass == 0, "E: %u", world_verdict(&w, "E")->bypass);
	cr_expect(w.decisions.starts[0].out_of_order && !w.decisions.starts[0].backfilled,
		  "B started in the walk");
	cr_expect(w.decisions.starts[1].out_of_order && w.decisions.starts[1].backfilled,
		  "D was backfilled");
	world_finish(&w);
}

/* Three there are. */
Test(plan_results, licences_as_the_reason)
{
	struct world w;

	world_make(&w, "", "1 procs=4", NULL, "a nodes=n0 procs=1 lic=1 end=100",
		   "A procs=1 lic=3; B procs=1 lic=2 limit=200; C procs=1 lic=2 limit=50; "
		   "D procs=4 lic=3; E procs=1 lic=4",
		   0);
	world_expect(&w, "plan", "C:n0 | A@100:n0");
	cr_expect(world_verdict(&w, "A")->blocks->reason == MAUI_REASON_LICENCES &&
			  world_verdict(&w, "A")->blocks->until_s == 100,
		  "A: taken now");
	cr_expect(world_verdict(&w, "B")->blocks->reason == MAUI_REASON_LICENCES,
		  "B: a licence is reserved before it ends");
	cr_expect(world_verdict(&w, "D")->blocks->reason == MAUI_REASON_RESOURCES,
		  "D: processors first");
	cr_expect(world_verdict(&w, "D")->blocks->next &&
			  world_verdict(&w, "D")->blocks->next->reason == MAUI_REASON_LICENCES,
		  "D: licences as well");
	cr_expect(world_verdict(&w, "E")->blocks->reason == MAUI_REASON_NEVER_FITS, "E");
	world_finish(&w);
}

Test(plan_results, verdicts_and_reasons)
{
	struct world w;
	const struct maui_block *block;
	char text[MAUI_VIOLATION_SIZE];

	world_make(&w, "USERCFG[ann] MAXJOB=1,2 MAXPROC=3\nUSERCFG[bob] MAXIJOB=1\n", "2 procs=4",
		   NULL, "a nodes=n0 procs=2 end=100 user=ann; b nodes=n1 procs=1 end=50 user=ann",
		   "A procs=2 user=ann; B procs=8; C procs=1 user=bob; D procs=1 user=bob; "
		   "E procs=99",
		   0);
	world_expect(&w, "plan", "C:n0 | B@100:n0*4+n1*4");
	block = world_verdict(&w, "A")->blocks;
	cr_assert(block && block->next && !block->next->next, "A has two reasons");
	cr_expect_str_eq(maui_violation_format(block->violation, text, sizeof(text)),
			 "MAXJOB USER ann 2/2 (hard)", "first");
	cr_expect(world_verdict(&w, "A")->no_accrual, "A does not accrue");
	cr_expect(world_verdict(&w, "A")->rank == 0, "A: rank %u", world_verdict(&w, "A")->rank);
	block = world_verdict(&w, "B")->blocks;
	cr_expect(block->reason == MAUI_REASON_RESOURCES && block->until_s == 100, "B");
	cr_expect(world_verdict(&w, "D")->no_accrual, "D does not accrue");
	cr_expect(world_verdict(&w, "D")->rank == 3, "D: rank %u", world_verdict(&w, "D")->rank);
	cr_expect(world_verdict(&w, "E")->blocks->reason == MAUI_REASON_NEVER_FITS, "E");
	cr_expect(world_verdict(&w, "C")->estimate_s == 0 && !world_verdict(&w, "C")->blocks, "C");
	cr_expect(w.decisions.next_s == 100, "next %d", (int)w.decisions.next_s);
	world_finish(&w);
}

Test(plan_results, estimates_reserve_nothing)
{
	struct world w;

	world_make(&w, "", "1 procs=4", NULL, "a nodes=n0 procs=4 end=100",
		   "A procs=4; B procs=4; C procs=4; D procs=4", 0);
	w.estimates = 2;
	world_expect(&w, "one reservation", "| A@100:n0*4");
	cr_expect(world_verdict(&w, "B")->estimate_s == 110, "B");
	cr_expect(world_verdict(&w, "C")->estimate_s == 120, "C");
	cr_expect(world_verdict(&w, "D")->estimate_s == MAUI_NEVER, "D");
	cr_expect(w.decisions.next_s == 100, "next");
	cr_expect(world_explain(&w, "D", true).start.when_s == 110,
		  "estimates take nothing from later questions");
	world_finish(&w);
}

Test(plan_results, the_rest_of_an_array_starts_later)
{
	struct world w;

	world_make(&w, "RESERVATIONPOLICY NEVER\n", "1 procs=4", NULL, NULL,
		   "A procs=2 copies=3 limit=50; B procs=1 copies=1", 0);
	w.estimates = 3;
	world_expect(&w, "two of three start", "A:n0*2 A:n0*2");
	cr_expect(world_verdict(&w, "A")->estimate_s == 50, "the third: %d",
		  (int)world_verdict(&w, "A")->estimate_s);
	cr_expect(world_explain(&w, "A", true).start.basis == MAUI_START_PROJECTION, "basis");
	world_finish(&w);
	world_make(&w, "", "1 procs=4", NULL, NULL, "A procs=2 copies=3 limit=50", 0);
	world_expect(&w, "the third is reserved", "A:n0*2 A:n0*2 | A@50:n0*2");
	cr_expect(world_verdict(&w, "A")->estimate_s == 50, "reserved: %d",
		  (int)world_verdict(&w, "A")->estimate_s);
	world_finish(&w);
}

Test(plan_results, an_array_at_a_limit_takes_one_estimate)
{
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=4\n", "1 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 user=ann",
		   "A procs=1 copies=5 user=ann; B procs=4 user=bob; C procs=4 user=bob", 0);
	w.estimates = 2;
	world_expect(&w, "one reservation", "| B@100:n0*4");
	cr_expect(world_verdict(&w, "A")->estimate_s != MAUI_NEVER, "A");
	cr_expect(world_verdict(&w, "C")->estimate_s != MAUI_NEVER, "C is the second");
	world_finish(&w);
}

Test(plan_results, a_job_at_a_limit_starts_when_the_jobs_that_use_it_have_ended)
{
	struct world w;
	struct maui_start_time start;

	world_make(&w, "USERCFG[ann] MAXPROC=4\n", "3 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 user=ann", "A procs=4 user=ann; B procs=5 user=ann",
		   0);
	w.estimates = 2;
	world_expect(&w, "both wait", "");
	start = world_explain(&w, "A", true).start;
	cr_expect(world_verdict(&w, "A")->estimate_s == 100 && start.when_s == 100 &&
			  start.basis == MAUI_START_LIMIT,
		  "A: %d, %d", (int)start.when_s, start.basis);
	start = world_explain(&w, "B", true).start;
	cr_expect(start.when_s == MAUI_NEVER && start.basis == MAUI_START_UNKNOWN,
		  "B is larger than the limit: %d", (int)start.when_s);
	w.estimates = 0;
	world_expect(&w, "both wait", "");
	start = world_explain(&w, "A", true).start;
	cr_expect(start.when_s == MAUI_NEVER, "without an estimate the start is unknown, not now");
	world_finish(&w);
}

/* Asks about a job to come of ann, as large as an idle job. */
static struct maui_would_start ask_like(struct world *w, const char *name, int64_t limit_s)
{
	const struct maui_plan *plan = world_finished(w);
	const struct maui_idle *like = &w->snapshot->idle[world_find(w, name)];
	struct maui_offer_question q = { .partition = 0,
					 .request = &w->snapshot->requests[like->request],
					 .limit_s = limit_s,
					 .throttle = maui_plan_throttle(plan) };
	struct maui_would_start ret;

	cr_assert(q.throttle, "memory");
	q.cred[MAUI_CRED_USER] = "ann";
	q.cred[MAUI_CRED_CLASS] = w->snapshot->partitions[0].name;
	cr_assert(maui_explain_would_start(world_explainer(w), &q, false, &ret) == 0, "memory");
	maui_throttle_destroy(q.throttle);
	return ret;
}

Test(plan_results, the_earliest_start_of_a_job_to_come_names_what_it_assumes)
{
	struct maui_would_start would;
	struct world w;

	world_make(&w, "USERCFG[ann] MAXPROC=4\n", "3 procs=4", NULL,
		   "a nodes=n0 procs=4 end=100 user=ann", "A procs=4 user=ann", 0);
	free(world_plan(&w));
	would = ask_like(&w, "A", 60);
	cr_expect(!would.now && would.limited && would.earliest_s == 100, "limit: %d",
		  (int)would.earliest_s);
	world_finish(&w);
	world_make(&w, "", "1 procs=4", NULL, "a nodes=n0 procs=2 end=100",
		   "A procs=4 limit=60; B procs=2 limit=200", 0);
	free(world_plan(&w));
	would = ask_like(&w, "B", 200);
	cr_expect(!would.now && !would.limited && would.earliest_s == 160 &&
			  would.ahead == world_find(&w, "A"),
		  "job reservation: %d, %u", (int)would.earliest_s, would.ahead);
	world_finish(&w);
}

/* B is as large as the job to come. */
Test(plan_results, a_job_reservation_is_named_if_a_higher_priority_would_help)
{
	static const struct {
		const char *what, *config, *running, *queue;
		int64_t limit_s;
		bool helps;
	} cases[] = {
		{ "A's nodes", "", "a nodes=n0,n1 procs=4 end=100",
		  "A nodes=2 whole limit=60; B nodes=2 whole limit=200", 200, true },
		{ "A's nodes, later", "", "a nodes=n0,n1 procs=4 end=100",
		  "A nodes=2 whole limit=60; B nodes=2 whole limit=200", 20, true },
		{ "A's licence", "", "a nodes=n0 procs=4 lic=3 end=100",
		  "A procs=4 lic=3 limit=60; B procs=4 lic=1 limit=200", 200, true },
		{ "the second node is busy in any case", "",
		  "a nodes=n0 procs=4 end=100; b nodes=n1 procs=4 end=1000",
		  "A nodes=1 whole limit=60; B nodes=2 whole limit=200", 200, false },
		{ "A keeps its job reservation", "RESERVATIONPOLICY HIGHEST\n",
		  "a nodes=n0,n1 procs=4 end=100",
		  "A nodes=2 whole limit=60; B nodes=2 whole limit=200", 200, false },
		{ "runjob put A first", "", "a nodes=n0,n1 procs=4 end=100",
		  "A nodes=2 whole limit=60 first; B nodes=2 whole limit=200", 200, false },
		{ "A's partition has a higher PriorityTier", "", "a nodes=n0,n1 procs=4 end=100",
		  "A nodes=2 whole limit=60 part=p2; B nodes=2 whole limit=200", 200, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct maui_would_start would;
		struct world w;

		world_make(&w, cases[i].config, "2 procs=4 part=p0,p2", NULL, cases[i].running,
			   cases[i].queue, 0);
		free(world_plan(&w));
		cr_assert(w.decisions.reservation_count == 1, "%s", cases[i].what);
		would = ask_like(&w, "B", cases[i].limit_s);
		cr_expect(!would.now && would.ahead ==
						(cases[i].helps ? world_find(&w, "A") : UINT32_MAX),
			  "%s: %d, %u", cases[i].what, (int)would.earliest_s, would.ahead);
		world_finish(&w);
	}
}

Test(plan_results, each_task_of_an_array_counts_for_an_idle_limit)
{
	static const struct {
		const char *what, *procs;
		uint32_t copies, started, limited;
	} cases[] = {
		{ "tasks that could start together", "1 procs=4", 20, 4, 10 },
		{ "an array within the limit", "1 procs=4", 10, 4, 0 },
		{ "all tasks could start", "1 procs=40", 20, 10, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		char queue[96];

		snprintf(queue, sizeof(queue),
			 "A procs=1 copies=%u user=ann; B procs=1 user=ann; C procs=1 user=bob",
			 cases[i].copies);
		world_make(&w, "USERCFG[DEFAULT] MAXIJOB=10\nRESERVATIONPOLICY NEVER\n",
			   cases[i].procs, NULL, NULL, queue, 0);
		free(world_plan(&w));
		cr_expect(world_verdict(&w, "A")->started == cases[i].started, "%s: %u started",
			  cases[i].what, world_verdict(&w, "A")->started);
		cr_expect(world_verdict(&w, "A")->idle_limited == cases[i].limited, "%s: %u",
			  cases[i].what, world_verdict(&w, "A")->idle_limited);
		cr_expect(!world_verdict(&w, "A")->idle_limit == !cases[i].limited, "%s",
			  cases[i].what);
		cr_expect(world_verdict(&w, "B")->blocks &&
				  world_verdict(&w, "B")->blocks->reason == MAUI_REASON_LIMIT,
			  "%s: the 11th job", cases[i].what);
		cr_expect(!world_verdict(&w, "C")->no_accrual, "%s: another user", cases[i].what);
		world_finish(&w);
	}
}

Test(plan_results, node_reasons_count_every_node)
{
	static const enum maui_reason expected[] = {
		MAUI_REASON_NODE_PARTITION, MAUI_REASON_NODE_STATE, MAUI_REASON_NODE_EXCLUDED,
		MAUI_REASON_NODE_FEATURES,  MAUI_REASON_NODE_PROCS, MAUI_REASON_NODE_MEM,
		MAUI_REASON_NODE_OTHER,     MAUI_REASON_NODE_BUSY,  MAUI_REASON_NODE_RESERVED,
		MAUI_REASON_NODE_CLAIMED,   MAUI_REASON_NONE,
	};
	const uint32_t *counts;
	struct maui_explanation e;
	uint32_t sum = 0;
	struct world w;

	world_make(
		&w, "RESERVATIONDEPTH 1\n",
		"1 procs=4 gpu=1 feature=f part=p1; 1 procs=4 gpu=1 feature=f down; "
		"1 procs=4 gpu=1 feature=f; 1 procs=4 gpu=1; 1 procs=1 gpu=1 feature=f; "
		"1 procs=4 mem=10 gpu=1 feature=f; 1 procs=4 feature=f; "
		"1 procs=4 gpu=1 feature=f; 2 procs=4 gpu=1 feature=f; 1 procs=4 gpu=2 feature=f",
		"R nodes=n9 start=5", "a nodes=n7 procs=3 end=8",
		"A procs=8 nodes=2 need=n7,n8 limit=9; "
		"X procs=2 nodes=1 mem=50 gpu=1 feature=f not=n2 limit=20",
		0);
	free(world_plan(&w));
	cr_assert(world_verdict(&w, "A")->estimate_s == 8, "A is to be reserved");
	e = world_explain(&w, "X", true);
	counts = e.nodes->counts;
	for (int r = 0; r < MAUI_REASON_COUNT; r++)
		sum += counts[r];
	cr_expect(sum == w.snapshot->node_count, "%u of %u nodes", sum, w.snapshot->node_count);
	/* X has started on the last node, which could hold a second X */
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		cr_expect(counts[expected[i]] == 1, "%s: %u", maui_reason_text(expected[i]),
			  counts[expected[i]]);
	cr_expect_str_eq(e.nodes->reserved_by, "R", "R keeps a node");
	world_finish(&w);
}

/* Two of three licences are reserved until 50: a job that wants two waits until then, for no other
 * reason. */
Test(plan_results, licences_reserved_for_a_time)
{
	struct world w;

	world_make(&w, "", "1 procs=4", "R lic=2 end=50", "",
		   "A procs=1 lic=2; B procs=1 lic=1; C procs=1 lic=4", 0);
	world_expect(&w, "later", "B:n0 | A@50:n0");
	cr_expect(world_verdict(&w, "A")->blocks->reason == MAUI_REASON_LICENCES &&
			  strcmp(world_explain(&w, "A", false).licence->reserved_by, "R") == 0,
		  "R keeps them from A");
	cr_expect(world_verdict(&w, "A")->blocks->reason != MAUI_REASON_NEVER_FITS, "A");
	cr_expect(world_verdict(&w, "C")->blocks->reason == MAUI_REASON_NEVER_FITS, "C");
	w.now = 50;
	world_expect(&w, "over", "A:n0 B:n0");
	world_finish(&w);
}

/* Two of three are reserved from 50 to 90. A job whose span meets the reservation gets one, at any
 * moment; a job that ends before or starts later gets all. Slurm adds up reservations even if they
 * do not overlap. */
Test(plan_results, licences_reserved_later)
{
	static const char queue[] = "short procs=1 lic=2 limit=50; long procs=1 lic=2 limit=51; "
				    "one procs=1 lic=1 limit=100";
	struct world w;

	world_make(&w, "RESERVATIONDEPTH 9\n", "1 procs=9", "R lic=2 start=50 end=90", "", queue,
		   0);
	world_expect(&w, "one of them", "short:n0 | long@90:n0 one@90:n0");
	world_finish(&w);
	world_make(&w, "RESERVATIONDEPTH 9\n", "1 procs=9",
		   "R lic=2 start=50 end=90; S lic=1 start=120 end=130", "",
		   "brief procs=1 lic=1 limit=120; one procs=1 lic=1 limit=121", 0);
	world_expect(&w, "two of them", "brief:n0 | one@90:n0");
	world_finish(&w);
}

/* A job that names a reservation may use its licences, not those of another. What the job holds
 * does not lessen what is reserved from others. */
Test(plan_results, licences_of_the_job_s_own_reservation)
{
	struct world w;

	world_make(&w, "RESERVATIONDEPTH 9\n", "1 procs=9", "R lic=2 start=10 end=200",
		   "old nodes=n0 procs=1 lic=1 end=300",
		   "in procs=1 lic=1 limit=99 own=1; more procs=1 lic=2 limit=99 own=1; "
		   "out procs=1 lic=1 limit=99; brief procs=1 lic=1 limit=9",
		   0);
	world_expect(&w, "own", "in:n0 brief:n0 | more@99:n0 out@200:n0");
	world_finish(&w);
}

/* Slurm reservations that have some processors of a node, which Slurm keeps for their jobs. */
Test(plan_results, shares_of_nodes)
{
	static const struct {
		const char *what, *claims, *running, *queue, *expected;
	} rows[] = {
		{ "on the rest of the node", "R nodes=n0 procs=4", "", "A procs=4; B procs=1",
		  "A:n0*4 | B@10:n0" },
		{ "too large", "R nodes=n0 procs=4 end=50", "", "A procs=5", "| A@50:n0*5" },
		{ "inside", "R nodes=n0 procs=4 end=50", "",
		  "A procs=4 claim=R only; B procs=1 claim=R only; C procs=4",
		  "A:n0*4 C:n0*4 | B@10:n0" },
		{ "inside means there", "R nodes=n0 procs=2 end=50", "", "A procs=3 claim=R only",
		  "" },
		{ "whole nodes", "R nodes=n0 procs=1 end=50", "", "A nodes=1 whole", "| A@50:n0" },
		{ "on its processors before it was made", "R nodes=n0 procs=4 end=50",
		  "a nodes=n0 procs=6 share=4 end=20", "A procs=2; B procs=1", "A:n0*2 | B@10:n0" },
		{ "and when that is over", "R nodes=n0 procs=4 end=50",
		  "a nodes=n0 procs=6 share=4 end=20", "A procs=4 limit=30; B procs=2 limit=20",
		  "B:n0*2 | A@20:n0*4" },
		{ "not on them", "R nodes=n0 procs=4 end=50", "a nodes=n0 procs=4 end=20",
		  "A procs=1; B procs=4 claim=R only", "B:n0*4 | A@20:n0" },
		/* Slurm keeps the same processors earlier, too, from a job whose span meets the
		 * reservation */
		{ "later", "R nodes=n0 procs=4 start=30 end=50", "a nodes=n0 procs=4 end=20",
		  "A procs=1 limit=31; B procs=4 limit=30", "B:n0*4 | A@20:n0" },
		{ "later, with some of them taken", "R nodes=n0 procs=4 start=30 end=50",
		  "a nodes=n0 procs=4 share=3 end=20", "A procs=3 limit=31; B procs=1 limit=31",
		  "A:n0*3 | B@20:n0" },
		{ "one after the other",
		  "R nodes=n0 procs=4 end=30; S nodes=n0 procs=4 start=30 end=50", "",
		  "A procs=4 limit=40", "| A@30:n0*4" },
		{ "the same ones",
		  "R nodes=n0 procs=4 end=30 stack=1; "
		  "S nodes=n0 procs=5 start=30 end=50 stack=1",
		  "", "A procs=3 limit=40", "A:n0*3" },
		{ "a job that names a reservation", "R nodes=n0 procs=4; S nodes=n0 procs=4", "",
		  "A procs=8 passes", "A:n0*8" },
		{ "two nodes", "R nodes=n0,n1 procs=4 end=50", "",
		  "A procs=16; B procs=8; C procs=1", "B:n0*4+n1*4 | A@50:n0*8+n1*8" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct world w;

		world_make(&w, "RESERVATIONDEPTH 1\n",
			   strstr(rows[i].claims, "n1") ? "2 procs=8" : "1 procs=8", rows[i].claims,
			   rows[i].running, rows[i].queue, 0);
		world_expect(&w, rows[i].what, rows[i].expected);
		world_finish(&w);
	}
}

Test(plan_results, number_of_jobs_ahead)
{
	static const struct {
		const char *job;
		bool behind;
	} expected[] = {
		{ "limited", false }, { "never", false }, { "first", false },  { "second", true },
		{ "third", true },    { "other", false }, { "inside", false }, { "inside2", true },
	};
	struct world w;

	world_make(&w, "RESERVATIONDEPTH 2\nUSERCFG[ann] MAXPROC=3\n",
		   "2 procs=4 part=p0; 1 procs=4 part=p1; 1 procs=4 part=p0",
		   "R nodes=n3 start=0 end=999", "a nodes=n0,n1,n2,n3 procs=4 end=100",
		   "limited procs=4 user=ann part=p0; never procs=99 part=p0; "
		   "first procs=8 part=p0; second procs=8 part=p0; third procs=4 part=p0; "
		   "other procs=4 part=p1; inside procs=4 part=p0 claim=R only; "
		   "inside2 procs=4 part=p0 claim=R only",
		   0);
	free(world_plan(&w));
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		cr_expect(world_explain(&w, expected[i].job, false).behind == expected[i].behind,
			  "%s", expected[i].job);
	world_finish(&w);
}

Test(plan_results, node_reasons_leave_out_the_jobs_own_reservation)
{
	const uint32_t *counts;
	struct world w;

	world_make(&w, "", "2 procs=4", NULL, "a nodes=n0 procs=4 end=100",
		   "A procs=8 limit=200; B procs=4 limit=200", 0);
	free(world_plan(&w));
	counts = world_explain(&w, "A", true).nodes->counts;
	cr_expect(counts[MAUI_REASON_NONE] == 1 && counts[MAUI_REASON_NODE_BUSY] == 1, "A");
	counts = world_explain(&w, "B", true).nodes->counts;
	cr_expect(counts[MAUI_REASON_NODE_RESERVED] == 1 && counts[MAUI_REASON_NODE_BUSY] == 1,
		  "B");
	world_finish(&w);
}

Test(plan_results, node_reasons_of_configured_amounts)
{
	const uint32_t *counts;
	struct world w;

	world_make(&w, "", "1 procs=4 mem=10; 2 procs=4 mem=20; 1 procs=4 mem=20 cap=1 part=p0,p1",
		   NULL, "a nodes=n1 procs=4 mem=20 end=9",
		   "X procs=2 least=11 nodes=1; Y procs=2 nodes=1 part=p1", 0);
	free(world_plan(&w));
	counts = world_explain(&w, "X", true).nodes->counts;
	cr_expect(counts[MAUI_REASON_NODE_MEM] == 1, "n0 has not enough");
	cr_expect(counts[MAUI_REASON_NODE_BUSY] == 1, "n1 has, though none is free");
	counts = world_explain(&w, "Y", true).nodes->counts;
	cr_expect(counts[MAUI_REASON_NODE_PARTITION] == 3 && counts[MAUI_REASON_NODE_PROCS] == 1,
		  "the cap counts as processors");
	world_finish(&w);
}

Test(plan_results, a_snapshot_must_be_sealed)
{
	struct maui_snapshot *s = maui_snapshot_create(1);
	struct maui_planner *planner = maui_planner_create();
	const struct maui_plan_input input = { .snapshot = s };
	struct maui_decisions d = { 0 };
	struct maui_err err = { .text = "" };

	cr_expect(maui_plan(planner, &input, &d, &err) == -1 && strstr(err.text, "sealed"), "%s",
		  err.text);
	maui_planner_destroy(planner);
	maui_snapshot_destroy(s);
}

Test(plan_results, nothing_at_all)
{
	struct world w;

	world_make(&w, "", NULL, NULL, NULL, NULL, 0);
	world_expect(&w, "no nodes, no jobs", "");
	world_finish(&w);
	world_make(&w, "", NULL, NULL, NULL, "A procs=1", 0);
	world_expect(&w, "no nodes", "");
	world_finish(&w);
	world_make(&w, "", "1 procs=1", NULL, NULL, NULL, 0);
	world_expect(&w, "no jobs", "");
	world_finish(&w);
}

/* The same number of nodes of each kind is usable, but not the same nodes. */
Test(plan_results, a_named_node_that_comes_back)
{
	struct world w;

	world_make(&w, "BACKFILLPOLICY NONE\n", "1 procs=4 down; 1 procs=4", NULL, NULL,
		   "A procs=2 need=n0; B procs=4", 0);
	world_expect(&w, "A blocks no other job", "B:n1*4");
	cr_expect(world_verdict(&w, "A")->blocks->reason == MAUI_REASON_NODES_DOWN, "A");
	w.snapshot->nodes[0].usable_from_s = 0;
	w.snapshot->nodes[1].usable_from_s = MAUI_NEVER;
	world_expect(&w, "n0 for n1", "A:n0*2");
	world_finish(&w);
}
