/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accrual.h - effective queue time: how long a job has waited as far as that counts
 *
 * A job carries a stamp, its submit time at first; its effective queue time is the time since the
 * stamp. A cycle in which the job may not accrue moves the stamp forward by the time since the
 * cycle before, so that queue time pauses and goes on later: eligible for 300 s, blocked for 120 s
 * and eligible for 60 s again is 360 s (Maui manual 5.1.2.5 and 6.2.3). A job that was held since
 * it was submitted has waited 0 s. The queue time of an active job ended with its start.
 *
 * Parameters: JOBPRIOACCRUALPOLICY, USESYSTEMQUEUETIME. All times are seconds since the epoch.
 *
 * Rules: PRIO-10.
 */
#ifndef MAUI_POLICY_ACCRUAL_H
#define MAUI_POLICY_ACCRUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* What keeps a job from accruing in one cycle. */
struct maui_accrual_state {
	bool held;
	bool dependent;      /* waits for another job, or for its begin time */
	bool limit;          /* fails the eligibility step at the hard level */
	bool class_disabled; /* FULLPOLICY only, as all below */
	bool rejected;       /* REJECTNEGPRIOJOBS */
	bool fs_capped;      /* a fairshare cap is reached */
	bool active_limit;   /* fails a hard active limit in the later selection */
};

/* JOBPRIOACCRUALPOLICY; ALWAYS where only the older USESYSTEMQUEUETIME is set. */
enum maui_accrual maui_accrual_policy(const struct maui_config *config);

/* The stamp after a cycle at now_s. before_s: the cycle before; before a job's first cycle its
 * submit time. A clock that was set back moves nothing; the stamp never passes now_s. */
int64_t maui_accrual_stamp(enum maui_accrual policy, const struct maui_accrual_state *state,
			   int64_t stamp_s, int64_t before_s, int64_t now_s);

/* Effective queue time, never negative. start_s: when an active job started, else 0. */
int64_t maui_accrual_queue_time(int64_t stamp_s, int64_t start_s, int64_t now_s);

#endif
