/* SPDX-License-Identifier: GPL-2.0-or-later */
/* possible.c - whether a shape fits at all, with all nodes empty
 *
 * Of the nodes that serve, those that take the most tasks count, as many as the shape may have;
 * nodes that it names are among them, whatever they take. The k largest are found by halving what
 * the k-th takes, so that nothing has to be sorted.
 */

#include "timeline/shape_private.h"

/* Nodes to choose from: all, or those that are usable at all. */
struct choice {
	const struct maui_shape *shape;
	const uint32_t *usable; /* of each class; NULL: all are */
};

static const struct maui_node *node_at(const struct choice *c, uint32_t node)
{
	return &c->shape->snapshot->nodes[node];
}

static bool is_there(const struct choice *c, uint32_t node)
{
	return !c->usable || node_at(c, node)->usable_from_s != MAUI_NEVER;
}

/* Tasks that the node takes empty; 0: it does not serve. */
static int64_t tasks_of(const struct choice *c, uint32_t node)
{
	if (!is_there(c, node) || maui_shape_excludes(c->shape, node))
		return 0;
	return c->shape->needs[node_at(c, node)->class_index].most;
}

struct sums {
	uint64_t nodes;
	int64_t tasks;
};

/* Takes nodes of a list out, if they are counted with their class. */
static void leave_out(const struct choice *c, const uint32_t *list, uint32_t count, int64_t least,
		      struct sums *sums)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t most = c->shape->needs[node_at(c, list[i])->class_index].most;

		if (most < least || !is_there(c, list[i]))
			continue;
		sums->nodes--;
		sums->tasks -= most;
	}
}

/* Nodes that take `least` (>= 1) tasks or more, without those that are named. */
static struct sums add_up(const struct choice *c, int64_t least)
{
	const struct maui_snapshot *s = c->shape->snapshot;
	const struct maui_request *r = c->shape->request;
	struct sums sums = { 0 };

	for (uint32_t i = 0; i < s->class_count; i++) {
		uint32_t count = c->usable ? c->usable[i] : s->classes[i].count;

		if (c->shape->needs[i].most < least)
			continue;
		sums.nodes += count;
		sums.tasks += c->shape->needs[i].most * count;
	}
	leave_out(c, r->excluded, r->excluded_count, least, &sums);
	leave_out(c, r->required, r->required_count, least, &sums);
	return sums;
}

/* Tasks of the largest nodes, at most so many; no node takes more than all tasks. */
static int64_t largest(const struct choice *c, uint64_t nodes)
{
	struct sums sums = add_up(c, 1);
	int64_t low = 1, high = c->shape->tasks + 1; /* so many nodes take low tasks, not high */

	if (sums.nodes <= nodes)
		return sums.tasks;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (add_up(c, middle).nodes >= nodes)
			low = middle;
		else
			high = middle;
	}
	sums = add_up(c, high);
	return sums.tasks + (int64_t)(nodes - sums.nodes) * low;
}

/* Tasks of the nodes that are named; -1: one of them does not serve. */
static int64_t named_tasks(const struct choice *c)
{
	const struct maui_request *r = c->shape->request;
	int64_t sum = 0;

	for (uint32_t i = 0; i < r->required_count; i++) {
		int64_t tasks = tasks_of(c, r->required[i]);

		if (tasks == 0)
			return -1;
		sum += tasks;
	}
	return sum;
}

/* Whether neighbours can do: the longest stretch that ends at each node is the best one. */
static bool has_stretch(const struct choice *c)
{
	const struct maui_shape *shape = c->shape;
	uint32_t first = 0, named = 0;
	int64_t tasks = 0;

	for (uint32_t n = 0; n < shape->snapshot->node_count; n++) {
		int64_t takes = tasks_of(c, n);

		if (takes == 0) {
			first = n + 1;
			named = 0;
			tasks = 0;
			continue;
		}
		tasks += takes;
		named += maui_shape_requires(shape, n);
		if (n - first >= shape->nodes_max) {
			tasks -= tasks_of(c, first);
			named -= maui_shape_requires(shape, first++);
		}
		if (n - first + 1 >= shape->nodes_min && tasks >= shape->tasks &&
		    named == shape->request->required_count)
			return true;
	}
	return false;
}

bool maui_shape_suffices(const struct maui_shape *shape, const uint32_t *usable)
{
	const struct choice c = { .shape = shape, .usable = usable };
	uint32_t named = shape->request->required_count;
	int64_t tasks = named_tasks(&c);
	uint64_t others;

	if (shape->nodes_min > shape->nodes_max || tasks < 0)
		return false;
	if (shape->request->contiguous)
		return has_stretch(&c);
	others = add_up(&c, 1).nodes;
	return named + others >= shape->nodes_min &&
	       tasks + largest(&c, shape->nodes_max - named) >= shape->tasks;
}
