/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alloc.c - which way of choosing nodes a job gets, by its request, the policy and the network */

#include "policy/alloc/private.h"

#include <errno.h>

#include "config/planning.h"

bool maui_alloc_has_whole_job(const struct maui_shape *shape, const struct maui_timeline *t,
			      int64_t when, const struct maui_candidate *candidates, size_t count)
{
	const int64_t *per_job = shape->request->per_job;
	/* processors need not be free where the job shares them */
	unsigned first = shape->request->shares_procs ? MAUI_AMOUNT_MEM : MAUI_AMOUNT_PROCS;

	for (unsigned d = first; per_job && d < t->amount_count; d++) {
		int64_t left = per_job[d];

		for (size_t i = 0; left > 0 && i < count; i++) {
			uint32_t node = candidates[i].node;

			left -= maui_line_step(t, &t->lines[node],
					       maui_timeline_step_at(t, node, when))
					->free[d];
		}
		if (left > 0)
			return false;
	}
	return true;
}

/* Moves the nodes of at least this affinity, and those that the job names, to the front; returns
 * how many. */
static size_t part_by_affinity(struct maui_candidate *list, size_t count, int least)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].affinity >= least || list[i].required) {
			if (front < i)
				maui_alloc_swap(&list[front], &list[i]);
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

/* Chooses first among the nodes that attract the job, then without last resorts, then anywhere. */
static bool by_affinity(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			size_t count, maui_alloc_choose_fn choose, uint32_t *ret_count)
{
	bool differ = any_affinity(list, count);
	size_t tried = 0;

	for (int least = 1; differ && least >= 0; least--) {
		size_t front = part_by_affinity(list, count, least);

		if (front > tried && front < count && choose(shape, policy, list, front, ret_count))
			return true;
		tried = front;
	}
	return choose(shape, policy, list, count, ret_count);
}

/* As many nodes as the job may have; if tasks do not go up on so many, any number. */
static bool choose_most(const struct maui_shape *shape, struct maui_candidate *list, size_t count,
			uint32_t *ret_count)
{
	struct maui_shape most = *shape;
	uint64_t nodes = count < shape->nodes_max ? count : shape->nodes_max;

	if (nodes > (uint64_t)shape->tasks)
		nodes = (uint64_t)shape->tasks;
	if (nodes > most.nodes_min)
		most.nodes_min = (uint32_t)nodes;
	return maui_alloc_ordered(&most, MAUI_ALLOC_LEAST_LOADED, list, count, ret_count) ||
	       maui_alloc_ordered(shape, MAUI_ALLOC_LEAST_LOADED, list, count, ret_count);
}

static bool choose_by_policy(const struct maui_shape *shape, int policy,
			     struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	if (policy == MAUI_ALLOC_CONTIGUOUS &&
	    by_affinity(shape, policy, list, count, maui_alloc_contiguous, ret_count))
		return true;
	if (policy == MAUI_ALLOC_MAXBALANCE && shape->request->required_count == 0 &&
	    by_affinity(shape, policy, list, count, maui_alloc_balanced, ret_count))
		return true;
	return maui_alloc_ordered(shape, policy, list, count, ret_count);
}

static bool choose(const struct maui_shape *shape, int policy, struct maui_candidate *list,
		   size_t count, uint32_t *ret_count)
{
	const struct maui_request *r = shape->request;
	bool prefers = policy == MAUI_ALLOC_SLURM || r->switches_max > 0;

	policy = maui_alloc_order_of(shape, policy);
	if (r->contiguous)
		return by_affinity(shape, policy, list, count, maui_alloc_contiguous, ret_count);
	if (r->spread)
		return choose_most(shape, list, count, ret_count);
	if (!maui_alloc_uses_switches(shape))
		return choose_by_policy(shape, policy, list, count, ret_count);
	if (prefers)
		return by_affinity(shape, policy, list, count, maui_alloc_on_switches, ret_count);
	return maui_alloc_in_a_network(shape, policy, list, count, choose_by_policy, ret_count);
}

static bool choose_and_spread(const struct maui_shape *shape, int policy,
			      struct maui_candidate *list, size_t count, uint32_t *ret_count)
{
	if (!choose(shape, policy, list, count, ret_count))
		return false;
	if (shape->snapshot->shares_tasks && !shape->request->spread)
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
			maui_alloc_swap(&list[front++], &list[i]);
	return front;
}

/* EXACTNODE with a range: the nodes that take the most tasks determine how many nodes there must
 * be. A node is of no use if it takes less than the other nodes leave. */
static bool choose_fewest(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			  size_t count, uint32_t *ret_count)
{
	const struct maui_alloc_order by_tasks = { .snapshot = shape->snapshot, .by_tasks = true };
	struct maui_shape exact = *shape;
	int64_t most = 0;
	uint32_t nodes;

	for (size_t i = 0; i < count; i++)
		most = list[i].tasks > most ? list[i].tasks : most;
	if (!maui_alloc_fill(shape, &by_tasks, list, count, &nodes))
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
			maui_alloc_swap(&list[front++], &list[i]);
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

int maui_alloc_order_of(const struct maui_shape *shape, int policy)
{
	if (shape->request->spread)
		return MAUI_ALLOC_LEAST_LOADED;
	if (policy != MAUI_ALLOC_SLURM)
		return policy;
	if (shape->snapshot->partition_count > 0 &&
	    shape->snapshot->partitions[shape->partition].least_loaded)
		return MAUI_ALLOC_LEAST_LOADED;
	return MAUI_ALLOC_LASTAVAILABLE;
}

static bool choose_matching(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			    size_t count, uint32_t *ret_count)
{
	if (shape->fills_nodes)
		return choose_filled(shape, policy, list, count, ret_count);
	if (shape->fewest_nodes)
		return choose_fewest(shape, policy, list, count, ret_count);
	return choose_and_spread(shape, policy, list, count, ret_count);
}

bool maui_alloc_choose(const struct maui_shape *shape, int policy, struct maui_candidate *list,
		       size_t count, uint32_t *ret_count)
{
	errno = 0;
	if (shape->sets)
		return maui_alloc_in_a_set(shape, policy, list, count, choose_matching, ret_count);
	return choose_matching(shape, policy, list, count, ret_count);
}
