/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_nodes.c - keeps the nodes that an earlier plan chose for a floating instance
 *
 * A node is kept as long as possible, even if others hold it meanwhile. One exception: two
 * reservations that may not overlap are not both kept beyond the node's capacity, for example after
 * their tasks have changed.
 *
 * Rules: RSV-7.
 */

#include "reservation/placement/private.h"

/* Whether the node is among those on which the instance floats. */
static bool floats_on(const struct maui_placement_item *item, uint32_t node)
{
	const struct maui_standing_target *target = item->target;

	if (target->list && !target->locked)
		return maui_node_set_has(target->list, node);
	return maui_node_set_has(target->wide, node) &&
	       !(target->list && maui_node_set_has(target->list, node));
}

bool maui_placement_tolerates(const struct maui_rsv *rsv)
{
	return (rsv->shared || maui_rsv_has(rsv, MAUI_RSV_FORCE)) &&
	       !maui_rsv_has(rsv, MAUI_RSV_DEDICATEDRESOURCE) && !maui_rsv_is_exclusive(rsv);
}

/* Whether an instance may keep a node. A silent node is kept like one that is up, so that the
 * result does not depend on which node answers first. */
static bool may_stay(const struct maui_placement *p, const struct maui_placement_item *item,
		     uint32_t node)
{
	return node < p->s->node_count && floats_on(item, node) &&
	       !maui_placement_is_down(p->s, node);
}

/* Tasks of a kept place that stay. If their number is not known: as many as the node takes, with
 * one left over for each of the places behind it. */
static int64_t tasks_that_stay(struct maui_placement *p, const struct maui_placement_item *item,
			       const struct maui_placement_ask *ask,
			       const struct maui_rsv_place *place, uint32_t behind)
{
	int64_t most = place->tasks > 0       ? place->tasks :
		       item->missing > behind ? item->missing - behind :
						1;
	int64_t tasks, remaining;

	if (!may_stay(p, item, place->node))
		return 0;
	tasks = maui_placement_capacity(p->s, item->rsv, place->node);
	if (ask->jobs || ask->rsvs) {
		remaining = maui_placement_remaining(p, ask, place->node, NULL);
		tasks = remaining < tasks ? remaining : tasks;
	}
	if (most < tasks)
		tasks = most;
	return item->missing < tasks ? item->missing : tasks;
}

int maui_placement_keep_nodes(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct maui_rsv_instance *before = item->before;
	const struct maui_placement_ask ask = {
		.item = item,
		.kept = true,
		.from = item->from,
		.until = item->instance->end_s,
		.jobs = item->changed && !maui_rsv_has(item->rsv, MAUI_RSV_FORCE),
		.rsvs = !maui_placement_tolerates(item->rsv),
	};

	if (!before || item->missing == 0)
		return 0;
	maui_placement_select_item(p, item);
	for (uint32_t i = 0; i < before->place_count; i++) {
		const struct maui_rsv_place *place = &before->places[i];
		int64_t tasks = tasks_that_stay(p, item, &ask, place, before->place_count - 1 - i);

		if (tasks > 0 && maui_placement_put_tasks(p, item, place->node, tasks))
			return -1;
	}
	return 0;
}
