/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preemptees.c - which active jobs a blocked one may preempt (Maui manual 8.4)
 *
 * Without Slurm's own preemption: a preemptor is a job whose QOS has the flag PREEMPTOR, or any
 * blocked job under BACKFILLPOLICY PREEMPT. Its preemptees are jobs of lower run priority (start
 * priority + USAGE, PRIO-11), the lowest first. PREEMPTSPV makes preemptees of jobs that run over a
 * soft limit: in the victim's QOS for every preemptor, in the preemptor's QOS for that one.
 *
 * With OWNERPREEMPT, jobs of a reservation's owner are preemptors, too. Their preemptees are other
 * users' jobs that occupy the reservation while it lasts (RSV-14, occupying_jobs.c).
 *
 * With Slurm's own preemption (PreemptType): as the snapshot's rules say, the job that costs least
 * first.
 *
 * Rules: PRE-1, PRE-2, PRE-10.
 */

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "plan/preempt.h"
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

/* Whether the active job would leave licences that the shape needs; its nodes do not matter. */
static bool holds_wanted_licence(const struct maui_planner *p, const struct maui_shape *shape,
				 const struct maui_active *active)
{
	const int64_t *wanted = shape->request->global;

	if (!wanted || !active->global || active->keeps_licenses)
		return false;
	for (unsigned d = 0; d < p->snapshot->amount_count; d++)
		if (wanted[d] > 0 && active->global[d] > 0)
			return true;
	return false;
}

/* Whether the active job is on a node that victims are leaving for a job reservation. */
static bool is_on_vacated_node(const struct maui_planner *p, const struct maui_active *active)
{
	for (uint32_t i = 0; p->preemption.is_vacated && i < active->piece_count; i++)
		if (p->preemption.is_vacated[active->pieces[i].node])
			return true;
	return false;
}

bool maui_plan_can_be_preempted(const struct maui_planner *p, const struct maui_active *active)
{
	return !active->suspended && !active->completing && !active->warned &&
	       active->going != MAUI_GOING_NEVER && active->end_s > p->now;
}

/* Whether the entry's kind may preempt jobs of any kind, by Slurm's rules. */
static bool is_slurms_preemptor(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_snapshot *s = p->snapshot;
	uint32_t kind = s->idle[e->job].rows[e->row].kind;

	for (uint32_t i = 0; i < s->preemption_rule_count; i++)
		if (s->preemption_rules[i].preemptor == kind)
			return true;
	return false;
}

static bool is_mauis_preemptor(const struct maui_plan_entry *e)
{
	return maui_config_is_preemptor(e->rules, e->flags);
}

bool maui_plan_is_preemptor(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->snapshot->slurm_preempts ? is_slurms_preemptor(p, e) : is_mauis_preemptor(e);
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
	if (occupying || !is_mauis_preemptor(e))
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

/* Whether the active job, and those that go with it, can go at all for this entry. */
static bool may_go(const struct maui_planner *p, const struct maui_plan_entry *e, uint32_t index)
{
	bool useful = false;

	for (uint32_t i = index; i != MAUI_PLAN_NONE; i = maui_plan_next_part(p, i)) {
		const struct maui_active *active = &p->snapshot->active[i];

		if (p->preemption.is_victim[i] || is_on_vacated_node(p, active) ||
		    is_spared(p, e, active))
			return false;
		useful |= holds_useful_node(p, &e->shape->shape, active) ||
			  holds_wanted_licence(p, &e->shape->shape, active);
	}
	return useful;
}

/* ---- Maui's ---- */

/* Lists the entry's preemptees. */
static int list_mauis(struct maui_planner *p, const struct maui_plan_entry *e, bool occupying,
		      struct maui_plan_preemptees *ret)
{
	ret->list =
		maui_arena_alloc(&p->arena, (p->snapshot->active_count + 1u) * sizeof(*ret->list));
	if (!ret->list)
		return -1;
	for (uint32_t a = 0; a < p->snapshot->active_count; a++) {
		const struct maui_active *active = &p->snapshot->active[a];
		uint32_t priority;

		if (!is_preemptee(p, e, occupying, active) || !may_go(p, e, a))
			continue;
		priority = maui_plan_run_priority(p, active);
		if (priority < e->published)
			ret->list[ret->count++] =
				(struct maui_plan_victim){ a, priority, active->start_s,
							   active->id };
	}
	qsort(ret->list, ret->count, sizeof(*ret->list), maui_plan_compare_victims);
	return 0;
}

/* ---- Slurm's ---- */

/* Active jobs that Slurm lets some waiting job preempt, the cheapest first. */
struct maui_plan_slurms_preemptees {
	struct maui_plan_victim *list;
	uint32_t count, first; /* before it, all go already */
};

/* A running component of a het job. */
struct part {
	uint64_t het_id;
	uint32_t active;
	bool is_leader;
};

/* The leader first. */
static int compare_parts(const void *a, const void *b)
{
	const struct part *one = a, *other = b;

	if (one->het_id != other->het_id)
		return one->het_id < other->het_id ? -1 : 1;
	return other->is_leader - one->is_leader;
}

/* Links the components of each het job, from the leader on. -1 without memory. */
static int link_parts(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	struct part *parts;
	uint32_t count = 0;

	for (uint32_t a = 0; a < s->active_count; a++)
		count += s->active[a].het_id != 0;
	if (count == 0)
		return 0;
	parts = maui_arena_alloc(&p->arena, count * sizeof(*parts));
	p->preemption.next_part =
		maui_arena_alloc_list(&p->arena, s->active_count, sizeof(uint32_t));
	if (!parts || !p->preemption.next_part)
		return -1;
	count = 0;
	for (uint32_t a = 0; a < s->active_count; a++) {
		const struct maui_active *active = &s->active[a];

		p->preemption.next_part[a] = MAUI_PLAN_NONE;
		if (active->het_id)
			parts[count++] =
				(struct part){ active->het_id, a, active->id == active->het_id };
	}
	qsort(parts, count, sizeof(*parts), compare_parts);
	for (uint32_t i = 1; i < count; i++)
		if (parts[i].het_id == parts[i - 1].het_id)
			p->preemption.next_part[parts[i - 1].active] = parts[i].active;
	return 0;
}

/* Lists them for all entries of this cycle. */
static int list_slurms(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	struct maui_plan_slurms_preemptees *all;

	if (p->preemption.preemptees)
		return 0;
	if (link_parts(p))
		return -1;
	all = maui_arena_alloc(&p->arena, sizeof(*all));
	if (!all)
		return -1;
	all->list = maui_arena_alloc_list(&p->arena, s->active_count, sizeof(*all->list));
	if (!all->list)
		return -1;
	for (uint32_t a = 0; a < s->active_count; a++)
		if (maui_plan_can_be_preempted(p, &s->active[a]))
			all->list[all->count++] =
				(struct maui_plan_victim){ a, s->active[a].cost,
							   s->active[a].start_s, s->active[a].id };
	qsort(all->list, all->count, sizeof(*all->list), maui_plan_compare_victims);
	p->preemption.preemptees = all;
	return 0;
}

static bool may_preempt_one(const struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_active *active)
{
	unsigned whom = maui_snapshot_preempts(
		p->snapshot, p->snapshot->idle[e->job].rows[e->row].kind, active->kind);

	if (active->slurm_priority == e->published)
		return whom & MAUI_PREEMPTS_EQUAL;
	return whom &
	       (active->slurm_priority < e->published ? MAUI_PREEMPTS_LOWER : MAUI_PREEMPTS_HIGHER);
}

static bool may_preempt_by_slurm(const struct maui_planner *p, const struct maui_plan_entry *e,
				 uint32_t index)
{
	for (uint32_t i = index; i != MAUI_PLAN_NONE; i = maui_plan_next_part(p, i))
		if (!may_preempt_one(p, e, &p->snapshot->active[i]))
			return false;
	return true;
}

/* ---- both ---- */

int maui_plan_preemptees_begin(struct maui_planner *p, const struct maui_plan_entry *e,
			       bool occupying, struct maui_plan_preemptees *ret)
{
	struct maui_plan_slurms_preemptees *all;

	*ret = (struct maui_plan_preemptees){ 0 };
	if (!p->preemption.is_victim)
		p->preemption.is_victim =
			maui_arena_alloc(&p->arena, p->snapshot->active_count + 1u);
	if (!p->preemption.is_victim)
		return -1;
	if (!p->snapshot->slurm_preempts)
		return list_mauis(p, e, occupying, ret);
	if (list_slurms(p))
		return -1;
	all = p->preemption.preemptees;
	while (all->first < all->count && p->preemption.is_victim[all->list[all->first].active])
		all->first++;
	ret->slurms = true;
	ret->list = all->list;
	ret->count = all->count;
	ret->at = all->first;
	return 0;
}

bool maui_plan_preemptees_next(const struct maui_planner *p, const struct maui_plan_entry *e,
			       struct maui_plan_preemptees *from, struct maui_plan_victim *ret)
{
	while (from->at < from->count) {
		const struct maui_plan_victim *victim = &from->list[from->at++];

		if (from->slurms &&
		    (!may_preempt_by_slurm(p, e, victim->active) || !may_go(p, e, victim->active)))
			continue;
		*ret = *victim;
		return true;
	}
	return false;
}

/* ---- BACKFILLPOLICY PREEMPT ---- */

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
	return 0;
}
