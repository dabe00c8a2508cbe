/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeflex.c - TIMEFLEX: an instance begins later if it can have all of its tasks then
 *
 * If an instance has not begun, or is new, and misses tasks, it begins at the first later moment of
 * its window from which all tasks fit until its end. Without such a moment it begins in time and
 * stays partial.
 *
 * Rules: RSV-27.
 */

#include <stdlib.h>

#include "base/sort.h"
#include "reservation/placement/private.h"

/* Whether all missing tasks fit from a moment to the end: 1, 0; -1 without memory. */
static int has_all_tasks(struct maui_placement *p, struct maui_placement_item *item, int64_t from)
{
	unsigned count;
	const struct maui_placement_attempt *attempts = maui_placement_attempts(item->rsv, &count);
	/* the attempt that respects the least */
	const struct maui_placement_attempt *last = &attempts[count - 1];
	const struct maui_placement_query q = { .item = item,
						.from = from,
						.tasks = item->missing,
						.jobs = last->jobs,
						.rsvs = last->rsvs,
						.silent = true,
						.without = MAUI_PLACEMENT_NONE };
	uint32_t ignored;
	int64_t found = maui_placement_find_nodes(p, &q, &ignored);

	return found < 0 ? -1 : found == item->missing;
}

struct moments {
	int64_t *list; /* NULL: the moments are only counted */
	size_t count;
};

static void add_moment(struct moments *moments, const struct maui_placement_item *item, int64_t at)
{
	if (at <= item->from || at >= item->instance->end_s)
		return;
	if (moments->list)
		moments->list[moments->count] = at;
	moments->count++;
}

/* Adds the moments within the window at which the use of a node changes. */
static void add_moments(struct maui_placement *p, const struct maui_placement_item *item,
			uint32_t node, struct moments *moments)
{
	const struct maui_line *line = &p->t->lines[node];
	const struct maui_node_use *use = &p->use[node];
	const struct maui_use_step *end = use->steps + use->count;
	int64_t until = item->instance->end_s;

	for (uint32_t k = maui_timeline_step_at(p->t, node, item->from);
	     k < line->count && maui_line_step(p->t, line, k)->at < until; k++)
		add_moment(moments, item, maui_line_step(p->t, line, k)->at);
	for (const struct maui_use_step *step = maui_node_use_at(use, item->from);
	     step < end && step->at < until; step++)
		add_moment(moments, item, step->at);
}

/* The moments at which the use of any node of the instance changes, ascending. */
static int list_moments(struct maui_placement *p, const struct maui_placement_item *item,
			struct moments *ret)
{
	const struct maui_node_set *set = item->target->wide;

	*ret = (struct moments){ 0 };
	for (uint32_t i = 0; i < set->count; i++)
		add_moments(p, item, set->nodes[i], ret);
	ret->list = maui_arena_alloc(p->arena, (ret->count + 1) * sizeof(*ret->list));
	if (!ret->list)
		return -1;
	ret->count = 0;
	for (uint32_t i = 0; i < set->count; i++)
		add_moments(p, item, set->nodes[i], ret);
	qsort(ret->list, ret->count, sizeof(*ret->list), maui_sort_by_i64);
	return 0;
}

/* Changes the start and puts the places again for the shorter time. */
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
		if (maui_placement_drop_tasks(p, item, had[k].node))
			return -1;
	i->start_s = start;
	item->from = start;
	for (uint32_t k = 0; k < count; k++)
		if (maui_placement_put_tasks(p, item, had[k].node, had[k].tasks))
			return -1;
	return 0;
}

/* A shorter span takes at least as many tasks as a longer one, so the first sufficient moment is
 * found by binary search. */
static int find_begin(struct maui_placement *p, struct maui_placement_item *item)
{
	struct moments moments;
	size_t low = 0, high;

	if (list_moments(p, item, &moments))
		return -1;
	high = moments.count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int enough = has_all_tasks(p, item, moments.list[middle]);

		if (enough < 0)
			return -1;
		if (enough)
			high = middle;
		else
			low = middle + 1;
	}
	return low < moments.count ? begin_at(p, item, moments.list[low]) : 0;
}

int maui_placement_shift_start(struct maui_placement *p, struct maui_placement_item *item)
{
	int enough;

	if (!maui_rsv_has(item->rsv, MAUI_RSV_TIMEFLEX) ||
	    (item->instance->place_count > 0 && item->instance->start_s <= p->now))
		return 0;
	enough = has_all_tasks(p, item, item->from);
	return enough == 0 ? find_begin(p, item) : enough < 0 ? -1 : 0;
}
