/* SPDX-License-Identifier: GPL-2.0-or-later */
/* defer.h - jobs whose starts fail: set aside for a while, at last held (manual 11.1; ruling m.17)
 *
 *   DEFERSTARTCOUNT  starts of a job that may be refused before it is deferred
 *   DEFERTIME        how long it is deferred: not considered; 0: never deferred
 *   DEFERCOUNT       times it may be deferred; instead of once more it is held
 *   JOBMAXSTARTTIME  how long a started job may take until it runs; then it is cancelled
 *
 * Owns: the rules. Does not own: the state of a job, which its owner keeps and saves; holds.
 */
#ifndef MAUI_POLICY_DEFER_H
#define MAUI_POLICY_DEFER_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* Of one job. All 0: nothing has failed. */
struct maui_defer {
	uint32_t refusals;  /* starts refused since it was last deferred */
	uint32_t deferrals; /* times it was deferred */
	int64_t until_s;    /* of the last time */
};

enum maui_defer_outcome {
	MAUI_DEFER_RETRY, /* it is tried again, as all are */
	MAUI_DEFER_ASIDE, /* deferred until defer->until_s */
	MAUI_DEFER_HOLD,  /* deferred too often: hold it, and forget (maui_defer_forget()) */
};

/* Notes a refused start. */
enum maui_defer_outcome maui_defer_refused(const struct maui_config *config,
					   struct maui_defer *defer, int64_t now_s);

/* Until when the job is deferred at this moment; 0: it is not. Once a clock was set back, or
 * DEFERTIME made shorter, that is DEFERTIME from the first look since, and stays so: nobody waits
 * for longer. */
int64_t maui_defer_until(const struct maui_config *config, struct maui_defer *defer, int64_t now_s);

/* It started, was released or changed: all is forgotten. */
void maui_defer_forget(struct maui_defer *defer);

/* When a job whose nodes have been getting ready since `since_s` is to be cancelled if it does not
 * run by then; MAUI_NEVER: it is left alone. */
int64_t maui_defer_start_deadline(const struct maui_config *config, int64_t since_s);

#endif
