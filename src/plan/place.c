/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place.c - which nodes an entry would get, now or at the earliest later moment
 *
 * What did not fit once is not tried again for the same shape and the same or a longer time, until
 * nodes are given back.
 *
 * Rules: BF-15, THR-19.
 */

#include <stdlib.h>

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* The entry's shape with the access table that matters for a start now; in a backfill window, with
 * the table of the window's jobs. The entry has a shape already. NULL without memory. */
static struct maui_plan_shape *shape_now(struct maui_planner *p, struct maui_plan_entry *e,
					 bool anywhere)
{
	struct maui_plan_shape *own = anywhere ? maui_plan_least_shape(p, e) : e->shape;
	const struct maui_access_table *access = e->access;

	if (p->backfill.window)
		access = p->backfill.who ? p->backfill.who->access : NULL;
	if (!own || access == e->access)
		return own;
	return maui_plan_shape_variant(p, own->base ? own->base : own, access, own->shape.in_set);
}

/* The search for a place of the entry, in its pool. */
static struct maui_plan_attempt begin(struct maui_planner *p, struct maui_plan_entry *e,
				      const struct maui_shape *shape)
{
	const struct maui_plan_pool *pool = &p->pools.list[e->pool];

	return (struct maui_plan_attempt){ .search = { .timeline = &p->timeline,
						       .shape = shape,
						       .policy = e->rules->node_allocation,
						       .candidates = &p->candidates,
						       .nodes = pool->nodes,
						       .node_count = pool->node_count,
						       .closed = p->closed,
						       .backfill = &p->backfill },
					   .p = p,
					   .e = e,
					   .allowed_s = MAUI_NEVER };
}

/* ---- now ---- */

/* Begins an attempt now, with what open nodes take for this long. Returns the shape; NULL: the
 * entry cannot be placed. */
static struct maui_plan_shape *begin_now(struct maui_planner *p, struct maui_plan_entry *e,
					 int64_t limit_s, bool anywhere,
					 struct maui_plan_attempt *ret)
{
	struct maui_plan_shape *now = maui_plan_shape(p, e) ? shape_now(p, e, anywhere) : NULL;

	e->too_much = false;
	if (!now || maui_plan_has_failed(p) || now->shape.impossible || e->refused ||
	    (now->fails && limit_s >= now->fails_for_s) ||
	    maui_plan_is_refused(p, e, &now->tried, limit_s, anywhere))
		return NULL;
	if (p->pools.reopen)
		maui_plan_list_open_nodes(p);
	if (maui_fit_global(&p->timeline, &now->shape, p->now, limit_s) > p->now)
		return NULL;
	*ret = begin(p, e, &now->shape);
	maui_search_begin(&ret->search,
			  (struct maui_span){ p->now, maui_when_add(p->now, limit_s) });
	ret->search.sums.order_set = p->reservations.access && !anywhere;
	ret->anywhere = anywhere;
	ret->tried = maui_plan_begin_tried(p, e, limit_s, anywhere, &now->tried);
	if (now->shape.request->shares_procs && maui_plan_slurm_chooses(p, e) &&
	    !p->backfill.window)
		maui_plan_collect_shared(ret);
	else
		maui_plan_collect_open(ret);
	p->failed |= ret->search.failed;
	return now;
}

static void note_failure(const struct maui_plan_attempt *a, struct maui_plan_shape *now,
			 int64_t limit_s)
{
	if (a->e->too_much)
		return; /* noted in now->tried */
	now->fails = true;
	now->fails_for_s = limit_s;
}

uint32_t maui_plan_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	struct maui_plan_attempt attempt;
	struct maui_plan_shape *now = begin_now(p, e, limit_s, false, &attempt);
	uint32_t count = now ? maui_plan_take(&attempt) : 0;

	if (now && count == 0)
		note_failure(&attempt, now, limit_s);
	return count;
}

/* Whether the candidates have processors for the entry and for all starts of this plan for which
 * Slurm has yet to choose nodes. */
static bool has_room_besides(const struct maui_plan_attempt *a)
{
	const struct maui_planner *p = a->p;
	int64_t idle = 0;

	for (uint32_t i = 0; p->choosing.starts > 0 && i < a->search.sums.count; i++)
		idle += maui_search_idle_at(&p->timeline, p->candidates.list[i].node, p->now);
	return p->choosing.starts == 0 || p->choosing.procs + maui_plan_takes(p, a->e) <= idle;
}

/* The tasks of as many candidates as the job may have nodes: required ones, and those that take
 * most. -1 without memory. */
static int64_t most_tasks(const struct maui_plan_attempt *a)
{
	struct maui_planner *p = a->p;
	const struct maui_candidate *list = p->candidates.list;
	uint32_t nodes = a->search.shape->request->nodes_max, *counts;
	int64_t largest = 0, tasks = 0;

	if (nodes == 0 || a->search.sums.count <= nodes)
		return a->search.sums.tasks;
	for (uint32_t i = 0; i < a->search.sums.count; i++)
		largest = list[i].tasks > largest ? list[i].tasks : largest;
	counts = maui_arena_alloc(&p->arena, (size_t)(largest + 1) * sizeof(*counts));
	if (!counts)
		return -1;
	for (uint32_t i = 0; i < a->search.sums.count; i++) {
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

uint32_t maui_plan_place_anywhere(struct maui_planner *p, struct maui_plan_entry *e,
				  int64_t limit_s)
{
	struct maui_plan_attempt attempt;
	struct maui_plan_shape *now = begin_now(p, e, limit_s, true, &attempt);

	if (!now)
		return 0;
	if (!maui_fit_suffices(attempt.search.shape, attempt.search.sums.count,
			       most_tasks(&attempt)) ||
	    !maui_alloc_has_whole_job(attempt.search.shape, &p->timeline, p->now,
				      p->candidates.list, attempt.search.sums.count) ||
	    maui_plan_take(&attempt) == 0) {
		note_failure(&attempt, now, limit_s);
		return 0;
	}
	for (uint32_t i = 0; i < attempt.search.sums.count; i++)
		p->candidates.list[i].gives = p->candidates.list[i].tasks;
	return has_room_besides(&attempt) ? attempt.search.sums.count : 0;
}

uint32_t maui_plan_place_start(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	uint64_t before = p->limits.searches;
	uint32_t count;

	e->too_much = false;
	if (maui_plan_must_end(p, e) || e->busy)
		return 0;
	if (maui_plan_limits_spent(p, e)) {
		e->too_much = true;
		maui_plan_limits_unplace(p, e);
		return 0;
	}
	if (maui_plan_slurm_chooses(p, e)) {
		count = maui_plan_place_anywhere(p, e, limit_s);
		p->out->incomplete |= count == 0 && p->choosing.starts > 0;
	} else {
		count = maui_plan_place_now(p, e, limit_s);
	}
	if (e->too_much && p->limits.searches > before)
		maui_plan_limits_charge(p, e);
	return count;
}

/* ---- later ---- */

/* Takes nodes within the limits. Gives up after too many moments at which limits refuse them. */
static enum maui_fit_answer take_within_limits(struct maui_search *search)
{
	struct maui_plan_attempt *a = search->data;
	struct maui_planner *p = a->p;

	search->chosen = maui_plan_take(a);
	if (search->chosen > 0)
		return MAUI_FIT_CHOSEN;
	if (!a->e->too_much)
		return MAUI_FIT_NO;
	p->limits.moments++;
	return ++a->refused < MAUI_PLAN_MOMENTS && p->limits.moments < MAUI_PLAN_ALL_MOMENTS ?
		       MAUI_FIT_NO :
		       MAUI_FIT_GIVE_UP;
}

/* The first moment from then on; MAUI_NEVER. */
static int64_t search_from(struct maui_plan_attempt *a, int64_t from)
{
	int64_t start;

	a->search.chosen = 0;
	a->allowed_s = MAUI_NEVER;
	start = maui_search_earliest(&a->search, from, a->e->limit_s);
	a->p->failed |= start < 0;
	return start;
}

/* Before any node changes, limits may allow a place that they refused. */
static int64_t search_places(struct maui_plan_attempt *a, int64_t from)
{
	int64_t found = search_from(a, from);

	while (a->allowed_s < found && !maui_plan_has_failed(a->p)) {
		int64_t earlier = search_from(a, a->allowed_s);

		if (earlier > found) /* given up: the nodes of that moment again */
			return search_from(a, found);
		found = earlier;
	}
	return found;
}

static int64_t place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			   uint32_t *ret_count)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	struct maui_plan_attempt attempt;
	bool from_now = from <= p->now && !e->busy;
	int64_t start, bound;

	e->too_much = false;
	if (e->busy && from < e->busy_until_s)
		from = e->busy_until_s;

	if (!shape || shape->impossible || from == MAUI_NEVER || maui_plan_has_failed(p))
		return MAUI_NEVER;
	bound = maui_plan_bound(p, e);
	if (bound == MAUI_NEVER)
		return MAUI_NEVER;
	if (from < bound)
		from = bound;
	attempt = begin(p, e, shape);
	attempt.search.take = take_within_limits;
	attempt.search.data = &attempt;
	start = search_places(&attempt, from);
	if (maui_plan_has_failed(p))
		return MAUI_NEVER;
	if (from_now && attempt.refused == 0)
		maui_plan_note_bound(p, e, start);
	e->too_much = start == MAUI_NEVER && attempt.refused > 0;
	*ret_count = attempt.search.chosen;
	return start;
}

int64_t maui_plan_place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			      uint32_t *ret_count)
{
	int64_t start = place_later(p, e, from, ret_count);
	struct maui_plan_shape *demanding = e->shape;

	if (start == MAUI_NEVER && maui_plan_has_failed(p))
		return start; /* it may have no shape */
	if (!demanding->shape.in_set || start <= e->in_set_until_s)
		return start;
	e->shape = maui_plan_shape_variant(p, demanding->base, e->access, false);
	if (e->shape)
		start = place_later(p, e, from > e->in_set_until_s ? from : e->in_set_until_s,
				    ret_count);
	e->shape = demanding;
	return start;
}

int64_t maui_plan_earliest(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level, int64_t from, uint32_t *ret_count)
{
	enum maui_limit_level before = p->limits.level;
	int64_t allowed, when;

	p->limits.level = level;
	do {
		allowed = maui_plan_limits_when(p, e, level, from);
		when = maui_plan_place_later(p, e, allowed, ret_count);
		if (when == MAUI_NEVER || when == allowed)
			break;
		from = maui_plan_limits_when(p, e, level, when);
	} while (from != when);
	p->limits.level = before;
	return when;
}
