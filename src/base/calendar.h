/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calendar.h - the wall clock of the place where slurmctld runs (TZ)
 *
 * A wall clock time that the spring change skips moves forward by the gap (02:30 becomes 03:30); of
 * one that the autumn repeats the first is meant (RSV-4). Days are counted
 * by the calendar: one of them may have 23 or 25 hours.
 *
 * Thread safety: all of it, as long as nobody changes TZ.
 */
#ifndef MAUI_BASE_CALENDAR_H
#define MAUI_BASE_CALENDAR_H

#include <stdint.h>

#define MAUI_DAY_S  INT64_C(86400) /* of a wall clock: a period's seconds, not a day's length */
#define MAUI_WEEK_S (7 * MAUI_DAY_S)

/* A day of the calendar, as a number: the next one's is greater by one. 0 is 1970-01-01, a
 * Thursday. Moments so far away that no calendar has them count as those at its ends. */
int64_t maui_calendar_day(int64_t t);
/* The Sunday on which t's week begins. */
int64_t maui_calendar_week(int64_t t);
/* 0 Sunday .. 6 Saturday. */
unsigned maui_calendar_weekday(int64_t day);
/* YYYYMMDD */
int32_t maui_calendar_date(int64_t day);
/* The day of YYYYMMDD; of one that no calendar has (20260230): some day, whose date is another. */
int64_t maui_calendar_of_date(int32_t date);
/* The moment when a clock on the wall shows wall_s seconds from the day's midnight; any number:
 * a day further for each MAUI_DAY_S, so that 24:00:00 is the next day's beginning. */
int64_t maui_calendar_at(int64_t day, int64_t wall_s);
/* The moment after t when a later day than t's begins; for the second time, when the clock has gone
 * back across its midnight. */
int64_t maui_calendar_begins(int64_t day, int64_t t);

#endif
