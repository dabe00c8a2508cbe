/* SPDX-License-Identifier: GPL-2.0-or-later */
/* consecutive.c - consecutive nodes: neighbours in the node table (CONTIGUOUS, --contiguous),
 * or nodes of like speed (MAXBALANCE)
 */

#include "policy/alloc/private.h"

#include <stdlib.h>

#include "config/planning.h"

static int by_node(const void *a, const void *b)
{
	const struct maui_candidate *one = a, *two = b;

	return (one->node > two->node) - (one->node < two->node);
}

/* Sorts by node, unless the list is sorted already, as it mostly is. */
static void sort_by_node(struct maui_candidate *list, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (list[i - 1].node > list[i].node) {
			qsort(list, count, sizeof(*list), by_node);
			return;
		}
}

/* Tasks and required nodes of consecutive elements of the list. */
struct run {
	size_t first, count;
	int64_t tasks;
	uint32_t required;
};

static bool serves(const struct maui_shape *shape, const struct run *s)
{
	return s->count >= shape->nodes_min && s->tasks >= shape->tasks &&
	       s->required == shape->request->required_count;
}

/* The first adjacent nodes of a run that suffice. If the number of nodes is bounded, the choice
 * may have to begin further on, where the most tasks fit. */
static bool find_run(const struct maui_shape *shape, const struct maui_candidate *list,
		     size_t first, size_t end, struct run *ret)
{
	for (; first < end; first++) {
		struct run s = { .first = first };

		for (size_t i = first; i < end && s.count < shape->nodes_max && !serves(shape, &s);
		     i++) {
			s.count++;
			s.tasks += list[i].tasks;
			s.required += list[i].required;
		}
		if (serves(shape, &s)) {
			*ret = s;
			return true;
		}
		if (s.count < shape->nodes_max) /* the rest of the run is too small */
			return false;
	}
	return false;
}

/* Distributes the tasks over the first `count` nodes of the list, at least one each. */
static void spread(const struct maui_shape *shape, struct maui_candidate *list, size_t count)
{
	int64_t left = shape->tasks;

	for (size_t i = 0; i < count; i++) {
		int64_t most = left - (int64_t)(count - i - 1);

		list[i].gives = list[i].tasks < most ? list[i].tasks : most;
		left -= list[i].gives;
	}
}

/* Chooses the shortest run of adjacent nodes that suffices; the first of equals. */
bool maui_alloc_contiguous(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			   size_t count, uint32_t *ret_count)
{
	struct run best = { 0 }, s;
	size_t shortest = SIZE_MAX;

	(void)policy;
	sort_by_node(list, count);
	for (size_t first = 0, end; first < count; first = end) {
		end = first + 1;
		while (end < count && list[end].node == list[end - 1].node + 1)
			end++;
		if (end - first < shortest && find_run(shape, list, first, end, &s)) {
			shortest = end - first;
			best = s;
		}
	}
	if (best.count == 0)
		return false;
	for (size_t i = 0; i < best.count; i++)
		maui_alloc_swap(&list[i], &list[best.first + i]);
	spread(shape, list, best.count);
	*ret_count = (uint32_t)best.count;
	return true;
}

/* Chooses, in the order of speed, the consecutive nodes that suffice with the smallest difference
 * of speeds. */
bool maui_alloc_balanced(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			 size_t count, uint32_t *ret_count)
{
	const struct maui_node *nodes = shape->snapshot->nodes;
	const struct maui_alloc_order order = { .snapshot = shape->snapshot, .policy = policy };
	struct run s = { 0 }, best = { 0 };
	double least = 0;

	maui_alloc_sort(&order, list, count);
	for (size_t end = 0; end < count; end++) {
		s.count++;
		s.tasks += list[end].tasks;
		s.required += list[end].required;
		while (serves(shape, &s)) {
			double spread =
				nodes[list[end].node].speed - nodes[list[s.first].node].speed;

			if (best.count == 0 || spread < least) {
				best = s;
				least = spread;
			}
			s.tasks -= list[s.first].tasks;
			s.required -= list[s.first].required;
			s.first++;
			s.count--;
		}
	}
	if (best.count == 0)
		return false;
	for (size_t i = 0; i < best.count; i++)
		maui_alloc_swap(&list[i], &list[best.first + i]);
	return maui_alloc_ordered(shape, policy, list, best.count, ret_count);
}
