/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_alloc.c - which nodes a job gets, policy by policy: in whole plans, and with candidates
 *
 * Rules: BF-9, BF-10, BF-20.
 */

#include "plan_world.h"
#include "rows.h"

#include "config/planning.h"
#include "policy/alloc/alloc.h"
#include "timeline/shape.h"

static const struct {
	const char *name, *config, *nodes, *running, *queue, *planned;
} rows[] = {
	{ "FIRSTAVAILABLE: the node table", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "4 procs=2",
	  NULL, "A procs=3", "A:n0*2+n1" },
	{ "LASTAVAILABLE, the default: the free interval that ends soonest", "", "3 procs=2",
	  "a nodes=n2 procs=2 end=50; b nodes=n0 procs=2 end=20",
	  "R nodes=2 whole need=n1,n2 limit=5; A procs=1 limit=50", "A:n1 | R@50:n1+n2" },
	{ "MINRESOURCE: fewest processors, then memory", "NODEALLOCATIONPOLICY MINRESOURCE\n",
	  "1 procs=8; 1 procs=4 mem=200; 1 procs=4 mem=100; 1 procs=1", NULL, "A procs=6 each=2",
	  "A:n0+n1*2+n2*2+n3" },
	{ "PRIORITY: highest first", "NODEALLOCATIONPOLICY PRIORITY\n",
	  "1 procs=1 priority=1; 1 procs=1 priority=3; 1 procs=1 priority=2", NULL, "A procs=2",
	  "A:n1+n2" },
	{ "CPULOAD: most processors without load", "NODEALLOCATIONPOLICY CPULOAD\n",
	  "1 procs=4 load=3; 1 procs=2 load=0; 1 procs=8 load=5", NULL, "A procs=1 nodes=1",
	  "A:n2" },
	{ "FASTEST", "NODEALLOCATIONPOLICY FASTEST\n",
	  "1 procs=1 speed=1; 1 procs=1 speed=9; 1 procs=1 speed=5", NULL, "A procs=2", "A:n1+n2" },
	{ "FAST is FASTEST", "NODEALLOCATIONPOLICY FAST\n", "1 procs=1 speed=1; 1 procs=1 speed=9",
	  NULL, "A procs=1", "A:n1" },
	{ "MAXBALANCE: the narrowest range of speeds", "NODEALLOCATIONPOLICY MAXBALANCE\n",
	  "1 procs=1 speed=1; 1 procs=1 speed=9; 1 procs=1 speed=5; 1 procs=1 speed=8", NULL,
	  "A nodes=2", "A:n1+n3" },
	{ "MAXBALANCE of three", "NODEALLOCATIONPOLICY MAXBALANCE\n",
	  "1 procs=1 speed=1; 1 procs=1 speed=2; 1 procs=1 speed=4; 1 procs=1 speed=9", NULL,
	  "A nodes=3", "A:n0+n1+n2" },
	{ "CONTIGUOUS: the smallest stretch that does", "NODEALLOCATIONPOLICY CONTIGUOUS\n",
	  "8 procs=1", "a nodes=n3 procs=1 end=50", "A nodes=2; B nodes=4",
	  "A:n0+n1 B:n4+n5+n6+n7" },
	{ "CONTIGUOUS: of equal stretches the first", "NODEALLOCATIONPOLICY CONTIGUOUS\n",
	  "5 procs=1", "a nodes=n2 procs=1 end=50", "A nodes=2", "A:n0+n1" },
	{ "CONTIGUOUS: when there is none, any", "NODEALLOCATIONPOLICY CONTIGUOUS\n", "5 procs=1",
	  "a nodes=n2 procs=1 end=50", "A nodes=3", "A:n0+n1+n3" },
	{ "weight breaks ties before names", "", "1 procs=1 weight=5; 2 procs=1 weight=2", NULL,
	  "A procs=1; B procs=2", "A:n1 B:n0+n2" },
	{ "sleeping nodes last, before any policy", "NODEALLOCATIONPOLICY FASTEST\n",
	  "1 procs=1 speed=9 asleep; 2 procs=1 speed=1", NULL, "A procs=1", "A:n1" },
	{ "named nodes first", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "4 procs=2", NULL,
	  "A procs=3 need=n3", "A:n0+n3*2" },
	{ "switches: the leaf with the fewest nodes that suffice", "",
	  "4 leaf=l0; 2 leaf=l1; 3 leaf=l2", NULL, "A nodes=2; B nodes=3; C nodes=4",
	  "A:n4+n5 B:n6+n7+n8 C:n0+n1+n2+n3" },
	{ "switches: largest leaves first, then the smallest that does", "",
	  "2 leaf=l0; 4 leaf=l1; 1 leaf=l2; 3 leaf=l3", "a nodes=n0 procs=1 end=50",
	  "A nodes=6; B nodes=2", "A:n2+n3+n4+n5+n7+n8 B:n6+n9" },
	{ "switches: below one switch rather than across", "", "2 leaf=l0; 2 leaf=l2; 1 leaf=l3",
	  NULL, "A nodes=3", "A:n2+n3+n4" },
	{ "switches: a policy of one's own comes before the network",
	  "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "2 leaf=l0; 4 leaf=l1", NULL, "A nodes=3",
	  "A:n0+n1+n2" },
	{ "switches: cheap nodes before few switches", "",
	  "2 leaf=l0 weight=1; 2 leaf=l1 weight=1; 4 leaf=l2 weight=9", NULL, "A nodes=3",
	  "A:n0+n1+n2" },
	{ "switches: named nodes, and neighbours of theirs on the leaf", "",
	  "2 leaf=l0; 3 leaf=l1; 1 leaf=l2", NULL, "A nodes=3 need=n3", "A:n2+n3+n4" },
	{ "switches: a job waits for one leaf", "", "2 leaf=l0; 2 leaf=l1",
	  "a nodes=n0 procs=1 end=50; b nodes=n2 procs=1 end=80", "A nodes=2 switches=1; B nodes=2",
	  "B:n1+n3 | A@50:n0+n1" },
	{ "switches: at most two leaves under any policy", "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n",
	  "1 leaf=l0; 1 leaf=l1; 2 leaf=l2", NULL, "A nodes=3 switches=2", "A:n0+n2+n3" },
	{ "switches: any two leaves that serve a bounded number of nodes", "",
	  "2 procs=4 leaf=l0; 1 procs=6 leaf=l1; 1 procs=5 leaf=l1; 1 procs=4 leaf=l2; "
	  "1 procs=2 leaf=l2",
	  NULL, "A nodes=3 procs=13 switches=2 need=n5", "A:n2*6+n3*5+n5*2" },
	{ "switches: more leaves than there are nodes for: never", "", "2 leaf=l0; 2 leaf=l1", NULL,
	  "A nodes=3 switches=1; B nodes=2", "B:n0+n1" },
	{ "switches: no job on two networks, none without a switch", "", "2 leaf=l0; 1; 3 leaf=x",
	  NULL, "A nodes=4; B nodes=3; C nodes=2; D nodes=1", "B:n3+n4+n5 C:n0+n1 | D@10:n0" },
	{ "switches: the networks in turn under a policy of one's own",
	  "NODEALLOCATIONPOLICY FIRSTAVAILABLE\n", "2 leaf=l0; 1; 3 leaf=x", NULL,
	  "A nodes=3; B nodes=2", "A:n3+n4+n5 B:n0+n1" },
	{ "sets: a node on two leaves is in none",
	  "NODESETPOLICY ONEOF\nNODESETATTRIBUTE NETWORK\n",
	  "1 leaf=s[1,3]; 2 leaf=l3; 1 leaf=s[1,3]", NULL, "A nodes=2", "A:n1+n2" },
	{ "sets: two such leaves have none in common",
	  "NODESETPOLICY ONEOF\nNODESETATTRIBUTE NETWORK\nNODESETPRIORITYTYPE WORSTFIT\n",
	  "2 leaf=s[1,3]; 2 leaf=s[1,4]; 3 leaf=l0", NULL, "A nodes=3", "A:n4+n5+n6" },
	{ "segments: two nodes of each leaf, though one has three", "", "3 leaf=l0; 3 leaf=l1",
	  NULL, "A nodes=4 switches=2 segment=2", "A:n0+n1+n3+n4" },
	{ "segments: three and one are not two and two", "", "3 leaf=l0; 1 leaf=l1; 1 leaf=l2",
	  "a nodes=n3 procs=1 end=50", "A nodes=4 switches=2 segment=2; B nodes=2", "B:n0+n1" },
	{ "segments: several on one leaf", "", "4 leaf=l0; 2 leaf=l1", NULL,
	  "A nodes=4 switches=2 segment=2", "A:n0+n1+n2+n3" },
	{ "spread: as many nodes as it may have", "", "4 procs=4", NULL,
	  "A procs=3 nodes=1-3 spread", "A:n0+n1+n2" },
	{ "spread: the most idle first, without a look at switches", "",
	  "2 procs=4 leaf=l0; 2 procs=4 leaf=l1", "a nodes=n0,n2 procs=2 end=50",
	  "A procs=2 nodes=1-2 spread", "A:n1+n3" },
	{ "a partition of its own", "NODEALLOCATIONPOLICY[p1] FASTEST\n",
	  "1 procs=2 speed=1 part=p0,p1; 1 procs=2 speed=9 part=p0,p1", NULL,
	  "A procs=1 part=p0; B procs=1 part=p1", "A:n0 B:n1" },
};

TEST_ROWS(alloc, plan, rows, row)
{
	struct world w;

	world_make(&w, row->config, row->nodes, NULL, row->running, row->queue, 0);
	/* places are listed by node, not in the order of choice */
	world_expect(&w, row->name, row->planned);
	world_finish(&w);
}

/* Six nodes, each of which takes the given number of tasks; the chosen ones as "node:tasks ...". */
static const struct {
	const char *name;
	int64_t tasks_of[6];
	uint32_t nodes_min, nodes_max;
	int64_t tasks;
	bool contiguous;
	const char *chosen; /* NULL: nothing serves */
	bool shared;        /* the resource manager shares tasks out */
} choices[] = {
	{ "until the tasks are placed",
	  { 2, 2, 2, 2, 0, 0 },
	  1,
	  6,
	  5,
	  false,
	  "0:2 1:2 2:1",
	  false },
	{ "each of the fewest nodes gets a task",
	  { 4, 4, 4, 4, 0, 0 },
	  3,
	  6,
	  5,
	  false,
	  "0:3 1:1 2:1",
	  false },
	{ "nodes with the most tasks when the number of nodes is bounded",
	  { 1, 4, 1, 4, 1, 0 },
	  1,
	  2,
	  8,
	  false,
	  "1:4 3:4",
	  false },
	{ "few nodes: not enough", { 1, 4, 1, 3, 1, 0 }, 1, 2, 8, false, NULL, false },
	{ "neighbours", { 2, 0, 2, 2, 0, 2 }, 2, 2, 4, true, "2:2 3:2", false },
	{ "neighbours where the most are", { 1, 1, 4, 4, 1, 1 }, 2, 2, 8, true, "2:4 3:4", false },
	{ "no neighbours", { 2, 0, 2, 0, 2, 0 }, 2, 2, 4, true, NULL, false },
	{ "the shorter of two runs", { 1, 1, 1, 0, 1, 1 }, 2, 2, 2, true, "4:1 5:1", false },
	{ "a node that suffices alone", { 2, 6, 0, 0, 0, 0 }, 1, 6, 6, false, "1:6", true },
	{ "in a run the first are filled",
	  { 3, 3, 3, 0, 0, 0 },
	  2,
	  3,
	  7,
	  false,
	  "0:3 1:3 2:1",
	  true },
	{ "the largest run first", { 2, 0, 3, 3, 0, 0 }, 1, 6, 7, false, "0:1 2:3 3:3", true },
	{ "a run that is not needed", { 1, 0, 3, 3, 0, 0 }, 1, 6, 6, false, "2:3 3:3", true },
};

TEST_ROWS(alloc, choice, choices, row)
{
	struct maui_snapshot *s = maui_snapshot_create(1);
	const int64_t have = 8;
	struct maui_request request = { .procs_per_task = 1, .contiguous = row->contiguous };
	const struct maui_shape shape = { .snapshot = s,
					  .request = &request,
					  .least = 1,
					  .nodes_min = row->nodes_min,
					  .nodes_max = row->nodes_max,
					  .tasks = row->tasks };
	struct maui_candidate list[6];
	struct maui_strbuf got = { 0 };
	uint32_t chosen = 0;
	size_t count = 0;
	bool found;

	for (uint32_t n = 0; n < 6; n++) {
		maui_snapshot_add_node(s, &(struct maui_node){ .id = n, .have = &have });
		if (row->tasks_of[n] > 0)
			list[count++] =
				(struct maui_candidate){ .node = n, .tasks = row->tasks_of[n] };
	}
	maui_snapshot_seal(s, NULL);
	s->shares_tasks = row->shared;
	found = maui_alloc_choose(&shape, MAUI_ALLOC_FIRSTAVAILABLE, list, count, &chosen);
	cr_expect(found == (row->chosen != NULL), "%s: found %d", row->name, found);
	for (uint32_t i = 0; found && i < chosen; i++)
		maui_strbuf_addf(&got, "%s%u:%d", i ? " " : "", list[i].node, (int)list[i].gives);
	if (found && row->chosen)
		cr_expect_str_eq(got.text, row->chosen, "%s: %s", row->name, got.text);
	maui_strbuf_finish(&got);
	maui_snapshot_destroy(s);
}
