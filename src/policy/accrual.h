/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accrual.h - effective queue time: from when a job's waiting counts (JOBPRIOACCRUALPOLICY)
 *
 * A job carries a stamp, its submit time at first. Each iteration in which it may not accrue moves
 * the stamp to now, so that its queue time is the time since the last moment of violation (Maui
 * manual 6.2.3; our rulings c.4, m.13). An active job's queue time ended with its start.
 */
#ifndef MAUI_POLICY_ACCRUAL_H
#define MAUI_POLICY_ACCRUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* What keeps a job from accruing, this iteration. */
struct maui_accrual_state {
	bool held;
	bool dependent;      /* waits for another job, or for its begin time */
	bool limit;          /* fails the eligibility step at the hard level */
	bool class_disabled; /* FULLPOLICY only, as all below */
	bool rejected;       /* REJECTNEGPRIOJOBS */
	bool fs_capped;
	bool active_limit; /* fails a hard active policy in the later selection */
};

/* The policy in force: JOBPRIOACCRUALPOLICY, or ALWAYS by the older USESYSTEMQUEUETIME. */
enum maui_accrual maui_accrual_policy(const struct maui_config *config);

/* The stamp after an iteration at `now`. */
int64_t maui_accrual_stamp(enum maui_accrual policy, const struct maui_accrual_state *state,
			   int64_t stamp_s, int64_t now_s);

/* Effective queue time, never negative. start_s: of an active job, else 0. */
int64_t maui_accrual_queue_time(int64_t stamp_s, int64_t start_s, int64_t now_s);

#endif
