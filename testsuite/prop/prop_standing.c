/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_standing.c - reservations of random clusters, placed again and again while things happen,
 * against a model that looks at every second
 *
 * What floats and tolerates nobody is never more than a node together; what is new has room beside
 * jobs, Slurm's reservations and the node-locked; what misses tasks could not have one more;
 * nodes are kept as long as they serve; RESDEPTH holds; who is to be alone on his nodes is; the
 * same input gives the same result, with and without what is done on large clusters alone.
 */

#include "prop_standing.h"

static struct maui_arena arena, other_arena, kept_arena;
static struct maui_timeline timeline;

struct placed {
	struct maui_rsv_instance *list;
	uint32_t count;
};

/* `large`: as on a large cluster. */
static struct placed place(const struct maui_snapshot *s, const struct placed *before,
			   struct maui_arena *memory, bool large)
{
	struct maui_standing_targets *targets;
	struct maui_standing_input input = { .list = world.list,
					     .count = world.rsv_count,
					     .before = before->list,
					     .before_count = before->count,
					     .allocation = world.allocation,
					     .res_depth = world.res_depth,
					     .as_large = large };
	struct placed ret;

	PROP_CHECK(maui_standing_targets((struct maui_snapshot *)s, world.list, world.rsv_count,
					 memory, &targets, NULL) == 0,
		   "targets");
	input.targets = targets;
	PROP_CHECK(maui_timeline_build(&timeline, s, world.now, false) == 0, "build");
	PROP_CHECK(maui_standing_place(&timeline, s, &input, world.now, memory, &ret.list,
				       &ret.count) == 0,
		   "place");
	return ret;
}

/* ---- the model ---- */

static int64_t amount(const struct maui_rsv *rsv, uint32_t node, int64_t tasks, unsigned d)
{
	const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };
	int64_t unit = world.nodes[node].unit;

	if (is_whole(rsv))
		return world.have[node][d];
	return d ? tasks * want[d] : (tasks * want[0] + unit - 1) / unit * unit;
}

/* Whether so many tasks fit into what is left. */
static bool fits(const struct maui_rsv *rsv, uint32_t node, int64_t tasks, const int64_t *left)
{
	if (rsv->task.procs == 0 && rsv->task.mem_mb == 0 && rsv->task.disk_mb == 0)
		return false;
	if (rsv->task.procs < 0 && tasks > 1)
		return false;
	for (unsigned d = 0; d < AMOUNTS; d++) {
		const int64_t want[] = { rsv->task.procs, rsv->task.mem_mb, rsv->task.disk_mb };

		if (!is_whole(rsv) && want[d] == 0) /* jobs may hold more than the node has */
			continue;
		if (amount(rsv, node, tasks, d) > left[d] ||
		    (rsv->task.procs >= 0 && tasks * want[d] > world.have[node][d]))
			return false;
	}
	return true;
}

static bool listed(const struct maui_rsv *rsv, uint32_t node)
{
	static const struct {
		const char *hosts;
		unsigned mask;
	} lists[] = {
		{ "n0,n1", 3 }, { "n[0-2]", 7 }, { "n3", 8 }, { "n[1-4]", 30 }, { "zebra", 0 }
	};

	for (unsigned i = 0; rsv->hosts && i < 5; i++)
		if (strcmp(rsv->hosts, lists[i].hosts) == 0)
			return lists[i].mask >> node & 1;
	return false;
}

/* The node is of its partition and has its features. */
static bool serves(const struct maui_rsv *rsv, uint32_t node)
{
	const struct maui_node *n = &world.nodes[node];

	if (rsv->partition && strcmp(rsv->partition, n->partitions[0] ? "p1" : "p0") != 0)
		return false;
	return rsv->features.count == 0 || n->features;
}

static int64_t capacity(const struct maui_rsv *rsv, uint32_t node)
{
	int64_t tasks = 0;

	while (tasks < 1000 && fits(rsv, node, tasks + 1, world.have[node]))
		tasks++;
	return tasks < rsv->tasks_per_node ? 0 : tasks;
}

static bool is_locked(const struct maui_rsv *rsv)
{
	int64_t sum = 0;

	if (!rsv->hosts)
		return false;
	for (uint32_t n = 0; n < world.node_count; n++)
		if (listed(rsv, n) && serves(rsv, n))
			sum += capacity(rsv, n);
	return rsv->task_count == 0 || sum <= rsv->task_count;
}

/* Of the node-locked part of an instance. */
static bool locked_there(const struct maui_rsv *rsv, uint32_t node)
{
	return is_locked(rsv) && listed(rsv, node);
}

static bool covers(const struct maui_rsv_instance *i, int64_t t)
{
	return i->start_s <= t && t < i->end_s;
}

/* Which reservations count in left_at(). */
enum { STRICT = 1, LOCKED = 2, TOLERANT = 4, JOBS_AND_CLAIMS = 8, ALL = 15 };

static void take_all(int64_t *left)
{
	for (unsigned d = 0; d < AMOUNTS; d++)
		left[d] = left[d] > 0 ? 0 : left[d];
}

/* What is left of a node at a moment, but for one instance. */
static void left_at(const struct placed *placed, uint32_t node, int64_t t, unsigned which,
		    const struct maui_rsv_instance *without, int64_t *left, bool *ret_touched)
{
	*ret_touched = false;
	memcpy(left, world.have[node], sizeof(world.have[node]));
	for (uint32_t i = 0; i < placed->count; i++) {
		const struct maui_rsv_instance *other = &placed->list[i];
		const struct maui_rsv *rsv = world.list[other->rsv];
		unsigned kind = locked_there(rsv, node) ? LOCKED :
				tolerates(rsv)          ? TOLERANT :
							  STRICT;

		for (uint32_t k = 0; k < other->place_count; k++)
			if (other != without && covers(other, t) && (which & kind) &&
			    other->places[k].node == node) {
				*ret_touched = true;
				for (unsigned d = 0; d < AMOUNTS; d++)
					left[d] -= amount(rsv, node, other->places[k].tasks, d);
			}
	}
	for (uint32_t j = 0; (which & JOBS_AND_CLAIMS) && j < world.job_count; j++)
		if (world.jobs[j].piece.node == node && t < world.jobs[j].active.end_s) {
			*ret_touched = true;
			for (unsigned d = 0; d < AMOUNTS; d++)
				left[d] -= world.jobs[j].amounts[d];
		}
	if ((which & JOBS_AND_CLAIMS) && world.claimed && node == world.claim_node &&
	    world.claim.start_s <= t && t < world.claim.end_s) {
		*ret_touched = true;
		take_all(left);
	}
	if ((which & JOBS_AND_CLAIMS) && world.nodes[node].usable_from_s == MAUI_NEVER) {
		*ret_touched = true;
		take_all(left);
	}
}

/* Whether so many tasks of the instance's would fit beside others from now, or its start, on. */
static bool has_room(const struct placed *placed, const struct maui_rsv_instance *i, uint32_t node,
		     int64_t tasks, unsigned which)
{
	const struct maui_rsv *rsv = world.list[i->rsv];
	int64_t from = i->start_s > world.now ? i->start_s : world.now;

	for (int64_t t = from; t < i->end_s && t < 3 * HORIZON; t++) {
		int64_t left[AMOUNTS];
		bool touched;

		left_at(placed, node, t, which, i, left, &touched);
		if ((is_whole(rsv) && touched) || !fits(rsv, node, tasks, left))
			return false;
	}
	return true;
}

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

/* A node may be silent for a while, as long as it is expected back. */
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

/* Reservations of one kind beside each other; and what is new beside all that it respects. */
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

/* Who is to be alone is, but that others may come over what a user made. */
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

/* A host that nobody holds. */
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

/* Nobody misses what is there. */
static void check_missing(const struct placed *placed, const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = world.list[i->rsv];

	for (uint32_t n = 0; n < world.node_count && i->missing > 0; n++) {
		int64_t has = tasks_on(i, n);
		int64_t more = has + 1 > rsv->tasks_per_node ? has + 1 : rsv->tasks_per_node;

		if (rsv->task_count == 0 || world.res_depth > 0 || locked_there(rsv, n) ||
		    !serves(rsv, n) || world.nodes[n].usable_from_s == MAUI_NEVER)
			continue;
		if ((rsv->hosts && !is_locked(rsv) && !listed(rsv, n)) ||
		    is_kept_off(placed, i, n))
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
	struct placed placed = place(s, before, &arena, false), again;

	again = place(s, before, &other_arena, true);
	check_same(&placed, &again);
	for (uint32_t i = 0; i < placed.count; i++) {
		check_places(&placed.list[i]);
		check_room(&placed, before, &placed.list[i]);
		check_sole(&placed, before, &placed.list[i]);
		if (any_flag(MAUI_RSV_SPACEFLEX) || any_flag(MAUI_RSV_TIMEFLEX))
			continue; /* they may make room when others have looked */
		check_hosts(&placed, &placed.list[i]);
		check_missing(&placed, &placed.list[i]);
	}
	check_kept(&placed, before);
	check_depth(&placed, before);
	maui_arena_clear(&other_arena);
	if (!any_flag(MAUI_RSV_SPACEFLEX) && !any_flag(MAUI_RSV_TIMEFLEX)) {
		again = place(s, &placed, &other_arena, false);
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
