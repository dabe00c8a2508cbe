/* SPDX-License-Identifier: GPL-2.0-or-later */
/* few_leaves.c - finds nodes on at most as many leaf switches as a job asks for (--switches), if
 * there are any
 *
 * switches.c takes leaf switches one by one. That fails for some jobs although other leaf switches
 * would serve, above all if the number of nodes is bounded. So more free nodes could delay a job,
 * and a job reservation could move back. This search compares all choices of leaf switches: for
 * each number of leaf switches and of nodes it keeps the most tasks that so many can take.
 *
 * In: the candidates of one network. Out: the chosen candidates.
 * Bound: a search that would cost more than MOST_STEPS does not take place.
 *
 * Rules: BF-22.
 */

#include "policy/alloc/private.h"

#include <stdlib.h>

enum { MOST_STEPS = 1 << 20 };

/* Adjacent candidates of the list. */
struct leaf {
	uint32_t first, count, required;
	uint32_t taken; /* result: how many of them are chosen */
};

struct search {
	const struct maui_shape *shape;
	const struct maui_candidate *list; /* by leaf switch */
	struct leaf *leaves;
	uint32_t leaf_count;
	uint32_t most_leaves, most_nodes;
	uint32_t step; /* nodes of one leaf switch: a multiple of it */
	/* the most tasks on so many leaf switches and so many nodes, see cell(); -1: impossible */
	int64_t *tasks;
	uint32_t *taken; /* the same for each leaf switch: how many of these nodes are on it */
};

static int by_leaf(const void *a, const void *b, void *arg)
{
	const struct maui_node *nodes = arg;
	const struct maui_candidate *one = a, *two = b;
	uint32_t leaf_one = nodes[one->node].leaf, leaf_two = nodes[two->node].leaf;

	if (leaf_one != leaf_two)
		return leaf_one < leaf_two ? -1 : 1;
	if (one->required != two->required)
		return one->required ? -1 : 1;
	if (one->tasks != two->tasks)
		return one->tasks > two->tasks ? -1 : 1;
	return (one->node > two->node) - (one->node < two->node);
}

/* Sorts the list by leaf switch, on each the nodes that the job names, then those with the most
 * tasks. */
static void list_leaves(struct search *s, struct maui_candidate *list, size_t count)
{
	struct maui_node *nodes = s->shape->snapshot->nodes;

	qsort_r(list, count, sizeof(*list), by_leaf, nodes);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || nodes[list[i].node].leaf != nodes[list[i - 1].node].leaf)
			s->leaves[s->leaf_count++] = (struct leaf){ .first = i };
		s->leaves[s->leaf_count - 1].count++;
		s->leaves[s->leaf_count - 1].required += list[i].required;
		list[i].rank = 0;
	}
}

static int descending(const void *a, const void *b)
{
	const int64_t *one = a, *two = b;

	return (*one < *two) - (*one > *two);
}

static int64_t sum_of_largest(int64_t *values, uint32_t count, uint32_t largest)
{
	int64_t sum = 0;

	qsort(values, count, sizeof(*values), descending);
	for (uint32_t i = 0; i < largest; i++)
		sum += values[i];
	return sum;
}

/* Whether the largest leaf switches suffice by number of nodes, and those with the most tasks by
 * tasks. Mostly they do not, and that is quickly known. */
static bool may_suffice(const struct search *s)
{
	int64_t *nodes = calloc(2 * (size_t)s->leaf_count, sizeof(*nodes));
	int64_t *tasks;
	bool suffices;

	if (!nodes)
		return false;
	tasks = nodes + s->leaf_count;
	for (uint32_t i = 0; i < s->leaf_count; i++) {
		const struct leaf *leaf = &s->leaves[i];

		nodes[i] = leaf->count;
		for (uint32_t n = 0; n < leaf->count; n++)
			tasks[i] += s->list[leaf->first + n].tasks;
	}
	suffices = sum_of_largest(nodes, s->leaf_count, s->most_leaves) >= s->shape->nodes_min &&
		   sum_of_largest(tasks, s->leaf_count, s->most_leaves) >= s->shape->tasks;
	free(nodes);
	return suffices;
}

static size_t table_size(const struct search *s)
{
	return (s->most_leaves + 1u) * (s->most_nodes + (size_t)1);
}

static size_t cell(const struct search *s, uint32_t leaves, uint32_t nodes)
{
	return leaves * (s->most_nodes + (size_t)1) + nodes;
}

/* Takes the first `count` nodes of a leaf switch, with so many tasks, where that is better. */
static void try_nodes(struct search *s, uint32_t *taken, uint32_t leaves, uint32_t count,
		      int64_t tasks)
{
	for (uint32_t nodes = count; nodes <= s->most_nodes; nodes++) {
		int64_t before = s->tasks[cell(s, leaves - 1, nodes - count)];
		size_t at = cell(s, leaves, nodes);

		if (before < 0 || before + tasks <= s->tasks[at])
			continue;
		s->tasks[at] = before + tasks;
		taken[at] = count;
	}
}

static void add_leaf(struct search *s, uint32_t index)
{
	const struct leaf *leaf = &s->leaves[index];
	uint32_t *taken = &s->taken[index * table_size(s)];

	/* downwards: a cell depends on cells with fewer leaf switches, which are without this one */
	for (uint32_t leaves = s->most_leaves; leaves > 0; leaves--) {
		int64_t tasks = 0;

		for (uint32_t nodes = 0; leaf->required > 0 && nodes <= s->most_nodes; nodes++)
			s->tasks[cell(s, leaves, nodes)] = -1;
		for (uint32_t i = 0; i < leaf->count && i < s->most_nodes; i++) {
			tasks += s->list[leaf->first + i].tasks;
			if (i + 1 >= leaf->required && (i + 1) % s->step == 0)
				try_nodes(s, taken, leaves, i + 1, tasks);
		}
	}
	if (leaf->required > 0) /* this leaf switch must be used */
		s->tasks[cell(s, 0, 0)] = -1;
}

/* Notes how many nodes each leaf switch gives. False: no choice serves. */
static bool find(struct search *s)
{
	uint32_t leaves, nodes = 0;
	bool found = false;

	for (size_t i = 1; i < table_size(s); i++)
		s->tasks[i] = -1;
	for (uint32_t i = 0; i < s->leaf_count; i++)
		add_leaf(s, i);
	for (leaves = 0; leaves <= s->most_leaves && !found; leaves += !found)
		for (nodes = s->shape->nodes_min; nodes <= s->most_nodes && !found; nodes += !found)
			found = s->tasks[cell(s, leaves, nodes)] >= s->shape->tasks;
	for (uint32_t i = s->leaf_count; found && i-- > 0;) {
		s->leaves[i].taken = s->taken[i * table_size(s) + cell(s, leaves, nodes)];
		leaves -= s->leaves[i].taken > 0;
		nodes -= s->leaves[i].taken;
	}
	return found;
}

static uint32_t to_front(const struct search *s, struct maui_candidate *list)
{
	uint32_t front = 0;

	for (uint32_t i = 0; i < s->leaf_count; i++)
		for (uint32_t n = 0; n < s->leaves[i].taken; n++)
			maui_alloc_swap(&list[front++], &list[s->leaves[i].first + n]);
	return front;
}

static uint32_t least_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t least = a < b ? a : b;

	return (uint32_t)(least < c ? least : c);
}

bool maui_alloc_on_few_leaves(const struct maui_shape *shape, int policy,
			      struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	const struct maui_request *r = shape->request;
	struct search s = { .shape = shape,
			    .list = list,
			    .step = r->segment > 1 ? r->segment : 1,
			    /* each node has a task */
			    .most_nodes =
				    least_of(shape->nodes_max, count, (uint64_t)shape->tasks) };
	bool found = false;

	s.leaves = calloc(count, sizeof(*s.leaves));
	if (!s.leaves)
		return false;
	list_leaves(&s, list, count);
	s.most_leaves = least_of(r->switches_max, s.leaf_count, s.most_nodes);
	if (count * table_size(&s) <= MOST_STEPS && may_suffice(&s)) {
		s.tasks = calloc(table_size(&s), sizeof(*s.tasks));
		s.taken = calloc(s.leaf_count * table_size(&s), sizeof(*s.taken));
		found = s.tasks && s.taken && find(&s) &&
			maui_alloc_ordered(shape, policy, list, to_front(&s, list), ret_count);
	}
	free(s.tasks);
	free(s.taken);
	free(s.leaves);
	return found;
}
