/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the ways to choose nodes, for the files of policy/alloc
 *
 * Each way gets candidates whose number and tasks suffice as counts, and whose order it may change.
 * It returns true when the first *ret_count of the list are chosen, with `gives` set.
 *
 * Rules: BF-9, BF-20, BF-22, BF-24.
 */
#ifndef MAUI_POLICY_ALLOC_PRIVATE_H
#define MAUI_POLICY_ALLOC_PRIVATE_H

#include "policy/alloc/alloc.h"

/* A way to choose. */
typedef bool (*maui_alloc_choose_fn)(const struct maui_shape *shape, int policy,
				     struct maui_candidate *list, size_t count,
				     uint32_t *ret_count);

/* order.c */
struct maui_alloc_order {
	const struct maui_snapshot *snapshot;
	int policy;
	bool by_tasks; /* most tasks first, if the number of nodes is bounded */
};

/* Takes nodes in the policy's order until the job fits; then, if that fails, those with the most
 * tasks. */
bool maui_alloc_ordered(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			size_t count, uint32_t *ret_count);
/* The first half of it. */
bool maui_alloc_fill(const struct maui_shape *shape, const struct maui_alloc_order *order,
		     struct maui_candidate *list, size_t count, uint32_t *ret_count);
/* Sorts the whole list, unless it is sorted already, as it mostly is. */
void maui_alloc_sort(const struct maui_alloc_order *order, struct maui_candidate *list,
		     size_t count);

/* consecutive.c */
bool maui_alloc_contiguous(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			   size_t count, uint32_t *ret_count);
bool maui_alloc_balanced(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			 size_t count, uint32_t *ret_count);

/* switches.c: on the fewest leaf switches, in the policy's order on each. */
bool maui_alloc_on_switches(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			    size_t count, uint32_t *ret_count);
/* Calls `choose` for the candidates of one connected network after the other until it succeeds. */
bool maui_alloc_in_a_network(const struct maui_shape *shape, int policy,
			     struct maui_candidate *list, size_t count, maui_alloc_choose_fn choose,
			     uint32_t *ret_count);

/* few_leaves.c: on at most as many leaf switches as the job asks for, if that is possible at all.
 * The candidates belong to one network. */
bool maui_alloc_on_few_leaves(const struct maui_shape *shape, int policy,
			      struct maui_candidate *list, size_t count, uint32_t *ret_count);

/* node_sets.c: calls `choose` for the candidates of one node set after the other until it succeeds,
 * then, unless the shape may have nodes of one set alone, for all. */
bool maui_alloc_in_a_set(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			 size_t count, maui_alloc_choose_fn choose, uint32_t *ret_count);

/* Spreads the tasks over the first *count nodes of the list, which are chosen and suffice, as the
 * resource manager will spread them. Nodes that the resource manager would not use are dropped:
 * *count gets smaller. The list is in another order afterwards. Nothing changes if each node gives
 * the same number of tasks, or all that it has. */
void maui_alloc_spread(const struct maui_shape *shape, struct maui_candidate *list,
		       uint32_t *count);

/* What candidates offer together. */
struct maui_alloc_sum {
	uint32_t nodes, required;
	int64_t tasks;
};

static inline void maui_alloc_add(struct maui_alloc_sum *sum, const struct maui_candidate *c)
{
	sum->nodes++;
	sum->tasks += c->tasks;
	sum->required += c->required;
}

static inline bool maui_alloc_suffices(const struct maui_shape *shape,
				       const struct maui_alloc_sum *sum)
{
	return sum->nodes >= shape->nodes_min && sum->tasks >= shape->tasks &&
	       sum->required == shape->request->required_count;
}

static inline void maui_alloc_swap(struct maui_candidate *a, struct maui_candidate *b)
{
	struct maui_candidate other = *a;

	*a = *b;
	*b = other;
}

#endif
