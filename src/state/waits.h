/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits.h - how many jobs waited how long before they started
 *
 * Two waits of a job: until it was eligible (dependencies, holds, begin times, limits), and from
 * then on, its effective queue time.
 *
 * Rules: CMD-69.
 */
#ifndef MAUI_STATE_WAITS_H
#define MAUI_STATE_WAITS_H

#include <stdint.h>

enum maui_wait { MAUI_WAIT_BLOCKED, MAUI_WAIT_ELIGIBLE, MAUI_WAITS };
extern const char *const maui_wait_names[MAUI_WAITS + 1]; /* NULL at the end */

/* Up to 10 seconds, a minute, five minutes ... a week; the last has all others. */
enum { MAUI_WAIT_STEPS = 12 };
int64_t maui_wait_limit(int step); /* seconds; MAUI_NEVER: of the last */

/* Jobs of each step, then the sum of their waits in seconds: of MAUI_WAIT_BLOCKED, then of
 * MAUI_WAIT_ELIGIBLE. The order is that of the state file. */
enum { MAUI_WAIT_SUM = MAUI_WAIT_STEPS, MAUI_WAIT_FIGURES };
struct maui_waits {
	double value[MAUI_WAITS * MAUI_WAIT_FIGURES];
};

void maui_waits_add(struct maui_waits *waits, enum maui_wait wait, int64_t seconds);
/* The figures of one wait: MAUI_WAIT_FIGURES of them. */
const double *maui_waits_of(const struct maui_waits *waits, enum maui_wait wait);

#endif
