/* SPDX-License-Identifier: GPL-2.0-or-later */
/* late_job_rsvs.c - moves job reservations whose nodes are not free in time
 *
 * A job reservation that cannot stay where it was, because a job ahead of it starts late, waits for
 * its nodes; so do those behind it, in the order of their starts. As long as each has the same of
 * each node, none moves by more than that job is late.
 *
 * Rules: BF-3.
 */

#include <string.h>

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* Jobs start late by the cycle that they wait for, and while nodes are cleaned. */
enum { LATE_S = 600 };

int maui_plan_place_as_before(struct maui_planner *p, const struct maui_plan_entry *e,
			      const struct maui_shape *shape)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;

	for (uint32_t i = 0; i < job_rsv->place_count; i++) {
		struct maui_candidate *c = maui_plan_candidate(p, i);

		if (!c)
			return -1;
		*c = (struct maui_candidate){ .node = job_rsv->places[i].node,
					      .gives = job_rsv->places[i].tasks };
	}
	if (maui_plan_has_limits(p, e)) {
		const struct maui_quantities holds =
			maui_plan_quantities(p, e, shape, job_rsv->place_count);

		maui_plan_limits_place(p, e, &holds);
	}
	return 0;
}

int64_t maui_plan_when_limits_admit(struct maui_planner *p, const struct maui_plan_entry *e,
				    int64_t from)
{
	enum maui_limit_level before = p->limits.level;
	int64_t when;

	if (from <= p->now || !maui_plan_keeps_start(e))
		return from;
	if (maui_plan_place_as_before(p, e, &e->shape->shape))
		return MAUI_NEVER;
	p->limits.level = MAUI_LIMIT_HARD;
	when = maui_plan_limits_when_placed(p, e, from);
	p->limits.level = before;
	return when;
}

/* The job reservation for the candidates of a search. NULL without memory. */
static const struct maui_job_reservation *move(struct maui_planner *p,
					       const struct maui_job_reservation *old,
					       uint32_t count, int64_t when)
{
	struct maui_job_reservation *ret = maui_arena_alloc(&p->arena, sizeof(*ret));
	struct maui_place *places = maui_arena_alloc_list(&p->arena, count, sizeof(*places));

	if (!ret || !places)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		places[i] = (struct maui_place){ .node = p->candidates.list[i].node,
						 .tasks = (uint32_t)p->candidates.list[i].gives };
	*ret = *old;
	ret->start_s = when;
	ret->places = places;
	ret->place_count = count;
	return ret;
}

/* The begin of the node's next step. */
static int64_t next_step(const struct maui_planner *p, uint32_t node, int64_t when)
{
	const struct maui_timeline *t = &p->timeline;

	return maui_line_step_end(t, &t->lines[node], maui_timeline_step_at(t, node, when));
}

/* The first moment from then on, but for `latest`, at which each node of the job reservation serves
 * the job as it was to, and licences are free. */
static int64_t when_all_serve(const struct maui_planner *p, const struct maui_plan_entry *e,
			      int64_t from, int64_t latest)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	const struct maui_shape *shape = &e->shape->shape;
	int64_t when = from;

	do {
		from = when;
		for (uint32_t i = 0; i < job_rsv->place_count; i++) {
			const struct maui_place *place = &job_rsv->places[i];

			while (when <= latest &&
			       maui_fit_tasks(&p->timeline, shape, place->node, when,
					      maui_when_add(when, e->limit_s)) < place->tasks)
				when = next_step(p, place->node, when);
		}
		if (when <= latest)
			when = maui_fit_global(&p->timeline, shape, when, e->limit_s);
	} while (when != from && when <= latest);
	return when <= latest ? when : MAUI_NEVER;
}

/* Finds the first moment from then on at which its nodes serve the job as they were to. If jobs
 * ahead of it are late by some seconds, it takes nothing from job reservations beside it then.
 * False: there is no such moment soon. */
static bool stays_in_place(struct maui_planner *p, const struct maui_plan_entry *e, int64_t from,
			   int64_t *ret_when)
{
	int64_t latest = maui_when_add(from, LATE_S), when = from, allowed;

	for (uint32_t i = 0; i < e->job_rsv->place_count; i++)
		if (e->job_rsv->places[i].node >= p->snapshot->node_count)
			return false;
	if (e->job_rsv->place_count == 0)
		return false;
	do {
		allowed = when_all_serve(p, e, when, latest);
		if (allowed == MAUI_NEVER)
			return false;
		when = maui_plan_when_limits_admit(p, e, allowed);
	} while (when != allowed && when <= latest);
	if (when > latest)
		return false;
	*ret_when = when;
	return true;
}

/* The first moment from then on at which its nodes, or some of them, serve the job within the
 * limits; the candidates are what it takes of them. */
static int64_t when_some_serve(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			       uint32_t *ret_count)
{
	const struct maui_job_reservation *old = e->job_rsv;
	uint32_t nodes = p->snapshot->node_count;
	int64_t when;

	if (maui_plan_make_closed(p))
		return MAUI_NEVER;
	memset(p->closed, true, nodes);
	for (uint32_t i = 0; i < old->place_count; i++)
		if (old->places[i].node < nodes)
			p->closed[old->places[i].node] = false;
	when = maui_plan_earliest(p, e, MAUI_LIMIT_HARD, from, ret_count);
	memset(p->closed, false, nodes);
	return when;
}

void maui_plan_wait_for_nodes(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_job_reservation *old = e->job_rsv, *moved;
	int64_t from = old->start_s > p->now ? old->start_s : p->now + 1, when;
	uint32_t count = old->place_count;

	if (!stays_in_place(p, e, from, &when))
		when = when_some_serve(p, e, from, &count);
	else if (maui_plan_place_as_before(p, e, &e->shape->shape))
		return;
	moved = when != MAUI_NEVER ? move(p, old, count, when) : NULL;
	if (!moved)
		return;
	e->job_rsv = moved;
	e->held_from_s = when;
}
