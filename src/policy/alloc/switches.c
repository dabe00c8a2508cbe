/* SPDX-License-Identifier: GPL-2.0-or-later */
/* switches.c - chooses nodes on few leaf switches
 *
 * In: the candidates of a job, and the switches of the snapshot. Out: the chosen candidates. A job
 * that fits on one leaf switch gets the leaf with the fewest nodes that suffice. Any other job gets
 * nodes below the lowest switch that suffices, where it needs the fewest leaf switches: the leaf
 * with the most nodes as long as none suffices for the rest, then the smallest one that does. Nodes
 * of low weight, and nodes that are up, come before the network, as in Slurm.
 *
 * Slurm cannot use nodes of two networks for one job, nor nodes that no switch reaches.
 *
 * Leaf switches are chosen by the sums of their nodes. If the number of nodes is bounded and the
 * tasks do not go up on these nodes, the whole network is tried by the number of tasks. For a job
 * that asks for few leaf switches, few_leaves.c compares all choices of leaf switches then.
 *
 * Rules: BF-22, BF-25.
 */

#include "policy/alloc/private.h"

#include <stdlib.h>

#include "config/planning.h"

/* What candidates offer on and below a switch. */
struct offer {
	struct maui_alloc_sum sum;
	uint32_t level; /* 0: a leaf */
	uint32_t rank;  /* of a leaf in the choice, from 1; 0: not chosen */
};

struct network {
	const struct maui_shape *shape;
	const struct maui_switch *switches;
	uint32_t count;
	struct offer *offers; /* of each switch */
};

bool maui_alloc_uses_switches(const struct maui_shape *shape)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;

	return s->switch_count > 0 && !r->contiguous && !r->spread &&
	       (!s->switches_optional || r->switches_max > 0) &&
	       !(s->partition_count > 0 && s->partitions[shape->partition].least_loaded);
}

bool maui_alloc_is_bound(const struct maui_shape *shape)
{
	const struct maui_request *r = shape->request;

	return r->contiguous || shape->in_set ||
	       (maui_alloc_uses_switches(shape) &&
		(r->switches_max > 0 || !shape->snapshot->one_network));
}

static bool network_open(struct network *n, const struct maui_shape *shape)
{
	*n = (struct network){ .shape = shape,
			       .switches = shape->snapshot->switches,
			       .count = shape->snapshot->switch_count };
	n->offers = calloc(n->count, sizeof(*n->offers));
	return n->offers;
}

static uint32_t leaf_of(const struct network *n, const struct maui_candidate *c)
{
	return n->shape->snapshot->nodes[c->node].leaf;
}

/* Sums up the candidates; parents stand behind their switches. */
static void sum_offers(struct network *n, const struct maui_candidate *list, size_t count)
{
	for (uint32_t i = 0; i < n->count; i++)
		n->offers[i] = (struct offer){ 0 };
	for (size_t i = 0; i < count; i++) {
		uint32_t leaf = leaf_of(n, &list[i]);

		if (leaf != MAUI_NO_SWITCH)
			maui_alloc_add(&n->offers[leaf].sum, &list[i]);
	}
	for (uint32_t i = 0; i < n->count; i++) {
		const struct offer *below = &n->offers[i];
		struct offer *above;

		if (n->switches[i].parent == MAUI_NO_SWITCH)
			continue;
		above = &n->offers[n->switches[i].parent];
		above->sum.nodes += below->sum.nodes;
		above->sum.tasks += below->sum.tasks;
		above->sum.required += below->sum.required;
		if (above->level <= below->level)
			above->level = below->level + 1;
	}
}

static bool suffices(const struct network *n, const struct offer *offer)
{
	return maui_alloc_suffices(n->shape, &offer->sum);
}

static bool is_below(const struct network *n, uint32_t at, uint32_t top)
{
	while (at < top)
		at = n->switches[at].parent;
	return at == top;
}

/* What the job still needs of further leaf switches. */
struct rest {
	int64_t nodes, tasks;
};

/* The part of the rest that a leaf has; 1 and more: it suffices. */
static double part_of(const struct rest *rest, const struct offer *leaf)
{
	double nodes = rest->nodes > 0 ? (double)leaf->sum.nodes / (double)rest->nodes : 1;
	double tasks = rest->tasks > 0 ? (double)leaf->sum.tasks / (double)rest->tasks : 1;
	double part = nodes < tasks ? nodes : tasks;

	return part < 1 ? part : 1;
}

/* Whether leaf a is the better next choice than b. */
static bool is_better(const struct network *n, const struct rest *rest, uint32_t a, uint32_t b,
		      uint32_t near)
{
	const struct offer *one = &n->offers[a], *two = &n->offers[b];
	double part_one = part_of(rest, one), part_two = part_of(rest, two);

	if (one->sum.required != 0 || two->sum.required != 0)
		return one->sum.required > two->sum.required;
	if (part_one != part_two)
		return part_one > part_two;
	if (part_one >= 1 && one->sum.nodes != two->sum.nodes)
		return one->sum.nodes < two->sum.nodes;
	return n->switches[a].parent == near && n->switches[b].parent != near;
}

/* Ranks leaf switches below `top` until they suffice; returns how many. */
static uint32_t rank_leaves(struct network *n, uint32_t top)
{
	struct rest rest = { n->shape->nodes_min, n->shape->tasks };
	uint32_t rank = 0, near = MAUI_NO_SWITCH, required = n->shape->request->required_count;

	for (uint32_t i = 0; i < n->count; i++)
		n->offers[i].rank = 0;
	while (rest.nodes > 0 || rest.tasks > 0 || required > 0) {
		uint32_t best = MAUI_NO_SWITCH;

		for (uint32_t i = 0; i <= top; i++)
			if (n->offers[i].level == 0 && n->offers[i].rank == 0 &&
			    n->offers[i].sum.nodes > 0 && is_below(n, i, top) &&
			    (best == MAUI_NO_SWITCH || is_better(n, &rest, i, best, near)))
				best = i;
		if (best == MAUI_NO_SWITCH)
			break;
		n->offers[best].rank = ++rank;
		near = n->switches[best].parent;
		rest.nodes -= n->offers[best].sum.nodes;
		rest.tasks -= n->offers[best].sum.tasks;
		required -= n->offers[best].sum.required;
	}
	return rank;
}

/* The switch below which the job needs the fewest leaf switches, of the lowest that suffice. */
static uint32_t best_top(struct network *n)
{
	uint32_t best = MAUI_NO_SWITCH, fewest = 0, most = n->shape->request->switches_max;

	for (uint32_t i = 0; i < n->count; i++) {
		const struct offer *offer = &n->offers[i];
		uint32_t leaves;

		if (!suffices(n, offer) ||
		    (best != MAUI_NO_SWITCH && most == 0 && offer->level > n->offers[best].level))
			continue;
		leaves = offer->level == 0 ? 1 : rank_leaves(n, i);
		if (most > 0 && leaves > most)
			continue;
		if (best == MAUI_NO_SWITCH || offer->level < n->offers[best].level ||
		    (offer->level == n->offers[best].level &&
		     (leaves < fewest ||
		      (leaves == fewest && offer->sum.nodes < n->offers[best].sum.nodes)))) {
			best = i;
			fewest = leaves;
		}
	}
	return best;
}

/* Moves the candidates on ranked leaves, or with `all` everywhere below the switch, to the front;
 * returns how many. */
static size_t part_by_rank(const struct network *n, struct maui_candidate *list, size_t count,
			   uint32_t top, bool all)
{
	size_t front = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t leaf = leaf_of(n, &list[i]);
		uint32_t rank = leaf == MAUI_NO_SWITCH ? 0 : n->offers[leaf].rank;

		if (leaf == MAUI_NO_SWITCH || (rank == 0 && !(all && is_below(n, leaf, top))))
			continue;
		list[i].rank = rank > 0 ? rank : n->count + 1;
		if (front < i)
			maui_alloc_swap(&list[front], &list[i]);
		front++;
	}
	return front;
}

static bool choose_below(struct network *n, int policy, struct maui_candidate *list, size_t count,
			 uint32_t top, bool all, uint32_t *ret_count)
{
	size_t front;

	rank_leaves(n, top);
	front = part_by_rank(n, list, count, top, all);
	return maui_alloc_ordered(n->shape, policy, list, front, ret_count);
}

/* Moves as many candidates of each leaf switch as make whole segments to the front; returns how
 * many. Any part of them that is as large as the job is whole segments again, because leaf switches
 * are used up one after the other. */
static size_t part_by_segment(struct network *n, struct maui_candidate *list, size_t count)
{
	uint32_t segment = n->shape->request->segment;
	size_t front = 0;

	if (segment < 2)
		return count;
	sum_offers(n, list, count);
	for (uint32_t i = 0; i < n->count; i++)
		n->offers[i].sum.nodes -= n->offers[i].sum.nodes % segment;
	for (size_t i = 0; i < count; i++) {
		uint32_t leaf = leaf_of(n, &list[i]);

		if (leaf == MAUI_NO_SWITCH || n->offers[leaf].sum.nodes == 0)
			continue;
		n->offers[leaf].sum.nodes--;
		maui_alloc_swap(&list[front++], &list[i]);
	}
	return front;
}

static bool choose(struct network *n, int policy, struct maui_candidate *list, size_t count,
		   uint32_t *ret_count)
{
	uint32_t best;

	count = part_by_segment(n, list, count);
	sum_offers(n, list, count);
	best = best_top(n);
	if (best != MAUI_NO_SWITCH && choose_below(n, policy, list, count, best, false, ret_count))
		return true;
	if (n->shape->request->switches_max > 0)
		return maui_alloc_in_a_network(n->shape, policy, list, count,
					       maui_alloc_on_few_leaves, ret_count);
	for (uint32_t i = 0; best != MAUI_NO_SWITCH && i < n->count; i++)
		if (n->switches[i].parent == MAUI_NO_SWITCH && suffices(n, &n->offers[i]) &&
		    choose_below(n, policy, list, count, i, true, ret_count))
			return true;
	return false;
}

static bool is_cheaper(const struct maui_snapshot *s, const struct maui_candidate *a,
		       const struct maui_candidate *b)
{
	const struct maui_node *one = &s->nodes[a->node], *two = &s->nodes[b->node];

	if (a->required != b->required)
		return a->required;
	if (one->asleep != two->asleep)
		return !one->asleep;
	return one->weight < two->weight;
}

/* Moves the cheapest nodes that suffice by number to the front, and all that cost as much as the
 * last of them; returns how many. */
static size_t part_by_weight(const struct maui_shape *shape, struct maui_candidate *list,
			     size_t count)
{
	const struct maui_alloc_order order = { .snapshot = shape->snapshot,
						.policy = MAUI_ALLOC_FIRSTAVAILABLE };
	bool mixed = false;
	int64_t tasks = 0;
	size_t front = 0;

	for (size_t i = 0; i < count; i++)
		list[i].rank = 0;
	for (size_t i = 1; i < count && !mixed; i++)
		mixed = is_cheaper(shape->snapshot, &list[i], &list[i - 1]) ||
			is_cheaper(shape->snapshot, &list[i - 1], &list[i]);
	if (!mixed)
		return count;
	maui_alloc_sort(&order, list, count);
	while (front < count &&
	       (front < shape->nodes_min || tasks < shape->tasks || list[front].required ||
		!is_cheaper(shape->snapshot, &list[front - 1], &list[front])))
		tasks += list[front++].tasks;
	return front;
}

bool maui_alloc_on_switches(const struct maui_shape *shape, int policy, struct maui_candidate *list,
			    size_t count, uint32_t *ret_count)
{
	struct network n;
	size_t cheap;
	bool chosen;

	if (!network_open(&n, shape))
		return false;
	cheap = part_by_weight(shape, list, count);
	chosen = (cheap < count && choose(&n, policy, list, cheap, ret_count)) ||
		 choose(&n, policy, list, count, ret_count);
	free(n.offers);
	return chosen;
}

bool maui_alloc_in_a_network(const struct maui_shape *shape, int policy,
			     struct maui_candidate *list, size_t count,
			     maui_alloc_choose_fn choose_fn, uint32_t *ret_count)
{
	struct network n;
	bool chosen = false;

	if (shape->snapshot->one_network)
		return choose_fn(shape, policy, list, count, ret_count);
	if (!network_open(&n, shape))
		return false;
	sum_offers(&n, list, count);
	for (uint32_t i = 0; i < n.count && !chosen; i++)
		if (n.switches[i].parent == MAUI_NO_SWITCH && suffices(&n, &n.offers[i])) {
			size_t front = part_by_rank(&n, list, count, i, true);

			chosen = choose_fn(shape, policy, list, front, ret_count);
		}
	free(n.offers);
	return chosen;
}
