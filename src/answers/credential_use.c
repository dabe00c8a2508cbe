/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credential_use.c - counts the jobs of a finished plan by credential */

#include "answers/credential_use.h"

static int add(struct maui_throttle *throttle, const struct maui_plan *plan, uint32_t creds,
	       const struct maui_demand *demand)
{
	const struct maui_throttle_set *set =
		maui_throttle_resolve(throttle, plan->snapshot->creds[creds].cred);

	return set ? maui_throttle_add(throttle, set, demand, MAUI_THROTTLE_NEVER) : -1;
}

static int count_active(const struct maui_plan *plan, struct maui_throttle *throttle)
{
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t i = 0; i < s->active_count; i++) {
		const struct maui_active *active = &s->active[i];
		struct maui_demand demand;
		int64_t end_s;

		if (active->completing)
			continue;
		demand = maui_plan_demand(s, plan->now_s, active, active->suspended, &end_s);
		if (add(throttle, plan, active->creds, &demand))
			return -1;
	}
	return 0;
}

/* Tasks of an array count each. */
static int count_idle(const struct maui_plan *plan, struct maui_throttle *throttle)
{
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t j = 0; j < s->idle_count; j++) {
		const struct maui_idle *idle = &s->idle[j];
		const struct maui_verdict *verdict = &plan->decisions.verdicts[j];
		struct maui_demand demand;

		/* idle limits count the jobs that pass the eligibility step */
		if (!plan->jobs[j].queued || verdict->no_accrual ||
		    verdict->started + verdict->idle_limited >= idle->copies)
			continue;
		demand = maui_plan_waiting_demand(plan, j, plan->jobs[j].row);
		for (int r = 0; r < MAUI_RESOURCE_COUNT; r++)
			demand.of[r] *= idle->copies - verdict->started - verdict->idle_limited;
		if (add(throttle, plan, idle->rows[plan->jobs[j].row].creds, &demand))
			return -1;
	}
	return 0;
}

int maui_credential_use_count(const struct maui_plan *plan, struct maui_credential_use *ret)
{
	ret->active = maui_throttle_create(plan->config);
	ret->idle = maui_throttle_create(plan->config);
	if (ret->active && ret->idle && count_active(plan, ret->active) == 0 &&
	    count_idle(plan, ret->idle) == 0)
		return 0;
	maui_credential_use_finish(ret);
	return -1;
}

void maui_credential_use_finish(struct maui_credential_use *use)
{
	maui_throttle_destroy(use->active);
	maui_throttle_destroy(use->idle);
	*use = (struct maui_credential_use){ 0 };
}
