/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lasting.c - whether a job could start some day if no other ran, beside reservations without end
 *
 * What those leave of a node is the same of many nodes to many jobs. So nodes are counted by what
 * is left of them once for each access to reservations, and a job asks the counts. Which nodes it
 * would get it does not learn.
 */

#include <string.h>

#include "plan/left.h"
#include "plan/private.h"

enum { BUCKETS = 64, LOOK_BACK = 32 };

/* Nodes of a pool with the same claims in the end. */
struct ending {
	uint32_t class_index, claims, count;
};

struct endings {
	struct ending *list;
	uint32_t count;
	bool known;
};

/* Nodes of which as much is left to some. */
struct room {
	uint32_t class_index, count;
	const int64_t *left;
};

/* To those with this access whose time is too long for so many TIMELIMITs of it, beside what has
 * begun by then. */
struct rooms {
	const struct rooms *next;
	const struct maui_access_table *access;
	int64_t by_s;
	uint32_t pool, too_long;
	struct room *list;
	uint32_t count;
};

struct maui_plan_lasting {
	struct endings *of_pool;
	const struct rooms *rooms[BUCKETS];
};

static struct maui_plan_lasting *get(struct maui_planner *p)
{
	struct maui_plan_lasting *l = p->lasting;

	if (l)
		return l;
	l = maui_arena_alloc(&p->arena, sizeof(*l));
	if (!l)
		return NULL;
	l->of_pool = maui_arena_alloc(&p->arena, (p->pool_count + 1u) * sizeof(*l->of_pool));
	return p->lasting = l->of_pool ? l : NULL;
}

static uint32_t last_claims(const struct maui_timeline *t, uint32_t node)
{
	const struct maui_line *line = &t->lines[node];

	return maui_line_step(t, line, line->count - 1)->claims;
}

/* Neighbours mostly have the same; who has it elsewhere is found if it is not too far away. */
static int list_endings(struct maui_planner *p, const struct maui_plan_pool *pool,
			struct endings *ret)
{
	ret->list = maui_arena_alloc(&p->arena, (pool->node_count + 1u) * sizeof(*ret->list));
	if (!ret->list)
		return -1;
	for (uint32_t i = 0; i < pool->node_count; i++) {
		uint32_t node = pool->nodes[i], at = ret->count, back = 0;
		const struct ending new = { p->timeline.class_of[node],
					    last_claims(&p->timeline, node), 0 };

		if (p->snapshot->nodes[node].usable_from_s == MAUI_NEVER)
			continue;
		for (; at > 0 && back < LOOK_BACK; at--, back++)
			if (ret->list[at - 1].class_index == new.class_index &&
			    ret->list[at - 1].claims == new.claims)
				break;
		if (at == 0 || back == LOOK_BACK) {
			at = ++ret->count;
			ret->list[at - 1] = new;
		}
		ret->list[at - 1].count++;
	}
	ret->known = true;
	return 0;
}

/* Of each claim without an end that begins by then, whether it keeps the job out for good. */
static bool *list_shut(struct maui_planner *p, const struct maui_plan_entry *e, int64_t by_s)
{
	const struct maui_timeline *t = &p->timeline;
	bool *shut = maui_arena_alloc(&p->arena, (t->claim_count + 1) * sizeof(*shut));

	for (uint32_t c = 0; shut && c < t->claim_count; c++) {
		int64_t from = t->claims[c]->start_s > p->now ? t->claims[c]->start_s : p->now;
		const struct maui_span span = { from, maui_when_add(from, e->limit_s) };

		shut[c] = t->claims[c]->end_s == MAUI_NEVER && from <= by_s &&
			  maui_plan_shut(p, &e->shape->shape, c, span);
	}
	return shut;
}

/* What such claims leave of a node; false: nothing. Stacked ones each count by themselves. */
static bool leave(const struct maui_planner *p, const struct ending *ending, const bool *shut,
		  int64_t *ret)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_snapshot *s = p->snapshot;
	const struct maui_claim_set *set =
		ending->claims ? &t->claim_sets[ending->claims - 1] : NULL;

	memcpy(ret, s->nodes[s->classes[ending->class_index].sample].have,
	       s->amount_count * sizeof(*ret));
	for (uint32_t i = 0; set && i < set->count; i++) {
		const int64_t *kept = set->parts[i].amounts;

		if (!shut[set->parts[i].claim])
			continue;
		if (!kept)
			return false;
		for (unsigned d = 0; d < s->amount_count; d++)
			ret[d] = ret[d] > kept[d] ? ret[d] - kept[d] : 0;
	}
	return true;
}

static int add_room(struct maui_planner *p, struct rooms *rooms, const struct ending *ending,
		    const int64_t *left)
{
	size_t size = p->snapshot->amount_count * sizeof(*left);
	uint32_t at = rooms->count, back = 0;
	int64_t *copy;

	for (; at > 0 && back < LOOK_BACK; at--, back++)
		if (rooms->list[at - 1].class_index == ending->class_index &&
		    memcmp(rooms->list[at - 1].left, left, size) == 0) {
			rooms->list[at - 1].count += ending->count;
			return 0;
		}
	copy = maui_arena_alloc(&p->arena, size);
	if (!copy)
		return -1;
	rooms->list[rooms->count++] =
		(struct room){ ending->class_index, ending->count, memcpy(copy, left, size) };
	return 0;
}

static int fill(struct maui_planner *p, const struct maui_plan_entry *e, struct endings *endings,
		struct rooms *rooms)
{
	bool *shut = list_shut(p, e, rooms->by_s);
	int64_t left[p->snapshot->amount_count];

	if (!shut || (!endings->known && list_endings(p, &p->pools[e->pool], endings)))
		return -1;
	p->reason_work += endings->count + p->timeline.claim_count;
	rooms->list = maui_arena_alloc(&p->arena, (endings->count + 1u) * sizeof(*rooms->list));
	for (uint32_t i = 0; rooms->list && i < endings->count; i++)
		if (leave(p, &endings->list[i], shut, left) &&
		    add_room(p, rooms, &endings->list[i], left))
			return -1;
	return rooms->list ? 0 : -1;
}

/* NULL without memory. */
static const struct rooms *find_rooms(struct maui_planner *p, const struct maui_plan_entry *e,
				      int64_t by_s)
{
	const struct maui_access_table *access = e->shape->shape.access;
	struct maui_plan_lasting *l = get(p);
	uint32_t too_long = 0;
	const struct rooms **bucket;
	struct rooms *rooms;

	if (!l)
		return NULL;
	for (uint32_t i = 0; access && i < access->count; i++)
		too_long += access->list[i].overlap_s < e->limit_s;
	bucket = &l->rooms[((uintptr_t)access / sizeof(*access) + too_long) % BUCKETS];
	for (const struct rooms *r = *bucket; r; r = r->next)
		if (r->access == access && r->pool == e->pool && r->too_long == too_long &&
		    r->by_s == by_s)
			return r;
	rooms = maui_arena_alloc(&p->arena, sizeof(*rooms));
	if (!rooms)
		return NULL;
	*rooms = (struct rooms){ *bucket, access, by_s, e->pool, too_long, NULL, 0 };
	if (fill(p, e, &l->of_pool[e->pool], rooms))
		return NULL;
	return *bucket = rooms;
}

/* The nodes that take the most tasks, but fewer than `below`: how many tasks, 0: none takes any. */
static int64_t next_most(const struct maui_shape *shape, const struct rooms *rooms, int64_t below,
			 uint64_t *ret_nodes)
{
	int64_t best = 0;

	for (uint32_t i = 0; i < rooms->count; i++) {
		const struct room *room = &rooms->list[i];
		int64_t tasks = shape->needs[room->class_index].most;

		if (tasks > 0)
			tasks = maui_shape_tasks(shape, room->class_index, room->left);
		if (tasks >= below || tasks < best || tasks == 0)
			continue;
		*ret_nodes = (tasks > best ? 0 : *ret_nodes) + room->count;
		best = tasks;
	}
	return best;
}

bool maui_plan_lasting_counts(const struct maui_shape *shape)
{
	return maui_shape_is_even(shape) && !shape->request->contiguous &&
	       shape->request->claim_count == 0 && !(shape->access && shape->access->only);
}

bool maui_plan_lasting(struct maui_planner *p, const struct maui_plan_entry *e, int64_t by_s)
{
	const struct maui_shape *shape = &e->shape->shape;
	const struct rooms *rooms = find_rooms(p, e, by_s);
	int64_t left = shape->tasks, most = INT64_MAX;
	uint64_t chosen = 0, nodes = 0;

	p->failed |= !rooms;
	while (rooms && chosen < shape->nodes_max && (left > 0 || chosen < shape->nodes_min)) {
		most = next_most(shape, rooms, most, &nodes);
		if (most == 0)
			break;
		if (nodes > shape->nodes_max - chosen)
			nodes = shape->nodes_max - chosen;
		chosen += nodes;
		left -= most * (int64_t)nodes;
	}
	return left <= 0 && chosen >= shape->nodes_min;
}
