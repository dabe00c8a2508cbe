/* SPDX-License-Identifier: GPL-2.0-or-later */
/* possible.c - whether a shape fits on empty nodes
 *
 * The nodes that take the most tasks are counted, as many as the shape may have. Nodes that the job
 * names are always among them. A binary search for what the k-th largest node takes finds the k
 * largest nodes without sorting.
 */

#include "base/search.h"
#include "timeline/shape_private.h"

struct choice {
	const struct maui_shape *shape;
	const uint32_t *usable; /* usable nodes of each class; NULL: all */
};

static const struct maui_node *node_at(const struct choice *c, uint32_t node)
{
	return &c->shape->snapshot->nodes[node];
}

static bool is_usable(const struct choice *c, uint32_t node)
{
	return !c->usable || node_at(c, node)->usable_from_s != MAUI_NEVER;
}

/* Tasks that the empty node takes; 0: the node does not serve. */
static int64_t tasks_of(const struct choice *c, uint32_t node)
{
	if (!is_usable(c, node) || maui_shape_excludes(c->shape, node))
		return 0;
	return c->shape->needs[node_at(c, node)->class_index].most;
}

struct sums {
	uint64_t nodes;
	int64_t tasks;
};

/* Subtracts the nodes of a list that were counted with their class. */
static void subtract_listed(const struct choice *c, const uint32_t *list, uint32_t count,
			    int64_t least, struct sums *sums)
{
	for (uint32_t i = 0; i < count; i++) {
		int64_t most = c->shape->needs[node_at(c, list[i])->class_index].most;

		if (most < least || !is_usable(c, list[i]))
			continue;
		sums->nodes--;
		sums->tasks -= most;
	}
}

/* The sums of the nodes that take `least` (>= 1) tasks or more, without the nodes that the job
 * names. */
static struct sums sum_nodes(const struct choice *c, int64_t least)
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
	subtract_listed(c, r->excluded, r->excluded_count, least, &sums);
	subtract_listed(c, r->required, r->required_count, least, &sums);
	return sums;
}

struct largest {
	const struct choice *choice;
	uint64_t nodes;
};

static bool enough_take(void *data, int64_t tasks)
{
	const struct largest *l = data;

	return sum_nodes(l->choice, tasks).nodes >= l->nodes;
}

/* Tasks of so many of the largest nodes. No node takes more than all tasks of the job. */
static int64_t tasks_of_largest(const struct choice *c, uint64_t nodes)
{
	struct sums sums = sum_nodes(c, 1);
	struct largest l = { c, nodes };
	int64_t each; /* enough nodes take so many tasks, too few take one more */

	if (sums.nodes <= nodes)
		return sums.tasks;
	each = maui_last_that_holds(1, c->shape->tasks + 1, enough_take, &l);
	sums = sum_nodes(c, each + 1);
	return sums.tasks + (int64_t)(nodes - sums.nodes) * each;
}

/* Tasks of the nodes that the job names; -1: one of them does not serve. */
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

/* Whether consecutive nodes can run a contiguous job: for each node the longest run of nodes
 * that ends there is the best one. */
static bool has_contiguous_nodes(const struct choice *c)
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
		return has_contiguous_nodes(&c);
	others = sum_nodes(&c, 1).nodes;
	return named + others >= shape->nodes_min &&
	       tasks + tasks_of_largest(&c, shape->nodes_max - named) >= shape->tasks;
}
