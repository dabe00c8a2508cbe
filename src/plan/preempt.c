/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.c - which active jobs are preempted for a blocked one (Maui manual 8.4)
 *
 * A preemptor is a job whose QOS has the flag PREEMPTOR, or any blocked job under BACKFILLPOLICY
 * PREEMPT. Its victims are preemptees of lower run priority (start priority + USAGE, PRIO-11),
 * lowest first; a victim that turns out not to be needed is spared. PREEMPTSPV makes preemptees of
 * jobs that run over a soft limit: in the victim's QOS for every preemptor, in the preemptor's QOS
 * for that one.
 *
 * With OWNERPREEMPT, jobs of a reservation's owner are preemptors, too. Their preemptees are other
 * users' jobs that occupy the reservation while it lasts (RSV-14, occupying_jobs.c). The owner's
 * jobs preempt even after the plain order has ended, on the terms on which backfill starts jobs:
 * they never delay a job reservation of higher priority. No job is preempted on a node that victims
 * are leaving for another job.
 *
 * Rules: PRE-1, PRE-2, PRE-5, PRE-6.
 */

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "plan/private.h"
#include "policy/publish.h"

static bool has_flag(uint64_t flags, enum maui_qos_flag which)
{
	return flags & (UINT64_C(1) << which);
}

uint32_t maui_plan_run_priority(struct maui_planner *p, const struct maui_active *active)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, active->creds);
	struct maui_job job = active->job;
	bool rejected;
	double value;

	if (active->given_priority)
		return active->given_priority;
	memcpy(job.cred, p->snapshot->creds[active->creds].cred, sizeof(job.cred));
	memcpy(job.fs_delta, c->fs_delta, sizeof(job.fs_delta));
	job.active = true;
	job.elapsed_s = maui_plan_elapsed(p, active);
	value = maui_priority_value(p->config, &p->snapshot->totals, &c->priority, &c->weights,
				    &job, &rejected);
	return maui_publish_priority(value, c->priority.weights->enable_negative, 0);
}

int maui_plan_compare_victims(const void *a, const void *b)
{
	const struct maui_plan_victim *one = a, *two = b;

	if (one->priority != two->priority)
		return one->priority < two->priority ? -1 : 1;
	if (one->start_s != two->start_s)
		return one->start_s > two->start_s ? -1 : 1;
	return (one->id < two->id) - (one->id > two->id);
}

/* Whether the active job holds a node that the shape can use. */
static bool holds_useful_node(const struct maui_planner *p, const struct maui_shape *shape,
			      const struct maui_active *active)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		if (shape->needs[p->timeline.class_of[active->pieces[i].node]].most > 0)
			return true;
	return false;
}

/* Whether the active job is on a node that victims are leaving for an earlier job reservation. */
static bool is_on_preempting_node(const struct maui_planner *p, const struct maui_active *active)
{
	for (uint32_t i = 0; p->preemption.is_node_preempting && i < active->piece_count; i++)
		if (p->preemption.is_node_preempting[active->pieces[i].node])
			return true;
	return false;
}

bool maui_plan_can_be_preempted(const struct maui_planner *p, const struct maui_active *active)
{
	return !active->suspended && !active->completing && !active->preempt_never &&
	       active->end_s > p->now;
}

static bool is_preemptor(const struct maui_plan_entry *e)
{
	return has_flag(e->flags, MAUI_QOS_PREEMPTOR) ||
	       e->rules->backfill_policy == MAUI_BACKFILL_PREEMPT;
}

/* Whether the entry may preempt the active job, as far as flags decide. `occupying`: only if the
 * active job occupies a reservation of which the entry is the owner's job. */
static bool is_preemptee(struct maui_planner *p, const struct maui_plan_entry *e, bool occupying,
			 const struct maui_active *active)
{
	uint64_t flags = maui_plan_creds(p, active->creds)->flags;

	if (!maui_plan_can_be_preempted(p, active))
		return false;
	if (maui_plan_is_occupying(p, e->creds, active))
		return true;
	if (occupying || !is_preemptor(e))
		return false;
	return active->preemptee || has_flag(flags, MAUI_QOS_PREEMPTEE) ||
	       (active->job.soft_violation &&
		(has_flag(flags, MAUI_QOS_PREEMPTSPV) || has_flag(e->flags, MAUI_QOS_PREEMPTSPV)));
}

/* Whether the active job is on a node on which the entry preempts no job. */
static bool is_spared(const struct maui_planner *p, const struct maui_plan_entry *e,
		      const struct maui_active *active)
{
	const struct maui_idle *idle = maui_plan_job(p, e);

	for (uint32_t i = 0; idle->spared_count > 0 && i < active->piece_count; i++)
		if (bsearch(&active->pieces[i].node, idle->spared, idle->spared_count,
			    sizeof(*idle->spared), maui_sort_by_u32))
			return true;
	return false;
}

static uint32_t list_victims(struct maui_planner *p, const struct maui_plan_entry *e,
			     bool occupying, struct maui_plan_victim *list)
{
	uint32_t count = 0;

	for (uint32_t a = 0; a < p->snapshot->active_count; a++) {
		const struct maui_active *active = &p->snapshot->active[a];
		uint32_t priority;

		if (p->preemption.is_victim[a] || !is_preemptee(p, e, occupying, active) ||
		    is_on_preempting_node(p, active) || is_spared(p, e, active) ||
		    !holds_useful_node(p, &e->shape->shape, active))
			continue;
		priority = maui_plan_run_priority(p, active);
		if (priority < e->published)
			list[count++] = (struct maui_plan_victim){ a, priority, active->start_s,
								   active->id };
	}
	qsort(list, count, sizeof(*list), maui_plan_compare_victims);
	return count;
}

/* Gives an active job's amounts on one line back from now until the job's end, or takes them
 * again. */
static void give_or_take_line(struct maui_planner *p, uint32_t line, uint32_t active,
			      const int64_t *amounts, bool give)
{
	struct maui_timeline *t = &p->timeline;
	const struct maui_span span = maui_plan_active_span(p, &p->snapshot->active[active]);
	const struct maui_requester who = { NULL, maui_plan_access_active(p, active) };

	if (give ? maui_timeline_give_inside(t, line, span, amounts, &who) :
		   maui_timeline_take_inside(t, line, span, amounts, 0, &who))
		p->failed = true;
}

static void give_or_take_nodes(struct maui_planner *p, uint32_t index, bool give)
{
	const struct maui_active *active = &p->snapshot->active[index];
	bool suspend = p->config->preempt_policy == MAUI_PREEMPT_SUSPEND;
	int64_t procs[p->snapshot->amount_count];

	memset(procs, 0, sizeof(procs));
	for (uint32_t i = 0; i < active->piece_count; i++) {
		const struct maui_piece *piece = &active->pieces[i];

		procs[MAUI_AMOUNT_PROCS] = piece->amounts[MAUI_AMOUNT_PROCS];
		give_or_take_line(p, piece->node, index, suspend ? procs : piece->amounts, give);
		if (maui_timeline_charge_shares(&p->timeline, piece,
						maui_plan_active_span(p, active).until,
						give ? -1 : 1))
			p->failed = true;
	}
	if (p->timeline.has_global && active->global && !suspend)
		give_or_take_line(p, p->timeline.node_count, index, active->global, give);
	p->pools.reopen = true;
	p->epoch++;
}

/* Adds an element to a list of the decisions. The lists live in an arena. */
static void add_preemption(struct maui_planner *p, struct maui_preemption **list, uint32_t *count,
			   size_t *alloc, struct maui_preemption preemption)
{
	if (*count == *alloc) {
		size_t wanted = *count ? 2 * (size_t)*count : 16;
		struct maui_preemption *grown =
			maui_arena_alloc(&p->out->arena, wanted * sizeof(*grown));

		if (!grown) {
			p->failed = true;
			return;
		}
		if (*count > 0)
			memcpy(grown, *list, *count * sizeof(*grown));
		*list = grown;
		*alloc = wanted;
	}
	(*list)[(*count)++] = preemption;
}

static void record_preemption(struct maui_planner *p, const struct maui_plan_entry *e,
			      uint32_t active)
{
	p->preemption.is_victim[active] = true;
	add_preemption(p, &p->out->preemptions, &p->out->preemption_count, &p->capacity.preemptions,
		       (struct maui_preemption){ active, e->job, e->copy });
}

static bool holds_a_place(const struct maui_active *active, const struct maui_reservation *r)
{
	for (uint32_t i = 0; i < active->piece_count; i++)
		for (uint32_t k = 0; k < r->place_count; k++)
			if (active->pieces[i].node == r->places[k].node)
				return true;
	return false;
}

/* Records the possible victims on the preemptor's nodes that need not go. */
static void record_further(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_reservation *r, const struct maui_plan_victim *list,
			   uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!p->preemption.is_victim[list[i].active] &&
		    holds_a_place(&p->snapshot->active[list[i].active], r))
			add_preemption(p, &p->out->further, &p->out->further_count,
				       &p->capacity.further,
				       (struct maui_preemption){ list[i].active, e->job, e->copy });
}

/* Gives all victims' nodes back. If the entry fits then, spares every victim that is not needed,
 * starting at the highest priority. */
static bool choose_victims(struct maui_planner *p, struct maui_plan_entry *e,
			   struct maui_plan_victim *list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		give_or_take_nodes(p, list[i].active, true);
	if (maui_plan_place_now(p, e, e->limit_s) == 0) {
		for (uint32_t i = 0; i < count; i++)
			give_or_take_nodes(p, list[i].active, false);
		return false;
	}
	for (uint32_t i = count; i-- > 0;) {
		give_or_take_nodes(p, list[i].active, false);
		if (maui_plan_place_now(p, e, e->limit_s) > 0)
			continue;
		give_or_take_nodes(p, list[i].active, true);
		record_preemption(p, e, list[i].active);
	}
	return true;
}

static bool preempt_victims(struct maui_planner *p, struct maui_plan_entry *e, bool occupying)
{
	struct maui_reservation *r;
	struct maui_plan_victim *list;
	uint32_t count, place_count;

	/* by number it fits without a preemption, but Slurm has just found no nodes for it */
	if (e->busy && maui_plan_place_now(p, e, e->limit_s) > 0)
		return false;
	if (!p->preemption.is_victim)
		p->preemption.is_victim =
			maui_arena_alloc(&p->arena, p->snapshot->active_count + 1u);
	list = maui_arena_alloc(&p->arena, (p->snapshot->active_count + 1u) * sizeof(*list));
	if (!p->preemption.is_victim || !list) {
		p->failed = true;
		return false;
	}
	count = list_victims(p, e, occupying, list);
	if (count == 0 || !choose_victims(p, e, list, count))
		return false;
	place_count = maui_plan_place_now(p, e, e->limit_s);
	r = place_count > 0 ? maui_plan_reserve(p, e, place_count, p->now) : NULL;
	if (!r)
		return false;
	r->preempting = true;
	record_further(p, e, r, list, count);
	return true;
}

bool maui_plan_preempt(struct maui_planner *p, struct maui_plan_entry *e)
{
	return (is_preemptor(e) || maui_plan_owns(p, e->creds)) && preempt_victims(p, e, false);
}

bool maui_plan_preempt_occupying(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_plan_shape *shape = e->shape;

	if (shape->occupying_iteration == p->iteration && shape->occupying_creds == e->creds &&
	    shape->occupying_count == p->out->preemption_count &&
	    e->published <= shape->occupying_published &&
	    e->limit_s >= shape->occupying_fails_for_s)
		return false;
	if (preempt_victims(p, e, true))
		return true;
	if (maui_plan_job(p, e)->spared_count > 0)
		return false; /* other jobs of this shape may preempt there */
	shape->occupying_iteration = p->iteration;
	shape->occupying_creds = e->creds;
	shape->occupying_count = p->out->preemption_count;
	shape->occupying_published = e->published;
	shape->occupying_fails_for_s = e->limit_s;
	return false;
}

/* ---- while victims are leaving ---- */

static bool share_a_node(const struct maui_job_reservation *a, const struct maui_job_reservation *b)
{
	for (uint32_t i = 0; i < a->place_count; i++)
		for (uint32_t k = 0; k < b->place_count; k++)
			if (a->places[i].node == b->places[k].node)
				return true;
	return false;
}

bool maui_plan_overstays(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	int64_t planned = maui_when_add(e->job_rsv->start_s, e->limit_s);
	int64_t until = maui_when_add(e->held_from_s, e->limit_s);

	for (const struct maui_plan_entry *o = p->queue.entries; o < e && until > planned; o++)
		if (o->job_rsv && !o->job_rsv->preempting && o->state == MAUI_PLAN_WAITING &&
		    o->job_rsv->start_s >= planned && o->job_rsv->start_s < until &&
		    share_a_node(o->job_rsv, e->job_rsv))
			return true;
	return false;
}

int maui_plan_list_secured(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	uint32_t best = 0;
	bool policy = false;

	for (uint32_t i = 0; i < s->partition_count; i++)
		policy |= p->rules[i]->backfill_policy == MAUI_BACKFILL_PREEMPT;
	for (uint32_t i = 0; policy && i < p->queue.count; i++)
		if (p->queue.entries[i].state != MAUI_PLAN_OUT &&
		    p->queue.entries[i].published > best)
			best = p->queue.entries[i].published;
	for (uint32_t a = 0; policy && best > 0 && a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];

		if (!active->preemptee || active->completing ||
		    maui_plan_run_priority(p, active) < best)
			continue;
		if (!p->out->secured)
			p->out->secured = maui_arena_alloc(
				&p->out->arena, s->active_count * sizeof(*p->out->secured));
		if (!p->out->secured)
			return -1;
		p->out->secured[p->out->secured_count++] = a;
	}
	return p->failed ? -1 : 0;
}
