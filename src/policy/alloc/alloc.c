/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.c - puts nodes in a policy's order and takes nodes from its front until the job fits
 *
 * A job mostly takes a few of many nodes, so they are not sorted: a heap yields the best node as
 * often as needed. Chosen nodes gather at the end of the array and are then moved to its front.
 */

#include "policy/alloc/private.h"

#include <stdlib.h>

#include "config/planning.h"

struct order {
	const struct maui_snapshot *snapshot;
	int policy;
	bool by_tasks; /* most tasks first, if the number of nodes is bounded */
};

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

static int compare_policy(const struct order *order, const struct maui_candidate *a,
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
	default:
		return 0;
	}
}

/* Whether a comes before b. The order is total, because nodes differ. */
static bool before(const struct order *order, const struct maui_candidate *a,
		   const struct maui_candidate *b)
{
	const struct maui_node *one = &order->snapshot->nodes[a->node];
	const struct maui_node *two = &order->snapshot->nodes[b->node];
	int compared;

	if (a->required != b->required)
		return a->required;
	if (order->by_tasks && a->tasks != b->tasks)
		return a->tasks > b->tasks;
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

static void swap(struct maui_candidate *a, struct maui_candidate *b)
{
	struct maui_candidate other = *a;

	*a = *b;
	*b = other;
}

static void sift(const struct order *order, struct maui_candidate *heap, size_t count, size_t at)
{
	for (;;) {
		size_t best = at, left = 2 * at + 1;

		if (left < count && before(order, &heap[left], &heap[best]))
			best = left;
		if (left + 1 < count && before(order, &heap[left + 1], &heap[best]))
			best = left + 1;
		if (best == at)
			return;
		swap(&heap[at], &heap[best]);
		at = best;
	}
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
		swap(&list[i], &list[count - 1 - i]);
}

static bool fill(const struct maui_shape *shape, const struct order *order,
		 struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	int64_t left = shape->tasks;
	uint32_t chosen = 0;
	size_t heap = count;

	for (size_t i = count / 2; i-- > 0;)
		sift(order, list, count, i);
	while ((left > 0 || chosen < shape->nodes_min) && heap > 0 && chosen < shape->nodes_max) {
		struct maui_candidate *best = &list[heap - 1];

		swap(&list[0], best);
		sift(order, list, --heap, 0);
		best->gives = share(shape, best->tasks, left, chosen);
		left -= best->gives;
		chosen++;
	}
	to_front(list, count, chosen);
	*ret_count = chosen;
	return left <= 0 && chosen >= shape->nodes_min;
}

static bool choose_ordered(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			   size_t count, uint32_t *ret_count)
{
	struct order order = { .snapshot = shape->snapshot, .policy = policy };

	if (fill(shape, &order, list, count, ret_count))
		return true;
	order.by_tasks = true;
	return fill(shape, &order, list, count, ret_count);
}

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

/* Tasks and required nodes of a stretch of the list. */
struct stretch {
	size_t first, count;
	int64_t tasks;
	uint32_t required;
};

static bool serves(const struct maui_shape *shape, const struct stretch *s)
{
	return s->count >= shape->nodes_min && s->tasks >= shape->tasks &&
	       s->required == shape->request->required_count;
}

/* The first adjacent nodes of a run that suffice. If the number of nodes is bounded, the stretch
 * may have to begin further on, where the most tasks fit. */
static bool find_stretch(const struct maui_shape *shape, const struct maui_candidate *list,
			 size_t first, size_t end, struct stretch *ret)
{
	for (; first < end; first++) {
		struct stretch s = { .first = first };

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
static bool choose_contiguous(const struct maui_shape *shape, struct maui_candidate *list,
			      size_t count, uint32_t *ret_count)
{
	struct stretch best = { 0 }, s;
	size_t shortest = SIZE_MAX;

	sort_by_node(list, count);
	for (size_t first = 0, end; first < count; first = end) {
		end = first + 1;
		while (end < count && list[end].node == list[end - 1].node + 1)
			end++;
		if (end - first < shortest && find_stretch(shape, list, first, end, &s)) {
			shortest = end - first;
			best = s;
		}
	}
	if (best.count == 0)
		return false;
	for (size_t i = 0; i < best.count; i++)
		swap(&list[i], &list[best.first + i]);
	spread(shape, list, best.count);
	*ret_count = (uint32_t)best.count;
	return true;
}

/* Sorts the whole list, unless it is sorted already, as it mostly is. */
static void sort(const struct order *order, struct maui_candidate *list, size_t count)
{
	size_t sorted = 1;

	while (sorted < count && before(order, &list[sorted - 1], &list[sorted]))
		sorted++;
	if (sorted >= count)
		return;
	for (size_t i = count / 2; i-- > 0;)
		sift(order, list, count, i);
	for (size_t end = count; end > 1; end--) { /* the best node last, then reversed */
		swap(&list[0], &list[end - 1]);
		sift(order, list, end - 1, 0);
	}
	to_front(list, count, (uint32_t)(count / 2));
}

/* Chooses, in the order of speed, the stretch that suffices with the smallest difference of
 * speeds. */
static bool choose_balanced(const struct maui_shape *shape, struct maui_candidate *list,
			    size_t count, uint32_t *ret_count)
{
	const struct maui_node *nodes = shape->snapshot->nodes;
	struct order order = { .snapshot = shape->snapshot, .policy = MAUI_ALLOC_MAXBALANCE };
	struct stretch s = { 0 }, best = { 0 };
	double least = 0;

	sort(&order, list, count);
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
		swap(&list[i], &list[best.first + i]);
	return choose_ordered(shape, MAUI_ALLOC_MAXBALANCE, list, best.count, ret_count);
}

/* Moves the nodes of at least this affinity, and those that the job names, to the front; returns
 * how many. */
static size_t part_by_affinity(struct maui_candidate *list, size_t count, int least)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].affinity >= least || list[i].required) {
			if (front < i)
				swap(&list[front], &list[i]);
			front++;
		}
	return front;
}

static bool any_affinity(const struct maui_candidate *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].affinity != 0)
			return true;
	return false;
}

/* Chooses a stretch for the policy: first among the nodes that attract the job, then without last
 * resorts, then anywhere. */
static bool choose_by_affinity(const struct maui_shape *shape, struct maui_candidate *list,
			       size_t count,
			       bool (*stretch)(const struct maui_shape *shape,
					       struct maui_candidate *list, size_t count,
					       uint32_t *ret_count),
			       uint32_t *ret_count)
{
	bool differ = any_affinity(list, count);
	size_t tried = 0;

	for (int least = 1; differ && least >= 0; least--) {
		size_t front = part_by_affinity(list, count, least);

		if (front > tried && front < count && stretch(shape, list, front, ret_count))
			return true;
		tried = front;
	}
	return stretch(shape, list, count, ret_count);
}

static bool choose(const struct maui_shape *shape, int policy, struct maui_candidate *list,
		   size_t count, uint32_t *ret_count)
{
	if (shape->request->contiguous)
		return choose_by_affinity(shape, list, count, choose_contiguous, ret_count);
	if (policy == MAUI_ALLOC_CONTIGUOUS &&
	    choose_by_affinity(shape, list, count, choose_contiguous, ret_count))
		return true;
	if (policy == MAUI_ALLOC_MAXBALANCE && shape->request->required_count == 0 &&
	    choose_by_affinity(shape, list, count, choose_balanced, ret_count))
		return true;
	return choose_ordered(shape, policy, list, count, ret_count);
}

static bool choose_and_spread(const struct maui_shape *shape, int policy,
			      struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	if (!choose(shape, policy, list, count, ret_count))
		return false;
	if (shape->snapshot->shares_tasks)
		maui_alloc_spread(shape, list, ret_count);
	return true;
}

/* Moves the nodes that take at least this many tasks, and those that the job names, to the front;
 * returns how many. */
static size_t part_by_least(struct maui_candidate *list, size_t count, int64_t least)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].tasks >= least || list[i].required)
			swap(&list[front++], &list[i]);
	return front;
}

/* EXACTNODE with a range: the nodes that take the most tasks determine how many nodes there must
 * be. A node is of no use if it takes less than the other nodes leave. */
static bool choose_fewest(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			  size_t count, uint32_t *ret_count)
{
	const struct order by_tasks = { .snapshot = shape->snapshot, .by_tasks = true };
	struct maui_shape exact = *shape;
	int64_t most = 0;
	uint32_t nodes;

	for (size_t i = 0; i < count; i++)
		most = list[i].tasks > most ? list[i].tasks : most;
	if (!fill(shape, &by_tasks, list, count, &nodes))
		return false;
	for (; nodes <= shape->nodes_max && nodes <= count; nodes++) {
		size_t useful =
			part_by_least(list, count, shape->tasks - (int64_t)(nodes - 1) * most);

		exact.nodes_min = exact.nodes_max = nodes;
		if (choose_and_spread(&exact, policy, list, useful, ret_count))
			return true;
	}
	return false;
}

/* Moves the nodes that take this many tasks to the front; returns how many. */
static size_t part_by_tasks(struct maui_candidate *list, size_t count, int64_t tasks,
			    uint32_t *ret_required)
{
	size_t front = 0;

	*ret_required = 0;
	for (size_t i = 0; i < count; i++)
		if (list[i].tasks == tasks) {
			*ret_required += list[i].required;
			swap(&list[front++], &list[i]);
		}
	return front;
}

/* EXACTPROC: chooses nodes that the same number of tasks fill, large ones first, since fewer of
 * them suffice. */
static bool choose_filled(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			  size_t count, uint32_t *ret_count)
{
	struct maui_shape exact = *shape;
	int64_t tried = INT64_MAX;

	for (;;) {
		int64_t tasks = 0;
		uint32_t required;
		size_t alike;

		for (size_t i = 0; i < count; i++)
			if (list[i].tasks > tasks && list[i].tasks < tried)
				tasks = list[i].tasks;
		if (tasks == 0)
			return false;
		tried = tasks;
		alike = part_by_tasks(list, count, tasks, &required);
		exact.nodes_min = exact.nodes_max = (uint32_t)(shape->tasks / tasks);
		if (alike >= exact.nodes_min && required == shape->request->required_count &&
		    choose_and_spread(&exact, policy, list, alike, ret_count))
			return true;
	}
}

bool maui_alloc_choose(const struct maui_shape *shape, int policy, struct maui_candidate *list,
		       size_t count, uint32_t *ret_count)
{
	if (shape->fills_nodes)
		return choose_filled(shape, policy, list, count, ret_count);
	if (shape->fewest_nodes)
		return choose_fewest(shape, policy, list, count, ret_count);
	return choose_and_spread(shape, policy, list, count, ret_count);
}
