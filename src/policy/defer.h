/* SPDX-License-Identifier: GPL-2.0-or-later */
/* defer.h - jobs whose starts fail are set aside for a while, and finally held (BF-13)
 *
 *   DEFERSTARTCOUNT  refused starts before a job is deferred
 *   DEFERTIME        how long a deferred job is not considered; 0: never deferred
 *   DEFERCOUNT       deferrals of a job; after the last it is held
 *   JOBMAXSTARTTIME  how long a started job may take until it runs; then it is cancelled
 *
 * The caller keeps and saves struct maui_defer of each job, and sets holds.
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
	int64_t until_s;    /* end of the last deferral */
};

enum maui_defer_outcome {
	MAUI_DEFER_RETRY, /* the job stays in the queue */
	MAUI_DEFER_ASIDE, /* deferred until defer->until_s */
	MAUI_DEFER_HOLD,  /* deferred too often: hold it, and call maui_defer_forget() */
};

/* Notes a refused start. */
enum maui_defer_outcome maui_defer_refused(const struct maui_config *config,
					   struct maui_defer *defer, int64_t now_s);

/* Until when the job is deferred; 0: it is not. No job waits longer than DEFERTIME from now, even
 * if the clock was set back or DEFERTIME made shorter. */
int64_t maui_defer_until(const struct maui_config *config, struct maui_defer *defer, int64_t now_s);

/* For a job that started, was released or changed. */
void maui_defer_forget(struct maui_defer *defer);

/* When a job that has been starting since `since_s` is cancelled unless it runs by then
 * (JOBMAXSTARTTIME); MAUI_NEVER: it is not cancelled. */
int64_t maui_defer_start_deadline(const struct maui_config *config, int64_t since_s);

#endif
