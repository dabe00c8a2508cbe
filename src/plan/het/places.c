/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.c - places all components of a het job at one moment: starts, and job reservations
 *
 * Rules: HET-1, HET-2.
 */

#include "plan/het/components.h"

#include <string.h>

#include "plan/placing.h"

/* At most so many components are placed for a reservation, at one moment after another, and so many
 * in a plan: neither a job of 128 components, Slurm's limit, nor many het jobs of one user may take
 * the time of all other jobs. */
enum { PLACEMENTS_MOST = 1000, MOMENTS_LEAST = 8, ALL_PLACEMENTS_MOST = 10000 };

/* So many orders of the components are tried at one moment. */
enum { ORDERS_MOST = 4 };

/* An attempt to place all components. */
struct attempt {
	enum maui_limit_level level;
	int64_t when;
	bool now_only;   /* only what may start now */
	bool as_counted; /* each component in the row that limits count */
};

/* ---- placing all components at one moment ---- */

static void close_nodes(struct maui_planner *p, const struct maui_het_component *c, bool close)
{
	for (uint32_t i = 0; i < c->place_count; i++)
		p->closed[c->places[i].node] = close;
}

/* Takes back the places of the components that were placed first. */
static void undo(struct maui_planner *p, const struct maui_plan_het *het, uint32_t count)
{
	while (count-- > 0) {
		struct maui_het_component *c = het->order[count];

		close_nodes(p, c, false);
		maui_plan_release(p, c->chosen);
	}
}

/* When the next running job ends after a moment. */
static int64_t next_end(const struct maui_planner *p, int64_t when)
{
	const struct maui_snapshot *s = p->snapshot;
	int64_t next = MAUI_NEVER;

	for (uint32_t i = 0; i < s->active_count; i++)
		if (s->active[i].end_s > when && s->active[i].end_s < next)
			next = s->active[i].end_s;
	return next;
}

/* When the component could start in this row, from the attempt's moment on; MAUI_NEVER. Leaves the
 * candidates. */
static int64_t earliest_in(struct maui_planner *p, struct maui_plan_entry *e,
			   const struct attempt *attempt, uint32_t *ret_count)
{
	/* alone it may run: together with the others in their places it exceeds a limit; they may
	 * have other places when more nodes are free */
	e->too_much = !maui_plan_is_within_limits(p, e, attempt->level);
	if (e->too_much) {
		maui_plan_limits_unplace(p, e);
		return next_end(p, attempt->when);
	}
	if (!attempt->now_only)
		return maui_plan_earliest(p, e, attempt->level, attempt->when, ret_count);
	e->too_much = !maui_plan_limits_allow_start(p, e, attempt->level);
	if (e->busy || e->too_much)
		return MAUI_NEVER;
	*ret_count = maui_plan_place_now(p, e, e->limit_s);
	return *ret_count > 0 ? p->now : MAUI_NEVER;
}

/* Reserves nodes for the component at the attempt's moment. If it does not fit, *ret_next is the
 * first later moment at which it might. Sets `refused` where limits first refuse a place. */
static bool place_component(struct maui_planner *p, struct maui_het_component *c,
			    const struct attempt *attempt, int64_t *ret_next,
			    struct maui_het_refused *refused)
{
	*ret_next = MAUI_NEVER;
	c->chosen = NULL;
	p->hets.placements++;
	for (uint32_t r = 0; r < c->row_count; r++) {
		uint32_t count = 0;
		int64_t first;
		struct maui_reservation *rsv;

		if (attempt->as_counted && c->rows[r] != c->counted)
			continue;
		first = earliest_in(p, c->rows[r], attempt, &count);
		if (c->rows[r]->too_much && !refused->row)
			*refused = (struct maui_het_refused){
				c, c->rows[r],
				maui_plan_list_violations(p, c->rows[r], MAUI_LIMIT_HARD)
			};
		if (first != attempt->when) {
			*ret_next = first < *ret_next ? first : *ret_next;
			continue;
		}
		rsv = maui_plan_reserve(p, c->rows[r], count, first);
		if (!rsv)
			return false;
		c->chosen = c->rows[r];
		c->places = rsv->places;
		c->place_count = rsv->place_count;
		close_nodes(p, c, true);
		return true;
	}
	return false;
}

/* Returns how many were placed; if not all, their places are taken back. */
static uint32_t place_in_order(struct maui_planner *p, struct maui_plan_het *het,
			       const struct attempt *attempt, int64_t *ret_next)
{
	uint32_t placed = 0;

	while (placed < het->count &&
	       place_component(p, het->order[placed], attempt, ret_next, &het->refused))
		placed++;
	if (placed < het->count)
		undo(p, het, placed);
	for (uint32_t k = 0; placed == het->count && k < placed; k++)
		close_nodes(p, het->order[k], false);
	p->epoch += placed > 0; /* what did not fit beside the others may fit */
	return placed;
}

static void move_to_front(struct maui_plan_het *het, uint32_t at)
{
	struct maui_het_component *first = het->order[at];

	memmove(&het->order[1], &het->order[0], at * sizeof(*het->order));
	het->order[0] = first;
}

/* Places one after the other. One that finds no nodes beside those before it has the first choice
 * in the next try. */
static bool place_all(struct maui_planner *p, struct maui_plan_het *het,
		      const struct attempt *attempt, int64_t *ret_next)
{
	int64_t next = MAUI_NEVER;

	*ret_next = MAUI_NEVER;
	for (unsigned tries = 0; tries < ORDERS_MOST && !maui_plan_has_failed(p); tries++) {
		uint32_t placed = place_in_order(p, het, attempt, &next);

		if (placed == het->count)
			return true;
		*ret_next = next < *ret_next ? next : *ret_next;
		if (placed == 0)
			break;
		move_to_front(het, placed);
	}
	return false;
}

/* Whether limits may keep a component out because of the row that another one takes. */
static bool limits_decide(const struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; p->limits.of_entry && k < het->count; k++)
		if (het->components[k].admitted > 1)
			return true;
	return false;
}

/* Places each component in its first row that has room. A component that passes over a full row for
 * another one can leave a later component without a row within limits; then places all in the rows
 * that limits count, which never happens there. are_allowed() was called before. */
static bool place_somewhere(struct maui_planner *p, struct maui_plan_het *het,
			    struct attempt attempt, int64_t *ret_next)
{
	int64_t next = MAUI_NEVER;
	bool placed = place_all(p, het, &attempt, ret_next);

	if (placed || !limits_decide(p, het))
		return placed;
	attempt.as_counted = true;
	placed = place_all(p, het, &attempt, &next);
	*ret_next = next < *ret_next ? next : *ret_next;
	return placed;
}

/* ---- starts and job reservations ---- */

/* Leaves the places of the component as candidates. */
static uint32_t list_places(struct maui_planner *p, const struct maui_het_component *c)
{
	const struct maui_shape *shape = &c->chosen->shape->shape;
	int64_t until = maui_when_add(p->now, c->chosen->limit_s);

	for (uint32_t i = 0; i < c->place_count; i++) {
		struct maui_candidate *candidate = maui_plan_candidate(p, i);

		if (!candidate)
			return 0;
		*candidate = (struct maui_candidate){
			.node = c->places[i].node,
			.gives = c->places[i].tasks,
			.tasks = maui_fit_tasks(&p->timeline, shape, c->places[i].node, p->now,
						until),
		};
	}
	return c->place_count;
}

/* Closes the places of the components for which the plan chooses the nodes to all others. */
static void close_chosen(struct maui_planner *p, const struct maui_plan_het *het, bool close)
{
	for (uint32_t k = 0; k < het->count; k++)
		if (!maui_plan_slurm_chooses(p, het->components[k].chosen))
			close_nodes(p, &het->components[k], close);
}

/* Starts the component on the nodes on which it was placed, or on those among all on which it may
 * run that Slurm will choose. */
static void start_component(struct maui_planner *p, const struct maui_het_component *c)
{
	struct maui_plan_entry *e = c->chosen;
	uint32_t count = 0;

	if (maui_plan_slurm_chooses(p, e))
		count = maui_plan_place_anywhere(p, e, e->limit_s);
	if (count == 0)
		count = list_places(p, c);
	if (count > 0)
		maui_plan_start(p, e, count, e->limit_s);
}

/* Whether the plan has to end before one of the components starts. */
static bool must_end(struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			if (maui_plan_must_end(p, het->components[k].rows[r]))
				return true;
	return false;
}

bool maui_plan_is_het_behind(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_plan_het *het = maui_het_of(p, e);

	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			if (p->pools.list[het->components[k].rows[r]->pool].blocked)
				return true;
	return false;
}

/* Whether backfill may start all of the components. */
static bool may_backfill(const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++) {
			const struct maui_plan_entry *e = het->components[k].rows[r];

			if (e->rules->backfill_policy == MAUI_BACKFILL_NONE ||
			    (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF)))
				return false;
		}
	return true;
}

bool maui_plan_start_het(struct maui_planner *p, struct maui_plan_entry *e,
			 enum maui_limit_level level, bool backfill)
{
	struct maui_plan_het *het = maui_het_of(p, e);
	bool behind = maui_plan_is_het_behind(p, e);
	uint32_t first = p->out->start_count;
	struct attempt now = { .level = level, .when = p->now, .now_only = true };
	int64_t next;

	het->refused = (struct maui_het_refused){ 0 };
	if (must_end(p, het) || !maui_plan_limits_allow_het(p, e, level))
		return false;
	if (!place_somewhere(p, het, now, &next))
		return false;
	undo(p, het, het->count);
	close_chosen(p, het, true);
	for (uint32_t k = 0; k < het->count; k++)
		start_component(p, &het->components[k]);
	close_chosen(p, het, false);
	p->epoch++;
	if (p->out->start_count - first != het->count)
		return false;
	p->out->starts[first].together = het->count;
	for (uint32_t i = first; i < p->out->start_count; i++) {
		p->out->starts[i].backfilled = backfill;
		p->out->starts[i].out_of_order = backfill || behind;
	}
	if (backfill || behind)
		maui_plan_count_bypass(p, e);
	return true;
}

/* Until how many placements of this plan the search may go on. */
static uint32_t placements_until(const struct maui_planner *p, const struct maui_plan_het *het)
{
	uint32_t least = MOMENTS_LEAST * het->count;
	uint32_t until = p->hets.placements + (least > PLACEMENTS_MOST ? least : PLACEMENTS_MOST);

	return until < ALL_PLACEMENTS_MOST ? until : ALL_PLACEMENTS_MOST;
}

bool maui_plan_reserve_het(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level)
{
	struct maui_plan_het *het = maui_het_of(p, e);
	struct attempt attempt = { .level = level, .when = p->now };
	uint32_t until = placements_until(p, het);
	int64_t next;

	het->waited_for = true;
	if (!maui_plan_is_het_within_limits(p, e, level))
		return false;
	while (attempt.when != MAUI_NEVER && p->hets.placements < until) {
		if (maui_plan_is_given_up(p))
			return false;
		if (place_somewhere(p, het, attempt, &next))
			return true;
		attempt.when = next;
	}
	if (attempt.when != MAUI_NEVER) {
		het->waited_for = p->hets.placements < ALL_PLACEMENTS_MOST;
	} else if (!het->refused.row) {
		het->waited_for = false;
		maui_het_add_together(p, het);
	}
	return false;
}

void maui_plan_try_het(struct maui_planner *p, struct maui_plan_entry *e,
		       enum maui_limit_level level)
{
	struct maui_plan_het *het = maui_het_of(p, e);

	if (maui_plan_reserve_het(p, e, level))
		undo(p, het, het->count);
}

bool maui_plan_is_het_waited_for(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_het_of(p, e)->waited_for;
}

void maui_plan_backfill_hets(struct maui_planner *p, enum maui_limit_level level)
{
	for (uint32_t i = 0; p->hets.count > 0 && i < p->queue.count && !maui_plan_is_given_up(p);
	     i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->het == 0 || e->het == MAUI_PLAN_NONE || e->state != MAUI_PLAN_WAITING ||
		    !may_backfill(maui_het_of(p, e)))
			continue;
		maui_plan_start_het(p, e, level, true);
	}
}
