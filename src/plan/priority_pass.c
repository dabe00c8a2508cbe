/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_pass.c - jobs in order of priority: starts, then job reservations
 *
 * Rules: BF-1, BF-2.
 */

#include "base/search.h"
#include "plan/het/het.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/preempt.h"
#include "plan/private.h"

static bool has_flag(const struct maui_plan_entry *e, enum maui_qos_flag which)
{
	return e->flags & (UINT64_C(1) << which);
}

/* Whether the job has waited or been bypassed so much that RESERVATIONTHRESHOLDTYPE allows it a job
 * reservation. */
static bool beyond_threshold(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_idle *idle = maui_plan_job(p, e);
	double waited = p->now > idle->queue_since_s ? (double)(p->now - idle->queue_since_s) : 0;
	double value;

	switch (e->rules->threshold) {
	case MAUI_THRESHOLD_BYPASS:
		value = idle->job.bypass + p->out->verdicts[e->job].bypass;
		break;
	case MAUI_THRESHOLD_QUEUETIME:
		value = waited;
		break;
	case MAUI_THRESHOLD_XFACTOR:
		value = maui_priority_xfactor(p->creds.list[e->creds].priority.weights, waited,
					      (double)e->limit_s);
		break;
	default:
		return true;
	}
	return value > e->rules->threshold_value;
}

static bool uses_stack(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return e->stack >= 0 && p->pools.list[e->pool].left[e->stack] > 0;
}

static bool may_reserve(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	int policy = e->rules->backfill_policy;

	if (policy == MAUI_BACKFILL_NONE || policy == MAUI_BACKFILL_PREEMPT ||
	    e->rules->reservation_policy == MAUI_RESERVE_NEVER ||
	    has_flag(e, MAUI_QOS_NORESERVATION) || e->no_reservation)
		return false;
	if (has_flag(e, MAUI_QOS_RESERVEALWAYS) || maui_plan_keeps_start(e))
		return true;
	return uses_stack(p, e) && beyond_threshold(p, e);
}

static void count_reservation(struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (uses_stack(p, e) && !has_flag(e, MAUI_QOS_RESERVEALWAYS))
		p->pools.list[e->pool].left[e->stack]--;
}

static void start_entry(struct maui_planner *p, struct maui_plan_entry *e, uint32_t count,
			int64_t limit_s)
{
	bool blocked = p->pools.list[e->pool].blocked;
	struct maui_start *start = maui_plan_start(p, e, count, limit_s);

	if (start && blocked) {
		start->out_of_order = true;
		maui_plan_count_bypass(p, e);
	}
}

struct licensed {
	const struct maui_planner *planner;
	const struct maui_plan_entry *entry;
};

static bool has_licences_for(void *data, int64_t limit)
{
	const struct licensed *l = data;
	const struct maui_planner *p = l->planner;

	return maui_fit_global(&p->timeline, &l->entry->shape->shape, p->now, limit) == p->now;
}

/* The longest limit up to this one for which there are licences; there are for the shortest. */
static int64_t limit_by_licences(const struct maui_planner *p, const struct maui_plan_entry *e,
				 int64_t limit)
{
	struct licensed l = { p, e };

	return has_licences_for(&l, limit) ?
		       limit :
		       maui_last_that_holds(e->limit_min_s, limit, has_licences_for, &l);
}

/* --time-min: starts the job with a shorter limit: as long as the nodes that suit the shortest
 * limit are free, and licences last. */
static bool start_shorter(struct maui_planner *p, struct maui_plan_entry *e)
{
	int64_t limit = e->limit_s;
	uint32_t count;

	if (e->limit_min_s <= 0 || e->limit_min_s >= e->limit_s)
		return false;
	/* where Slurm chooses, the nodes that the plan would take stand for those that it takes: not
	 * every node on which the job may run has to be free for long */
	count = maui_plan_must_end(p, e) || e->busy ? 0 : maui_plan_place_now(p, e, e->limit_min_s);
	if (count == 0)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		int64_t until =
			maui_fit_until(&p->timeline, &e->shape->shape, p->candidates.list[i].node,
				       p->now, p->candidates.list[i].gives);

		if (until != MAUI_NEVER && until - p->now < limit)
			limit = until - p->now;
	}
	limit = limit < e->limit_min_s ? e->limit_min_s : limit_by_licences(p, e, limit);
	if (maui_plan_slurm_chooses(p, e))
		count = maui_plan_place_start(p, e, limit);
	if (count > 0)
		start_entry(p, e, count, limit);
	return count > 0;
}

static bool start_now(struct maui_planner *p, struct maui_plan_entry *e,
		      enum maui_limit_level level)
{
	uint32_t count;

	if (e->het)
		return maui_plan_start_het(p, e, level, false);
	count = maui_plan_place_start(p, e, e->limit_s);

	if (count > 0)
		start_entry(p, e, count, e->limit_s);
	return count > 0 || start_shorter(p, e);
}

static bool reserve_later(struct maui_planner *p, struct maui_plan_entry *e,
			  enum maui_limit_level level)
{
	uint32_t count = 0;
	int64_t when;

	if (e->het) {
		if (!maui_plan_reserve_het(p, e, level))
			return false;
		count_reservation(p, e);
		return true;
	}
	when = maui_plan_earliest(p, e, level, p->now, &count);
	if (when == MAUI_NEVER)
		return false;
	maui_plan_reserve(p, e, count, when);
	count_reservation(p, e);
	return true;
}

/* Starts a job whose job reservation is its turn. One that is due may have been made under hard
 * limits, and jobs may have been preempted for it: hard limits suffice. */
static bool start_held(struct maui_planner *p, struct maui_plan_entry *e,
		       enum maui_limit_level level, bool due)
{
	enum maui_limit_level before = p->limits.level;
	bool started;

	if (due)
		level = MAUI_LIMIT_HARD;
	p->limits.level = level;
	started = maui_plan_limits_allow_start(p, e, level) && start_now(p, e, level);
	p->limits.level = before;
	return started;
}

static bool limits_allow_start(struct maui_planner *p, const struct maui_plan_entry *e,
			       enum maui_limit_level level)
{
	return e->het ? maui_plan_limits_allow_het(p, e, level) :
			maui_plan_limits_allow_start(p, e, level);
}

static bool is_too_much(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return e->het ? maui_plan_is_het_too_much(p, e) : e->too_much;
}

/* Moves a job reservation forward, or leaves it where it is. One that stands under hard limits
 * alone has its turn in the pass under hard limits. */
static void reserve_again(struct maui_planner *p, struct maui_plan_entry *e,
			  enum maui_limit_level level)
{
	uint32_t count = 0;
	int64_t when = maui_plan_earliest(p, e, level, p->now, &count);

	e->limited = level != MAUI_LIMIT_HARD && when > e->held_from_s;
	if (e->limited) {
		maui_plan_hold(p, e);
	} else if (when != MAUI_NEVER) {
		maui_plan_reserve(p, e, count, when);
		count_reservation(p, e);
	}
}

/* The turn of a job reservation that carries over. It may move forward. If it is due and the job
 * cannot start, it stays where it is as long as RESERVATIONRETRYTIME allows. It blocks the pool,
 * unless limits alone keep the job from starting. */
static void visit_held(struct maui_planner *p, struct maui_plan_entry *e,
		       enum maui_limit_level level)
{
	bool due = maui_plan_is_due(p, e);

	maui_plan_unhold(p, e);
	e->too_much = false;
	if (start_held(p, e, level, due) || p->out->incomplete)
		return;
	if (limits_allow_start(p, e, level) && !is_too_much(p, e))
		p->pools.list[e->pool].blocked = true;
	if (due) {
		maui_plan_keep_job_rsv(p, e);
		if (!e->job_rsv->preempting)
			count_reservation(p, e);
	} else {
		reserve_again(p, e, level);
	}
}

bool maui_plan_is_reserved_elsewhere(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	for (uint32_t i = p->queue.last_of_job[e->job] - 1; i != MAUI_PLAN_NONE;
	     i = p->queue.entries[i].next_of_job) {
		const struct maui_plan_entry *other = &p->queue.entries[i];

		if (other->copy == e->copy &&
		    (other->state == MAUI_PLAN_RESERVED || other->state == MAUI_PLAN_HELD))
			return true;
	}
	return false;
}

/* Whether the entry, behind a blocked job, may still preempt: by Slurm's own preemption, or jobs
 * that occupy its owner's reservation. */
static bool may_preempt_behind(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (e->het || e->rules->backfill_policy == MAUI_BACKFILL_NONE || has_flag(e, MAUI_QOS_NOBF))
		return false;
	if (p->snapshot->slurm_preempts)
		return maui_plan_is_preemptor(p, e);
	return p->owners.instance_count > 0 && maui_plan_owns(p, e->creds);
}

/* Preempts only if the job does not fit without preemption. If it does fit, backfill decides. */
static void preempt_behind(struct maui_planner *p, struct maui_plan_entry *e)
{
	int64_t least =
		e->limit_min_s > 0 && e->limit_min_s < e->limit_s ? e->limit_min_s : e->limit_s;

	if (maui_plan_place_now(p, e, least) == 0 && !maui_plan_is_reserved_elsewhere(p, e))
		maui_plan_preempt_behind(p, e);
}

/* Whether a soft limit alone refuses the place: the pass under hard limits looks at the entry. A
 * place that would only take what jobs with reservations need later violates no limit now, and that
 * pass would come too late: behind backfill. */
static bool is_too_much_softly(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return !maui_plan_limits_are_hard(p, e) &&
	       !maui_plan_place_is_within_limits(p, e, MAUI_LIMIT_SOFT);
}

/* There is a place for the entry, but limits do not allow it: as any job over a limit it does not
 * block the pool. It may get a job reservation for the moment at which limits allow a place. */
static void visit_too_much(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level)
{
	struct maui_plan_violations violations;

	e->limited = true;
	if ((level != MAUI_LIMIT_HARD && is_too_much_softly(p, e)) || !may_reserve(p, e) ||
	    p->limits.moments >= MAUI_PLAN_ALL_MOMENTS || maui_plan_limits_spent(p, e))
		return;
	violations = maui_plan_list_violations(p, e, MAUI_LIMIT_HARD);
	reserve_later(p, e, level);
	if (e->state == MAUI_PLAN_RESERVED && !p->out->verdicts[e->job].blocks)
		maui_plan_record_list(p, e, &violations);
}

/* Limits refuse what is free, but they may allow what others leave. */
static bool preempt_instead(struct maui_planner *p, struct maui_plan_entry *e)
{
	uint64_t epoch = p->epoch;

	if (e->het || maui_plan_limits_spent(p, e))
		return false;
	if (maui_plan_preempt(p, e))
		return true;
	if (p->epoch != epoch) /* others were given back and taken again: what is free now counts */
		(void)maui_plan_place_start(p, e, e->limit_s);
	return false;
}

/* The turn of a waiting entry within its limits: it starts, or gets a job reservation, or blocks
 * its pool. */
static void visit(struct maui_planner *p, struct maui_plan_entry *e, enum maui_limit_level level)
{
	struct maui_plan_pool *pool = &p->pools.list[e->pool];
	bool behind =
		(pool->blocked || (e->het && maui_plan_is_het_behind(p, e))) && !may_reserve(p, e);
	const struct maui_shape *shape;
	uint32_t count;

	if (behind && !may_preempt_behind(p, e))
		return;
	shape = maui_plan_shape(p, e);
	if (!shape || shape->impossible || e->refused)
		return; /* such a job never blocks the pool */
	if (behind) {
		preempt_behind(p, e);
		return;
	}
	if (start_now(p, e, level) || p->out->incomplete || maui_plan_is_reserved_elsewhere(p, e))
		return;
	if (is_too_much(p, e)) {
		if (!preempt_instead(p, e))
			visit_too_much(p, e, level);
		return;
	}
	if (!e->het && maui_plan_preempt(p, e))
		return;
	if (e->busy && maui_plan_earliest(p, e, level, p->now, &count) == MAUI_NEVER)
		return; /* Slurm refused it, and no later moment would change that */
	if (may_reserve(p, e))
		reserve_later(p, e, level);
	else if (e->het)
		maui_plan_try_het(p, e, level);
	pool->blocked |= !e->het || maui_plan_is_het_waited_for(p, e);
}

/* The turn of an entry that is within its limits now, but would break them later together with the
 * jobs that have reservations. It may get a later job reservation. It does not block the pool. */
static void visit_limited_later(struct maui_planner *p, struct maui_plan_entry *e,
				enum maui_limit_level level)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	struct maui_plan_violations violations;

	e->limited = true;
	if (!shape || shape->impossible || e->refused || maui_plan_is_reserved_elsewhere(p, e) ||
	    !may_reserve(p, e))
		return;
	violations = maui_plan_list_violations(p, e, MAUI_LIMIT_HARD);
	reserve_later(p, e, level);
	if (e->state == MAUI_PLAN_RESERVED && !p->out->verdicts[e->job].blocks)
		maui_plan_record_list(p, e, &violations);
}

static bool is_within_limits(struct maui_planner *p, const struct maui_plan_entry *e,
			     enum maui_limit_level level)
{
	return e->het ? maui_plan_is_het_within_limits(p, e, level) :
			maui_plan_is_within_limits(p, e, level);
}

/* Whether the job had a job reservation that carries over, which another one now delays, and cannot
 * have it any more where it was: a job that starts seconds late ends late. The job keeps its start,
 * though its limits may be reached at this moment. */
static bool has_lost_place(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_plan_keeps_start(e) && !is_within_limits(p, e, MAUI_LIMIT_HARD);
}

void maui_plan_priority_pass(struct maui_planner *p, enum maui_limit_level level)
{
	p->limits.level = level;
	for (uint32_t i = 0; i < p->queue.count && !maui_plan_is_given_up(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->het == MAUI_PLAN_NONE)
			continue;
		if ((e->state == MAUI_PLAN_HELD || e->state == MAUI_PLAN_WAITING) &&
		    maui_plan_must_end(p, e))
			return;
		if (p->preemption.next_suspended < p->preemption.suspended_count)
			maui_plan_resume(p, e->published);
		if (e->state == MAUI_PLAN_HELD) {
			visit_held(p, e, level);
		} else if (e->state == MAUI_PLAN_WAITING) {
			if (level == MAUI_LIMIT_HARD && !e->limited)
				continue; /* the pass under soft limits has considered it */
			e->limited = !is_within_limits(p, e, level);
			if (!e->limited && limits_allow_start(p, e, level))
				visit(p, e, level);
			else if (!e->limited)
				visit_limited_later(p, e, level);
			else if (has_lost_place(p, e))
				visit_limited_later(p, e, MAUI_LIMIT_HARD);
		}
	}
	maui_plan_resume(p, 0);
}
