/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_reason_resources.c - the reason that squeue shows for jobs that wait for nodes: how
 * many they need, how many are free, and what is scarce
 */

#include "rsv_world.h"
#include "rows.h"
#include "squeue_reason.h"

#include "explain/text.h"

/* Enough nodes are free, but not where the job needs them. */
static const struct {
	const char *name, *nodes, *running, *queue, *text, *config;
	bool network; /* the network alone keeps it waiting */
} bound[] = {
	{ "leaf switches", "2 leaf=l0; 2 leaf=l1", "r nodes=n0,n2 procs=1", "X nodes=2 switches=1",
	  "Resources: needs 2 nodes on 1 leaf switch, 2 free", "", true },
	{ "leaf switches of a job behind another", "1 leaf=l0; 1 leaf=l1; 1 leaf=l2",
	  "r nodes=n0 procs=1", "A nodes=3; X nodes=3 switches=2", NULL, "", false },
	{ "leaf switches, and too few nodes are free", "2 leaf=l0; 2 leaf=l1",
	  "r nodes=n0,n1,n2 procs=1", "X nodes=2 switches=1",
	  "Resources: needs 2 nodes on 1 leaf switch, 1 free", "", false },
	{ "networks", "2 leaf=l0; 2 leaf=x", "r nodes=n0,n2 procs=1", "X nodes=2",
	  "Resources: needs 2 nodes on one network, 2 free", "", true },
	{ "neighbours", "4", "r nodes=n1,n2 procs=1", "X nodes=2 contiguous",
	  "Resources: needs 2 nodes in a row, 2 free", "", false },
	{ "node sets", "2 leaf=l0; 2 leaf=l1", "r nodes=n0,n2 procs=1", "X nodes=2",
	  "Resources: needs 2 nodes in one node set, 2 free",
	  "NODESETPOLICY ONEOF\nNODESETATTRIBUTE NETWORK\nNODESETDELAY 9:00:00:00\n", false },
};

TEST_ROWS(plan_reason_resources, bound, bound, row)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;
	char config[256];
	struct world w;

	utc();
	snprintf(config, sizeof(config), "RESERVATIONDEPTH 0\n%s", row->config);
	world_make(&w, config, row->nodes, NULL, row->running, row->queue, 0);
	free(world_plan(&w));
	e = world_explain(&w, "X", true);
	e.now_s = 1;
	maui_explain_first(&e, text, sizeof(text));
	cr_expect(!row->text || strcmp(text, row->text) == 0, "%s: '%s'", row->name, text);
	cr_expect(maui_explain_network_alone(&e) == row->network, "%s: the network", row->name);
	for (uint32_t i = 0; i < w.decisions.verdict_count; i++)
		cr_expect(!w.decisions.verdicts[i].blocks ||
				  w.decisions.verdicts[i].blocks->reason != MAUI_REASON_RESERVED,
			  "%s: nothing is reserved", row->name);
	world_finish(&w);
}

/* A job of several partitions: the reason is that of the one where it has a reservation, or can
 * run at all. */
static const struct {
	const char *name, *queue, *text, *config;
} several[] = {
	{ "it can never run in the first", "X gpu=1 part=p0,p1 limit=300",
	  "Resources: needs 1 node, 0 free", "RESERVATIONDEPTH 0\n" },
	{ "it has a reservation in the second",
	  "A procs=4 part=p0 limit=900; X procs=4 part=p0,p1 limit=300",
	  "Resources: needs 1 node, 0 free; starts about 00:10", "RESERVATIONDEPTH 1\n" },
	{ "it can run in none", "X gpu=9 part=p0,p1 limit=300", "never fits: 1 node lacks gpu",
	  "RESERVATIONDEPTH 0\n" },
};

TEST_ROWS(plan_reason_resources, several, several, row)
{
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;
	struct world w;

	utc();
	world_make(&w, row->config, "1 procs=4 part=p0; 1 procs=4 gpu=1 part=p1", NULL,
		   "r nodes=n1 procs=4 gpu=1 end=600; s nodes=n0 procs=4 end=9000", row->queue, 0);
	free(world_plan(&w));
	e = world_explain(&w, "X", true);
	e.now_s = 1;
	maui_explain_first(&e, text, sizeof(text));
	cr_expect_str_eq(text, row->text, "%s: '%s'", row->name, text);
	world_finish(&w);
}

/* Nodes are counted: four of four processors each. */
static const struct {
	const char *name, *reservations, *running, *queue, *text;
} counted[] = {
	{ "named nodes that are enough: no others count",
	  "debug hosts=n0 users=ann; jupiter hosts=n3 users=eve", "r nodes=n1 procs=4 end=600",
	  "X procs=4 need=n1 user=bob limit=300", "Resources: needs 1 node, 0 free" },
	{ "nor if they are reserved as well",
	  "debug hosts=n0 users=ann; jupiter hosts=n3 users=eve",
	  "r nodes=n0 procs=4 user=ann end=600", "X procs=4 need=n0 user=ann limit=300",
	  "Resources: needs 1 node, 0 free" },
	{ "a named node that is not enough", "jupiter hosts=n3 users=eve",
	  "r nodes=n0,n1,n2 procs=4 end=600", "X procs=8 need=n1 user=bob limit=300",
	  "Resources: needs 2 nodes, 0 free, 1 reserved by jupiter" },
	{ "inside the named reservation", "debug hosts=n0 users=ann; jupiter hosts=n3 users=eve",
	  "r nodes=n0 procs=4 user=ann end=600", "X procs=4 user=ann rsv=debug limit=300",
	  "Resources: needs 1 node, 0 free" },
	{ "more processors than a node has", "jupiter hosts=n3 users=eve",
	  "r nodes=n0,n1,n2 procs=4 end=600", "X procs=9 user=bob limit=300",
	  "Resources: needs 3 nodes, 0 free, 1 reserved by jupiter" },
	{ "busy now, reserved when that is over",
	  "jupiter hosts=n0,n1,n2,n3 users=eve start=300 end=9000",
	  "r nodes=n0,n1,n2,n3 procs=4 end=200", "X procs=4 user=bob limit=300",
	  "Reserved: needs 1 node, 0 free, 4 reserved by jupiter" },
	{ "busy now, and the reservation is over by then",
	  "jupiter hosts=n0,n1,n2,n3 users=eve end=100", "r nodes=n0,n1,n2,n3 procs=4 end=200",
	  "X procs=4 user=bob limit=300", "Resources: needs 1 node, 0 free" },
	{ "a node is free long enough before it is reserved",
	  "jupiter hosts=n0,n1,n2,n3 users=eve start=600 end=9000",
	  "r nodes=n0,n1,n2 procs=4 end=400; q nodes=n3 procs=4 end=300",
	  "X procs=4 user=bob limit=300", "Resources: needs 1 node, 0 free" },
	{ "other jobs end after the reservation", "jupiter hosts=n0,n1 users=eve end=300",
	  "r nodes=n2,n3 procs=4 end=900", "X procs=12 user=bob limit=300",
	  "Resources: needs 3 nodes, 0 free, 2 reserved by jupiter" },
	{ "other jobs end before the reservation", "jupiter hosts=n0,n1 users=eve end=900",
	  "r nodes=n2,n3 procs=4 end=300", "X procs=12 user=bob limit=300",
	  "Reserved: needs 3 nodes, 0 free, 2 reserved by jupiter" },
	{ "busy and reserved, and a node that is busy only",
	  "jupiter hosts=n0,n1,n2 users=eve start=100 end=9000",
	  "r nodes=n0,n1,n2 procs=4 end=50; q nodes=n3 procs=4 end=5000",
	  "X procs=4 user=bob limit=300",
	  "Resources: needs 1 node, 0 free, 3 reserved by jupiter" },
	{ "by a job without a time limit", "jupiter hosts=n0,n1,n2,n3 users=eve",
	  "r nodes=n0,n1,n2,n3 procs=4 end=9223372036854775807", "X procs=4 user=bob limit=300",
	  "Reservation jupiter: user bob not admitted" },
	{ "down: nodes that the job does not request do not count", NULL, NULL,
	  "X nodes=1 need=n2 down=n1,n2 user=bob limit=300",
	  "Nodes down: needs 1 node, 0 up, 1 down or drained" },
	{ "more than there are", "jupiter hosts=n3 users=eve", NULL,
	  "X procs=17 user=bob limit=300", "never fits: needs 5 nodes, 4 can serve it" },
};

TEST_ROWS(plan_reason_resources, count, counted, row)
{
	struct world *w =
		rsv_make("", "4 procs=4", NULL, row->reservations, row->running, row->queue);
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;

	if (strstr(row->queue, "down=n1,n2"))
		w->snapshot->nodes[1].usable_from_s = w->snapshot->nodes[2].usable_from_s =
			MAUI_NEVER;
	free(world_plan(w));
	e = world_explain(w, "X", false); /* without moments */
	maui_explain_first(&e, text, sizeof(text));
	EXPECT_TEXT(row->name, text, row->text);
	rsv_drop();
}

/* What is scarce is named: two nodes of four processors and two gpu. */
static const struct {
	const char *name, *running, *queue, *text;
} scarce[] = {
	{ "a gres that is taken on nodes that idle", "r nodes=n0,n1 procs=1 gpu=2 end=600",
	  "X procs=1 nodes=1 gpu=1 limit=300", "Resources: needs 1 node with 1 gpu, 0 free" },
	{ "memory", "r nodes=n0,n1 procs=1 mem=900 end=600", "X procs=1 nodes=1 mem=200 limit=300",
	  "Resources: needs 1 node with 200 MB of memory, 0 free" },
	{ "processors", "r nodes=n0,n1 procs=4 gpu=2 end=600", "X procs=1 nodes=1 gpu=1 limit=300",
	  "Resources: needs 1 node, 0 free" },
	{ "whole nodes", "r nodes=n0,n1 procs=1 end=600", "X nodes=1 whole limit=300",
	  "Resources: needs 1 whole node, 0 free" },
	{ "nodes with a feature", "r nodes=n1 procs=4 end=600", "X nodes=1 feature=big limit=300",
	  "Resources: needs 1 node with feature big, 0 free" },
	{ "a licence", "r nodes=n0 procs=1 lic=2 end=600", "X procs=1 lic=2 limit=300",
	  "Licenses: needs 2 matlab, 1 free" },
	{ "a gres that no node has enough of", NULL, "X procs=1 nodes=1 gpu=3 limit=300",
	  "never fits: 2 nodes lack gpu" },
};

TEST_ROWS(plan_reason_resources, the_scarce_thing_is_named, scarce, row)
{
	struct world *w = rsv_make("", "1 procs=4 gpu=2; 1 procs=4 gpu=2 feature=big", NULL, NULL,
				   row->running, row->queue);
	char text[MAUI_EXPLAIN_LINE_SIZE];
	struct maui_explanation e;

	cr_assert(maui_snapshot_name_amount(w->snapshot, MAUI_AMOUNT_FIXED, "gpu") == 0);
	cr_assert(maui_snapshot_name_amount(w->snapshot, WORLD_LICENCE, "matlab") == 0);
	free(world_plan(w));
	e = world_explain(w, "X", false);
	maui_explain_first(&e, text, sizeof(text));
	EXPECT_TEXT(row->name, text, row->text);
	rsv_drop();
}

/* No job starts on a node while an epilog runs there. */
Test(plan_reason_resources, a_node_that_still_ends_a_job_is_busy_and_not_down, .init = utc)
{
	struct world *w = rsv_make("", "3 procs=4", NULL, NULL, NULL, "X nodes=3 limit=300");

	w->snapshot->nodes[0].usable_from_s = 1;
	w->snapshot->nodes[0].state = MAUI_REASON_NODE_BUSY;
	expect_told(w, "completing", "X", "Resources: not enough is free");
	rsv_drop();
}

/* The limit keeps X out of p0, and p1 could never serve it: Slurm is not asked about that. */
Test(plan_reason_resources, a_job_fits_if_it_fits_in_one_of_its_partitions, .init = utc)
{
	struct world *w = rsv_make("USERCFG[DEFAULT] MAXPROC=6\n",
				   "1 procs=8 part=p0; 1 procs=2 part=p1", NULL, NULL, NULL,
				   "X whole procs=4 user=ann part=p1,p0 limit=300; "
				   "Y procs=4 user=bob part=p1 limit=300");

	expect_told(w, "at a limit", "X", "MAXPROC USER ann 8/6 (hard): larger than the limit");
	cr_expect(!world_verdict(w, "X")->never_fits && world_verdict(w, "Y")->never_fits);
	rsv_drop();
}

/* What squeue shows, and what the reason says. */
Test(plan_reason_resources, a_job_of_tasks_needs_so_many_of_the_largest_nodes)
{
	static const uint32_t expected[] = { 2, 3, 1 };
	struct maui_explainer *x;
	struct world w = { 0 };
	uint32_t nodes;

	world_make(&w, "", "4 procs=4; 1 procs=8", NULL, NULL,
		   "A procs=12 limit=60; B nodes=3 procs=3 limit=60; C procs=1 limit=60", 0);
	free(world_plan(&w));
	x = maui_explainer_create(world_finished(&w));
	cr_assert(x);
	for (uint32_t i = 0; i < 3; i++) {
		cr_expect(maui_explain_least_nodes(x, i, &nodes) == 0);
		cr_expect(nodes == expected[i], "job %u: %u", i, nodes);
	}
	maui_explainer_destroy(x);
	world_finish(&w);
}

/* What is free does not help a job that Slurm has just refused; one that could start at no moment
 * has no first moment either. */
Test(plan_reason_resources, a_job_that_slurm_refuses)
{
	static const int64_t busy[] = { 100, MAUI_NEVER, 0 };

	for (size_t i = 0; i < 3; i++) {
		struct maui_explainer *x;
		struct maui_explanation e;
		struct world w = { 0 };

		world_make(&w, "RESERVATIONDEPTH 0\n", "1 procs=4", NULL,
			   "a nodes=n0 procs=2 end=5000",
			   "A procs=4 limit=600; B procs=1 limit=600", 0);
		w.snapshot->idle[1].busy_until_s = busy[i];
		free(world_plan(&w));
		x = maui_explainer_create(world_finished(&w));
		cr_assert(x && maui_explain_job(x, 1, &e) == 0);
		cr_expect(e.longest_s == 0, "%zu: a shorter limit helps", i);
		cr_expect(busy[i] == 0 ? e.start.basis == MAUI_START_NOW :
					 e.start.when_s == busy[i],
			  "%zu: at %d", i, (int)e.start.when_s);
		maui_explainer_destroy(x);
		world_finish(&w);
	}
}
