/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kept_nodes.c - nodes chosen by an earlier plan, and node-locked ones
 *
 * What floats is kept where it can still be; who is on the node meanwhile does not matter, but that
 * two reservations that do not tolerate each other are not both kept beyond what the node has, as
 * after a change of their tasks. Node-locked ones follow from the configuration alone and are made
 * anew each time.
 *
 * The periods of a reservation mostly are on the same nodes and stay there: then these are gone
 * through once for all of them, not once for each.
 */

#include <string.h>

#include "reservation/placement/private.h"

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
	       !maui_rsv_has(rsv, MAUI_RSV_DEDICATEDRESOURCE) && !maui_rsv_is_exclusive(rsv);
}

/* Whether it may still be on a node. A silent one is as good as any: where the reservation is must
 * not depend on who answers first. */
static bool may_stay(const struct maui_standing_placer *p, const struct maui_standing_work *w,
		     uint32_t node)
{
	return node < p->s->node_count && floats_on(w, node) && !maui_standing_is_down(p->s, node);
}

/* Tasks of a kept place that stay. How many there were may not be known: as many as go there, but
 * one is left for each of the `behind` it. */
static int64_t stays(struct maui_standing_placer *p, struct maui_standing_work *w,
		     const struct maui_standing_ask *ask, const struct maui_rsv_place *place,
		     uint32_t behind)
{
	int64_t most = place->tasks > 0 ? place->tasks : w->left > behind ? w->left - behind : 1;
	int64_t tasks, room, ignored;

	if (!may_stay(p, w, place->node))
		return 0;
	room = tasks = maui_standing_fits(p, w, place->node);
	if (ask->jobs || ask->rsvs)
		room = maui_standing_room(p, ask, place->node, &ignored);
	if (room < tasks)
		tasks = room;
	if (most < tasks)
		tasks = most;
	return w->left < tasks ? w->left : tasks;
}

/* What counts where it is. */
static struct maui_standing_ask ask_for(const struct maui_standing_work *w)
{
	return (struct maui_standing_ask){ .work = w,
					   .kept = true,
					   .from = w->from,
					   .until = w->instance->end_s,
					   .jobs = w->changed &&
						   !maui_rsv_has(w->rsv, MAUI_RSV_FORCE),
					   .rsvs = !maui_standing_tolerates(w->rsv) };
}

static int keep_one(struct maui_standing_placer *p, struct maui_standing_work *w)
{
	const struct maui_rsv_instance *before = w->before;
	struct maui_standing_ask ask = ask_for(w);

	if (!before || w->left == 0)
		return 0;
	maui_standing_begin(p, &ask);
	if (maui_standing_open(p, w) || maui_standing_reserve(p, w, before->place_count))
		return -1;
	for (uint32_t i = 0; i < before->place_count; i++) {
		int64_t tasks = stays(p, w, &ask, &before->places[i], before->place_count - 1 - i);

		if (tasks > 0 && maui_standing_put(p, w, before->places[i].node, tasks))
			return -1;
	}
	return 0;
}

/* ---- periods on the same nodes ---- */

static bool same_before(const struct maui_rsv_instance *a, const struct maui_rsv_instance *b)
{
	return b && a->place_count == b->place_count && a->place_count > 0 &&
	       (a->places == b->places ||
		memcmp(a->places, b->places, a->place_count * sizeof(*a->places)) == 0);
}

/* So many, from the first on, were on the same nodes and may be dealt with together. */
static uint32_t count_alike(const struct maui_standing_work *works, uint32_t count)
{
	uint32_t n = 1;

	if (!works->before || works->changed || works->left == 0 ||
	    works->instance->place_count > 0)
		return 1;
	while (n < count && !works[n].changed && works[n].instance->place_count == 0 &&
	       same_before(works->before, works[n].before) &&
	       works[n - 1].instance->end_s <= works[n].instance->start_s)
		n++;
	return n;
}

/* The least that a node has room for at the time of any of the works: the same for all nodes of
 * its profile. */
static int64_t least_room(struct maui_standing_placer *p, const struct maui_standing_work *works,
			  uint32_t count, uint64_t turn, uint32_t node)
{
	struct maui_standing_profile *profile = p->profiles[node];
	int64_t least = INT64_MAX, ignored;

	if (profile->asked == turn)
		return profile->tasks;
	for (uint32_t i = 0; i < count; i++) {
		struct maui_standing_ask ask = ask_for(&works[i]);
		int64_t room;

		maui_standing_begin(p, &ask);
		room = maui_standing_room(p, &ask, node, &ignored);
		if (room < least)
			least = room;
	}
	profile->asked = turn;
	profile->tasks = least;
	return least;
}

/* Whether all of them can stay on all of the nodes, as they are there. */
static bool all_stay(struct maui_standing_placer *p, struct maui_standing_work *works,
		     uint32_t count)
{
	const struct maui_rsv_instance *before = works->before;
	struct maui_standing_ask ask = ask_for(works);
	int64_t left = works->left;

	p->open++; /* none of them is anywhere yet */
	maui_standing_begin(p, &ask);
	for (uint32_t i = 0; i < before->place_count; i++) {
		const struct maui_rsv_place *place = &before->places[i];

		if (!may_stay(p, works, place->node) || p->seen[place->node] == ask.turn ||
		    place->tasks <= 0 || place->tasks > maui_standing_fits(p, works, place->node) ||
		    (ask.rsvs && place->tasks > least_room(p, works, count, ask.turn, place->node)))
			return false;
		p->seen[place->node] = ask.turn;
		left -= place->tasks;
	}
	return left >= 0;
}

static int keep_all(struct maui_standing_placer *p, struct maui_standing_work *works,
		    uint32_t count)
{
	const struct maui_rsv_instance *before = works->before;
	size_t size = before->place_count * sizeof(*before->places);
	struct maui_rsv_place *places = maui_arena_alloc(p->arena, size);

	if (!places)
		return -1;
	memcpy(places, before->places, size);
	return maui_standing_put_all(p, works, count, places, before->place_count);
}

static int keep_some(struct maui_standing_placer *p, struct maui_standing_work *works,
		     uint32_t count)
{
	if (count > 1 && all_stay(p, works, count))
		return keep_all(p, works, count);
	for (uint32_t i = 0; i < count; i++)
		if (keep_one(p, &works[i]))
			return -1;
	return 0;
}

int maui_standing_keep(struct maui_standing_placer *p, struct maui_standing_work *works,
		       uint32_t count, bool changed)
{
	uint32_t alike;

	for (uint32_t i = 0; i < count; i += alike) {
		alike = count_alike(&works[i], count - i);
		if (works[i].changed == changed && keep_some(p, &works[i], alike))
			return -1;
	}
	return 0;
}

/* ---- node-locked ones ---- */

/* What the works get of each listed host. RESDEPTH lets fewer of them onto a node than there are,
 * and setres -E keeps some of them off: with these they are dealt with one by one. */
static int list_locked(struct maui_standing_placer *p, struct maui_standing_work *works,
		       struct maui_rsv_place **ret, uint32_t *ret_count)
{
	const struct maui_standing_set *list = works->target->list;
	struct maui_rsv_place *places =
		maui_arena_alloc(p->arena, (list->count + 1u) * sizeof(*places));
	uint32_t count = 0;

	if (!places)
		return -1;
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t node = list->nodes[i];
		int64_t tasks = maui_standing_fits(p, works, node);

		if (tasks == 0 ||
		    (p->input->res_depth > 0 && p->depth[node] >= p->input->res_depth) ||
		    maui_standing_is_sole(p, works, node, works->from, works->instance->end_s))
			continue;
		places[count].node = node;
		places[count++].tasks = tasks;
	}
	*ret = places;
	*ret_count = count;
	return 0;
}

/* To what one of them may have been left elsewhere. */
static int put_each(struct maui_standing_placer *p, struct maui_standing_work *w,
		    const struct maui_rsv_place *places, uint32_t count)
{
	if (maui_standing_open(p, w) || maui_standing_reserve(p, w, count))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (maui_standing_put(p, w, places[i].node, places[i].tasks))
			return -1;
	return 0;
}

static int lock_some(struct maui_standing_placer *p, struct maui_standing_work *works,
		     uint32_t count)
{
	const struct maui_standing_set *list = works->target->list;
	bool none = works->instance->place_count == 0;
	struct maui_rsv_place *places;
	uint32_t place_count;

	if (list_locked(p, works, &places, &place_count) ||
	    (none ? maui_standing_put_all(p, works, count, places, place_count) :
		    put_each(p, works, places, place_count)))
		return -1;
	for (uint32_t i = 0; i < count && works->rsv->task_count == 0; i++) {
		works[i].instance->missing = list->count - place_count + (list->count == 0);
		works[i].left = 0;
	}
	return 0;
}

/* So many, from the first on, get the same at once. */
static uint32_t count_bare(const struct maui_standing_placer *p,
			   const struct maui_standing_work *works, uint32_t count)
{
	uint32_t n = 0;

	while (n < count && p->input->res_depth <= 0 && !p->any_sole &&
	       works[n].instance->place_count == 0)
		n++;
	return n > 0 ? n : 1;
}

int maui_standing_lock(struct maui_standing_placer *p, struct maui_standing_work *works,
		       uint32_t count)
{
	uint32_t some;

	if (count == 0 || !works->target->list || !works->target->locked ||
	    maui_rsv_is_exclusive(works->rsv))
		return 0;
	for (uint32_t i = 0; i < count; i += some) {
		some = count_bare(p, &works[i], count - i);
		if (lock_some(p, &works[i], some))
			return -1;
	}
	return 0;
}
