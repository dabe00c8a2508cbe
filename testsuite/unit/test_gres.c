/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gres.c - generic resources as sbatch writes them */

#include <string.h>

#include "model/gres.h"
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
	struct maui_err err = { "" };
	int rc = maui_gres_add(s, row->text, per_node, &err);

	cr_expect(rc == (row->err ? -1 : 0), "%s: %d, %s", row->text, rc, err.text);
	cr_expect(!row->err || strstr(err.text, row->err), "%s: %s", row->text, err.text);
	if (rc == 0)
		cr_expect(per_node[GPU] == row->gpu && per_node[A100] == row->a100 &&
				  per_node[NVME] == row->nvme,
			  "%s", row->text);
	maui_snapshot_destroy(s);
}

static const struct {
	const char *what;
	uint64_t count, most, tasks;
	uint32_t least, highest; /* nodes */
	uint64_t by_task, by_node;
	uint32_t nodes;
} deals[] = {
	{ "each task one", 4, 4, 4, 1, 0, 1, 0, 1 },
	{ "each task two", 4, 4, 2, 2, 0, 2, 0, 2 },
	{ "no equal shares for tasks", 5, 4, 4, 2, 0, 0, 3, 2 },
	{ "no node can give a task its share", 16, 4, 2, 1, 0, 0, 4, 4 },
	{ "one task, more nodes", 8, 4, 1, 1, 0, 0, 4, 2 },
	{ "no more nodes than it may have", 8, 4, 1, 1, 1, 0, 8, 1 },
	{ "no more than the range ends", 8, 4, 0, 1, 4, 0, 4, 2 },
	{ "no node has any", 2, 0, 0, 1, 0, 0, 2, 1 },
};

TEST_ROWS(gres, a_count_for_the_whole_job, deals, row)
{
	struct maui_gres_share share =
		maui_gres_deal(row->count, row->most, row->tasks, row->least, row->highest);

	cr_expect(share.by_task == row->by_task && share.by_node == row->by_node &&
			  share.nodes_min == row->nodes,
		  "%s: %d by task, %d by node, %d nodes", row->what, (int)share.by_task,
		  (int)share.by_node, (int)share.nodes_min);
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

		maui_gres_deal_all(s, partition, counts, &request, per_node, per_task);
		cr_expect(request.nodes_min == partition + 1, "%d nodes", (int)request.nodes_min);
		cr_expect(per_node[GPU] == 4 / (partition + 1), "%d", (int)per_node[GPU]);
		cr_expect(request.gres_dealt);
	}
	maui_snapshot_destroy(s);
}

Test(gres, a_snapshot_without_names_has_none)
{
	struct maui_snapshot *s = maui_snapshot_create(AMOUNTS);
	int64_t per_node[AMOUNTS] = { 0 };

	cr_expect(maui_gres_add(s, "gpu", per_node, NULL) == -1);
	maui_snapshot_destroy(s);
}
