/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gres.c - generic resources as sbatch writes them */

#include <string.h>

#include "model/gres.h"
#include "parsed.h"
#include "policy/quantities.h"
#include "rows.h"

enum { GPU = MAUI_AMOUNT_FIXED, A100, NVME, LICENCE, CAP, AMOUNTS };

static struct maui_snapshot *make_snapshot(void)
{
	static const char *const names[] = { "gpu", "gpu:a100", "nvme", "matlab", "debug" };
	const int64_t global[AMOUNTS] = { [LICENCE] = 5 };
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		cr_assert(maui_snapshot_name_amount(s, GPU + i, names[i]) == 0);
	cr_assert(maui_snapshot_set_global(s, global) == 0);
	cr_assert(maui_snapshot_add_partition(
			  s, &(struct maui_partition){ .name = "debug", .cap_amount = CAP }) == 0);
	return s;
}

static const struct {
	const char *text;
	int64_t gpu, a100, nvme;
	const char *err; /* part of it; NULL: the text is good */
} rows[] = {
	{ NULL, 0, 0, 0, NULL },
	{ "", 0, 0, 0, NULL },
	{ "gpu", 1, 0, 0, NULL },
	{ "gpu:2", 2, 0, 0, NULL },
	{ "gpu:0", 0, 0, 0, NULL },
	{ "gpu:a100", 1, 1, 0, NULL },
	{ "gpu:a100:3,nvme", 3, 3, 1, NULL },
	{ "gpu:1,gpu:2", 2, 0, 0, NULL },
	{ "gpu:a100:1,gpu:a100:2", 2, 2, 0, NULL },
	{ "gpu:1,gpu:a100:2", 3, 2, 0, NULL },
	{ "none", 0, 0, 0, NULL },
	{ "gpu:99999999999999999999", 1000000000, 0, 0, NULL },
	{ "gp", 0, 0, 0, "'gp'" },
	{ "gpu:", 0, 0, 0, "'gpu:'" },
	{ "gpu:h100:2", 0, 0, 0, "'gpu:h100'" },
	{ "gpu:-1", 0, 0, 0, "'gpu:-1'" },
	{ ":2", 0, 0, 0, "''" },
	{ "2", 0, 0, 0, "'2'" },
	{ "gpu,", 0, 0, 0, "ends with a comma" },
	{ "gpu,,nvme", 0, 0, 0, "''" },
	{ "matlab", 0, 0, 0, "'matlab'" },
	{ "debug", 0, 0, 0, "'debug'" },
};

TEST_ROWS(gres, add, rows, row)
{
	struct maui_snapshot *s = make_snapshot();
	int64_t per_node[AMOUNTS] = { 0 };
	struct maui_err err = { .text = "" };
	int rc = maui_gres_add(s, row->text, per_node, &err);

	cr_expect(rc == (row->err ? -1 : 0), "%s: %d, %s", row->text, rc, err.text);
	cr_expect(!row->err || strstr(err.text, row->err), "%s: %s", row->text, err.text);
	if (rc == 0)
		cr_expect(per_node[GPU] == row->gpu && per_node[A100] == row->a100 &&
				  per_node[NVME] == row->nvme,
			  "%s", row->text);
	maui_snapshot_destroy(s);
}

/* Partitions as what their nodes can give. */
static const struct maui_gres_step fours[] = { { 4, 100 } }, threes[] = { { 3, 2 } },
				   mixed[] = { { 4, 2 }, { 2, 2 } };
static const struct maui_gres_supply of_fours = { fours, 1 }, of_threes = { threes, 1 },
				     of_mixed = { mixed, 2 }, of_none = { NULL, 0 };

static const struct {
	const char *what;
	const struct maui_gres_supply *supply;
	uint64_t count, tasks;
	uint32_t least, highest; /* nodes */
	uint64_t by_task, by_node;
	uint32_t nodes;
	bool inexact, uneven;
} deals[] = {
	{ "each task one", &of_fours, 4, 4, 1, 0, 1, 0, 1, false, true },
	{ "each task two", &of_fours, 4, 2, 2, 0, 2, 0, 2, false, true },
	{ "no equal shares for tasks", &of_fours, 5, 4, 2, 0, 0, 3, 2, false, true },
	{ "no node can give a task its share", &of_fours, 16, 2, 1, 0, 0, 4, 4, false, true },
	{ "shares of tasks would leave some over", &of_threes, 6, 3, 1, 0, 0, 3, 2, false, true },
	{ "one task, more nodes", &of_fours, 8, 1, 1, 0, 0, 4, 2, false, true },
	{ "no more nodes than it may have", &of_fours, 8, 1, 1, 1, 0, 8, 1, false, false },
	{ "no more than the range ends", &of_fours, 8, 0, 1, 4, 0, 4, 2, false, true },
	{ "all that so many nodes have", &of_fours, 8, 1, 1, 2, 0, 4, 2, false, false },
	{ "no node has any", &of_none, 2, 0, 1, 0, 0, 2, 1, false, false },
	{ "all of nodes that differ", &of_mixed, 12, 1, 1, 0, 0, 1, 4, true, false },
	{ "the largest of them", &of_mixed, 6, 1, 1, 0, 0, 1, 2, true, false },
	{ "tasks on nodes that differ", &of_mixed, 6, 2, 1, 0, 0, 1, 2, true, false },
	{ "one node has to have all", &of_mixed, 4, 1, 1, 1, 0, 4, 1, false, false },
	{ "one of each node", &of_mixed, 3, 1, 3, 0, 0, 1, 3, false, false },
	{ "a single one", &of_mixed, 1, 1, 1, 0, 0, 1, 1, false, false },
	{ "more than all of them have", &of_mixed, 13, 1, 1, 0, 0, 4, 4, false, false },
	{ "more than so many of them have", &of_mixed, 12, 1, 1, 3, 0, 4, 3, false, false },
};

TEST_ROWS(gres, a_count_for_the_whole_job, deals, row)
{
	struct maui_gres_share share =
		maui_gres_deal(row->count, row->supply, row->tasks, row->least, row->highest);

	cr_expect(share.by_task == row->by_task && share.by_node == row->by_node &&
			  share.nodes_min == row->nodes && share.inexact == row->inexact &&
			  share.uneven == row->uneven,
		  "%s: %d by task, %d by node, %d nodes, inexact %d, uneven %d", row->what,
		  (int)share.by_task, (int)share.by_node, (int)share.nodes_min, share.inexact,
		  share.uneven);
}

/* What nodes of other partitions have does not matter. */
Test(gres, a_partition_deals_by_its_own_nodes)
{
	static const int64_t many[AMOUNTS] = { 4, [GPU] = 8 }, few[AMOUNTS] = { 4, [GPU] = 2 };
	static const uint32_t partitions[] = { 0, 1 };
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	int64_t counts[AMOUNTS] = { [GPU] = 4 };

	maui_snapshot_name_amount(s, GPU, "gpu");
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "large" });
	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "small" });
	for (uint32_t i = 0; i < 3; i++)
		maui_snapshot_add_node(s, &(struct maui_node){ .id = i,
							       .have = i ? few : many,
							       .partitions = &partitions[i ? 1 : 0],
							       .partition_count = 1,
							       .unit = 1 });
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	for (uint32_t partition = 0; partition < 2; partition++) {
		struct maui_request request = { .nodes_min = 1 };
		int64_t per_node[AMOUNTS] = { 0 }, per_task[AMOUNTS] = { 0 };

		cr_assert(maui_gres_deal_all(s, partition, counts, false, &request, per_node,
					     per_task) == 0);
		cr_expect(request.nodes_min == partition + 1, "%d nodes", (int)request.nodes_min);
		cr_expect(per_node[GPU] == 4 / (partition + 1), "%d", (int)per_node[GPU]);
		cr_expect(request.per_job == counts);
	}
	maui_snapshot_destroy(s);
}

/* A node gives no more than its processors and its memory suffice for. */
Test(gres, processors_and_memory_that_come_along)
{
	static const int64_t large[AMOUNTS] = { 8, 4000, [GPU] = 4 },
			     small[AMOUNTS] = { 2, 1000, [GPU] = 4 };
	static const struct {
		struct maui_gres_along along;
		uint32_t count;
		uint64_t most, least;
	} kinds[] = {
		{ { 0, 0 }, 1, 4, 4 },
		{ { 2, 0 }, 2, 4, 1 },
		{ { 0, 600 }, 2, 4, 1 },
		{ { 4, 600 }, 1, 2, 2 }, /* the small nodes have no processors for one */
	};
	static const uint32_t partition = 0;
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	struct maui_arena arena = { 0 };

	maui_snapshot_add_partition(s, &(struct maui_partition){ .name = "main" });
	for (uint32_t i = 0; i < 5; i++)
		maui_snapshot_add_node(s, &(struct maui_node){ .id = i,
							       .have = i < 2 ? large : small,
							       .partitions = &partition,
							       .partition_count = 1,
							       .unit = 1 });
	cr_assert(maui_snapshot_seal(s, NULL) == 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct maui_gres_supply supply;

		cr_assert(maui_gres_supply(s, 0, GPU, kinds[i].along, &arena, &supply) == 0);
		cr_assert(supply.count == kinds[i].count, "%d: %d", (int)i, (int)supply.count);
		cr_expect(supply.steps[0].each == kinds[i].most, "%d", (int)i);
		cr_expect(supply.steps[supply.count - 1].each == kinds[i].least, "%d", (int)i);
	}
	maui_arena_finish(&arena);
	maui_snapshot_destroy(s);
}

Test(gres, a_snapshot_without_names_has_none)
{
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	int64_t per_node[AMOUNTS] = { 0 };

	cr_expect(maui_gres_add(s, "gpu", per_node, NULL) == -1);
	maui_snapshot_destroy(s);
}

/* ---- what they count ---- */

static const struct {
	const char *name, *text;
	int64_t gpu, a100, nvme; /* amounts of the job */
	double gres;
} weights[] = {
	{ "GPUs by themselves", "", 3, 2, 1, 3 },
	{ "one type counts more", "GRESCFG[gpu:a100] WEIGHT=4\n", 3, 2, 1, 9 },
	{ "every GPU", "GRESCFG[gpu] WEIGHT=2\n", 3, 2, 1, 6 },
	{ "type before name", "GRESCFG[gpu] WEIGHT=2\nGRESCFG[gpu:a100] WEIGHT=0\n", 3, 2, 1, 2 },
	{ "another", "GRESCFG[nvme] WEIGHT=0.5\n", 3, 2, 1, 3.5 },
	{ "a licence is none", "GRESCFG[matlab] WEIGHT=9\n", 0, 0, 0, 0 },
};

TEST_ROWS(gres, weigh, weights, row)
{
	struct maui_snapshot *s = make_snapshot();
	struct maui_config *config = PARSE_GOOD(row->text);
	const int64_t counts[AMOUNTS] = {
		[GPU] = row->gpu, [A100] = row->a100, [NVME] = row->nvme, [LICENCE] = 2, [CAP] = 8
	};
	struct maui_quantities sum;

	maui_quantities_make(config, s, counts, 1, &sum);
	cr_expect(sum.gres == row->gres, "%s: %g", row->name, sum.gres);
	cr_expect(sum.gpus == (double)row->gpu, "%s: %g GPUs", row->name, sum.gpus);
	maui_config_unref(config);
	maui_snapshot_destroy(s);
}
