/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - which nodes an entry would get, now or at the earliest later moment
 *
 * What did not fit once is not tried again for the same shape and the same or a longer time, until
 * nodes are given back. What limits were asked about for a shape is judged anew for each further
 * job of it; only if they allow some of that, the job is placed anew.
 *
 * Limits are asked three times: about the least that the free nodes could give a job, which costs
 * little; about the nodes of the allocation policy; about the fewest and the smallest ones.
 *
 * Rules: BF-15, THR-19.
 */

#include <stdlib.h>

#include "plan/private.h"

/* The entry's shape with the access table that matters for a start now; in a backfill window, with
 * the table of the window's jobs. The entry has a shape already. NULL without memory. */
static struct maui_plan_shape *shape_now(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_plan_shape *base = e->shape->base ? e->shape->base : e->shape;
	const struct maui_access_table *access = e->access;

	if (p->backfill.window)
		access = p->backfill.who ? p->backfill.who->access : NULL;
	return access == e->access ?
		       e->shape :
		       maui_plan_shape_variant(p, base, access, e->shape->shape.in_set);
}

/* A search for nodes of an entry that could begin at one moment. */
struct attempt {
	struct maui_planner *p;
	struct maui_plan_entry *e;
	const struct maui_shape *shape;
	struct maui_span span;
	struct maui_plan_sums sums;    /* of the candidates */
	bool anywhere;                 /* Slurm is to choose among them */
	struct maui_plan_tried *tried; /* notes what limits are asked about; NULL: nothing does */
	uint32_t *looks;               /* for other nodes than the policy's, of MAUI_PLAN_LOOKS */
	int64_t allowed_s;             /* when limits first allow a place that they refused */
};

static bool has_enough(const struct attempt *a)
{
	return a->sums.required >= a->shape->request->required_count &&
	       maui_fit_suffices(a->shape, a->sums.count, a->sums.tasks);
}

/* Moves the chosen candidates to the front. Returns how many; 0: they do not suffice. */
static uint32_t choose_nodes(struct attempt *a)
{
	struct maui_planner *p = a->p;
	uint32_t count;

	if (!has_enough(a))
		return 0;
	if (!a->sums.order_set && a->sums.count > 1)
		maui_plan_order_candidates(p, a->e, a->shape, a->span, a->sums.count);
	a->sums.order_set = true;
	return maui_alloc_choose(a->shape, a->e->rules->node_allocation, p->candidates.list,
				 a->sums.count, &count) ?
		       count :
		       0;
}

/* ---- limits ---- */

/* Whether limits allow a place that holds this. Sets `too_much`. */
static bool is_allowed(struct attempt *a, const struct maui_quantities *holds)
{
	int64_t when;

	maui_plan_limits_place(a->p, a->e, holds);
	when = maui_plan_limits_when_placed(a->p, a->e, a->span.from);
	if (when > a->span.from && when < a->allowed_s)
		a->allowed_s = when;
	a->e->too_much = when != a->span.from;
	return !a->e->too_much;
}

/* Whether limits allow the first `count` candidates. Notes them as tried. */
static bool judge(struct attempt *a, uint32_t count)
{
	struct maui_quantities holds;

	if (!maui_plan_has_limits(a->p, a->e))
		return true;
	holds = a->anywhere ? maui_plan_quantities_anywhere(a->p, a->shape, count) :
			      maui_plan_quantities(a->p, a->shape, count);
	if (a->tried)
		a->tried->places[a->tried->place_count++] = holds;
	return is_allowed(a, &holds);
}

/* The nodes of the allocation policy, or all of which Slurm is to choose. Returns how many; 0: they
 * do not suffice, or limits do not allow them, and then `too_much` is set. */
static uint32_t take(struct attempt *a)
{
	uint32_t count = a->anywhere ? a->sums.count : choose_nodes(a);

	return count > 0 && judge(a, count) ? count : 0;
}

/* What makes a node cheap where limits refuse the nodes of the policy: many tasks, or little of an
 * amount of which the job gets all. */
enum { MANY_TASKS = -1 };

static int next_cost(const struct attempt *a, int last)
{
	const int amounts = (int)a->p->snapshot->amount_count;
	int next = last + 1;

	while (next < amounts && !maui_shape_gets_all(a->shape, (unsigned)next))
		next++;
	return next;
}

static void set_costs(const struct attempt *a, int what)
{
	struct maui_candidate *list = a->p->candidates.list;
	const struct maui_node *nodes = a->p->snapshot->nodes;

	for (uint32_t i = 0; i < a->sums.count; i++)
		list[i].cost = what == MANY_TASKS ? -list[i].tasks : nodes[list[i].node].have[what];
}

/* Keeps the candidates of at most this cost, and those that the job requires. */
static void keep_cheap(struct attempt *a, int64_t most, uint32_t all)
{
	struct maui_candidate *list = a->p->candidates.list;

	a->sums.count = 0;
	a->sums.tasks = 0;
	for (uint32_t i = 0; i < all; i++) {
		const struct maui_candidate candidate = list[i];

		if (candidate.cost > most && !candidate.required)
			continue;
		list[i] = list[a->sums.count];
		list[a->sums.count++] = candidate;
		a->sums.tasks += candidate.tasks;
	}
}

static int by_number(const void *a, const void *b)
{
	const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

	return (one > other) - (one < other);
}

/* Chooses among all nodes up to some cost, the lowest one at which there is a choice: nodes that
 * have to lie together are not found one by one. */
static uint32_t take_up_to_cost(struct attempt *a)
{
	struct maui_planner *p = a->p;
	uint32_t all = a->sums.count, fails = 0, serves = all;
	int64_t *costs = maui_arena_alloc(&p->arena, (all + 1u) * sizeof(*costs));

	if (!costs) {
		p->failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < all; i++)
		costs[i + 1] = p->candidates.list[i].cost;
	qsort(&costs[1], all, sizeof(*costs), by_number);
	while (serves - fails > 1) {
		uint32_t middle = fails + (serves - fails) / 2;

		keep_cheap(a, costs[middle], all);
		++*a->looks;
		if (choose_nodes(a) > 0)
			serves = middle;
		else
			fails = middle;
	}
	keep_cheap(a, costs[serves], all);
	return take(a);
}

/* The cheapest nodes that suffice. Returns how many; 0: limits do not allow them either. */
static uint32_t take_cheap(struct attempt *a, int what)
{
	uint32_t count;

	set_costs(a, what);
	++*a->looks;
	count = choose_nodes(a);
	if (count > 0 && judge(a, count)) {
		a->sums.count = count;
		return count;
	}
	return maui_alloc_is_bound(a->shape) ? take_up_to_cost(a) : 0;
}

/* Whether limits allow the least of each quantity that the candidates could hold. */
static bool may_be_allowed(struct attempt *a)
{
	struct maui_quantities least;

	if (!maui_plan_has_limits(a->p, a->e))
		return true;
	least = maui_plan_quantities_least(a->p, a->shape, a->sums.count);
	if (a->tried)
		a->tried->least = least;
	return is_allowed(a, &least);
}

/* Takes nodes that limits allow: those of the policy, or else the fewest, or else those with least
 * of an amount. `e->too_much`: there are nodes, but limits allow none of these. */
static uint32_t take_within_limits(struct attempt *a)
{
	const int amounts = (int)a->p->snapshot->amount_count;
	const struct maui_plan_sums all = a->sums;
	uint32_t count;

	a->e->too_much = false;
	if (!has_enough(a) || !may_be_allowed(a))
		return 0;
	count = take(a);
	for (int what = MANY_TASKS; a->e->too_much && what < amounts && *a->looks < MAUI_PLAN_LOOKS;
	     what = next_cost(a, what)) {
		a->sums.count = all.count;
		a->sums.tasks = all.tasks;
		count = take_cheap(a, what);
		a->e->too_much = count == 0;
	}
	if (a->tried)
		a->tried->all = a->e->too_much;
	return count;
}

/* Whether limits refuse all places that were tried for another job of this shape, or the least of
 * them. As nodes are given out, places only get larger. Sets `too_much`. */
static bool is_refused(struct maui_planner *p, struct maui_plan_entry *e,
		       const struct maui_plan_tried *tried, int64_t limit_s, bool anywhere)
{
	struct attempt a = { .p = p, .e = e, .span = { p->now, 0 } };

	e->too_much = false;
	if (!tried->set || tried->anywhere != anywhere || tried->window != p->backfill.window ||
	    tried->limit_s > limit_s || !maui_plan_has_limits(p, e))
		return false;
	if (!is_allowed(&a, &tried->least))
		return true;
	for (uint32_t i = 0; tried->all && i < tried->place_count; i++)
		if (is_allowed(&a, &tried->places[i]))
			return false;
	return e->too_much;
}

/* Begins to note what is tried. NULL: the entry has no limits. */
static struct maui_plan_tried *begin_tried(struct maui_planner *p, const struct maui_plan_entry *e,
					   int64_t limit_s, bool anywhere,
					   struct maui_plan_tried *tried)
{
	/* the policy's choice, and two for each kind of cost */
	const size_t most = 1 + 2 * (p->snapshot->amount_count + 1u);
	struct maui_quantities *places = tried->places;

	if (!maui_plan_has_limits(p, e))
		return NULL;
	if (!places)
		places = maui_arena_alloc(&p->arena, most * sizeof(*places));
	if (!places) {
		p->failed = true;
		return NULL;
	}
	*tried = (struct maui_plan_tried){ .set = true,
					   .anywhere = anywhere,
					   .window = p->backfill.window,
					   .limit_s = limit_s,
					   .places = places };
	return tried;
}

/* ---- now ---- */

/* Begins an attempt now, with what open nodes take for this long. Returns the shape; NULL: the
 * entry cannot be placed. */
static struct maui_plan_shape *begin_now(struct maui_planner *p, struct maui_plan_entry *e,
					 int64_t limit_s, bool anywhere, struct attempt *ret)
{
	struct maui_plan_shape *now = maui_plan_shape(p, e) ? shape_now(p, e) : NULL;

	e->too_much = false;
	if (!now || now->shape.impossible || e->refused ||
	    (now->fails && limit_s >= now->fails_for_s) ||
	    is_refused(p, e, &now->tried, limit_s, anywhere))
		return NULL;
	if (p->pools.reopen)
		maui_plan_list_open_nodes(p);
	if (maui_fit_global(&p->timeline, &now->shape, p->now, limit_s) > p->now)
		return NULL;
	*ret = (struct attempt){
		.p = p,
		.e = e,
		.shape = &now->shape,
		.span = { p->now, maui_when_add(p->now, limit_s) },
		.sums = { .order_set = p->reservations.access && !anywhere,
			  .last = MAUI_PLAN_NONE },
		.anywhere = anywhere,
		.looks = &p->limits.looks_now,
		.allowed_s = MAUI_NEVER,
		.tried = begin_tried(p, e, limit_s, anywhere, &now->tried),
	};
	if (now->shape.request->shares_procs && maui_plan_slurm_chooses(p, e) &&
	    !p->backfill.window)
		maui_plan_collect_shared(p, e, &now->shape, ret->span, &ret->sums);
	else
		maui_plan_collect_open(p, e, &now->shape, ret->span, &ret->sums);
	return now;
}

static void note_failure(const struct attempt *a, struct maui_plan_shape *now, int64_t limit_s)
{
	if (a->e->too_much)
		return; /* noted in now->tried */
	now->fails = true;
	now->fails_for_s = limit_s;
}

uint32_t maui_plan_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	struct attempt attempt;
	struct maui_plan_shape *now = begin_now(p, e, limit_s, false, &attempt);
	uint32_t count = now ? take_within_limits(&attempt) : 0;

	if (now && count == 0)
		note_failure(&attempt, now, limit_s);
	return count;
}

/* Whether the candidates have processors for the entry and for all starts of this plan for which
 * Slurm has yet to choose nodes. */
static bool has_room_besides(const struct attempt *a)
{
	const struct maui_planner *p = a->p;
	int64_t idle = 0;

	for (uint32_t i = 0; p->choosing.starts > 0 && i < a->sums.count; i++)
		idle += maui_plan_idle_at(p, p->candidates.list[i].node, p->now);
	return p->choosing.starts == 0 || p->choosing.procs + maui_plan_takes(p, a->e) <= idle;
}

/* The tasks of as many candidates as the job may have nodes: required ones, and those that take
 * most. -1 without memory. */
static int64_t most_tasks(const struct attempt *a)
{
	struct maui_planner *p = a->p;
	const struct maui_candidate *list = p->candidates.list;
	uint32_t nodes = a->shape->request->nodes_max, *counts;
	int64_t largest = 0, tasks = 0;

	if (nodes == 0 || a->sums.count <= nodes)
		return a->sums.tasks;
	for (uint32_t i = 0; i < a->sums.count; i++)
		largest = list[i].tasks > largest ? list[i].tasks : largest;
	counts = maui_arena_alloc(&p->arena, (size_t)(largest + 1) * sizeof(*counts));
	if (!counts) {
		p->failed = true;
		return -1;
	}
	for (uint32_t i = 0; i < a->sums.count; i++) {
		if (list[i].required && nodes > 0) {
			tasks += list[i].tasks;
			nodes--;
		} else {
			counts[list[i].tasks]++;
		}
	}
	for (int64_t t = largest; t > 0 && nodes > 0; t--) {
		uint32_t taken = counts[t] < nodes ? counts[t] : nodes;

		tasks += t * taken;
		nodes -= taken;
	}
	return tasks;
}

/* Leaves all candidates, from which Slurm is to choose. Returns how many. */
static uint32_t place_anywhere(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	struct attempt attempt;
	struct maui_plan_shape *now = begin_now(p, e, limit_s, true, &attempt);

	if (!now)
		return 0;
	if (!maui_fit_suffices(attempt.shape, attempt.sums.count, most_tasks(&attempt)) ||
	    take_within_limits(&attempt) == 0) {
		note_failure(&attempt, now, limit_s);
		return 0;
	}
	for (uint32_t i = 0; i < attempt.sums.count; i++)
		p->candidates.list[i].gives = p->candidates.list[i].tasks;
	return has_room_besides(&attempt) ? attempt.sums.count : 0;
}

uint32_t maui_plan_place_start(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	uint32_t count;

	e->too_much = false;
	if (maui_plan_must_end(p, e) || e->busy)
		return 0;
	if (!maui_plan_slurm_chooses(p, e))
		return maui_plan_place_now(p, e, limit_s);
	count = place_anywhere(p, e, limit_s);
	p->out->incomplete |= count == 0 && p->choosing.starts > 0;
	return count;
}

/* ---- later ---- */

struct search {
	struct maui_planner *p;
	struct maui_plan_entry *e;
	uint32_t count;    /* nodes at the moment that was found */
	uint32_t refused;  /* moments at which limits did not allow the place */
	int64_t allowed_s; /* when they first allow one of these places */
};

static enum maui_fit_answer place_at(void *data, int64_t start_s, const struct maui_fit_node *nodes,
				     size_t count)
{
	struct search *search = data;
	struct maui_planner *p = search->p;
	const struct maui_plan_pool *pool = &p->pools.list[search->e->pool];
	const struct maui_shape *shape = &search->e->shape->shape;
	struct attempt a = {
		.p = p,
		.e = search->e,
		.shape = shape,
		.span = { start_s, maui_when_add(start_s, search->e->limit_s) },
		.sums = { .last = MAUI_PLAN_NONE },
		.looks = &p->limits.looks_later,
		.allowed_s = search->allowed_s,
	};

	for (size_t i = 0; i < count; i++)
		if (nodes[i].next == start_s && !maui_plan_is_closed(p, nodes[i].node))
			maui_plan_add_candidate(
				p, nodes[i].node,
				shape->needs[p->timeline.class_of[nodes[i].node]].most,
				nodes[i].required, &a.sums);
	for (uint32_t i = 0; !nodes && i < pool->node_count; i++)
		maui_plan_collect_node(p, search->e, shape, pool->nodes[i], a.span, &a.sums);
	search->count = take_within_limits(&a);
	search->allowed_s = a.allowed_s;
	if (search->count > 0)
		return MAUI_FIT_CHOSEN;
	if (!search->e->too_much)
		return MAUI_FIT_NO;
	++*a.looks;
	return ++search->refused < MAUI_PLAN_REFUSALS && *a.looks < MAUI_PLAN_LOOKS ?
		       MAUI_FIT_NO :
		       MAUI_FIT_GIVE_UP;
}

/* The first moment from then on; MAUI_NEVER. */
static int64_t search_from(struct search *search, int64_t from)
{
	struct maui_planner *p = search->p;
	int64_t start;

	search->count = 0;
	search->allowed_s = MAUI_NEVER;
	start = maui_fit_earliest(&p->timeline, &search->e->shape->shape, from, search->e->limit_s,
				  place_at, search);
	p->failed |= start < 0;
	return start;
}

/* Before any node changes, limits may allow a place that they refused. */
static int64_t search_places(struct search *search, int64_t from)
{
	int64_t found = search_from(search, from);

	while (search->allowed_s < found && !search->p->failed) {
		int64_t earlier = search_from(search, search->allowed_s);

		if (earlier > found) /* given up: the nodes of that moment again */
			return search_from(search, found);
		found = earlier;
	}
	return found;
}

static int64_t place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			   uint32_t *ret_count)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	struct search search = { .p = p, .e = e };
	bool from_now = from <= p->now && !e->busy;
	int64_t start, bound;

	e->too_much = false;
	if (e->busy && from < maui_plan_job(p, e)->busy_until_s)
		from = maui_plan_job(p, e)->busy_until_s;

	if (!shape || shape->impossible || from == MAUI_NEVER)
		return MAUI_NEVER;
	bound = maui_plan_bound(p, e);
	if (bound == MAUI_NEVER)
		return MAUI_NEVER;
	if (from < bound)
		from = bound;
	start = search_places(&search, from);
	if (p->failed)
		return MAUI_NEVER;
	if (from_now && search.refused == 0)
		maui_plan_note_bound(p, e, start);
	e->too_much = start == MAUI_NEVER && search.refused > 0;
	*ret_count = search.count;
	return start;
}

int64_t maui_plan_place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			      uint32_t *ret_count)
{
	int64_t start = place_later(p, e, from, ret_count);
	struct maui_plan_shape *demanding = e->shape;

	if (p->failed || !demanding->shape.in_set || start <= e->in_set_until_s)
		return start;
	e->shape = maui_plan_shape_variant(p, demanding->base, e->access, false);
	if (e->shape)
		start = place_later(p, e, from > e->in_set_until_s ? from : e->in_set_until_s,
				    ret_count);
	e->shape = demanding;
	return start;
}
