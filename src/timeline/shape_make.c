/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape_make.c - works out a shape: which nodes serve, how many tasks each takes, whether the job
 * can fit at all
 *
 * Rules of JOBNODEMATCHPOLICY and NODEACCESSPOLICY apply here; see struct maui_shape_rules.
 */

#include "timeline/shape_private.h"

#include "model/features.h"

/* EXACTPROC: how many tasks fill all processors of a node. 0: no number of tasks does, or the
 * job has too few tasks to fill all its nodes. Where --mincpus fills the node, tasks are divided
 * evenly. */
static int64_t filling_tasks(const struct maui_shape *shape, const struct maui_node *node)
{
	const struct maui_request *r = shape->request;
	int64_t have = node->have[MAUI_AMOUNT_PROCS], a_task = maui_shape_task_procs(r, node->unit);
	int64_t tasks = have / a_task,
		even = (shape->tasks + shape->nodes_min - 1) / shape->nodes_min;

	if (maui_shape_asked(r->per_node, MAUI_AMOUNT_PROCS) == have)
		tasks = tasks < even ? tasks : even;
	else if (tasks * a_task != have)
		return 0;
	if (tasks == 0 || shape->tasks % tasks != 0 || shape->tasks / tasks < shape->nodes_min ||
	    shape->tasks / tasks > shape->nodes_max)
		return 0;
	return tasks;
}

static bool class_serves(const struct maui_shape *shape, const struct maui_node *node)
{
	const struct maui_request *r = shape->request;

	if (!maui_shape_lists(node->partitions, node->partition_count, shape->partition) ||
	    !maui_features_match(r->features, node->features))
		return false;
	for (unsigned d = 0; r->least && d < shape->snapshot->amount_count; d++)
		if (node->have[d] < r->least[d])
			return false;
	return true;
}

static void fill_needs(struct maui_shape *shape, const struct maui_shape_rules *rules)
{
	const struct maui_request *r = shape->request;
	const struct maui_snapshot *s = shape->snapshot;
	int64_t cap = shape->tasks - (shape->nodes_min - 1);

	if (r->tasks_per_node_max > 0 && cap > r->tasks_per_node_max)
		cap = r->tasks_per_node_max;
	if (rules->one_task || r->tasks == 0)
		cap = 1;
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *node = maui_shape_sample(shape, c);
		int64_t most = class_serves(shape, node) ?
				       maui_shape_tasks_up_to(shape, c, cap, node->have) :
				       0;

		if (shape->fills_nodes) {
			int64_t filling = filling_tasks(shape, node);

			most = most < filling ? 0 : filling;
		}
		shape->needs[c].most = most;
	}
	for (uint32_t i = 0; i < r->excluded_count; i++)
		shape->needs[s->nodes[r->excluded[i]].class_index].excluded++;
}

static uint32_t count_of(const struct maui_shape *shape, const uint32_t *usable, uint32_t c)
{
	return usable ? usable[c] : shape->snapshot->classes[c].count;
}

/* The largest number of tasks that any node takes. *ret_nodes: the number of nodes that serve. */
static int64_t most_tasks(const struct maui_shape *shape, const uint32_t *usable,
			  uint64_t *ret_nodes)
{
	int64_t best = 0;

	*ret_nodes = 0;
	for (uint32_t c = 0; c < shape->snapshot->class_count; c++) {
		int64_t most = shape->needs[c].most;
		uint32_t count = most > 0 ? count_of(shape, usable, c) : 0;

		*ret_nodes += count;
		best = count > 0 && most > best ? most : best;
	}
	return best;
}

/* The number of nodes that this number of tasks fills, without the nodes that the job excludes. */
static int64_t nodes_filled_by(const struct maui_shape *shape, int64_t tasks,
			       const uint32_t *usable)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;
	int64_t nodes = 0;

	for (uint32_t c = 0; c < s->class_count; c++)
		if (shape->needs[c].most == tasks)
			nodes += count_of(shape, usable, c);
	for (uint32_t i = 0; i < r->excluded_count; i++) {
		const struct maui_node *node = &s->nodes[r->excluded[i]];

		nodes -= shape->needs[node->class_index].most == tasks &&
			 (!usable || node->usable_from_s != MAUI_NEVER);
	}
	return nodes;
}

/* EXACTPROC: all nodes of a job have the same size. So a size with too few nodes is dropped, and
 * every size but that of the nodes that the job names. */
static void drop_rare_sizes(struct maui_shape *shape, const uint32_t *usable)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;
	int64_t named =
		r->required_count ? shape->needs[s->nodes[r->required[0]].class_index].most : 0;

	for (uint32_t c = 0; c < s->class_count; c++) {
		int64_t *most = &shape->needs[c].most;

		if (*most > 0 && ((r->required_count && *most != named) ||
				  nodes_filled_by(shape, *most, usable) < shape->tasks / *most))
			*most = 0;
	}
}

static bool has_licences(const struct maui_snapshot *s, const struct maui_request *r)
{
	for (unsigned d = 0; s->global && r->global && d < s->amount_count; d++)
		if (r->global[d] > s->global[d])
			return false;
	return true;
}

/* A node must take at least what is left when all other nodes are full. */
static void raise_least(struct maui_shape *shape, int64_t best, uint64_t nodes)
{
	int64_t forced = shape->tasks - (int64_t)(nodes - 1) * best;

	if (shape->fills_nodes) { /* the least is the smallest size */
		forced = best;
		for (uint32_t c = 0; c < shape->snapshot->class_count; c++)
			if (shape->needs[c].most > 0 && shape->needs[c].most < forced)
				forced = shape->needs[c].most;
	}
	if (nodes > 0 && forced > shape->least)
		shape->least = forced;
}

static int set_wants(struct maui_shape *shape, struct maui_arena *arena)
{
	const struct maui_snapshot *s = shape->snapshot;

	shape->fixed = true;
	for (uint32_t c = 0; c < s->class_count; c++) {
		if (shape->needs[c].most < shape->least)
			shape->needs[c].most = 0;
		shape->fixed &= shape->needs[c].most == 0 || shape->needs[c].most == shape->least;
	}
	for (uint32_t c = 0; shape->fixed && c < s->class_count; c++) {
		int64_t *want;

		if (shape->needs[c].most == 0)
			continue;
		want = maui_arena_alloc(arena, s->amount_count * sizeof(*want));
		if (!want)
			return -1;
		maui_shape_amounts(shape, c, shape->needs[c].most, want);
		shape->needs[c].want = want;
	}
	return 0;
}

static void set_counts(struct maui_shape *shape, const struct maui_shape_rules *rules)
{
	const struct maui_request *r = shape->request;

	shape->nodes_min = r->nodes_min > r->required_count ? r->nodes_min : r->required_count;
	shape->tasks = r->tasks > shape->nodes_min ? (int64_t)r->tasks : shape->nodes_min;
	shape->nodes_max = r->nodes_max ? r->nodes_max : UINT32_MAX;
	shape->fewest_nodes = rules->exact_nodes && r->nodes_named && r->nodes_max > r->nodes_min;
	if (rules->exact_nodes && r->nodes_named && !shape->fewest_nodes)
		shape->nodes_max = r->nodes_min;
	if (shape->nodes_max > shape->tasks)
		shape->nodes_max = (uint32_t)shape->tasks;
	shape->least = r->tasks_per_node_min > 1 ? r->tasks_per_node_min : 1;
}

int maui_shape_make(const struct maui_snapshot *snapshot, uint32_t request, uint32_t partition,
		    uint32_t user, const struct maui_shape_rules *rules, const uint32_t *usable,
		    struct maui_arena *arena, struct maui_shape *ret)
{
	/* a copy, because the snapshot's list moves when it grows */
	struct maui_request *r = maui_arena_alloc(arena, sizeof(*r));

	if (!r)
		return -1;
	*r = snapshot->requests[request];
	return maui_shape_make_of(snapshot, r, partition, user, rules, usable, arena, ret);
}

int maui_shape_make_of(const struct maui_snapshot *snapshot, const struct maui_request *r,
		       uint32_t partition, uint32_t user, const struct maui_shape_rules *rules,
		       const uint32_t *usable, struct maui_arena *arena, struct maui_shape *ret)
{
	uint64_t nodes;
	int64_t best;

	*ret = (struct maui_shape){ .snapshot = snapshot,
				    .request = r,
				    .partition = partition,
				    .cap_amount = snapshot->partitions[partition].cap_amount,
				    .user = user,
				    .sole_user = r->sole_user || rules->sole_user,
				    .whole_nodes = r->whole_nodes || rules->whole_nodes,
				    .fills_nodes = rules->exact_procs };
	ret->needs = maui_arena_alloc(arena, (snapshot->class_count + 1u) * sizeof(*ret->needs));
	if (!ret->needs)
		return -1;
	set_counts(ret, rules);
	fill_needs(ret, rules);
	if (ret->fills_nodes)
		drop_rare_sizes(ret, NULL);
	best = most_tasks(ret, NULL, &nodes);
	if (!maui_shape_suffices(ret, NULL) || !has_licences(snapshot, r)) {
		ret->impossible = MAUI_REASON_NEVER_FITS;
		/* there are enough nodes: the node reasons need `least` */
		if (ret->nodes_max <= nodes)
			raise_least(ret, best, ret->nodes_max);
		return 0;
	}
	if (ret->fills_nodes)
		drop_rare_sizes(ret, usable);
	best = most_tasks(ret, usable, &nodes);
	if (!maui_shape_suffices(ret, usable)) {
		ret->impossible = MAUI_REASON_NODES_DOWN;
		return 0;
	}
	raise_least(ret, best, nodes < ret->nodes_max ? nodes : ret->nodes_max);
	return set_wants(ret, arena);
}
