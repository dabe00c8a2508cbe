/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_pass.c - jobs in order of priority: starts, then job reservations
 *
 * Rules: BF-1, BF-2.
 */

#include "plan/private.h"

static bool flag(const struct maui_plan_entry *e, enum maui_qos_flag which)
{
	return e->flags & (UINT64_C(1) << which);
}

/* RESERVATIONTHRESHOLDTYPE: whether the job has suffered enough to be protected. */
static bool beyond_threshold(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_idle *idle = maui_plan_job(p, e);
	double waited = p->now > idle->queue_since_s ? (double)(p->now - idle->queue_since_s) : 0;
	double least = (double)p->creds.list[e->creds].priority.weights->xfminwclimit_s, limit,
	       value;

	switch (e->rules->threshold) {
	case MAUI_THRESHOLD_BYPASS:
		value = idle->job.bypass + p->out->verdicts[e->job].bypass;
		break;
	case MAUI_THRESHOLD_QUEUETIME:
		value = waited;
		break;
	case MAUI_THRESHOLD_XFACTOR:
		limit = (double)e->limit_s > least ? (double)e->limit_s : least;
		value = limit > 0 ? 1 + waited / limit : 1;
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
	    e->rules->reservation_policy == MAUI_RESERVE_NEVER || flag(e, MAUI_QOS_NORESERVATION))
		return false;
	if (flag(e, MAUI_QOS_RESERVEALWAYS))
		return true;
	return uses_stack(p, e) && beyond_threshold(p, e);
}

static void count_reservation(struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (uses_stack(p, e) && !flag(e, MAUI_QOS_RESERVEALWAYS))
		p->pools.list[e->pool].left[e->stack]--;
}

static void start(struct maui_planner *p, struct maui_plan_entry *e, uint32_t count,
		  int64_t limit_s)
{
	bool blocked = p->pools.list[e->pool].blocked;
	struct maui_start *start = maui_plan_start(p, e, count, limit_s);

	if (start && blocked) {
		start->out_of_order = true;
		maui_plan_passed(p, e);
	}
}

/* --time-min: for as long as the nodes that would do for that are free. */
static bool start_shorter(struct maui_planner *p, struct maui_plan_entry *e)
{
	int64_t limit = e->limit_s;
	uint32_t count;

	if (e->limit_min_s <= 0 || e->limit_min_s >= e->limit_s)
		return false;
	count = maui_plan_place_now(p, e, e->limit_min_s);
	if (count == 0)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		int64_t until =
			maui_fit_until(&p->timeline, &e->shape->shape, p->candidates.list[i].node,
				       p->now, p->candidates.list[i].gives);

		if (until != MAUI_NEVER && until - p->now < limit)
			limit = until - p->now;
	}
	start(p, e, count, limit < e->limit_min_s ? e->limit_min_s : limit);
	return true;
}

static bool start_now(struct maui_planner *p, struct maui_plan_entry *e)
{
	uint32_t count = maui_plan_place_now(p, e, e->limit_s);

	if (count > 0)
		start(p, e, count, e->limit_s);
	return count > 0 || start_shorter(p, e);
}

int64_t maui_plan_later(struct maui_planner *p, struct maui_plan_entry *e,
			enum maui_limit_level level, int64_t from, uint32_t *ret_count)
{
	for (;;) {
		int64_t allowed = maui_plan_limits_when(p, e, level, from);
		int64_t when = maui_plan_place_later(p, e, allowed, ret_count);

		if (when == MAUI_NEVER || when == allowed)
			return when;
		from = maui_plan_limits_when(p, e, level, when);
		if (from == when)
			return when;
	}
}

static bool reserve(struct maui_planner *p, struct maui_plan_entry *e, enum maui_limit_level level)
{
	uint32_t count = 0;
	int64_t when = maui_plan_later(p, e, level, p->now, &count);

	if (when == MAUI_NEVER)
		return false;
	maui_plan_reserve(p, e, count, when);
	count_reservation(p, e);
	return true;
}

/* A reservation that carries over may move forward; one that is due but cannot start stays where
 * it is for as long as it is retried. */
static void visit_held(struct maui_planner *p, struct maui_plan_entry *e,
		       enum maui_limit_level level)
{
	bool due = maui_plan_is_due(p, e);

	maui_plan_unhold(p, e);
	if (maui_plan_limits_allow(p, e, level) && start_now(p, e))
		return;
	p->pools.list[e->pool].blocked = true;
	if (due) {
		maui_plan_keep(p, e);
		if (!e->job_rsv->preempting)
			count_reservation(p, e);
	} else {
		reserve(p, e, level);
	}
}

/* Whether another row of the same job has a reservation, or one that carries over. */
static bool reserved_elsewhere(const struct maui_planner *p, const struct maui_plan_entry *e)
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

/* Behind a blocked job: whether those who sit on its owner's reservation go for it all the same. */
static bool may_push(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->owners.instance_count > 0 && e->rules->backfill_policy != MAUI_BACKFILL_NONE &&
	       !flag(e, MAUI_QOS_NOBF) && maui_plan_owns(p, e->creds);
}

/* Where there is room for it as things are, it is backfill's to say who has it. */
static void push(struct maui_planner *p, struct maui_plan_entry *e)
{
	int64_t least =
		e->limit_min_s > 0 && e->limit_min_s < e->limit_s ? e->limit_min_s : e->limit_s;

	if (maui_plan_place_now(p, e, least) == 0 && !reserved_elsewhere(p, e))
		maui_plan_push(p, e);
}

/* The turn of an entry that waits and that limits let start: a start, or a reservation, or its pool
 * is blocked. */
static void visit(struct maui_planner *p, struct maui_plan_entry *e, enum maui_limit_level level)
{
	struct maui_plan_pool *pool = &p->pools.list[e->pool];
	bool behind = pool->blocked && !may_reserve(p, e);
	const struct maui_shape *shape;
	uint32_t count;

	if (behind && !may_push(p, e))
		return;
	shape = maui_plan_shape(p, e);
	if (!shape || shape->impossible || e->refused)
		return; /* never in anybody's way */
	if (behind) {
		push(p, e);
		return;
	}
	if (start_now(p, e) || reserved_elsewhere(p, e))
		return;
	if (maui_plan_preempt(p, e))
		return;
	if (shape->request->refused_count > 0 &&
	    maui_plan_later(p, e, level, p->now, &count) == MAUI_NEVER)
		return; /* refused, and nothing in sight that would change that */
	pool->blocked = true;
	if (may_reserve(p, e))
		reserve(p, e, level);
}

/* Within its limits now, but not for as long as it would run, because of those who are to start
 * meanwhile: later, then. It is in nobody's way. */
static void visit_unsparing(struct maui_planner *p, struct maui_plan_entry *e,
			    enum maui_limit_level level)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	e->limited = true;
	if (shape && !shape->impossible && !e->refused && !reserved_elsewhere(p, e) &&
	    may_reserve(p, e))
		reserve(p, e, level);
}

void maui_plan_priority_pass(struct maui_planner *p, enum maui_limit_level level)
{
	for (uint32_t i = 0; i < p->queue.count && !maui_plan_ends(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (p->preemption.next_suspended < p->preemption.suspended_count)
			maui_plan_resume(p, e->published);
		if (e->state == MAUI_PLAN_HELD) {
			visit_held(p, e, level);
		} else if (e->state == MAUI_PLAN_WAITING) {
			if (level == MAUI_LIMIT_HARD && !e->limited)
				continue; /* had its turn under soft limits */
			e->limited = !maui_plan_limits_hold(p, e, level);
			if (!e->limited && maui_plan_limits_allow(p, e, level))
				visit(p, e, level);
			else if (!e->limited)
				visit_unsparing(p, e, level);
		}
	}
	maui_plan_resume(p, 0);
}
