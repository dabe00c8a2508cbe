/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.c - which of its preemptees go for a blocked job (Maui manual 8.4)
 *
 * The cheapest preemptees go first (preemptees.c); a victim that turns out not to be needed is
 * spared. No job is preempted on a node that victims are leaving for another job.
 *
 * Jobs of a reservation's owner, and preemptors of Slurm's own preemption, preempt even after the
 * plain order has ended, on the terms on which backfill starts jobs: they never delay a job
 * reservation of higher priority.
 *
 * Rules: PRE-2, PRE-5, PRE-6, PRE-10.
 */

#include <stdlib.h>
#include <string.h>

#include "plan/placing.h"
#include "plan/preempt.h"
#include "plan/private.h"

/* The jobs that go for an entry, the cheapest first. */
struct victims {
	struct maui_plan_victim *list;
	bool *needed; /* of each: unless it goes the entry does not fit */
	uint32_t count;
};

/* Gives an active job's amounts on one line back from now until the job's end, or takes them
 * again. */
static void give_or_take_line(struct maui_planner *p, uint32_t line, uint32_t active,
			      const int64_t *amounts, uint32_t user, bool give)
{
	struct maui_timeline *t = &p->timeline;
	const struct maui_span span = maui_plan_active_span(p, &p->snapshot->active[active]);
	const struct maui_requester who = { NULL, maui_plan_access_active(p, active) };

	if (give ? maui_timeline_give_inside(t, line, span, amounts, user, &who) :
		   maui_timeline_take_inside(t, line, span, amounts, user, &who))
		p->failed = true;
}

static bool is_suspended_by_preemption(const struct maui_planner *p,
				       const struct maui_active *active)
{
	if (active->going == MAUI_GOING_BY_POLICY)
		return p->config->preempt_policy == MAUI_PREEMPT_SUSPEND;
	return active->going == MAUI_GOING_SUSPENDED;
}

static void give_or_take_job(struct maui_planner *p, uint32_t index, bool give)
{
	const struct maui_active *active = &p->snapshot->active[index];
	bool suspend = is_suspended_by_preemption(p, active);
	/* A suspended job keeps other users away. */
	uint32_t user = p->by_user && !suspend ? maui_timeline_user(p->snapshot, active) : 0;

	for (uint32_t i = 0; i < active->piece_count; i++) {
		const struct maui_piece *piece = &active->pieces[i];
		const int64_t *amounts =
			suspend ? maui_timeline_only_procs(&p->timeline,
							   piece->amounts[MAUI_AMOUNT_PROCS]) :
				  piece->amounts;

		give_or_take_line(p, piece->node, index, amounts, user, give);
		if (maui_timeline_charge_shares(&p->timeline, piece,
						maui_plan_active_span(p, active).until,
						give ? -1 : 1))
			p->failed = true;
		if (give)
			maui_plan_open_node(p, piece->node);
	}
	if (p->timeline.has_global && active->global && !suspend && !active->keeps_licenses)
		give_or_take_line(p, p->timeline.node_count, index, active->global, 0, give);
	p->epoch++;
}

/* Also of those that go with it. */
static void give_or_take_nodes(struct maui_planner *p, uint32_t index, bool give)
{
	for (uint32_t i = index; i != MAUI_PLAN_NONE; i = maui_plan_next_part(p, i))
		give_or_take_job(p, i, give);
}

/* Adds an element to a list of the decisions. The lists live in an arena. */
static void add_preemption(struct maui_planner *p, struct maui_preemption **list, uint32_t *count,
			   size_t *alloc, struct maui_preemption preemption)
{
	if (*count == *alloc) {
		size_t wanted = *count ? 2 * (size_t)*count : 16;
		struct maui_preemption *grown =
			maui_arena_alloc(&p->out->arena, wanted * sizeof(*grown));

		if (!grown)
			return;
		if (*count > 0)
			memcpy(grown, *list, *count * sizeof(*grown));
		*list = grown;
		*alloc = wanted;
	}
	(*list)[(*count)++] = preemption;
}

/* The dearest first. */
static void record_victims(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct victims *victims)
{
	for (uint32_t i = victims->count; i-- > 0;) {
		uint32_t active = victims->list[i].active;

		if (!victims->needed[i])
			continue;
		for (uint32_t k = active; k != MAUI_PLAN_NONE; k = maui_plan_next_part(p, k))
			p->preemption.is_victim[k] = true;
		add_preemption(p, &p->out->preemptions, &p->out->preemption_count,
			       &p->capacity.preemptions,
			       (struct maui_preemption){ active, e->job, e->copy });
	}
}

/* Whether the victim, or one that goes with it, is on the reserved nodes. */
static bool is_on_places(const struct maui_planner *p, uint32_t victim,
			 const struct maui_reservation *r)
{
	for (uint32_t i = victim; i != MAUI_PLAN_NONE; i = maui_plan_next_part(p, i))
		if (maui_active_is_on(&p->snapshot->active[i], r->places, r->place_count))
			return true;
	return false;
}

/* Records the preemptees on the preemptor's nodes that need not go. */
static void record_further(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_reservation *r, bool occupying)
{
	struct maui_plan_preemptees preemptees;
	struct maui_plan_victim victim;

	if (p->preemption.preemptors++ >= MAUI_PREEMPTORS_ASKED)
		return;
	if (maui_plan_preemptees_begin(p, e, occupying, &preemptees)) {
		p->failed = true;
		return;
	}
	while (maui_plan_preemptees_next(p, e, &preemptees, &victim))
		if (is_on_places(p, victim.active, r))
			add_preemption(p, &p->out->further, &p->out->further_count,
				       &p->capacity.further,
				       (struct maui_preemption){ victim.active, e->job, e->copy });
}

/* ---- choosing ---- */

static void give_or_take_some(struct maui_planner *p, const struct victims *victims, uint32_t from,
			      uint32_t until, bool give)
{
	for (uint32_t i = from; i < until; i++)
		give_or_take_nodes(p, victims->list[i].active, give);
}

static bool fits(struct maui_planner *p, struct maui_plan_entry *e)
{
	return maui_plan_place_now(p, e, e->limit_s) > 0;
}

/* Gives nodes back, in steps that double, until the entry fits. *ret_fails: with so many victims it
 * does not fit. False: it does not fit with all victims gone. */
static bool give_until_fits(struct maui_planner *p, struct maui_plan_entry *e, bool occupying,
			    struct victims *victims, uint32_t *ret_fails)
{
	struct maui_plan_preemptees preemptees;

	if (maui_plan_preemptees_begin(p, e, occupying, &preemptees)) {
		p->failed = true;
		return false;
	}
	for (uint32_t step = 1;; step *= 2) {
		uint32_t before = victims->count;

		while (victims->count < before + step &&
		       maui_plan_preemptees_next(p, e, &preemptees, &victims->list[victims->count]))
			victims->needed[victims->count++] = false;
		*ret_fails = before;
		if (victims->count == before)
			return false;
		give_or_take_some(p, victims, before, victims->count, true);
		if (fits(p, e))
			return true;
	}
}

/* Drops the dearest victims, as long as the others suffice. */
static void drop_dearest(struct maui_planner *p, struct maui_plan_entry *e, struct victims *victims,
			 uint32_t fails)
{
	while (victims->count - fails > 1) {
		uint32_t middle = fails + (victims->count - fails) / 2;

		give_or_take_some(p, victims, middle, victims->count, false);
		if (fits(p, e)) {
			victims->count = middle;
			continue;
		}
		give_or_take_some(p, victims, middle, victims->count, true);
		fails = middle;
	}
}

/* Spares those of [from, until) that are not needed, the dearest first; the others go. */
static void spare_some(struct maui_planner *p, struct maui_plan_entry *e,
		       const struct victims *victims, uint32_t from, uint32_t until)
{
	uint32_t middle = from + (until - from) / 2;

	if (from == until)
		return;
	give_or_take_some(p, victims, from, until, false);
	if (fits(p, e))
		return;
	give_or_take_some(p, victims, from, until, true);
	if (until - from == 1) {
		victims->needed[from] = true;
		return;
	}
	spare_some(p, e, victims, middle, until);
	spare_some(p, e, victims, from, middle);
}

/* Each entry's victims use the same room. -1 without memory. */
static int make_room(struct maui_planner *p, struct victims *ret)
{
	size_t most = p->snapshot->active_count + 1u;

	if (!p->preemption.victims)
		p->preemption.victims =
			maui_arena_alloc(&p->arena, most * sizeof(*p->preemption.victims));
	if (!p->preemption.needed)
		p->preemption.needed = maui_arena_alloc(&p->arena, most * sizeof(bool));
	*ret = (struct victims){ .list = p->preemption.victims, .needed = p->preemption.needed };
	return ret->list && ret->needed ? 0 : -1;
}

/* Assumes that all preemptees go, then spares those that are not needed, the dearest first. */
static bool choose_victims(struct maui_planner *p, struct maui_plan_entry *e, bool occupying,
			   struct victims *ret)
{
	uint32_t fails;

	if (make_room(p, ret))
		return false;
	if (!give_until_fits(p, e, occupying, ret, &fails)) {
		give_or_take_some(p, ret, 0, ret->count, false);
		return false;
	}
	drop_dearest(p, e, ret, fails);
	ret->needed[ret->count - 1] = true;
	spare_some(p, e, ret, 0, ret->count - 1);
	return true;
}

/* Whether the entry fits by number without a preemption, but Slurm has just found no nodes for it.
 */
static bool is_busy(struct maui_planner *p, struct maui_plan_entry *e)
{
	return e->busy && fits(p, e);
}

/* Reserves the `count` candidates from now on. */
static bool reserve(struct maui_planner *p, struct maui_plan_entry *e, bool occupying,
		    const struct victims *victims, uint32_t count)
{
	struct maui_reservation *r;

	record_victims(p, e, victims);
	r = maui_plan_reserve(p, e, count, p->now);
	if (!r)
		return false;
	r->preempting = true;
	record_further(p, e, r, occupying);
	if (maui_plan_slurm_chooses(p, e)) /* no other job starts there in this plan, either */
		maui_plan_keep_vacated(p, e, r->places, r->place_count);
	return true;
}

/* Reserves what the victims leave. If that does not suffice after all, they stay. */
static bool reserve_place(struct maui_planner *p, struct maui_plan_entry *e, bool occupying,
			  const struct victims *victims)
{
	uint32_t count = maui_plan_place_now(p, e, e->limit_s);

	if (count > 0)
		return reserve(p, e, occupying, victims, count);
	for (uint32_t i = 0; i < victims->count; i++)
		if (victims->needed[i])
			give_or_take_nodes(p, victims->list[i].active, false);
	return false;
}

/* ---- where Slurm finds no place ---- */

static void open_nodes(struct maui_planner *p, const struct maui_active *active)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		p->closed[active->pieces[i].node] = false;
}

/* Closes the nodes that no preemptee of the entry would leave. */
static void close_others(struct maui_planner *p, const struct maui_plan_entry *e,
			 const struct maui_plan_preemptees *preemptees)
{
	struct maui_plan_preemptees from = *preemptees;
	struct maui_plan_victim victim;

	memset(p->closed, true, p->snapshot->node_count);
	while (maui_plan_preemptees_next(p, e, &from, &victim))
		for (uint32_t k = victim.active; k != MAUI_PLAN_NONE; k = maui_plan_next_part(p, k))
			open_nodes(p, &p->snapshot->active[k]);
}

static bool has_candidate(const struct maui_planner *p, const struct maui_active *active,
			  uint32_t count)
{
	for (uint32_t c = 0; c < count; c++)
		for (uint32_t i = 0; i < active->piece_count; i++)
			if (active->pieces[i].node == p->candidates.list[c].node)
				return true;
	return false;
}

/* Whether the victim, or one that goes with it, is on one of the candidates. */
static bool is_on_candidates(const struct maui_planner *p, uint32_t victim, uint32_t count)
{
	for (uint32_t i = victim; i != MAUI_PLAN_NONE; i = maui_plan_next_part(p, i))
		if (has_candidate(p, &p->snapshot->active[i], count))
			return true;
	return false;
}

/* Finds the cheapest preemptee on the candidates. */
static bool find_cheapest(struct maui_planner *p, const struct maui_plan_entry *e,
			  const struct maui_plan_preemptees *preemptees, uint32_t count,
			  struct victims *ret)
{
	struct maui_plan_preemptees from = *preemptees;

	while (maui_plan_preemptees_next(p, e, &from, &ret->list[0])) {
		if (!is_on_candidates(p, ret->list[0].active, count))
			continue;
		ret->needed[0] = true;
		ret->count = 1;
		return true;
	}
	return false;
}

/* The entry fits by number. So its place is on nodes that preemptees would leave, and the cheapest
 * of them stands for all: Slurm is asked about it, then about all of these, and which can stay
 * (PRE-8). */
static bool preempt_busy(struct maui_planner *p, struct maui_plan_entry *e, bool occupying)
{
	struct maui_plan_preemptees preemptees;
	struct victims victims;
	uint32_t count;

	if (make_room(p, &victims) || maui_plan_make_closed(p) ||
	    maui_plan_preemptees_begin(p, e, occupying, &preemptees)) {
		p->failed = true;
		return false;
	}
	close_others(p, e, &preemptees);
	count = maui_plan_place_now(p, e, e->limit_s);
	memset(p->closed, false, p->snapshot->node_count);
	p->epoch++; /* what did not fit there may fit elsewhere */
	if (count == 0)
		count = maui_plan_place_now(p, e, e->limit_s);
	return count > 0 && find_cheapest(p, e, &preemptees, count, &victims) &&
	       reserve(p, e, occupying, &victims, count);
}

/* Whether an equal or more favourable search of this cycle has found too few jobs. */
static bool has_failed(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_plan_shape *shape = e->shape;

	return shape->preempting_iteration == p->iteration && shape->preempting_creds == e->creds &&
	       shape->preempting_kind == p->snapshot->idle[e->job].rows[e->row].kind &&
	       shape->preempting_count == p->out->preemption_count &&
	       e->published <= shape->preempting_published &&
	       e->limit_s >= shape->preempting_fails_for_s;
}

static bool preempt_unless_failed(struct maui_planner *p, struct maui_plan_entry *e, bool occupying)
{
	struct maui_plan_shape *shape = e->shape;
	struct victims victims;

	if (is_busy(p, e))
		return preempt_busy(p, e, occupying);
	if (has_failed(p, e))
		return false;
	if (choose_victims(p, e, occupying, &victims))
		return reserve_place(p, e, occupying, &victims);
	if (maui_plan_job(p, e)->spared_count > 0)
		return false; /* other jobs of this shape may preempt there */
	shape->preempting_iteration = p->iteration;
	shape->preempting_creds = e->creds;
	shape->preempting_kind = p->snapshot->idle[e->job].rows[e->row].kind;
	shape->preempting_count = p->out->preemption_count;
	shape->preempting_published = e->published;
	shape->preempting_fails_for_s = e->limit_s;
	return false;
}

bool maui_plan_preempt(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct victims victims;

	if (p->snapshot->slurm_preempts)
		return maui_plan_is_preemptor(p, e) && preempt_unless_failed(p, e, false);
	if (!maui_plan_is_preemptor(p, e) && !maui_plan_owns(p, e->creds))
		return false;
	if (is_busy(p, e))
		return preempt_busy(p, e, false);
	return choose_victims(p, e, false, &victims) && reserve_place(p, e, false, &victims);
}

bool maui_plan_preempt_behind(struct maui_planner *p, struct maui_plan_entry *e)
{
	return preempt_unless_failed(p, e, !p->snapshot->slurm_preempts);
}
