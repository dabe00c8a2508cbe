/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_ending.c - NODEALLOCATIONPOLICY LASTAVAILABLE gives a new reservation the nodes whose
 * free interval ends soonest
 *
 * Random reservations are placed, then one more that has the lowest rank. It must get the nodes
 * that a model chooses, which knows the free interval of every node second by second: nodes that
 * are up before silent nodes; then nodes that a reservation ends and that do not sleep, soonest end
 * first; then all others; ties by being awake, by weight, by the order of nodes.
 */

#include <stdlib.h>

#include "prop_standing_model.h"

static struct maui_arena arena, kept_arena;

/* A node, as the model sees it. */
struct choice {
	uint32_t node;
	int64_t room;
	bool silent, asleep;
	int64_t end; /* MAUI_NEVER: no end that counts */
};

static int64_t room_on(const struct placed *placed, const struct maui_rsv_instance *i,
		       uint32_t node)
{
	int64_t tasks = 0;

	while (tasks < 100 && has_room(placed, i, node, tasks + 1, ALL))
		tasks++;
	return tasks;
}

/* Whether one task would fit at a moment. */
static bool fits_at(const struct placed *placed, const struct maui_rsv_instance *i, uint32_t node,
		    int64_t t, unsigned which)
{
	const struct maui_rsv_instance second = { .rsv = i->rsv,
						  .start_s = t < world.now ? world.now : t,
						  .end_s = t + 1 };

	return has_room(placed, &second, node, 1, which);
}

/* When the free interval ends by a reservation; jobs do not end it. */
static int64_t end_of_room(const struct placed *placed, const struct maui_rsv_instance *i,
			   uint32_t node)
{
	bool claimed = world.claimed && world.claim_node == node;
	int64_t by_all = MAUI_NEVER;

	for (int64_t t = i->end_s; i->end_s != MAUI_NEVER && t < 5 * HORIZON; t++) {
		if (by_all == MAUI_NEVER && !fits_at(placed, i, node, t, ALL))
			by_all = t;
		if (!fits_at(placed, i, node, t, STRICT | LOCKED | TOLERANT) ||
		    (claimed && world.claim.start_s <= t && t < world.claim.end_s))
			return by_all;
	}
	return MAUI_NEVER;
}

static int by_choice(const void *a, const void *b)
{
	const struct choice *one = a, *two = b;
	const struct maui_node *x = &world.nodes[one->node], *y = &world.nodes[two->node];

	if (one->silent != two->silent)
		return one->silent - two->silent;
	if (one->end != two->end)
		return one->end < two->end ? -1 : 1;
	if (one->asleep != two->asleep)
		return one->asleep - two->asleep;
	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	return one->node < two->node ? -1 : 1;
}

static uint32_t list_choices(const struct placed *placed, const struct maui_rsv_instance *i,
			     struct choice *list)
{
	const struct maui_rsv *rsv = world.list[i->rsv];
	int64_t from = i->start_s > world.now ? i->start_s : world.now;
	uint32_t count = 0;

	for (uint32_t n = 0; n < world.node_count; n++) {
		const struct maui_node *node = &world.nodes[n];
		struct choice *c = &list[count];

		if (node->usable_from_s == MAUI_NEVER || !serves(rsv, n) ||
		    (rsv->hosts && !listed(rsv, n)))
			continue;
		*c = (struct choice){ .node = n,
				      .room = room_on(placed, i, n),
				      .silent = node->usable_from_s > from,
				      .asleep = node->asleep };
		c->end = node->asleep ? MAUI_NEVER : end_of_room(placed, i, n);
		count += c->room > 0;
	}
	qsort(list, count, sizeof(*list), by_choice);
	return count;
}

/* The instance has the nodes of the model. */
static void check_choice(const struct placed *placed, const struct maui_rsv_instance *i)
{
	struct choice list[NODES];
	uint32_t count = list_choices(placed, i, list), places = 0;
	int64_t left = world.list[i->rsv]->task_count;

	for (uint32_t k = 0; k < count && left > 0; k++) {
		int64_t gives = list[k].room < left ? list[k].room : left;
		int64_t has = 0;

		for (uint32_t p = 0; p < i->place_count; p++)
			if (i->places[p].node == list[k].node)
				has = i->places[p].tasks;
		PROP_CHECK(has == gives, "%d on %u instead of %d", (int)has, list[k].node,
			   (int)gives);
		left -= gives;
		places++;
	}
	PROP_CHECK(places == i->place_count && left == i->missing, "%u places", i->place_count);
}

/* No reservation that gives way to others, stays off others, or goes over them. */
static void make_plain(struct maui_rsv *rsv)
{
	rsv->flags &= UINT64_C(1) << MAUI_RSV_DEDICATEDNODE;
	rsv->made_by = NULL;
	rsv->by_user = rsv->shared = false;
	rsv->priority = 1;
}

static void draw_last(void)
{
	struct maui_rsv *last = &world.rsvs[world.rsv_count - 1];

	last->priority = 0;
	last->tasks_per_node = 0;
	last->task_count = 1 + prop_pick(8);
	if (prop_pick(2))
		last->hosts = NULL;
	last->start_s = world.now + prop_pick(40);
	if (prop_pick(3) == 0)
		last->start_s = world.now;
	last->end_s = last->start_s + 1 + prop_pick(40);
	if (prop_pick(16) == 0)
		last->end_s = MAUI_NEVER;
}

/* The reservation goes where an equal one is that it adjoins. */
static bool adjoins(const struct placed *placed, const struct maui_rsv_instance *i)
{
	for (uint32_t k = 0; k < placed->count; k++)
		if (placed->list[k].end_s == i->start_s || placed->list[k].start_s == i->end_s)
			return true;
	return false;
}

static void round_once(void)
{
	struct placed none = { 0 }, before, placed;
	const struct maui_rsv_instance *last;
	struct maui_snapshot *s;

	memset(&world, 0, sizeof(world));
	world.node_count = 5 + prop_pick(NODES - 4); /* lists name five */
	world.rsv_count = 2 + prop_pick(RSVS - 1);
	world.allocation = MAUI_ALLOC_LASTAVAILABLE;
	for (uint32_t n = 0; n < world.node_count; n++)
		draw_node(n);
	draw_states();
	draw_jobs();
	draw_promise();
	for (uint32_t r = 0; r < world.rsv_count; r++) {
		draw_rsv(r);
		make_plain(&world.rsvs[r]);
	}
	draw_last();
	s = pour();
	world.rsv_count--;
	before = place(s, &none, &kept_arena);
	world.rsv_count++;
	placed = place(s, &before, &arena);
	last = &placed.list[placed.count - 1];
	if (last->rsv == world.rsv_count - 1 && !is_locked(world.list[last->rsv]) &&
	    !adjoins(&placed, last))
		check_choice(&placed, last);
	maui_snapshot_destroy(s);
	maui_arena_clear(&arena);
	maui_arena_clear(&kept_arena);
}

int main(int argc, char **argv)
{
	int rc = prop_main(argc, argv, 4000, round_once);

	maui_arena_finish(&arena);
	maui_arena_finish(&kept_arena);
	maui_timeline_finish(&timeline);
	return rc;
}
