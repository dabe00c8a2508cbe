/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.h - when the instances of a reservation begin and end (RSV-1 to RSV-4; Maui manual
 * 7.1.5.2)
 *
 * A standing reservation has an instance in each of DEPTH periods, today's (this week's) included.
 * Instances are numbered by their periods, so DAYS leave gaps. All roll at local midnight. Times
 * are seconds since the epoch, computed from the local wall clock of the process (TZ): a time that
 * the spring change skips moves forward by the gap, and of a time that the autumn change repeats
 * the first one counts.
 *
 * Rules: RSV-2.
 */
#ifndef MAUI_RESERVATION_WINDOWS_WINDOWS_H
#define MAUI_RESERVATION_WINDOWS_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/rsv.h"

/* The instances of a reservation that have not ended at `now`, by ascending number, without places.
 * Memory is the arena's; -1 without. */
int maui_standing_windows(const struct maui_rsv *rsv, int64_t now_s, struct maui_arena *arena,
			  struct maui_rsv_instance **ret, uint32_t *ret_count);

/* For a recurring reservation: finds the instance with this day (YYYYMMDD) or number among the
 * planned ones. _get_ returns the instance, _find_ its day. */
bool maui_standing_get_window(const struct maui_rsv *rsv, int64_t now_s, int64_t number,
			      struct maui_rsv_instance *ret);
bool maui_standing_find_window(const struct maui_rsv *rsv, int64_t now_s, int64_t number,
			       int32_t *ret_day);

/* Of a recurring reservation: the longest time between two of its instances; -1: it does not recur,
 * or has no instances. */
int64_t maui_standing_longest_gap(const struct maui_rsv *rsv, int64_t now_s);

/* The next moment > now at which windows begin, end or roll; MAUI_NEVER. */
int64_t maui_standing_next(const struct maui_rsv *rsv, int64_t now_s);
/* The first such moment for several reservations. */
int64_t maui_standing_next_of(const struct maui_rsv *const *list, uint32_t count, int64_t now_s);

#endif
