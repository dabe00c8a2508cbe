/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle_limits.c - applies limits to the queue: which entries they keep out of the plan, and which
 * of those the next plan will consider
 *
 * Rules: THR-1, THR-8.
 */

#include <string.h>

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* If the job can never run in this partition, and can in another one, limits of this row decide
 * nothing, and another row gives the reason. */
static void pass_over_unfit(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_plan_entry *fit = NULL;

	if (!maui_plan_never_fits(p, e))
		return;
	for (uint32_t i = p->queue.last_of_job[e->job] - 1; i != MAUI_PLAN_NONE;
	     i = p->queue.entries[i].next_of_job)
		if (p->queue.entries[i].copy == e->copy &&
		    !maui_plan_never_fits(p, &p->queue.entries[i]))
			fit = &p->queue.entries[i]; /* the last in the queue comes first */
	if (!fit)
		return;
	p->limits.of_entry[e - p->queue.entries].passed_over = true;
	fit->primary |= e->primary;
	e->primary = false;
}

/* Lets the rows of a copy share one word, which says which row counts for the copy. */
static int share(struct maui_planner *p)
{
	uint32_t **of_job =
		maui_arena_alloc(&p->arena, (p->snapshot->idle_count + 1u) * sizeof(uint32_t *));

	if (!of_job)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];
		const struct maui_idle *idle = maui_plan_job(p, e);

		if (idle->row_count < 2)
			continue;
		pass_over_unfit(p, e);
		if (!of_job[e->job])
			of_job[e->job] = maui_arena_alloc(
				&p->arena, maui_plan_useful_copies(p, idle) * sizeof(uint32_t));
		if (!of_job[e->job])
			return -1;
		p->limits.of_entry[i].stands = &of_job[e->job][e->copy];
	}
	return 0;
}

static void record_reasons(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_throttle_idle *limit)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, e->creds);
	bool blocked = limit->verdict == MAUI_THROTTLE_BLOCKED;

	p->out->verdicts[e->job].no_accrual |= blocked;
	p->out->verdicts[e->job].fs_capped |= c->capped;
	if (c->capped)
		maui_plan_record_violation(p, e, &c->cap);
	if (blocked && limit->violation.kind == MAUI_VIOLATION_IDLE)
		maui_plan_record_violation(p, e, &limit->violation);
	else if (blocked)
		/* every violated limit, not only the first */
		maui_plan_record_violations(p, e, MAUI_LIMIT_HARD);
}

/* Counts the tasks that an idle limit keeps out although it lets the first task pass. */
static void count_idle_limited(struct maui_planner *p, const struct maui_plan_entry *e,
			       const struct maui_throttle_idle *limit)
{
	struct maui_verdict *verdict = &p->out->verdicts[e->job];
	bool blocked = limit->verdict == MAUI_THROTTLE_BLOCKED &&
		       limit->violation.kind == MAUI_VIOLATION_IDLE && e->copy > 0;

	if (verdict->blocks || !(blocked || limit->further_blocked > 0))
		return;
	verdict->idle_limited += blocked + limit->further_blocked;
	if (!verdict->idle_limit)
		verdict->idle_limit = maui_plan_keep_violation(p, &limit->violation);
}

/* A job counts by the first of its rows that may be considered. A limit that keeps one row out
 * does not decide about the other rows, because their class differs. */
static void apply_verdict(struct maui_planner *p, uint32_t index)
{
	struct maui_plan_entry *e = &p->queue.entries[index];
	const struct maui_throttle_idle *limit = &p->limits.of_entry[index];
	bool capped = maui_plan_creds(p, e->creds)->capped;
	bool stands = limit->stands && *limit->stands;

	if (e->forced)
		return;
	if (stands)
		e->primary = *limit->stands - 1 == index;
	if (limit->verdict == MAUI_THROTTLE_BLOCKED || capped) {
		e->state = MAUI_PLAN_OUT;
		if (e->primary && e->copy == 0)
			record_reasons(p, e, limit);
	}
	if (e->primary)
		count_idle_limited(p, e, limit);
}

static void set_demand(struct maui_planner *p, struct maui_plan_entry *e, uint32_t index)
{
	struct maui_throttle_idle *limit = &p->limits.of_entry[index];
	const struct maui_idle *idle = maui_plan_job(p, e);
	const struct maui_quantities least = maui_plan_limits_least(p, e);
	uint32_t copies = maui_plan_useful_copies(p, idle);

	limit->further = e->copy + 1 == copies ? idle->copies - copies : 0;
	limit->set = maui_plan_creds(p, e->creds)->limits;
	limit->reserved = e->job_rsv != NULL; /* THR-8 */
	limit->demand = maui_plan_idle_demand(p->snapshot, idle, &least);
	p->limits.placed[index] = (struct maui_plan_placed){ .demand = limit->demand };
}

int maui_plan_limits_idle(struct maui_planner *p)
{
	p->limits.of_entry = NULL;
	if (!p->limits.any)
		return 0;
	p->limits.of_entry =
		maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*p->limits.of_entry));
	p->limits.placed =
		maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*p->limits.placed));
	p->limits.costs =
		maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(int64_t));
	p->limits.refusals =
		maui_arena_alloc(&p->arena, (p->snapshot->cred_count + 2u) * sizeof(uint32_t));
	if (!p->limits.of_entry || !p->limits.placed || !p->limits.costs || !p->limits.refusals ||
	    maui_shape_supply_make(p->snapshot, &p->arena, &p->limits.supply))
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++)
		set_demand(p, &p->queue.entries[i], i);
	if (share(p))
		return -1;
	maui_throttle_select(p->limits.throttle, p->limits.of_entry, p->queue.count);
	for (uint32_t i = 0; i < p->queue.count; i++)
		apply_verdict(p, i);
	return 0;
}

static bool is_idle_limited(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_throttle_idle *limit)
{
	return e->state == MAUI_PLAN_OUT && limit->verdict == MAUI_THROTTLE_BLOCKED &&
	       limit->violation.kind == MAUI_VIOLATION_IDLE &&
	       !maui_plan_creds(p, e->creds)->capped;
}

/* The jobs as the next plan will find them. NULL: no idle limit keeps a job out, or no memory. */
static struct maui_throttle_idle *list_next(struct maui_planner *p)
{
	size_t size = (p->queue.count + 1u) * sizeof(*p->limits.of_entry);
	struct maui_throttle_idle *list;
	bool any = false;

	for (uint32_t i = 0; p->limits.of_entry && p->out->start_count > 0 && i < p->queue.count;
	     i++)
		any |= is_idle_limited(p, &p->queue.entries[i], &p->limits.of_entry[i]);
	if (!any)
		return NULL;
	list = maui_arena_alloc(&p->arena, size);
	if (!list)
		return NULL;
	memcpy(list, p->limits.of_entry, p->queue.count * sizeof(*list));
	for (uint32_t i = 0; i < p->queue.count; i++)
		if (list[i].stands)
			*list[i].stands = 0;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		if (p->queue.entries[i].state != MAUI_PLAN_STARTED)
			continue;
		list[i].passed_over = true;
		if (list[i].stands)
			*list[i].stands = i + 1; /* its other rows have left the queue */
	}
	return list;
}

void maui_plan_limits_next(struct maui_planner *p, maui_plan_entry_fn admitted, void *data)
{
	struct maui_throttle_idle *list = list_next(p);

	if (!list)
		return;
	maui_throttle_select(p->limits.throttle, list, p->queue.count);
	for (uint32_t i = 0; i < p->queue.count; i++)
		if (list[i].verdict == MAUI_THROTTLE_ELIGIBLE &&
		    is_idle_limited(p, &p->queue.entries[i], &p->limits.of_entry[i]))
			admitted(p, &p->queue.entries[i], data);
}

bool maui_plan_limits_may_end(struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_throttle_idle *limit =
		p->limits.of_entry ? &p->limits.of_entry[e - p->queue.entries] : NULL;

	return limit && e->state == MAUI_PLAN_OUT && limit->verdict == MAUI_THROTTLE_BLOCKED &&
	       limit->violation.kind == MAUI_VIOLATION_ACTIVE &&
	       !maui_plan_creds(p, e->creds)->capped;
}
