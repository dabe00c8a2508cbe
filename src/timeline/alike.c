/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alike.c - finds the nodes that are alike by a hash of all that they could differ in */

#include "timeline/alike.h"

#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"

/* An index of the list of groups as a value of a table, which is never NULL. */
static void *to_value(uint32_t index)
{
	return (void *)(uintptr_t)(index + 1u);
}

static uint32_t to_index(const void *value)
{
	return (uint32_t)(uintptr_t)value - 1;
}

/* ---- whether two nodes are alike ---- */

static uint64_t hash_now(const struct maui_timeline *t, uint32_t n)
{
	const struct maui_node *node = &t->snapshot->nodes[n];
	uint64_t hash = maui_hash_mix(t->class_of[n], (uint64_t)node->state);

	return maui_hash_mix(hash, node->usable_from_s <= t->now);
}

/* A number from all of a step but its moment. The factors are odd, and one for each amount. */
static uint64_t sum_step(const struct maui_timeline *t, const struct maui_step *step)
{
	uint64_t sum = (uint64_t)step->claims << 32 | step->who;

	for (unsigned d = 0; d < t->amount_count; d++)
		sum += (uint64_t)step->free[d] * (UINT64_C(0x9e3779b97f4a7c15) + 2 * d);
	return sum;
}

static uint64_t hash_kind(const struct maui_timeline *t, uint32_t n)
{
	return maui_hash_mix(hash_now(t, n), sum_step(t, maui_line_step(t, &t->lines[n], 0)));
}

static uint64_t hash_node(const struct maui_timeline *t, uint32_t n)
{
	const struct maui_line *line = &t->lines[n];
	uint64_t hash =
		maui_hash_mix(hash_now(t, n), (uint64_t)t->snapshot->nodes[n].usable_from_s);

	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		hash = maui_hash_mix(hash, (uint64_t)step->at * 3 + sum_step(t, step));
	}
	return hash;
}

/* A node that is compared with others. */
struct compared {
	const struct maui_timeline *t;
	const struct maui_alike *list;
	uint32_t node;
};

static bool is_in_same_state(const struct maui_timeline *t, uint32_t a, uint32_t b)
{
	return t->class_of[a] == t->class_of[b] &&
	       t->snapshot->nodes[a].state == t->snapshot->nodes[b].state;
}

static bool is_alike(const struct maui_timeline *t, uint32_t a, uint32_t b)
{
	const struct maui_line *one = &t->lines[a], *two = &t->lines[b];

	return is_in_same_state(t, a, b) &&
	       t->snapshot->nodes[a].usable_from_s == t->snapshot->nodes[b].usable_from_s &&
	       one->count == two->count &&
	       (one->steps == two->steps ||
		memcmp(one->steps, two->steps, one->count * t->step_size) == 0);
}

static bool is_alike_node(const void *value, const void *key)
{
	const struct compared *c = key;

	return is_alike(c->t, c->list[to_index(value)].node, c->node);
}

static bool is_of_kind(const void *value, const void *key)
{
	const struct compared *c = key;
	const struct maui_timeline *t = c->t;
	uint32_t a = c->list[to_index(value)].node, b = c->node;
	const struct maui_step *one = maui_line_step(t, &t->lines[a], 0);
	const struct maui_step *two = maui_line_step(t, &t->lines[b], 0);

	return is_in_same_state(t, a, b) &&
	       (t->snapshot->nodes[a].usable_from_s <= t->now) ==
		       (t->snapshot->nodes[b].usable_from_s <= t->now) &&
	       one->who == two->who &&
	       memcmp(one->free, two->free, t->amount_count * sizeof(one->free[0])) == 0;
}

static bool is_ever_claimed(const struct maui_timeline *t, uint32_t node)
{
	const struct maui_line *line = &t->lines[node];

	for (uint32_t i = 0; i < line->count; i++)
		if (maui_line_step(t, line, i)->claims)
			return true;
	return false;
}

/* ---- the groups ---- */

struct grouping {
	const struct maui_timeline *t;
	struct maui_alike_groups *made;
	struct maui_hashtable groups, kinds;
};

/* Sets the kind of the last group. -1 without memory. */
static int set_kind(struct grouping *g)
{
	struct maui_alike *list = g->made->list, *group = &list[g->made->count - 1];
	const struct compared c = { g->t, list, group->node };
	uint64_t hash;
	const void *same;

	if (is_ever_claimed(g->t, group->node))
		return 0;
	hash = hash_kind(g->t, group->node);
	same = maui_hashtable_find(&g->kinds, hash, is_of_kind, &c);
	if (same) {
		group->kind = list[to_index(same)].kind;
		return 0;
	}
	group->kind = g->made->kind_count++;
	return maui_hashtable_add(&g->kinds, hash, to_value(g->made->count - 1));
}

static void add_group(struct maui_alike_groups *made, uint32_t n)
{
	made->of[n] = made->count;
	made->list[made->count++] = (struct maui_alike){ .node = n, .kind = MAUI_ALIKE_NO_KIND };
}

/* Finds the group of a node, which may be a new one. -1 without memory. */
static int find_group(struct grouping *g, uint32_t n)
{
	const struct compared c = { g->t, g->made->list, n };
	uint64_t hash = hash_node(g->t, n);
	const void *same = maui_hashtable_find(&g->groups, hash, is_alike_node, &c);

	if (same) {
		g->made->of[n] = to_index(same);
		return 0;
	}
	add_group(g->made, n);
	return maui_hashtable_add(&g->groups, hash, to_value(g->made->count - 1)) ? -1 :
										    set_kind(g);
}

static int group_all(struct grouping *g)
{
	struct maui_alike_groups *made = g->made;

	for (uint32_t n = 0; n < g->t->node_count; n++) {
		if (made->singly)
			add_group(made, n);
		else if (n > 0 && maui_timeline_same(g->t, n - 1, n) && is_alike(g->t, n - 1, n))
			made->of[n] = made->of[n - 1]; /* neighbours that share their steps */
		else if (find_group(g, n))
			return -1;
		made->list[made->of[n]].count++;
	}
	return 0;
}

int maui_alike_make(const struct maui_timeline *t, struct maui_arena *arena,
		    struct maui_alike_groups *ret)
{
	struct maui_alike_groups made = { .singly = ret->singly };
	struct grouping g = { .t = t, .made = &made };
	int rc;

	made.list = maui_arena_alloc_list(arena, t->node_count, sizeof(*made.list));
	made.of = maui_arena_alloc_list(arena, t->node_count, sizeof(*made.of));
	rc = made.list && made.of ? group_all(&g) : -1;
	maui_hashtable_finish(&g.groups);
	maui_hashtable_finish(&g.kinds);
	if (rc == 0)
		*ret = made;
	return rc;
}

/* ---- for one shape ---- */

/* Whether an ascending list has the node; *at: where the last question about the list ended. */
static bool has_next(const uint32_t *list, uint32_t count, uint32_t *at, uint32_t node)
{
	while (*at < count && list[*at] < node)
		++*at;
	return *at < count && list[*at] == node;
}

/* The list for a shape that names or excludes nodes. NULL without memory. */
static const struct maui_alike *list_apart(const struct maui_alike_groups *groups,
					   const struct maui_shape *shape, struct maui_arena *arena,
					   uint32_t *ret_count)
{
	const struct maui_request *r = shape->request;
	const uint32_t nodes = shape->snapshot->node_count;
	struct maui_alike *list = maui_arena_alloc_list(arena, nodes, sizeof(*list));
	/* of each group: its place in the list, from 1; 0: none yet */
	uint32_t *place = maui_arena_alloc_list(arena, groups->count, sizeof(*place));
	uint32_t required = 0, excluded = 0;

	if (!list || !place)
		return NULL;
	for (uint32_t n = 0; n < nodes; n++) {
		uint32_t group = groups->of[n];

		if (has_next(r->required, r->required_count, &required, n) ||
		    has_next(r->excluded, r->excluded_count, &excluded, n)) {
			list[(*ret_count)++] = (struct maui_alike){ n, 1, MAUI_ALIKE_NO_KIND };
		} else if (place[group] == 0) {
			list[*ret_count] = (struct maui_alike){ n, 1, groups->list[group].kind };
			place[group] = ++*ret_count;
		} else {
			list[place[group] - 1].count++;
		}
	}
	return list;
}

const struct maui_alike *maui_alike_for(const struct maui_alike_groups *groups,
					const struct maui_shape *shape, struct maui_arena *arena,
					uint32_t *ret_count)
{
	*ret_count = 0;
	if (!maui_shape_is_uniform(shape))
		return list_apart(groups, shape, arena, ret_count);
	*ret_count = groups->count;
	return groups->list;
}
