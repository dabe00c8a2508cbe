/* SPDX-License-Identifier: GPL-2.0-or-later */
/* finished_limits.c - what the jobs of a finished plan use of the limits
 *
 * A plan does not keep its throttle, because the next cycle uses it again. An answer about limits
 * counts the plan's jobs again.
 *
 * Rules: THR-8.
 */

#include "plan/finished.h"

#include <stdlib.h>

#include "plan/private.h"
#include "policy/quantities.h"

/* Whether the job is suspended, and the plan does not resume it. */
static bool stays_suspended(const struct maui_plan *plan, uint32_t index)
{
	bool suspended = plan->snapshot->active[index].suspended;

	for (uint32_t i = 0; suspended && i < plan->decisions.resume_count; i++)
		if (plan->decisions.resumes[i] == index)
			return false;
	return suspended;
}

static int add_active(const struct maui_plan *plan, struct maui_throttle *throttle, uint32_t index)
{
	const struct maui_active *active = &plan->snapshot->active[index];
	const char *const *cred = plan->snapshot->creds[active->creds].cred;
	const struct maui_throttle_set *set = maui_throttle_resolve(throttle, cred);
	int64_t end_s;
	struct maui_demand demand = maui_plan_demand(plan->snapshot, plan->now_s, active,
						     stays_suspended(plan, index), &end_s);

	return set ? maui_throttle_add(throttle, set, &demand, end_s) : -1;
}

static const struct maui_throttle_set *resolve_row(const struct maui_plan *plan,
						   struct maui_throttle *throttle, uint32_t job,
						   uint32_t row)
{
	const struct maui_row *of = &plan->snapshot->idle[job].rows[row];

	return maui_throttle_resolve(throttle, plan->snapshot->creds[of->creds].cred);
}

static struct maui_demand demand_of(const struct maui_plan *plan, uint32_t job,
				    const struct maui_quantities *holds)
{
	return maui_plan_idle_demand(plan->snapshot, &plan->snapshot->idle[job], holds);
}

struct maui_demand maui_plan_waiting_demand(const struct maui_plan *plan, uint32_t job,
					    uint32_t row)
{
	const struct maui_plan_row none = { 0 }, *rows = plan->jobs[job].rows;

	return demand_of(plan, job, rows ? &rows[row].least : &none.least);
}

static int add_start(const struct maui_plan *plan, struct maui_throttle *throttle,
		     const struct maui_start *start)
{
	const struct maui_throttle_set *set = resolve_row(plan, throttle, start->job, start->row);
	struct maui_demand demand = demand_of(plan, start->job, &start->holds);

	return set ? maui_throttle_add(throttle, set, &demand,
				       maui_when_add(plan->now_s, start->limit_s)) :
		     -1;
}

static int add_job_rsv(const struct maui_plan *plan, struct maui_throttle *throttle,
		       const struct maui_reservation *r)
{
	const struct maui_throttle_set *set = resolve_row(plan, throttle, r->job, r->row);
	struct maui_demand demand = demand_of(plan, r->job, &r->holds);

	if (!set)
		return -1;
	return r->start_s <= plan->now_s ?
		       maui_throttle_add(throttle, set, &demand, r->end_s) :
		       maui_throttle_plan(throttle, set, &demand, r->start_s, r->end_s);
}

/* Accepts the job by the first of its rows that keeps its limits, as maui_throttle_select() does.
 * `sets`: of the snapshot's credentials, as far as they are known already; many jobs share few. -1
 * without memory. */
static int accept_job(const struct maui_plan *plan, struct maui_throttle *throttle,
		      const struct maui_throttle_set **sets, uint32_t job)
{
	const unsigned which = MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE;
	const struct maui_idle *idle = &plan->snapshot->idle[job];
	const uint32_t waiting = idle->copies - plan->decisions.verdicts[job].started;

	for (uint32_t r = 0; waiting > 0 && r < idle->row_count; r++) {
		const struct maui_throttle_set **set = &sets[idle->rows[r].creds];
		const struct maui_demand demand = maui_plan_waiting_demand(plan, job, r);
		struct maui_violation violation;

		if (plan->jobs[job].rows && plan->jobs[job].rows[r].passed_over)
			continue;
		if (!*set && !(*set = resolve_row(plan, throttle, job, r)))
			return -1;
		if (!plan->jobs[job].reserved &&
		    maui_throttle_violations(*set, &demand, MAUI_LIMIT_HARD, which, &violation, 1))
			continue;
		maui_throttle_accept(throttle, *set, &demand);
		maui_throttle_accept_more(throttle, *set, &demand, waiting - 1);
		return 0;
	}
	return 0;
}

int maui_plan_throttle_waiting(const struct maui_plan *plan, struct maui_throttle *throttle)
{
	const struct maui_throttle_set **sets =
		calloc(plan->snapshot->cred_count + 1u, sizeof(*sets));
	int rc = sets ? 0 : -1;

	for (uint32_t j = plan->first_job; rc == 0 && j != UINT32_MAX; j = plan->jobs[j].next)
		rc = accept_job(plan, throttle, sets, j);
	free(sets);
	return rc;
}

struct maui_throttle *maui_plan_throttle(const struct maui_plan *plan)
{
	const struct maui_decisions *d = &plan->decisions;
	struct maui_throttle *throttle = maui_throttle_create(plan->config);
	int rc = throttle ? 0 : -1;

	for (uint32_t a = 0; rc == 0 && a < plan->snapshot->active_count; a++)
		if (!plan->snapshot->active[a].completing)
			rc = add_active(plan, throttle, a);
	for (uint32_t i = 0; rc == 0 && i < d->start_count; i++)
		rc = add_start(plan, throttle, &d->starts[i]);
	for (uint32_t i = 0; rc == 0 && i < d->reservation_count; i++)
		rc = add_job_rsv(plan, throttle, &d->reservations[i]);
	if (rc == 0)
		return throttle;
	maui_throttle_destroy(throttle);
	return NULL;
}
