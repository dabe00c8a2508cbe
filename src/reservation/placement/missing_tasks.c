/* SPDX-License-Identifier: GPL-2.0-or-later */
/* missing_tasks.c - tasks that are missing: over what they may be laid, and when they may begin */

#include <stdlib.h>

#include "base/sort.h"
#include "reservation/placement/private.h"

/* What is respected, in the order of attempts. */
struct level {
	bool jobs, rsvs;
};

struct levels {
	struct level list[3];
	unsigned count;
};

static struct levels levels_of(const struct maui_rsv *rsv)
{
	static const struct levels plain = { { { true, true } }, 1 };
	static const struct levels over_jobs = { { { true, true }, { false, true } }, 2 };
	static const struct levels shared = { { { true, true }, { true, false } }, 2 };
	static const struct levels force = { { { true, true }, { false, true }, { false, false } },
					     3 };

	if (maui_rsv_has(rsv, MAUI_RSV_DEDICATEDRESOURCE))
		return plain;
	if (maui_rsv_is_exclusive(rsv))
		return maui_rsv_has(rsv, MAUI_RSV_FORCE) ? over_jobs : plain;
	return maui_rsv_has(rsv, MAUI_RSV_FORCE) ? force : rsv->shared ? shared : plain;
}

static int fill_level(struct maui_placement *p, struct maui_placement_item *item,
		      const struct level *level)
{
	const struct maui_placement_query q = { .item = item,
						.from = item->from,
						.tasks = item->left,
						.jobs = level->jobs,
						.rsvs = level->rsvs,
						.silent = true,
						.without = MAUI_PLACEMENT_NONE };
	uint32_t count;

	if (maui_placement_find(p, &q, &count) < 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (maui_placement_put(p, item, p->found[i].node, p->found[i].gives))
			return -1;
	return 0;
}

/* ---- TIMEFLEX ---- */

/* Whether all that is missing is to be had from a moment to the end: 1, 0; -1 without memory. */
static int suffices(struct maui_placement *p, struct maui_placement_item *item, int64_t from)
{
	const struct levels levels = levels_of(item->rsv);
	const struct level *last = &levels.list[levels.count - 1]; /* what it allows, all do */
	const struct maui_placement_query q = { .item = item,
						.from = from,
						.tasks = item->left,
						.jobs = last->jobs,
						.rsvs = last->rsvs,
						.silent = true,
						.without = MAUI_PLACEMENT_NONE };
	uint32_t ignored;
	int64_t found = maui_placement_find(p, &q, &ignored);

	return found < 0 ? -1 : found == item->left;
}

struct moments {
	uint64_t *list;
	size_t count;
};

static void add_moment(struct moments *moments, const struct maui_placement_item *item, int64_t at)
{
	if (at <= item->from || at >= item->instance->end_s)
		return;
	if (moments->list)
		moments->list[moments->count] = (uint64_t)at;
	moments->count++;
}

/* When anything changes on a node, within the work's time; with a list of NULL they are counted. */
static void add_moments(struct maui_placement *p, const struct maui_placement_item *item,
			uint32_t node, struct moments *moments)
{
	const struct maui_line *line = &p->t->lines[node];
	const struct maui_node_use *use = &p->use[node];
	const struct maui_use_step *end = use->steps + use->count;
	int64_t until = item->instance->end_s;

	for (uint32_t k = maui_timeline_at(p->t, node, item->from);
	     k < line->count && maui_line_step(p->t, line, k)->at < until; k++)
		add_moment(moments, item, maui_line_step(p->t, line, k)->at);
	for (const struct maui_use_step *step = maui_node_use_at(use, item->from);
	     step < end && step->at < until; step++)
		add_moment(moments, item, step->at);
}

/* When anything changes on any node it may use, ascending. */
static int list_moments(struct maui_placement *p, const struct maui_placement_item *item,
			struct moments *ret)
{
	const struct maui_node_set *set = item->target->wide;
	size_t count;

	*ret = (struct moments){ 0 };
	for (uint32_t i = 0; i < set->count; i++)
		add_moments(p, item, set->nodes[i], ret);
	count = ret->count;
	ret->count = 0;
	ret->list = maui_arena_alloc(p->arena, (count + 1) * sizeof(*ret->list));
	if (!ret->list)
		return -1;
	for (uint32_t i = 0; i < set->count; i++)
		add_moments(p, item, set->nodes[i], ret);
	return maui_sort_u64(ret->list, ret->count);
}

static int begin_at(struct maui_placement *p, struct maui_placement_item *item, int64_t start)
{
	struct maui_rsv_instance *i = item->instance;
	uint32_t count = i->place_count;
	struct maui_rsv_place *had = maui_arena_alloc(p->arena, (count + 1u) * sizeof(*had));

	if (!had)
		return -1;
	for (uint32_t k = 0; k < count; k++)
		had[k] = i->places[k];
	for (uint32_t k = 0; k < count; k++)
		if (maui_placement_drop(p, item, had[k].node))
			return -1;
	i->start_s = start;
	item->from = start;
	for (uint32_t k = 0; k < count; k++)
		if (maui_placement_put(p, item, had[k].node, had[k].tasks))
			return -1;
	return 0;
}

/* A shorter span has room for as much as a longer one: the first moment that does is found by
 * halving. */
static int shift(struct maui_placement *p, struct maui_placement_item *item)
{
	struct moments moments;
	size_t low = 0, high;
	int enough = suffices(p, item, item->from);

	if (enough != 0)
		return enough < 0 ? -1 : 0;
	if (list_moments(p, item, &moments))
		return -1;
	high = moments.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		enough = suffices(p, item, (int64_t)moments.list[middle]);
		if (enough < 0)
			return -1;
		if (enough)
			high = middle;
		else
			low = middle + 1;
	}
	return low < moments.count ? begin_at(p, item, (int64_t)moments.list[low]) : 0;
}

static bool may_shift(const struct maui_placement *p, const struct maui_placement_item *item)
{
	return maui_rsv_has(item->rsv, MAUI_RSV_TIMEFLEX) && item->left > 0 &&
	       (item->instance->place_count == 0 || item->instance->start_s > p->now);
}

int maui_placement_fill(struct maui_placement *p, struct maui_placement_item *item)
{
	const struct levels levels = levels_of(item->rsv);

	if (item->left == 0)
		return 0;
	maui_placement_open(p, item);
	if (may_shift(p, item) && shift(p, item))
		return -1;
	for (unsigned i = 0; i < levels.count && item->left > 0; i++)
		if (fill_level(p, item, &levels.list[i]))
			return -1;
	return 0;
}
