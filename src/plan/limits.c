/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.c - throttling in a plan: counts active, started and reserved jobs, and judges starts
 *
 * Active jobs are counted only if some idle job has limits, or if a priority factor weighs what the
 * job's user is running.
 *
 * Rules: THR-1, THR-19.
 */

#include "plan/limits.h"
#include "plan/private.h"

static bool weighs_use(const struct maui_plan_creds *c)
{
	const double *weight = c->priority.weights->weight;

	return weight[MAUI_FACTOR_UPROC] != 0 || weight[MAUI_FACTOR_UJOB] != 0;
}

static struct maui_demand demand_of(const struct maui_planner *p, const struct maui_active *active,
				    bool suspended, int64_t *ret_end)
{
	return maui_plan_demand(p->snapshot, p->now, active, suspended, ret_end);
}

static int count_active(struct maui_planner *p, const struct maui_active *active)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, active->creds);
	int64_t end;
	struct maui_demand demand = demand_of(p, active, active->suspended, &end);

	return c->limits ? maui_throttle_add(p->limits.throttle, c->limits, &demand, end) : -1;
}

bool maui_plan_limits_resume(struct maui_planner *p, const struct maui_active *active)
{
	const struct maui_plan_creds *c = maui_plan_creds(p, active->creds);
	int64_t end, never;
	struct maui_demand running = demand_of(p, active, false, &end);
	struct maui_demand sleeping = demand_of(p, active, true, &never);
	bool allowed;

	if (!p->limits.counted || !c->limits)
		return true;
	maui_throttle_remove(p->limits.throttle, c->limits, &sleeping, never);
	allowed = maui_throttle_allows(c->limits, &running, MAUI_LIMIT_HARD) &&
		  maui_throttle_spares(p->limits.throttle, c->limits, &running, p->now,
				       maui_when_length(p->now, end));
	if (maui_throttle_add(p->limits.throttle, c->limits, allowed ? &running : &sleeping,
			      allowed ? end : never))
		p->failed = true;
	return allowed;
}

int maui_plan_limits_active(struct maui_planner *p)
{
	size_t amounts = p->snapshot->amount_count;

	p->limits.amounts = maui_arena_alloc(&p->arena, 2 * amounts * sizeof(int64_t));
	if (!p->limits.amounts)
		return -1;
	p->limits.more = p->limits.amounts + amounts;
	p->limits.any = p->limits.counted = false;
	p->limits.moments = 0;
	for (uint32_t j = 0; j < p->snapshot->idle_count; j++) {
		const struct maui_idle *idle = &p->snapshot->idle[j];

		for (uint32_t r = 0; r < idle->row_count; r++) {
			const struct maui_plan_creds *c = maui_plan_creds(p, idle->rows[r].creds);

			p->limits.any |= c->limit_count > 0 || c->capped;
			p->limits.counted |= weighs_use(c);
		}
	}
	p->limits.counted |= p->limits.any;
	if (!p->limits.counted)
		return 0;
	maui_throttle_clear(p->limits.throttle);
	for (uint32_t a = 0; a < p->snapshot->active_count; a++)
		if (!p->snapshot->active[a].completing && count_active(p, &p->snapshot->active[a]))
			return -1;
	return 0;
}

void maui_plan_limits_use(const struct maui_planner *p, struct maui_job *job)
{
	const char *user = job->cred[MAUI_CRED_USER];

	if (!p->limits.counted)
		return;
	job->user_procs = maui_throttle_used(p->limits.throttle, MAUI_CRED_USER, user ? user : "",
					     MAUI_RESOURCE_PROC);
	job->user_jobs = maui_throttle_used(p->limits.throttle, MAUI_CRED_USER, user ? user : "",
					    MAUI_RESOURCE_JOB);
}

bool maui_plan_has_limits(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return p->limits.of_entry && maui_plan_creds(p, e->creds)->limit_count > 0;
}

bool maui_plan_limits_spent(struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_plan_has_limits(p, e) && !e->forced &&
	       p->limits.refusals[p->snapshot->creds[e->creds].user] >= MAUI_PLAN_REFUSALS;
}

void maui_plan_limits_charge(struct maui_planner *p, const struct maui_plan_entry *e)
{
	p->limits.refusals[p->snapshot->creds[e->creds].user]++;
}

static bool allows_now(const struct maui_planner *p, const struct maui_plan_entry *e,
		       const struct maui_demand *demand, enum maui_limit_level level)
{
	const struct maui_throttle_set *set = p->limits.of_entry[e - p->queue.entries].set;

	return maui_throttle_allows(set, demand, level) &&
	       maui_throttle_spares(p->limits.throttle, set, demand, p->now, e->limit_s);
}

/* MAUI_NEVER also without memory. */
static int64_t earliest(struct maui_planner *p, const struct maui_plan_entry *e,
			const struct maui_demand *demand, enum maui_limit_level level, int64_t from)
{
	const struct maui_throttle_set *set = p->limits.of_entry[e - p->queue.entries].set;
	int64_t when = maui_throttle_earliest(p->limits.throttle, set, demand, level, p->now, from,
					      e->limit_s);

	p->failed |= when < 0;
	return when < 0 ? MAUI_NEVER : when;
}

int64_t maui_plan_limits_when_placed(struct maui_planner *p, const struct maui_plan_entry *e,
				     int64_t from)
{
	size_t index = (size_t)(e - p->queue.entries);
	const struct maui_demand *demand;
	int64_t when;

	if (!maui_plan_has_limits(p, e) || e->forced)
		return from;
	demand = &p->limits.placed[index].demand;
	if (from <= p->now && allows_now(p, e, demand, p->limits.level))
		return from;
	when = earliest(p, e, demand, p->limits.level, from);
	return when <= p->now ? MAUI_NEVER : when;
}

bool maui_plan_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level)
{
	const struct maui_throttle_idle *limit;

	if (!p->limits.of_entry || e->forced)
		return true;
	limit = &p->limits.of_entry[e - p->queue.entries];
	return maui_throttle_allows(limit->set, &limit->demand, level);
}

bool maui_plan_place_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				      enum maui_limit_level level)
{
	size_t index = (size_t)(e - p->queue.entries);

	return !p->limits.of_entry || e->forced ||
	       maui_throttle_allows(p->limits.of_entry[index].set, &p->limits.placed[index].demand,
				    level);
}

bool maui_plan_limits_allow_start(const struct maui_planner *p, const struct maui_plan_entry *e,
				  enum maui_limit_level level)
{
	if (!p->limits.of_entry || e->forced)
		return true;
	return allows_now(p, e, &p->limits.of_entry[e - p->queue.entries].demand, level);
}

void maui_plan_limits_reserved(struct maui_planner *p, const struct maui_plan_entry *e,
			       int64_t from, bool reserved)
{
	int64_t until = maui_when_add(from, e->limit_s);
	const struct maui_throttle_set *set;
	const struct maui_demand *demand;

	if (!p->limits.of_entry)
		return;
	set = p->limits.of_entry[e - p->queue.entries].set;
	demand = &p->limits.placed[e - p->queue.entries].demand;
	if (!reserved && from <= p->now)
		maui_throttle_remove(p->limits.throttle, set, demand, until);
	else if (!reserved)
		maui_throttle_unplan(p->limits.throttle, set, demand, from, until);
	else if (from <= p->now ? maui_throttle_add(p->limits.throttle, set, demand, until) :
				  maui_throttle_plan(p->limits.throttle, set, demand, from, until))
		p->failed = true;
}

void maui_plan_limits_started(struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (p->limits.of_entry &&
	    maui_throttle_add(p->limits.throttle, p->limits.of_entry[e - p->queue.entries].set,
			      &p->limits.placed[e - p->queue.entries].demand,
			      maui_when_add(p->now, e->limit_s)))
		p->failed = true;
}

int64_t maui_plan_limits_when(struct maui_planner *p, const struct maui_plan_entry *e,
			      enum maui_limit_level level, int64_t from)
{
	if (!p->limits.of_entry)
		return from;
	return earliest(p, e, &p->limits.of_entry[e - p->queue.entries].demand, level, from);
}
