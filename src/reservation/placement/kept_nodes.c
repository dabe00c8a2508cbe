/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_nodes.c - nodes that an earlier plan chose for an instance that floats
 *
 * A node is kept while it can be; what others hold there meanwhile does not matter, but that two
 * reservations that do not tolerate each other are not both kept beyond what the node has, as after
 * a change of their tasks.
 *
 * Rules: RSV-7.
 */

#include "reservation/placement/private.h"

/* The nodes among which an instance floats. */
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

/* Whether an instance may still be on a node. A silent node is as good as any: where the
 * reservation is must not depend on which node answers first. */
static bool may_stay(const struct maui_placement *p, const struct maui_placement_item *item,
		     uint32_t node)
{
	return node < p->s->node_count && floats_on(item, node) &&
	       !maui_placement_is_down(p->s, node);
}

/* Tasks of a kept place that stay. When it is not known how many there were: as many as the node
 * takes, but one is left for each of the places behind it. */
static int64_t tasks_that_stay(struct maui_placement *p, const struct maui_placement_item *item,
			       const struct maui_placement_ask *ask,
			       const struct maui_rsv_place *place, uint32_t behind)
{
	int64_t most = place->tasks > 0    ? place->tasks :
		       item->left > behind ? item->left - behind :
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
	return item->left < tasks ? item->left : tasks;
}

int maui_placement_keep(struct maui_placement *p, struct maui_placement_item *item)
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

	if (!before || item->left == 0)
		return 0;
	maui_placement_open(p, item);
	for (uint32_t i = 0; i < before->place_count; i++) {
		const struct maui_rsv_place *place = &before->places[i];
		int64_t tasks = tasks_that_stay(p, item, &ask, place, before->place_count - 1 - i);

		if (tasks > 0 && maui_placement_put(p, item, place->node, tasks))
			return -1;
	}
	return 0;
}
