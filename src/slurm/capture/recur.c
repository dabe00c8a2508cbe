/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recur.c - from one instance of a repeating reservation to the next */

#include "slurm/capture/recur.h"

#include <time.h>

/* Steps after which a reservation that ended long ago is given up. */
enum { MOST_STEPS = 100000 };

enum { SUNDAY, FRIDAY = 5, SATURDAY };

static int days_to_next(enum maui_recur recur, int weekday)
{
	switch (recur) {
	case MAUI_RECUR_DAILY:
		return 1;
	case MAUI_RECUR_WEEKLY:
		return 7;
	case MAUI_RECUR_WEEKDAY:
		return weekday == FRIDAY ? 3 : weekday == SATURDAY ? 2 : 1;
	case MAUI_RECUR_WEEKEND:
		return weekday == SATURDAY ? 1 : weekday == SUNDAY ? 6 : SATURDAY - weekday;
	default:
		return 0;
	}
}

static int64_t shifted(int64_t when_s, int days, int hours)
{
	time_t then = (time_t)when_s, moved;
	struct tm broken;

	if (!localtime_r(&then, &broken))
		return when_s + days * 86400 + hours * 3600;
	broken.tm_mday += days;
	broken.tm_hour += hours;
	broken.tm_isdst = -1;
	moved = mktime(&broken);
	/* an hour that a change of DST skips or repeats must not stop the loop */
	return moved > then ? (int64_t)moved : when_s + days * 86400 + hours * 3600;
}

void maui_recur_advance(enum maui_recur recur, int64_t now_s, int64_t *start_s, int64_t *end_s)
{
	if (recur == MAUI_RECUR_NONE)
		return;
	for (int step = 0; step < MOST_STEPS && *end_s <= now_s; step++) {
		time_t start = (time_t)*start_s;
		int hours = recur == MAUI_RECUR_HOURLY;
		struct tm broken;
		int days;

		if (!localtime_r(&start, &broken))
			return;
		days = days_to_next(recur, broken.tm_wday);
		*start_s = shifted(*start_s, days, hours);
		*end_s = shifted(*end_s, days, hours);
	}
}
