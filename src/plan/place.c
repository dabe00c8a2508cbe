/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - which nodes an entry would get, now or at the earliest later moment
 *
 * What did not fit once is not tried again for the same shape and the same or a longer time, until
 * nodes are given back. What limits did not allow is not tried again until limits are freed.
 *
 * Rules: BF-15, THR-1.
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

/* Moves the chosen candidates to the front. Returns how many; 0: they do not suffice. */
static uint32_t choose_nodes(struct maui_planner *p, const struct maui_plan_entry *e,
			     const struct maui_shape *shape, struct maui_span span,
			     const struct maui_plan_sums *sums)
{
	uint32_t count;

	if (sums->required < shape->request->required_count ||
	    !maui_fit_suffices(shape, sums->count, sums->tasks))
		return 0;
	if (!sums->order_set && sums->count > 1)
		maui_plan_order_candidates(p, e, shape, span, sums->count);
	return maui_alloc_choose(shape, e->rules->node_allocation, p->candidates.list, sums->count,
				 &count) ?
		       count :
		       0;
}

/* ---- limits ---- */

/* The order in which candidates are kept while limits want less: those first that take most tasks,
 * or have least of an amount. */
struct keep_order {
	const struct maui_node *nodes;
	int least; /* amount; MOST_TASKS */
};

enum { MOST_TASKS = -1 };

static int by_order(const void *a, const void *b, void *data)
{
	const struct maui_candidate *one = a, *other = b;
	const struct keep_order *order = data;
	int64_t first = other->tasks, second = one->tasks;

	if (order->least != MOST_TASKS) {
		first = order->nodes[one->node].have[order->least];
		second = order->nodes[other->node].have[order->least];
	}
	if (one->required != other->required)
		return one->required ? -1 : 1;
	if (first != second)
		return first < second ? -1 : 1;
	return one->node < other->node ? -1 : 1;
}

/* Whether less of an amount can help where limits refuse a place. */
static bool can_help(const struct maui_planner *p, const struct maui_plan_entry *e,
		     const struct maui_shape *shape, unsigned d)
{
	return d == MAUI_AMOUNT_PROCS ||
	       (maui_shape_gets_all(shape, d) && maui_plan_limits_weigh(p, e, d));
}

/* The next order that may help. */
static int next_order(const struct maui_planner *p, const struct maui_plan_entry *e,
		      const struct maui_shape *shape, int last)
{
	int next = last + 1;

	while (next < (int)p->snapshot->amount_count && !can_help(p, e, shape, (unsigned)next))
		next++;
	return next;
}

/* Keeps only as many candidates as hold the job, and those that it requires. */
static void keep_fewest(struct maui_planner *p, const struct maui_shape *shape, int least,
			struct maui_plan_sums *sums)
{
	struct keep_order order = { p->snapshot->nodes, least };
	uint32_t all = sums->count;

	qsort_r(p->candidates.list, all, sizeof(*p->candidates.list), by_order, &order);
	sums->count = 0;
	sums->tasks = 0;
	while (sums->count < all && (sums->count < shape->request->required_count ||
				     !maui_fit_suffices(shape, sums->count, sums->tasks)))
		sums->tasks += p->candidates.list[sums->count++].tasks;
}

/* How many refused places of one set of credentials are judged. */
static uint32_t most_refusals(const struct maui_planner *p)
{
	return p->limits.refusals < MAUI_PLAN_ALL_REFUSALS ? MAUI_PLAN_REFUSALS : 1;
}

/* Whether no place is looked for now, because limits refuse it, or have refused too many. Sets
 * `too_much`. */
static bool is_refused(struct maui_planner *p, struct maui_plan_entry *e,
		       const struct maui_plan_refusal *last, int64_t limit_s)
{
	bool again = last->set && last->level == p->limits.level && last->creds == e->creds &&
		     last->freed == p->limits.freed && last->window == p->backfill.window &&
		     last->limit_s <= limit_s;

	e->too_much = p->limits.of_entry && !e->forced &&
		      (again || maui_plan_creds(p, e->creds)->refusals_now >= most_refusals(p));
	if (e->too_much)
		maui_plan_limits_unplace(p, e);
	return e->too_much;
}

static void note_refusal(struct maui_planner *p, const struct maui_plan_entry *e,
			 struct maui_plan_refusal *ret, int64_t limit_s)
{
	p->creds.list[e->creds].refusals_now++;
	p->limits.refusals++;
	*ret = (struct maui_plan_refusal){ .set = true,
					   .level = p->limits.level,
					   .creds = e->creds,
					   .freed = p->limits.freed,
					   .window = p->backfill.window,
					   .limit_s = limit_s };
}

/* Takes nodes out of the candidates. Returns how many, 0 if they do not suffice; sets `too_much` if
 * limits do not allow them. */
typedef uint32_t (*take_fn)(struct maui_planner *p, struct maui_plan_entry *e,
			    const struct maui_shape *shape, struct maui_span span,
			    struct maui_plan_sums *sums);

/* Those of the allocation policy, with the tasks that each gives. */
static uint32_t take_chosen(struct maui_planner *p, struct maui_plan_entry *e,
			    const struct maui_shape *shape, struct maui_span span,
			    struct maui_plan_sums *sums)
{
	uint32_t count = choose_nodes(p, e, shape, span, sums);
	int64_t when;

	e->too_much = false;
	if (count == 0)
		return 0;
	maui_plan_limits_place(p, e, shape, count);
	when = maui_plan_limits_when_placed(p, e, span.from);
	if (when > span.from && when < p->limits.allowed_s)
		p->limits.allowed_s = when;
	e->too_much = when != span.from;
	return count;
}

/* All of them, of which Slurm is to choose: whatever it takes. */
static uint32_t take_all(struct maui_planner *p, struct maui_plan_entry *e,
			 const struct maui_shape *shape, struct maui_span span,
			 struct maui_plan_sums *sums)
{
	maui_plan_limits_place_anywhere(p, e, shape, sums->count);
	e->too_much = maui_plan_limits_when_placed(p, e, span.from) != span.from;
	return sums->count;
}

/* Takes nodes that limits allow: of all candidates, or else of the fewest, or else of those with
 * least of an amount. `e->too_much`: there are nodes, but limits allow none of these. */
static uint32_t take_within_limits(struct maui_planner *p, struct maui_plan_entry *e,
				   const struct maui_shape *shape, struct maui_span span,
				   struct maui_plan_sums *sums, take_fn take)
{
	uint32_t count = take(p, e, shape, span, sums);
	const int amounts = (int)p->snapshot->amount_count;
	struct maui_plan_sums all = *sums;

	for (int order = MOST_TASKS; e->too_much && order < amounts;
	     order = next_order(p, e, shape, order)) {
		*sums = all;
		keep_fewest(p, shape, order, sums);
		count = take(p, e, shape, span, sums);
		e->too_much |= count == 0;
	}
	return e->too_much ? 0 : count;
}

/* Collects what open nodes take for this long from now. Returns the shape; NULL: the entry cannot
 * be placed. */
static struct maui_plan_shape *collect_now(struct maui_planner *p, struct maui_plan_entry *e,
					   int64_t limit_s, struct maui_plan_sums *sums)
{
	struct maui_plan_shape *now = maui_plan_shape(p, e) ? shape_now(p, e) : NULL;
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };

	e->too_much = false;
	if (!now || now->shape.impossible || e->refused ||
	    (now->fails && limit_s >= now->fails_for_s) || is_refused(p, e, &now->refusal, limit_s))
		return NULL;
	if (p->pools.reopen)
		maui_plan_list_open_nodes(p);
	if (maui_fit_global(&p->timeline, &now->shape, p->now, limit_s) > p->now)
		return NULL;
	if (now->shape.request->shares_procs && maui_plan_slurm_chooses(p, e) &&
	    !p->backfill.window)
		maui_plan_collect_shared(p, e, &now->shape, span, sums);
	else
		maui_plan_collect_open(p, e, &now->shape, span, sums);
	return now;
}

static void note_failure(struct maui_plan_shape *now, int64_t limit_s)
{
	now->fails = true;
	now->fails_for_s = limit_s;
}

uint32_t maui_plan_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };
	struct maui_plan_sums sums = { .order_set = p->reservations.access,
				       .last = MAUI_PLAN_NONE };
	struct maui_plan_shape *now = collect_now(p, e, limit_s, &sums);
	uint32_t count;

	if (!now)
		return 0;
	count = take_within_limits(p, e, &now->shape, span, &sums, take_chosen);
	if (e->too_much)
		note_refusal(p, e, &now->refusal, limit_s);
	else if (count == 0)
		note_failure(now, limit_s);
	return count;
}

/* Whether the candidates have processors for the entry and for all starts of this plan for which
 * Slurm has yet to choose nodes. */
static bool has_room_besides(const struct maui_planner *p, const struct maui_plan_entry *e,
			     uint32_t count)
{
	int64_t idle = 0;

	for (uint32_t i = 0; p->choosing.starts > 0 && i < count; i++)
		idle += maui_plan_idle_at(p, p->candidates.list[i].node, p->now);
	return p->choosing.starts == 0 || p->choosing.procs + maui_plan_takes(p, e) <= idle;
}

/* The tasks of as many candidates as the job may have nodes: required ones, and those that take
 * most. -1 without memory. */
static int64_t most_tasks(struct maui_planner *p, const struct maui_request *request,
			  const struct maui_plan_sums *sums)
{
	const struct maui_candidate *list = p->candidates.list;
	uint32_t nodes = request->nodes_max, *counts;
	int64_t largest = 0, tasks = 0;

	if (nodes == 0 || sums->count <= nodes)
		return sums->tasks;
	for (uint32_t i = 0; i < sums->count; i++)
		largest = list[i].tasks > largest ? list[i].tasks : largest;
	counts = maui_arena_alloc(&p->arena, (size_t)(largest + 1) * sizeof(*counts));
	if (!counts) {
		p->failed = true;
		return -1;
	}
	for (uint32_t i = 0; i < sums->count; i++) {
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
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };
	struct maui_plan_sums sums = { .last = MAUI_PLAN_NONE };
	struct maui_plan_shape *now = collect_now(p, e, limit_s, &sums);

	if (!now)
		return 0;
	if (sums.required < now->shape.request->required_count ||
	    !maui_fit_suffices(&now->shape, sums.count, most_tasks(p, now->shape.request, &sums))) {
		note_failure(now, limit_s);
		return 0;
	}
	if (take_within_limits(p, e, &now->shape, span, &sums, take_all) == 0) {
		note_refusal(p, e, &now->refusal, limit_s);
		return 0;
	}
	for (uint32_t i = 0; i < sums.count; i++)
		p->candidates.list[i].gives = p->candidates.list[i].tasks;
	return has_room_besides(p, e, sums.count) ? sums.count : 0;
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

struct search {
	struct maui_planner *p;
	struct maui_plan_entry *e;
	uint32_t count;
	bool too_much; /* limits did not allow some place */
	bool known;    /* there is a place at the first moment */
};

static bool place_at(void *data, int64_t start_s, const struct maui_fit_node *nodes, size_t count)
{
	struct search *search = data;
	struct maui_planner *p = search->p;
	const struct maui_plan_pool *pool = &p->pools.list[search->e->pool];
	const struct maui_shape *shape = &search->e->shape->shape;
	const struct maui_span span = { start_s, maui_when_add(start_s, search->e->limit_s) };
	struct maui_plan_sums sums = { .last = MAUI_PLAN_NONE };

	if (search->too_much && !search->known &&
	    p->creds.list[search->e->creds].refusals_later >= most_refusals(p))
		return true; /* at no moment */
	for (size_t i = 0; i < count; i++)
		if (nodes[i].next == start_s && !maui_plan_is_closed(p, nodes[i].node))
			maui_plan_add_candidate(
				p, nodes[i].node,
				shape->needs[p->timeline.class_of[nodes[i].node]].most,
				nodes[i].required, &sums);
	for (uint32_t i = 0; !nodes && i < pool->node_count; i++)
		maui_plan_collect_node(p, search->e, shape, pool->nodes[i], span, &sums);
	search->count = take_within_limits(p, search->e, shape, span, &sums, take_chosen);
	search->too_much |= search->e->too_much;
	p->creds.list[search->e->creds].refusals_later += search->e->too_much;
	p->limits.refusals += search->e->too_much;
	return search->count > 0;
}

/* The first moment from then on; MAUI_NEVER. */
static int64_t search_from(struct search *search, int64_t from)
{
	struct maui_planner *p = search->p;
	int64_t start;

	search->count = 0;
	start = maui_fit_earliest(&p->timeline, &search->e->shape->shape, from, search->e->limit_s,
				  place_at, search);
	p->failed |= start < 0;
	return start >= 0 && search->count > 0 ? start : MAUI_NEVER;
}

/* Limits may allow a place that they refused before any node changes. */
static int64_t search_places(struct search *search, int64_t from)
{
	struct maui_planner *p = search->p;
	int64_t found = MAUI_NEVER, start;

	do {
		p->limits.allowed_s = MAUI_NEVER;
		start = search_from(search, from);
		if (start > found) { /* the search was given up */
			search->known = true;
			return search_from(search, found);
		}
		found = start;
		from = p->limits.allowed_s;
	} while (from < found && !p->failed);
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
	if (from_now && !search.too_much)
		maui_plan_note_bound(p, e, start);
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
