/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_sums.h - how many jobs there are, and their processors, by state and by reason
 *
 * In: the published document. Each task of an array is a job. Jobs that PrivateData hides from the
 * user are not counted.
 *
 * Rules: CMD-9, CMD-28, CMD-37, CMD-48.
 */
#ifndef MAUI_ANSWERS_QUEUE_SUMS_H
#define MAUI_ANSWERS_QUEUE_SUMS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/document.h"
#include "model/reason.h"

enum maui_queue_state {
	MAUI_QUEUE_RUNNING,
	MAUI_QUEUE_STARTING,
	MAUI_QUEUE_SUSPENDED,
	MAUI_QUEUE_RESERVED, /* waits with a job reservation */
	MAUI_QUEUE_ELIGIBLE, /* waits for resources only, as showq lists idle jobs */
	MAUI_QUEUE_BLOCKED,
	MAUI_QUEUE_STATES
};

struct maui_queue_sum {
	int64_t jobs, procs;
};

struct maui_queue_sums {
	struct maui_queue_sum states[MAUI_QUEUE_STATES];
	struct maui_queue_sum reasons[MAUI_REASON_COUNT]; /* of waiting jobs, by their first one */
};

struct maui_queue_sums maui_queue_sums(const struct maui_document *p, uid_t uid);

/* "running" */
const char *maui_queue_state_name(enum maui_queue_state state);

/* Of an idle job of the plan's snapshot: the state of its first copy that waits, and why it
 * waits. */
enum maui_queue_state maui_queue_state(const struct maui_plan *plan, uint32_t job);
/* Of the waiting tasks of an array, how many an idle limit keeps out while other tasks are
 * considered: these tasks are blocked. */
uint32_t maui_queue_idle_limited(const struct maui_document *p, uint32_t index);
/* How many waiting jobs of the entry are blocked, or are not: tasks of one array may be either. */
uint32_t maui_queue_count_part(const struct maui_document *p, uint32_t index, bool blocked);
/* The first reason, as the cycle recorded it. */
enum maui_reason maui_queue_reason(const struct maui_plan *plan, uint32_t job);

#endif
