/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_recur.c - the next instance of a repeating reservation */
#include "slurm/capture/recur.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "rows.h"

/* Local time "YYYY-MM-DD HH:MM" in epoch seconds. */
static int64_t local(const char *text)
{
	struct tm broken = { .tm_isdst = -1 };

	cr_assert(sscanf(text, "%d-%d-%d %d:%d", &broken.tm_year, &broken.tm_mon, &broken.tm_mday,
			 &broken.tm_hour, &broken.tm_min) == 5,
		  "%s", text);
	broken.tm_year -= 1900;
	broken.tm_mon--;
	return mktime(&broken);
}

static void in_berlin(void)
{
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	tzset();
}

static const struct row {
	const char *what;
	enum maui_recur recur;
	const char *start, *end, *now;
	const char *want_start, *want_end;
} rows[] = {
	{ "a reservation that does not repeat stays", MAUI_RECUR_NONE, "2026-03-02 08:00",
	  "2026-03-02 09:00", "2026-03-05 12:00", "2026-03-02 08:00", "2026-03-02 09:00" },
	{ "a future instance stays", MAUI_RECUR_DAILY, "2026-03-02 08:00", "2026-03-02 09:00",
	  "2026-03-01 12:00", "2026-03-02 08:00", "2026-03-02 09:00" },
	{ "an instance in force stays", MAUI_RECUR_DAILY, "2026-03-02 08:00", "2026-03-02 09:00",
	  "2026-03-02 08:59", "2026-03-02 08:00", "2026-03-02 09:00" },
	{ "the end does not belong to the instance", MAUI_RECUR_DAILY, "2026-03-02 08:00",
	  "2026-03-02 09:00", "2026-03-02 09:00", "2026-03-03 08:00", "2026-03-03 09:00" },
	{ "hourly", MAUI_RECUR_HOURLY, "2026-03-02 08:00", "2026-03-02 08:10", "2026-03-02 10:30",
	  "2026-03-02 11:00", "2026-03-02 11:10" },
	{ "several days missed", MAUI_RECUR_DAILY, "2026-03-02 08:00", "2026-03-02 09:00",
	  "2026-03-05 12:00", "2026-03-06 08:00", "2026-03-06 09:00" },
	{ "weekly", MAUI_RECUR_WEEKLY, "2026-03-02 08:00", "2026-03-02 09:00", "2026-03-09 10:00",
	  "2026-03-16 08:00", "2026-03-16 09:00" },
	{ "weekdays: Friday to Monday", MAUI_RECUR_WEEKDAY, "2026-03-06 08:00", "2026-03-06 09:00",
	  "2026-03-06 10:00", "2026-03-09 08:00", "2026-03-09 09:00" },
	{ "weekdays: Monday to Tuesday", MAUI_RECUR_WEEKDAY, "2026-03-02 08:00", "2026-03-02 09:00",
	  "2026-03-02 10:00", "2026-03-03 08:00", "2026-03-03 09:00" },
	{ "weekend: Saturday to Sunday", MAUI_RECUR_WEEKEND, "2026-03-07 08:00", "2026-03-07 09:00",
	  "2026-03-07 10:00", "2026-03-08 08:00", "2026-03-08 09:00" },
	{ "weekend: Sunday to Saturday", MAUI_RECUR_WEEKEND, "2026-03-08 08:00", "2026-03-08 09:00",
	  "2026-03-08 10:00", "2026-03-14 08:00", "2026-03-14 09:00" },
	{ "eight o'clock is eight o'clock in summer", MAUI_RECUR_DAILY, "2026-03-28 08:00",
	  "2026-03-28 09:00", "2026-03-28 12:00", "2026-03-29 08:00", "2026-03-29 09:00" },
	{ "eight o'clock is eight o'clock in winter", MAUI_RECUR_DAILY, "2026-10-24 08:00",
	  "2026-10-24 09:00", "2026-10-24 12:00", "2026-10-25 08:00", "2026-10-25 09:00" },
};

TEST_ROWS(recur, instances, rows, row)
{
	int64_t start, end;

	in_berlin();
	start = local(row->start);
	end = local(row->end);
	maui_recur_advance(row->recur, local(row->now), &start, &end);
	cr_expect_eq(start, local(row->want_start), "%s: start is off by %lld s", row->what,
		     (long long)(start - local(row->want_start)));
	cr_expect_eq(end, local(row->want_end), "%s: end is off by %lld s", row->what,
		     (long long)(end - local(row->want_end)));
}

/* An hour that the clock skips or repeats must not stop the advance. */
Test(recur, the_hours_that_are_not, .init = in_berlin)
{
	static const char *const nights[] = { "2026-03-29 00:00", "2026-10-25 00:00" };

	for (size_t i = 0; i < sizeof(nights) / sizeof(nights[0]); i++) {
		int64_t start = local(nights[i]), end = start + 600, now = start + 6 * 3600;

		maui_recur_advance(MAUI_RECUR_HOURLY, now, &start, &end);
		cr_expect_gt(end, now, "%s", nights[i]);
		cr_expect_leq(start, now + 2 * 3600, "%s", nights[i]);
	}
}

Test(recur, years_missed)
{
	int64_t start = 0, end = 3600, now = INT64_C(1750000000);

	maui_recur_advance(MAUI_RECUR_DAILY, now, &start, &end);
	cr_expect_gt(end, now);
	cr_expect_leq(start, now + 86400);
}
