/* SPDX-License-Identifier: GPL-2.0-or-later */
/* within_limits.c - chooses the candidates for an entry that its limits allow
 *
 * Limits are checked three times: with the least that the candidates could give the job, which is
 * cheap; with the nodes of the allocation policy; with the fewest and the smallest nodes.
 *
 * The amounts that were checked for a shape are checked again for each further job of this shape,
 * of any user. Only if the limits allow one of them is the job placed again.
 *
 * Rules: THR-19.
 */

#include <stdlib.h>

#include "base/sort.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* Whether limits allow a place that holds this. Sets `too_much`. */
static bool is_allowed(struct maui_plan_attempt *a, const struct maui_quantities *holds)
{
	int64_t when;

	maui_plan_limits_place(a->p, a->e, holds);
	when = maui_plan_limits_when_placed(a->p, a->e, a->search.span.from);
	if (when > a->search.span.from && when < a->allowed_s)
		a->allowed_s = when;
	a->e->too_much = when != a->search.span.from;
	return !a->e->too_much;
}

/* Whether limits allow the first `count` candidates. Notes them as tried. */
static bool judge(struct maui_plan_attempt *a, uint32_t count)
{
	struct maui_quantities holds;

	if (!maui_plan_has_limits(a->p, a->e))
		return true;
	holds = maui_plan_quantities(a->p, a->e, a->search.shape, count);
	if (a->tried)
		a->tried->places[a->tried->place_count++] = holds;
	return is_allowed(a, &holds);
}

/* The nodes of the allocation policy, or all of which Slurm is to choose. Returns how many; 0: they
 * do not suffice, or limits do not allow them, and then `too_much` is set. */
static uint32_t take_by_policy(struct maui_plan_attempt *a)
{
	uint32_t count = a->anywhere ? a->search.sums.count : maui_search_choose(&a->search);

	return count > 0 && judge(a, count) ? count : 0;
}

/* ---- cheap nodes ---- */

/* What makes a node cheap where limits refuse the nodes of the policy: many tasks, or little of an
 * amount of which the job gets all. */
enum { MANY_TASKS = -1 };

static int next_cost(const struct maui_plan_attempt *a, int last)
{
	const int amounts = (int)a->p->snapshot->amount_count;
	int next = last + 1;

	while (next < amounts && !maui_shape_gets_all(a->search.shape, (unsigned)next))
		next++;
	return next;
}

static void set_costs(const struct maui_plan_attempt *a, int what)
{
	struct maui_candidate *list = a->p->candidates.list;
	const struct maui_node *nodes = a->p->snapshot->nodes;

	for (uint32_t i = 0; i < a->search.sums.count; i++)
		list[i].cost = what == MANY_TASKS ? -list[i].tasks : nodes[list[i].node].have[what];
}

/* Keeps the candidates of at most this cost, and those that the job requires. */
static void keep_cheap(struct maui_plan_attempt *a, int64_t most, uint32_t all)
{
	struct maui_candidate *list = a->p->candidates.list;

	a->search.sums.count = 0;
	a->search.sums.tasks = 0;
	for (uint32_t i = 0; i < all; i++) {
		const struct maui_candidate candidate = list[i];

		if (candidate.cost > most && !candidate.required)
			continue;
		list[i] = list[a->search.sums.count];
		list[a->search.sums.count++] = candidate;
		a->search.sums.tasks += candidate.tasks;
	}
}

/* The costs of the candidates, ascending, each once. */
static int64_t *list_costs(const struct maui_plan_attempt *a, uint32_t *ret_count)
{
	struct maui_planner *p = a->p;
	const struct maui_candidate *list = p->candidates.list;
	int64_t *costs = p->limits.costs;
	uint32_t count = 0, kept = 0;

	for (uint32_t i = 0; i < a->search.sums.count; i++)
		if (count == 0 || costs[count - 1] != list[i].cost)
			costs[count++] = list[i].cost;
	qsort(costs, count, sizeof(*costs), maui_sort_by_i64);
	for (uint32_t i = 0; i < count; i++)
		if (i == 0 || costs[i] != costs[i - 1])
			costs[kept++] = costs[i];
	*ret_count = kept;
	return costs;
}

/* Keeps the cheapest candidates among which there is a choice. Nodes that have to lie together, or
 * that the policy does not choose one by one, are not found by an order: dearer ones have to go. */
static void keep_cheapest(struct maui_plan_attempt *a)
{
	uint32_t all = a->search.sums.count, count, fails = 0, serves;
	const int64_t *costs = list_costs(a, &count);

	serves = count;
	while (serves - fails > 1) {
		uint32_t middle = fails + (serves - fails) / 2;

		keep_cheap(a, costs[middle - 1], all);
		if (maui_search_choose(&a->search) > 0)
			serves = middle;
		else
			fails = middle;
	}
	keep_cheap(a, costs[serves - 1], all);
}

/* Those that the job gets of what is kept, the cheapest first. */
static uint32_t take_cheapest(struct maui_plan_attempt *a, int what)
{
	uint32_t kept = a->search.sums.count, count;

	set_costs(a, what);
	count = maui_search_choose(&a->search);
	if (count > 0 && judge(a, count)) {
		a->search.sums.count = count;
		return count;
	}
	a->search.sums.count = kept;
	return 0;
}

/* The cheapest nodes that suffice: as few of them as can be, or as cheap ones. Returns how many; 0:
 * limits do not allow them either. */
static uint32_t take_cheap(struct maui_plan_attempt *a, int what)
{
	uint32_t count;

	set_costs(a, what);
	keep_cheapest(a);
	count = take_cheapest(a, MANY_TASKS);
	return count > 0 || what == MANY_TASKS ? count : take_cheapest(a, what);
}

/* ---- all of it ---- */

/* Whether limits allow the least of each quantity that the candidates could hold. */
static bool may_be_allowed(struct maui_plan_attempt *a)
{
	struct maui_quantities least;

	if (!maui_plan_has_limits(a->p, a->e))
		return true;
	least = maui_plan_quantities_least(a->p, a->search.shape, a->search.sums.count);
	if (a->tried)
		a->tried->least = least;
	return is_allowed(a, &least);
}

uint32_t maui_plan_take(struct maui_plan_attempt *a)
{
	const int amounts = (int)a->p->snapshot->amount_count;
	const struct maui_search_sums all = a->search.sums;
	uint32_t count;

	a->e->too_much = false;
	if (!maui_search_has_enough(&a->search))
		return 0;
	a->p->limits.searches++;
	if (!may_be_allowed(a))
		return 0;
	count = take_by_policy(a);
	for (int what = MANY_TASKS; a->e->too_much && what < amounts; what = next_cost(a, what)) {
		a->search.sums.count = all.count;
		a->search.sums.tasks = all.tasks;
		count = take_cheap(a, what);
		a->e->too_much = count == 0;
	}
	a->p->failed |= a->search.failed;
	if (a->tried)
		a->tried->all = a->e->too_much;
	return maui_plan_has_failed(a->p) ? 0 : count;
}

bool maui_plan_is_refused(struct maui_planner *p, struct maui_plan_entry *e,
			  const struct maui_plan_tried *tried, int64_t limit_s, bool anywhere)
{
	struct maui_plan_attempt a = { .p = p, .e = e, .search.span = { p->now, 0 } };

	e->too_much = false;
	if (!tried->set || tried->anywhere != anywhere || tried->window != p->backfill.window ||
	    tried->limit_s > limit_s || !maui_plan_has_limits(p, e))
		return false;
	if (!is_allowed(&a, &tried->least)) /* as nodes are given out, it only grows */
		return true;
	if (!tried->all || tried->taken != p->limits.taken)
		return false;
	for (uint32_t i = 0; i < tried->place_count; i++)
		if (is_allowed(&a, &tried->places[i]))
			return false;
	return e->too_much;
}

struct maui_plan_tried *maui_plan_begin_tried(struct maui_planner *p,
					      const struct maui_plan_entry *e, int64_t limit_s,
					      bool anywhere, struct maui_plan_tried *tried)
{
	/* the policy's choice, and two for each kind of cost */
	const size_t most = 1 + 2 * (p->snapshot->amount_count + 1u);
	struct maui_quantities *places = tried->places;

	if (!maui_plan_has_limits(p, e))
		return NULL;
	if (!places)
		places = maui_arena_alloc(&p->arena, most * sizeof(*places));
	if (!places)
		return NULL;
	*tried = (struct maui_plan_tried){ .set = true,
					   .anywhere = anywhere,
					   .window = p->backfill.window,
					   .limit_s = limit_s,
					   .taken = p->limits.taken,
					   .places = places };
	return tried;
}
