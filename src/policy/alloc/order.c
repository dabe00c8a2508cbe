/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order.c - puts nodes in a policy's order and takes nodes from its front until the job fits
 *
 * Rules: BF-9, BF-23.
 *
 * A job mostly takes a few of many nodes, so they are not sorted: a heap yields the best node as
 * often as needed. Chosen nodes gather at the end of the array and are then moved to its front.
 * Where nodes are in order already, as on an idle machine, the first ones are taken.
 */

#include "policy/alloc/private.h"

#include "config/planning.h"

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_have(const struct maui_snapshot *s, const struct maui_node *a,
			const struct maui_node *b)
{
	for (unsigned d = 0; d < s->amount_count; d++)
		if (a->have[d] != b->have[d])
			return a->have[d] < b->have[d] ? -1 : 1;
	return 0;
}

static int compare_policy(const struct maui_alloc_order *order, const struct maui_candidate *a,
			  const struct maui_candidate *b)
{
	const struct maui_node *one = &order->snapshot->nodes[a->node];
	const struct maui_node *two = &order->snapshot->nodes[b->node];

	switch (order->policy) {
	case MAUI_ALLOC_LASTAVAILABLE:
		return (a->until_s > b->until_s) - (a->until_s < b->until_s);
	case MAUI_ALLOC_MINRESOURCE:
		return compare_have(order->snapshot, one, two);
	case MAUI_ALLOC_PRIORITY:
		return compare_numbers(two->priority, one->priority);
	case MAUI_ALLOC_CPULOAD:
		return compare_numbers((double)two->have[MAUI_AMOUNT_PROCS] - two->load,
				       (double)one->have[MAUI_AMOUNT_PROCS] - one->load);
	case MAUI_ALLOC_FASTEST:
		return compare_numbers(two->speed, one->speed);
	case MAUI_ALLOC_MAXBALANCE:
		return compare_numbers(one->speed, two->speed);
	case MAUI_ALLOC_LEAST_LOADED:
		return (a->idle < b->idle) - (a->idle > b->idle);
	default:
		return 0;
	}
}

/* Whether a comes before b. The order is total, because nodes differ. */
static bool before(const struct maui_alloc_order *order, const struct maui_candidate *a,
		   const struct maui_candidate *b)
{
	const struct maui_node *one = &order->snapshot->nodes[a->node];
	const struct maui_node *two = &order->snapshot->nodes[b->node];
	int compared;

	if (a->required != b->required)
		return a->required;
	if (order->by_tasks && a->tasks != b->tasks)
		return a->tasks > b->tasks;
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->affinity != b->affinity)
		return a->affinity > b->affinity;
	if (one->asleep != two->asleep)
		return !one->asleep;
	compared = compare_policy(order, a, b);
	if (compared != 0)
		return compared < 0;
	if (one->weight != two->weight)
		return one->weight < two->weight;
	return a->node < b->node;
}

static void sift(const struct maui_alloc_order *order, struct maui_candidate *heap, size_t count,
		 size_t at)
{
	for (;;) {
		size_t best = at, left = 2 * at + 1;

		if (left < count && before(order, &heap[left], &heap[best]))
			best = left;
		if (left + 1 < count && before(order, &heap[left + 1], &heap[best]))
			best = left + 1;
		if (best == at)
			return;
		maui_alloc_swap(&heap[at], &heap[best]);
		at = best;
	}
}

static bool is_sorted(const struct maui_alloc_order *order, const struct maui_candidate *list,
		      size_t count)
{
	size_t sorted = 1;

	while (sorted < count && before(order, &list[sorted - 1], &list[sorted]))
		sorted++;
	return sorted >= count;
}

/* Tasks for the next node, with one left for each node that must still come. */
static int64_t share(const struct maui_shape *shape, int64_t tasks, int64_t left, uint32_t chosen)
{
	int64_t kept = (int64_t)shape->nodes_min - chosen - 1;

	if (kept > 0)
		left -= kept;
	return tasks < left ? tasks : left;
}

/* Moves the last `chosen` of `count` candidates to the front, best first. */
static void to_front(struct maui_candidate *list, size_t count, uint32_t chosen)
{
	for (size_t i = 0; i < chosen && i < count - 1 - i; i++)
		maui_alloc_swap(&list[i], &list[count - 1 - i]);
}

bool maui_alloc_fill(const struct maui_shape *shape, const struct maui_alloc_order *order,
		     struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	int64_t left = shape->tasks;
	uint32_t chosen = 0;
	size_t heap = count;
	bool sorted = is_sorted(order, list, count);

	for (size_t i = count / 2; !sorted && i-- > 0;)
		sift(order, list, count, i);
	while ((left > 0 || chosen < shape->nodes_min) && heap > 0 && chosen < shape->nodes_max) {
		struct maui_candidate *best = sorted ? &list[chosen] : &list[heap - 1];

		heap--;
		if (!sorted) {
			maui_alloc_swap(&list[0], best);
			sift(order, list, heap, 0);
		}
		best->gives = share(shape, best->tasks, left, chosen);
		left -= best->gives;
		chosen++;
	}
	if (!sorted)
		to_front(list, count, chosen);
	*ret_count = chosen;
	return left <= 0 && chosen >= shape->nodes_min;
}

bool maui_alloc_ordered(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			size_t count, uint32_t *ret_count)
{
	struct maui_alloc_order order = { .snapshot = shape->snapshot, .policy = policy };

	if (maui_alloc_fill(shape, &order, list, count, ret_count))
		return true;
	order.by_tasks = true;
	return maui_alloc_fill(shape, &order, list, count, ret_count);
}

void maui_alloc_sort(const struct maui_alloc_order *order, struct maui_candidate *list,
		     size_t count)
{
	if (is_sorted(order, list, count))
		return;
	for (size_t i = count / 2; i-- > 0;)
		sift(order, list, count, i);
	for (size_t end = count; end > 1; end--) { /* the best node last, then reversed */
		maui_alloc_swap(&list[0], &list[end - 1]);
		sift(order, list, end - 1, 0);
	}
	to_front(list, count, (uint32_t)(count / 2));
}
