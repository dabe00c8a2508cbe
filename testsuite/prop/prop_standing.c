/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_standing.c - reservations of random clusters, placed again and again while the cluster
 * changes, against a model that looks at every second
 *
 * Checked: floating reservations that exclude others together never take more than a node. A new
 * reservation fits next to jobs, Slurm's reservations and node-locked ones. A reservation that
 * lacks tasks could not have one more. Nodes stay as long as they serve. RESDEPTH holds. A
 * reservation that must be alone on its nodes is alone. The same input gives the same result.
 */

#include "prop_standing_model.h"

static struct maui_arena arena, other_arena, kept_arena;

/* ---- what must hold ---- */

static const struct maui_rsv_instance *find(const struct placed *placed, uint32_t rsv)
{
	for (uint32_t i = 0; i < placed->count; i++)
		if (placed->list[i].rsv == rsv)
			return &placed->list[i];
	return NULL;
}

static int64_t tasks_on(const struct maui_rsv_instance *i, uint32_t node)
{
	for (uint32_t k = 0; i && k < i->place_count; k++)
		if (i->places[k].node == node)
			return i->places[k].tasks;
	return 0;
}

/* A node may fail to answer for a while, as long as it is expected back. */
static bool may_be_on(const struct maui_rsv_instance *i, uint32_t node)
{
	return locked_there(world.list[i->rsv], node) ||
	       world.nodes[node].usable_from_s != MAUI_NEVER;
}

static bool any_sole(void)
{
	bool any = false;

	for (uint32_t r = 0; r < world.rsv_count; r++)
		any |= is_sole(world.list[r]);
	return any;
}

static void check_places(const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];
	int64_t sum = 0;

	for (uint32_t k = 0; k < i->place_count; k++) {
		uint32_t node = i->places[k].node;

		sum += i->places[k].tasks;
		PROP_CHECK(k == 0 || i->places[k - 1].node < node, "order");
		PROP_CHECK(serves(rsv, node) && i->places[k].tasks > 0, "node %u", node);
		PROP_CHECK(i->places[k].tasks <= capacity(rsv, node), "node %u", node);
		PROP_CHECK(!rsv->hosts || is_locked(rsv) || listed(rsv, node), "node %u", node);
		PROP_CHECK(may_be_on(i, node), "node %u is down", node);
	}
	PROP_CHECK(rsv->task_count == 0 || sum + i->missing == rsv->task_count, "sum");
	if (is_locked(rsv) && world.res_depth == 0 && !any_sole())
		for (uint32_t n = 0; n < world.node_count; n++)
			if (listed(rsv, n) && serves(rsv, n) && capacity(rsv, n) > 0) {
				bool there = false;

				for (uint32_t k = 0; k < i->place_count; k++)
					there |= i->places[k].node == n &&
						 i->places[k].tasks == capacity(rsv, n);
				PROP_CHECK(there, "locked on %u", n);
			}
}

/* Reservations of one kind side by side; and a new reservation with all those that it must
 * avoid. */
static void check_room(const struct placed *placed, const struct placed *before,
		       const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];
	const struct maui_rsv_instance *old = find(before, i->rsv);

	for (uint32_t k = 0; k < i->place_count; k++) {
		uint32_t node = i->places[k].node;
		int64_t tasks = i->places[k].tasks;

		if (tolerates(rsv) || locked_there(rsv, node))
			continue;
		PROP_CHECK(has_room(placed, i, node, tasks, STRICT), "r%u on %u", i->rsv, node);
		if (tasks_on(old, node) == 0 && !goes_over_jobs(rsv))
			PROP_CHECK(
				has_room(placed, i, node, tasks, STRICT | LOCKED | JOBS_AND_CLAIMS),
				"r%u new on %u", i->rsv, node);
	}
}

static bool meet(const struct maui_rsv_instance *a, const struct maui_rsv_instance *b)
{
	return a->start_s < b->end_s && b->start_s < a->end_s && a->end_s > world.now &&
	       b->end_s > world.now;
}

/* Whether the instance is not to be on a node because of another that is there. */
static bool is_kept_off(const struct placed *placed, const struct maui_rsv_instance *i,
			uint32_t node)
{
	const struct maui_rsv *rsv = world.list[i->rsv];

	for (uint32_t k = 0; k < placed->count; k++) {
		const struct maui_rsv_instance *other = &placed->list[k];

		if (other != i && meet(i, other) && tasks_on(other, node) > 0 &&
		    (is_sole(rsv) || keeps_off(world.list[other->rsv], rsv)))
			return true;
	}
	return false;
}

/* An exclusive reservation is alone, except that others may be placed over one that a user made. */
static void check_sole(const struct placed *placed, const struct placed *before,
		       const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];

	for (uint32_t k = 0; is_sole(rsv) && k < placed->count; k++) {
		const struct maui_rsv_instance *other = &placed->list[k];

		for (uint32_t n = 0; other != i && meet(i, other) && n < world.node_count; n++) {
			bool fresh = tasks_on(find(before, i->rsv), n) == 0;

			if (tasks_on(i, n) == 0 || tasks_on(other, n) == 0)
				continue;
			PROP_CHECK(!keeps_off(rsv, world.list[other->rsv]) &&
					   !(fresh && tasks_on(find(before, other->rsv), n) > 0),
				   "r%u and r%u on %u", i->rsv, other->rsv, n);
		}
	}
}

/* A host that no reservation holds. */
static void check_hosts(const struct placed *placed, const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];

	for (uint32_t n = 0; n < world.node_count; n++) {
		if (rsv->task_count > 0 || world.res_depth > 0 || !listed(rsv, n) ||
		    !serves(rsv, n) || capacity(rsv, n) == 0 || is_kept_off(placed, i, n) ||
		    (is_sole(rsv) && world.claimed && n == world.claim_node))
			continue;
		PROP_CHECK(tasks_on(i, n) == capacity(rsv, n), "r%u could have %u", i->rsv, n);
	}
}

/* No reservation lacks a node that is there. */
static void check_missing(const struct placed *placed, const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];

	for (uint32_t n = 0; n < world.node_count && i->missing > 0; n++) {
		int64_t has = tasks_on(i, n);
		int64_t more = has + 1 > rsv->tasks_per_node ? has + 1 : rsv->tasks_per_node;

		if (rsv->task_count == 0 || world.res_depth > 0 || locked_there(rsv, n) ||
		    !serves(rsv, n) || world.nodes[n].usable_from_s == MAUI_NEVER)
			continue;
		if ((rsv->hosts && !is_locked(rsv) && !listed(rsv, n)) || is_kept_off(placed, i, n))
			continue;
		PROP_CHECK(!has_room(placed, i, n, more, ALL), "r%u could have %u", i->rsv, n);
	}
}

/* Nodes that served stay. */
static void check_kept(const struct placed *placed, const struct placed *before)
{
	for (uint32_t b = 0; b < before->count; b++) {
		const struct maui_rsv_instance *old = &before->list[b];
		const struct maui_rsv_instance *i = find(placed, old->rsv);

		if (!i || has_flag(world.list[old->rsv], MAUI_RSV_SPACEFLEX) ||
		    has_flag(world.list[old->rsv], MAUI_RSV_TIMEFLEX) || world.res_depth > 0)
			continue;
		for (uint32_t k = 0; k < old->place_count; k++)
			if (world.nodes[old->places[k].node].usable_from_s != MAUI_NEVER)
				PROP_CHECK(tasks_on(i, old->places[k].node) >= old->places[k].tasks,
					   "r%u left %u", old->rsv, old->places[k].node);
	}
}

static void check_depth(const struct placed *placed, const struct placed *before)
{
	for (uint32_t n = 0; n < world.node_count && world.res_depth > 0; n++) {
		int64_t depth =
			world.claimed && world.claim_node == n && world.claim.end_s > world.now;
		bool fresh = false;

		for (uint32_t i = 0; i < placed->count; i++) {
			const struct maui_rsv_instance *mine = &placed->list[i];

			depth += tasks_on(mine, n) > 0;
			fresh |= tasks_on(mine, n) > 0 && tasks_on(find(before, mine->rsv), n) == 0;
		}
		PROP_CHECK(depth <= world.res_depth || !fresh, "%d on %u", (int)depth, n);
	}
}

static void check_same(const struct placed *a, const struct placed *b)
{
	PROP_CHECK(a->count == b->count, "count");
	for (uint32_t i = 0; i < a->count; i++)
		PROP_CHECK(
			a->list[i].place_count == b->list[i].place_count &&
				a->list[i].start_s == b->list[i].start_s &&
				a->list[i].missing == b->list[i].missing &&
				(a->list[i].place_count == 0 ||
				 memcmp(a->list[i].places, b->list[i].places,
					a->list[i].place_count * sizeof(*a->list[i].places)) == 0),
			"r%u", a->list[i].rsv);
}

static bool any_flag(enum maui_rsv_flag flag)
{
	bool any = false;

	for (uint32_t r = 0; r < world.rsv_count; r++)
		any |= has_flag(world.list[r], flag);
	return any;
}

static void plan_once(struct placed *before)
{
	struct maui_snapshot *s = pour();
	struct placed placed = place(s, before, &arena), again;

	again = place(s, before, &other_arena);
	check_same(&placed, &again);
	for (uint32_t i = 0; i < placed.count; i++) {
		check_places(&placed.list[i]);
		check_room(&placed, before, &placed.list[i]);
		check_sole(&placed, before, &placed.list[i]);
		if (any_flag(MAUI_RSV_SPACEFLEX) || any_flag(MAUI_RSV_TIMEFLEX))
			continue; /* they may give up nodes after others have been placed */
		check_hosts(&placed, &placed.list[i]);
		check_missing(&placed, &placed.list[i]);
	}
	check_kept(&placed, before);
	check_depth(&placed, before);
	maui_arena_clear(&other_arena);
	if (!any_flag(MAUI_RSV_SPACEFLEX) && !any_flag(MAUI_RSV_TIMEFLEX)) {
		again = place(s, &placed, &other_arena);
		check_same(&placed, &again);
	}
	maui_arena_clear(&other_arena);
	maui_snapshot_destroy(s);
	*before = placed;
}

static void round_once(void)
{
	struct placed before = { 0 };

	memset(&world, 0, sizeof(world));
	world.node_count = 5 + prop_pick(NODES - 4); /* lists name five */
	world.rsv_count = 1 + prop_pick(RSVS);
	world.allocation = (int)prop_pick(MAUI_ALLOC_LOCAL + 1);
	world.res_depth = prop_pick(4) ? 0 : 1 + prop_pick(3);
	for (uint32_t n = 0; n < world.node_count; n++)
		draw_node(n);
	for (uint32_t r = 0; r < world.rsv_count; r++)
		draw_rsv(r);
	for (unsigned i = 0; i < PLANS; i++) {
		struct maui_arena other = kept_arena;

		draw_states();
		draw_jobs();
		draw_promise();
		plan_once(&before);
		kept_arena = arena;
		arena = other;
		maui_arena_clear(&arena);
		world.now += prop_pick(30);
	}
}

int main(int argc, char **argv)
{
	int rc = prop_main(argc, argv, 3000, round_once);

	maui_arena_finish(&arena);
	maui_arena_finish(&other_arena);
	maui_arena_finish(&kept_arena);
	maui_timeline_finish(&timeline);
	return rc;
}
