/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reasons.c - one short reason for each eligible job that does not start; start estimates
 *
 * The reason is what the cycle knows without a search: the violated limit, what the partition
 * lacks, or that other jobs come first. src/explain answers from the finished plan which
 * reservation blocks a job, and what would help.
 *
 * Rules: THR-11, BF-14.
 */

#include "plan/het/het.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* Free processors of the pool now, without those of Slurm's reservations. Processors of our
 * reservations count, since each job may use other ones. */
static int64_t free_procs(const struct maui_planner *p, const struct maui_plan_pool *pool)
{
	const struct maui_requester all = { NULL, maui_plan_access_all(p) };
	int64_t sum = 0;

	for (uint32_t i = 0; i < pool->open_count; i++)
		sum += maui_timeline_procs(&p->timeline, pool->open[i], p->now, p->now + 1,
					   all.access ? &all : NULL);
	return sum;
}

/* Whether the cluster lacks licences for the entry during the next `length_s` seconds. */
static bool lacks_licences(struct maui_planner *p, struct maui_plan_entry *e, int64_t length_s)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && maui_fit_global(&p->timeline, shape, p->now, length_s) != p->now;
}

/* Whether there would be enough licences until `until_s` without a Slurm reservation. */
static bool licences_are_reserved(struct maui_planner *p, struct maui_plan_entry *e,
				  int64_t until_s)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	int64_t ends = maui_when_add(p->now, e->limit_s);
	const struct maui_span span = { p->now, ends < until_s ? ends : until_s };

	return shape && maui_fit_blocking_global_claim(&p->timeline, shape, span);
}

static void record_reserved(struct maui_planner *p, struct maui_plan_entry *e, int64_t free)
{
	int64_t start_s = p->out->reservations[e->reservation].start_s;
	bool idle = e->procs <= free;
	bool licences = idle && (licences_are_reserved(p, e, start_s) || lacks_licences(p, e, 1));

	p->out->verdicts[e->job].enough_idle = idle && !licences;
	maui_plan_add_reason(p, e,
			     licences        ? MAUI_REASON_LICENCES :
			     idle && e->busy ? MAUI_REASON_BUSY :
					       MAUI_REASON_RESOURCES,
			     NULL, start_s);
}

/* Whether the job could run in none of its partitions. */
static bool fits_nowhere(struct maui_planner *p, const struct maui_plan_entry *e)
{
	for (uint32_t i = p->queue.last_of_job[e->job] - 1; i != MAUI_PLAN_NONE;
	     i = p->queue.entries[i].next_of_job) {
		struct maui_plan_entry *other = &p->queue.entries[i];

		if (other->copy == e->copy && !maui_plan_never_fits(p, other))
			return false;
	}
	return true;
}

/* Records what keeps the job even from idle nodes. True: its request can never be met. */
static bool record_own(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	enum maui_reason impossible = shape ? shape->impossible : MAUI_REASON_NONE;

	if (impossible != MAUI_REASON_NONE)
		maui_plan_add_reason(p, e, impossible, NULL, MAUI_NEVER);
	p->out->verdicts[e->job].never_fits =
		impossible == MAUI_REASON_NEVER_FITS && fits_nowhere(p, e);
	if (e->refused)
		maui_plan_add_reason(p, e, MAUI_REASON_REFUSED, NULL, MAUI_NEVER);
	if (e->limited) {
		bool hard = maui_plan_limits_are_hard(p, e);

		p->out->verdicts[e->job].active_limit |= hard;
		maui_plan_record_violations(p, e, hard ? MAUI_LIMIT_HARD : MAUI_LIMIT_SOFT);
		if (maui_plan_limits_spent(p, e) && !p->out->verdicts[e->job].blocks)
			maui_plan_add_reason(p, e, MAUI_REASON_PRIORITY, NULL, MAUI_NEVER);
	}
	if (e->chunked)
		maui_plan_add_reason(p, e, MAUI_REASON_CHUNKING, NULL, p->input->chunk_until_s);
	return impossible != MAUI_REASON_NONE;
}

/* Whether free nodes may be enough, but not next to each other or on few switches. */
static bool is_bound(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && maui_alloc_is_bound(shape);
}

static void record_waiting(struct maui_planner *p, struct maui_plan_entry *e, int64_t free)
{
	bool blocked = p->pools.list[e->pool].blocked, idle = e->procs <= free;

	if (record_own(p, e))
		return;
	p->out->verdicts[e->job].enough_idle = idle && !e->busy;
	if (!idle)
		maui_plan_add_reason(p, e, MAUI_REASON_RESOURCES, NULL, MAUI_NEVER);
	else if (e->busy)
		maui_plan_add_reason(p, e, MAUI_REASON_BUSY, NULL, MAUI_NEVER);
	if (lacks_licences(p, e, e->limit_s))
		maui_plan_add_reason(p, e, MAUI_REASON_LICENCES, NULL, MAUI_NEVER);
	else if (!idle || e->busy)
		return;
	else if (maui_plan_confined(e)) /* it cannot use what is free elsewhere */
		maui_plan_add_reason(p, e, MAUI_REASON_RESOURCES, NULL, MAUI_NEVER);
	else if (blocked && e->rules->backfill_policy == MAUI_BACKFILL_NONE)
		maui_plan_add_reason(p, e, MAUI_REASON_PRIORITY, NULL, MAUI_NEVER);
	else if (blocked && (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF)))
		maui_plan_add_reason(p, e, MAUI_REASON_NOBF, NULL, MAUI_NEVER);
	else if (!p->out->verdicts[e->job].blocks)
		maui_plan_add_reason(p, e,
				     is_bound(p, e) ? MAUI_REASON_RESOURCES : MAUI_REASON_RESERVED,
				     NULL, MAUI_NEVER);
}

/* Skips a job that already has a reason, from an earlier copy or from the queue. */
static void record_entry(struct maui_planner *p, struct maui_plan_entry *e, int64_t free)
{
	if (!e->primary || p->out->verdicts[e->job].blocks)
		return;
	if (e->state == MAUI_PLAN_WAITING)
		record_waiting(p, e, free);
	else if (e->state == MAUI_PLAN_RESERVED)
		record_reserved(p, e, free);
	/* jobs within their soft limits go first */
	if (!e->limited && p->out->verdicts[e->job].blocks &&
	    !maui_plan_is_within_limits(p, e, MAUI_LIMIT_SOFT))
		maui_plan_record_violations(p, e, MAUI_LIMIT_SOFT);
}

static bool can_run(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && shape->impossible == MAUI_REASON_NONE && e->state == MAUI_PLAN_WAITING;
}

/* The entry of the job, of its first copy, in whose partition it has a job reservation, or else the
 * first in whose partition it can run at all; or e. */
static struct maui_plan_entry *best_of(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_plan_entry *best = NULL;

	for (uint32_t i = p->queue.last_of_job[e->job] - 1; i != MAUI_PLAN_NONE;
	     i = p->queue.entries[i].next_of_job) {
		struct maui_plan_entry *other = &p->queue.entries[i];

		if (other->copy == 0 && other->state == MAUI_PLAN_RESERVED)
			return other;
		if (other->copy == 0 && can_run(p, other)) /* the last in the queue comes first */
			best = other;
	}
	return best ? best : e;
}

/* A job of several partitions gets its reason from the one in which it is most likely to start. */
static void choose_rows(struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i], *best;

		if (!e->primary || e->state != MAUI_PLAN_WAITING ||
		    p->queue.last_of_job[e->job] == 0 || e->copy > 0)
			continue;
		best = best_of(p, e);
		for (uint32_t k = p->queue.last_of_job[e->job] - 1; k != MAUI_PLAN_NONE;
		     k = p->queue.entries[k].next_of_job)
			p->queue.entries[k].primary = p->queue.entries[k].row == best->row;
	}
}

static int record_all(struct maui_planner *p)
{
	size_t size = (p->pools.count + 1u) * sizeof(int64_t);
	int64_t *free_of_pool = maui_arena_alloc(&p->arena, size);

	if (!free_of_pool)
		return -1;
	choose_rows(p);
	for (uint32_t i = 0; i < p->pools.count; i++)
		free_of_pool[i] = free_procs(p, &p->pools.list[i]);
	for (uint32_t i = 0; i < p->queue.count && !maui_plan_is_given_up(p); i++)
		record_entry(p, &p->queue.entries[i], free_of_pool[p->queue.entries[i].pool]);
	return 0;
}

/* Whether only reservations can be the reason that an entry fits at no moment. */
static bool is_kept_out(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return e->state == MAUI_PLAN_WAITING && !e->limited && !e->too_much && shape &&
	       shape->impossible == MAUI_REASON_NONE;
}

/* The first task of an array at a limit stands for all: it has the earliest moment. */
static bool may_estimate(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return e->state == MAUI_PLAN_WAITING || (e->copy == 0 && maui_plan_limits_may_end(p, e));
}

void maui_plan_estimate(struct maui_planner *p, uint32_t left)
{
	for (uint32_t i = 0; i < p->queue.count && left > 0 && !maui_plan_is_given_up(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];
		uint32_t reservations = p->out->reservation_count, count;
		int64_t when;

		if (!e->primary || e->refused || e->het || !may_estimate(p, e))
			continue;
		left--;
		when = maui_plan_earliest(p, e, MAUI_LIMIT_HARD, p->now, &count);
		e->kept_out = when == MAUI_NEVER && is_kept_out(p, e);
		if (when == MAUI_NEVER)
			continue;
		maui_plan_reserve(p, e, count, when);
		maui_plan_note_estimate(p, e);
		p->out->reservation_count = reservations;
		e->reservation = MAUI_PLAN_NONE;
	}
}

int maui_plan_record_reasons(struct maui_planner *p)
{
	maui_plan_record_het_limits(p);
	if (p->input->want_reasons)
		return record_all(p);
	for (uint32_t i = 0; p->limits.of_entry && i < p->queue.count; i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->state == MAUI_PLAN_WAITING && e->limited && e->primary &&
		    !p->out->verdicts[e->job].blocks)
			p->out->verdicts[e->job].active_limit |= maui_plan_limits_are_hard(p, e);
	}
	return 0;
}
