/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing_keep.c - nodes chosen by an earlier plan, and node-locked ones
 *
 * What floats is kept where it can still be; who is on the node meanwhile does not matter, but that
 * two reservations that do not tolerate each other are not both kept beyond what the node has, as
 * after a change of their tasks. Node-locked ones follow from the configuration alone and are made
 * anew each time.
 */

#include "policy/standing_private.h"

/* The nodes among which it floats. */
static bool floats_on(const struct maui_standing_work *w, uint32_t node)
{
	const struct maui_standing_target *target = w->target;

	if (target->list && !target->locked)
		return maui_standing_contains(target->list, node);
	return maui_standing_contains(target->wide, node) &&
	       !(target->list && maui_standing_contains(target->list, node));
}

bool maui_standing_tolerates(const struct maui_rsv *rsv)
{
	return (rsv->shared || maui_rsv_has(rsv, MAUI_RSV_FORCE)) &&
	       !maui_rsv_has(rsv, MAUI_RSV_DEDICATEDRESOURCE);
}

/* Tasks of a kept place that stay. Those on a silent node do: where the reservation is must not
 * depend on who answers first. */
static int64_t stays(struct maui_standing_placer *p, struct maui_standing_work *w,
		     const struct maui_standing_ask *ask, const struct maui_rsv_place *place)
{
	int64_t tasks, room, ignored;

	if (place->node >= p->s->node_count || !floats_on(w, place->node) ||
	    maui_standing_is_down(p->s, place->node))
		return 0;
	room = tasks = maui_standing_fits(p, w, place->node);
	if (ask->jobs || ask->rsvs)
		room = maui_standing_room(p, ask, place->node, &ignored);
	if (room < tasks)
		tasks = room;
	if (place->tasks < tasks)
		tasks = place->tasks;
	return w->left < tasks ? w->left : tasks;
}

int maui_standing_keep(struct maui_standing_placer *p, struct maui_standing_work *w)
{
	const struct maui_rsv_instance *before = w->before;
	struct maui_standing_ask ask = { .work = w,
					 .kept = true,
					 .from = w->from,
					 .until = w->instance->end_s,
					 .jobs = w->changed &&
						 !maui_rsv_has(w->rsv, MAUI_RSV_FORCE),
					 .rsvs = !maui_standing_tolerates(w->rsv) };

	if (!before || w->left == 0)
		return 0;
	maui_standing_open(p, w);
	maui_standing_begin(p, &ask);
	if (maui_standing_reserve(p, w, before->place_count))
		return -1;
	for (uint32_t i = 0; i < before->place_count; i++) {
		int64_t tasks = stays(p, w, &ask, &before->places[i]);

		if (tasks > 0 && maui_standing_put(p, w, before->places[i].node, tasks))
			return -1;
	}
	return 0;
}

int maui_standing_lock(struct maui_standing_placer *p, struct maui_standing_work *w)
{
	const struct maui_standing_set *list = w->target->list;
	int64_t none = 0; /* hosts that it gets nothing of */

	if (!list || !w->target->locked)
		return 0;
	maui_standing_open(p, w);
	if (maui_standing_reserve(p, w, list->count))
		return -1;
	for (uint32_t i = 0; i < list->count; i++) {
		int64_t tasks = maui_standing_fits(p, w, list->nodes[i]);

		if (p->input->res_depth > 0 && p->depth[list->nodes[i]] >= p->input->res_depth)
			tasks = 0;
		none += tasks == 0;
		if (tasks > 0 && maui_standing_put(p, w, list->nodes[i], tasks))
			return -1;
	}
	if (w->rsv->task_count == 0) {
		w->instance->missing = none + (list->count == 0);
		w->left = 0;
	}
	return 0;
}
