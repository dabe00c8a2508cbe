/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calendar.h - the wall clock where slurmctld runs (TZ)
 *
 * A time that the clock skips in spring moves forward by the gap (02:30 becomes 03:30). A time that
 * the clock shows twice in autumn means the first of the two (RSV-4). Days are calendar days of 23,
 * 24 or 25 hours.
 *
 * Thread safety: safe while TZ does not change.
 */
#ifndef MAUI_BASE_CALENDAR_H
#define MAUI_BASE_CALENDAR_H

#include <stdint.h>

#define MAUI_DAY_S  INT64_C(86400) /* of a wall clock: a period's seconds, not a day's length */
#define MAUI_WEEK_S (7 * MAUI_DAY_S)

/* The day of moment t as a number: 0 is 1970-01-01, a Thursday, and the next day is greater by
 * one. Moments beyond the range of calendars count as the ends of the range. */
int64_t maui_calendar_day(int64_t t);
/* The Sunday on which t's week begins. */
int64_t maui_calendar_week(int64_t t);
/* 0 Sunday .. 6 Saturday. */
unsigned maui_calendar_weekday(int64_t day);
/* YYYYMMDD */
int32_t maui_calendar_date(int64_t day);
/* The day of a date YYYYMMDD. A date that does not exist (20260230) gives some day with another
 * date. */
int64_t maui_calendar_of_date(int32_t date);
/* The moment at which the wall clock shows wall_s seconds since the day's midnight. Any number
 * is allowed: 24:00:00 is the beginning of the next day. */
int64_t maui_calendar_at(int64_t day, int64_t wall_s);
/* The moment after t at which a later day than t's begins. When the clock goes back across
 * midnight, the second midnight counts. */
int64_t maui_calendar_begins(int64_t day, int64_t t);

#endif
