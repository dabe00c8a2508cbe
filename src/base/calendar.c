/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calendar.c - the wall clock where slurmctld runs
 *
 * The C library is asked for one thing only: how far the clock is ahead of UTC at a moment.
 * mktime() with tm_isdst -1 may choose either of two repeated hours, and either side of a gap.
 */

#include "base/calendar.h"

#include <stdbool.h>
#include <time.h>

/* Beyond this, tm_year or sums with it could overflow: some 280,000 years before and after now. */
#define FARTHEST INT64_C(8796093022208)

static int64_t bounded(int64_t t)
{
	return t > FARTHEST ? FARTHEST : t < -FARTHEST ? -FARTHEST : t;
}

/* Seconds by which the wall clock is ahead of UTC at t. */
static int64_t offset_at(int64_t t)
{
	time_t when = (time_t)t;
	struct tm tm;

	return localtime_r(&when, &tm) ? tm.tm_gmtoff : 0;
}

static int64_t floor_days(int64_t s)
{
	return s / MAUI_DAY_S - (s % MAUI_DAY_S < 0);
}

int64_t maui_calendar_day(int64_t t)
{
	t = bounded(t);
	return floor_days(t + offset_at(t));
}

unsigned maui_calendar_weekday(int64_t day)
{
	int64_t rest = (day + 4) % 7; /* day 0 was a Thursday */

	return (unsigned)(rest < 0 ? rest + 7 : rest);
}

int64_t maui_calendar_week(int64_t t)
{
	int64_t day = maui_calendar_day(t);

	return day - maui_calendar_weekday(day);
}

int32_t maui_calendar_date(int64_t day)
{
	time_t when = (time_t)bounded(bounded(day) * MAUI_DAY_S);
	struct tm tm;

	if (!gmtime_r(&when, &tm) || tm.tm_year < -1900 || tm.tm_year >= 9999 - 1900)
		return 0;
	return (tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
}

int64_t maui_calendar_of_date(int32_t date)
{
	struct tm tm = { .tm_year = date / 10000 - 1900,
			 .tm_mon = date / 100 % 100 - 1,
			 .tm_mday = date % 100 };

	return floor_days(timegm(&tm));
}

/* Whether the wall clock shows `wall` at t. */
static bool shows(int64_t t, int64_t wall)
{
	return t + offset_at(t) == wall;
}

/* `wall`: the time on the clock, in seconds as if it were UTC. */
static int64_t moment_of(int64_t wall)
{
	int64_t near = wall - offset_at(wall - offset_at(wall));
	int64_t before = offset_at(near - MAUI_DAY_S), after = offset_at(near + MAUI_DAY_S);
	int64_t early, late;

	if (before == after && shows(near, wall))
		return near;
	/* try the offsets before and after a change: the earlier moment that shows the time; in
	 * a gap none does, and the offset from before the gap holds */
	early = wall - (before > after ? before : after);
	late = wall - (before > after ? after : before);
	if (shows(early, wall))
		return early;
	return shows(late, wall) ? late : wall - before;
}

int64_t maui_calendar_at(int64_t day, int64_t wall_s)
{
	return moment_of(bounded(bounded(day + floor_days(wall_s)) * MAUI_DAY_S) +
			 (wall_s - floor_days(wall_s) * MAUI_DAY_S));
}

int64_t maui_calendar_begins(int64_t day, int64_t t)
{
	int64_t first = maui_calendar_at(day, 0);

	return first > t ? first : bounded(day) * MAUI_DAY_S - offset_at(t);
}
