/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.h - moments as Maui's commands write them: HH[:MM[:SS]][_MO[/DD[/YY]]] or +duration
 *
 * Times are local wall clock time of the process (TZ). A time that the clock skips in spring moves
 * forward by the gap; a time that the clock shows twice in autumn means the first one (RSV-4).
 *
 * Rules: CMD-1.
 */
#ifndef MAUI_BASE_CLOCK_H
#define MAUI_BASE_CLOCK_H

#include <stdint.h>

#include "base/err.h"

/* The moment meant, in seconds of the epoch:
 *   +1:30:00         a duration (base/duration.h) after `base_s`; +INFINITY and INFINITY:
 *                    MAUI_CLOCK_NEVER
 *   9  9:30  9:30:15 the first such time of day at or after `base_s`
 *   9:30_12          on the 1st of December, the first at or after `base_s`
 *   9:30_12/24       on the 24th, likewise
 *   9:30_12/24/26    of 2026, whenever that is or was; four digits as well
 * -1 with err for anything else: no such hour, no such day of that month. */
#define MAUI_CLOCK_NEVER INT64_MAX
int maui_clock_parse(const char *text, int64_t base_s, int64_t *ret_s, struct maui_err *err);

#endif
