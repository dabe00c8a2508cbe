/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accrual.c - moves the stamp from which a job's queue time counts */

#include "policy/accrual.h"

enum maui_accrual maui_accrual_policy(const struct maui_config *config)
{
	return (enum maui_accrual)config->accrual;
}

static bool may_accrue(enum maui_accrual policy, const struct maui_accrual_state *state)
{
	if (policy == MAUI_ACCRUAL_ALWAYS)
		return true;
	if (state->held || state->dependent || state->limit)
		return false;
	return policy != MAUI_ACCRUAL_FULLPOLICY || !(state->class_disabled || state->rejected ||
						      state->fs_capped || state->active_limit);
}

int64_t maui_accrual_stamp(enum maui_accrual policy, const struct maui_accrual_state *state,
			   int64_t stamp_s, int64_t before_s, int64_t now_s)
{
	if (now_s <= before_s || may_accrue(policy, state))
		return stamp_s;
	stamp_s += now_s - before_s;
	return stamp_s < now_s ? stamp_s : now_s;
}

int64_t maui_accrual_queue_time(int64_t stamp_s, int64_t start_s, int64_t now_s)
{
	int64_t end = start_s > 0 && start_s < now_s ? start_s : now_s;

	return end > stamp_s ? end - stamp_s : 0;
}
