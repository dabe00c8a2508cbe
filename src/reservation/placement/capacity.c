/* SPDX-License-Identifier: GPL-2.0-or-later */
/* capacity.c - how many tasks of a reservation fit into given amounts of a node, and the amounts of
 * tasks
 *
 * Processors are allocated in multiples of the node's unit, so that tasks share the rest of a core.
 *
 * Rules: RSV-10, RSV-28.
 */

#include "reservation/placement/private.h"

bool maui_placement_is_whole(const struct maui_rsv *rsv)
{
	return rsv->task.procs < 0 || maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE);
}

static unsigned amounts_of(const struct maui_snapshot *s)
{
	return s->amount_count < MAUI_PLACEMENT_AMOUNTS ? s->amount_count : MAUI_PLACEMENT_AMOUNTS;
}

/* Tasks that fit by one amount: `want` for each; -1: the whole node. */
static int64_t tasks_by_amount(int64_t want, int64_t free_amount, int64_t have)
{
	if (want < 0)
		return free_amount >= have;
	return free_amount > 0 ? free_amount / want : 0;
}

int64_t maui_placement_tasks_in(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				const struct maui_node *node, const int64_t *amounts)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };
	int64_t least = INT64_MAX;

	if (rsv->task.procs < 0)
		return 1;
	for (unsigned d = 0; d < amounts_of(s); d++) {
		int64_t there = amounts[d], tasks;

		if (want[d] == 0)
			continue;
		if (d == MAUI_AMOUNT_PROCS && node->unit > 1)
			there = there / node->unit * node->unit;
		tasks = tasks_by_amount(want[d], there, node->have[d]);
		if (tasks < least)
			least = tasks;
	}
	return least == INT64_MAX ? 0 : least; /* a task without amounts fits nowhere */
}

void maui_placement_amounts(const struct maui_snapshot *s, const struct maui_rsv *rsv,
			    const struct maui_node *node, int64_t tasks, int64_t *ret)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };

	for (unsigned d = 0; d < MAUI_PLACEMENT_AMOUNTS; d++)
		ret[d] = d >= amounts_of(s) ? 0 : want[d] < 0 ? node->have[d] : tasks * want[d];
	ret[MAUI_AMOUNT_PROCS] = maui_node_procs_given(node, ret[MAUI_AMOUNT_PROCS]);
}

int64_t maui_standing_procs(const struct maui_snapshot *snapshot, const struct maui_rsv *rsv,
			    const struct maui_rsv_place *place)
{
	int64_t have = snapshot->nodes[place->node].have[MAUI_AMOUNT_PROCS];
	int64_t procs = place->tasks * rsv->task.procs;

	return maui_placement_is_whole(rsv) || procs > have ? have : procs;
}

int64_t maui_placement_capacity(const struct maui_snapshot *s, const struct maui_rsv *rsv,
				uint32_t node)
{
	int64_t tasks = maui_placement_tasks_in(s, rsv, &s->nodes[node], s->nodes[node].have);

	return tasks >= rsv->tasks_per_node ? tasks : 0;
}
