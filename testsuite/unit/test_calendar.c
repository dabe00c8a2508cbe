/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_calendar.c - the wall clock: gaps, repeated hours, days of 23 and 25 hours */
#include "base/calendar.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include "rows.h"

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

struct row {
	const char *name, *zone;
	int64_t noon; /* a moment in the day */
	int64_t wall_s;
	int64_t moment;
};

#define AT(h, m) ((h)*3600 + (m)*60)
/* 2024-03-10 and 2024-11-03: Denver's changes; 12:00 of each by its clock */
#define SPRING   INT64_C(1710093600)
#define AUTUMN   INT64_C(1730660400)
#define SPRING_0 INT64_C(1710054000) /* its midnight */
#define AUTUMN_0 INT64_C(1730613600)
/* London's with the negative summer time that Dublin's zone file has: 2024-03-31, 2024-10-27 */
#define DUBLIN_SPRING_0 INT64_C(1711843200)
#define DUBLIN_AUTUMN_0 INT64_C(1729983600)

static const struct row rows[] = {
	{ "utc", "UTC", 1700467200, AT(9, 0), 1700470800 },
	{ "utc midnight", "UTC", 1700467200, 0, 1700438400 },
	{ "utc end", "UTC", 1700467200, AT(24, 0), 1700524800 },
	{ "utc next week", "UTC", 1700467200, AT(24 * 7 + 1, 30), 1700438400 + 7 * 86400 + 5400 },
	{ "spring, before", "America/Denver", SPRING, AT(1, 59), SPRING_0 + AT(1, 59) },
	{ "spring, the gap begins", "America/Denver", SPRING, AT(2, 0), SPRING_0 + AT(2, 0) },
	{ "spring, inside the gap", "America/Denver", SPRING, AT(2, 30), SPRING_0 + AT(2, 30) },
	{ "spring, behind it", "America/Denver", SPRING, AT(3, 0), SPRING_0 + AT(2, 0) },
	{ "spring, its last minute is the same as 3:59", "America/Denver", SPRING, AT(2, 59),
	  SPRING_0 + AT(2, 59) },
	{ "spring, 3:59", "America/Denver", SPRING, AT(3, 59), SPRING_0 + AT(2, 59) },
	{ "spring, 9:00", "America/Denver", SPRING, AT(9, 0), SPRING_0 + AT(8, 0) },
	{ "spring, end of 23 hours", "America/Denver", SPRING, AT(24, 0), SPRING_0 + AT(23, 0) },
	{ "spring from the day before", "America/Denver", SPRING - 86400, AT(24 + 9, 0),
	  SPRING_0 + AT(8, 0) },
	{ "autumn, the hour twice: the first", "America/Denver", AUTUMN, AT(1, 30),
	  AUTUMN_0 + AT(1, 30) },
	{ "autumn, it begins", "America/Denver", AUTUMN, AT(1, 0), AUTUMN_0 + AT(1, 0) },
	{ "autumn, behind it", "America/Denver", AUTUMN, AT(2, 0), AUTUMN_0 + AT(3, 0) },
	{ "autumn, end of 25 hours", "America/Denver", AUTUMN, AT(24, 0), AUTUMN_0 + AT(25, 0) },
	{ "negative summer time, gap", "Europe/Dublin", DUBLIN_SPRING_0 + AT(12, 0), AT(1, 30),
	  DUBLIN_SPRING_0 + AT(1, 30) },
	{ "negative summer time, twice", "Europe/Dublin", DUBLIN_AUTUMN_0 + AT(12, 0), AT(1, 30),
	  DUBLIN_AUTUMN_0 + AT(1, 30) },
	/* Havana's clocks go back at 1:00, forward at 0:00: a midnight twice, one not at all */
	{ "midnight twice: the first", "America/Havana", 1730653200, 0, 1730606400 },
	{ "no midnight", "America/Havana", 1710086400, 0, 1710046800 },
	{ "day of no midnight, 1:00", "America/Havana", 1710086400, AT(1, 0), 1710046800 },
	{ "half an hour's summer time", "Australia/Lord_Howe", 1728176400, AT(2, 15), 1728143100 },
	{ "far east", "Pacific/Kiritimati", 1700467200, AT(9, 0), 1700420400 },
};

TEST_ROWS(calendar, moments, rows, row)
{
	int64_t got;

	use_zone(row->zone);
	got = maui_calendar_at(maui_calendar_day(row->noon), row->wall_s);
	cr_expect(got == row->moment, "%s: %lld, not %lld", row->name, (long long)got,
		  (long long)row->moment);
}

Test(calendar, days)
{
	use_zone("America/Denver");
	cr_expect(maui_calendar_date(maui_calendar_day(SPRING_0)) == 20240310);
	cr_expect(maui_calendar_date(maui_calendar_day(SPRING_0 - 1)) == 20240309);
	cr_expect(maui_calendar_date(maui_calendar_day(AUTUMN_0 + AT(25, 0) - 1)) == 20241103);
	cr_expect(maui_calendar_date(maui_calendar_day(AUTUMN_0 + AT(25, 0))) == 20241104);
	cr_expect(maui_calendar_weekday(maui_calendar_day(SPRING)) == 0);
	cr_expect(maui_calendar_weekday(maui_calendar_day(SPRING) + 6) == 6);
	cr_expect(maui_calendar_week(SPRING_0) == maui_calendar_day(SPRING_0));
	cr_expect(maui_calendar_week(SPRING_0 - 1) == maui_calendar_day(SPRING_0) - 7);
	cr_expect(maui_calendar_weekday(0) == 4 && maui_calendar_weekday(-5) == 6);
	cr_expect(maui_calendar_date(-1) == 19691231);
}

/* Days of four years adjoin without gap or overlap, in each time zone. */
Test(calendar, days_adjoin)
{
	static const char *const zones[] = { "UTC",
					     "America/Denver",
					     "America/Havana",
					     "Europe/Dublin",
					     "Australia/Lord_Howe",
					     "Pacific/Kiritimati",
					     "Africa/Casablanca" };

	for (size_t z = 0; z < sizeof(zones) / sizeof(zones[0]); z++) {
		use_zone(zones[z]);
		for (int64_t day = 19358; day < 19358 + 4 * 366; day++) {
			int64_t begin = maui_calendar_at(day, 0),
				end = maui_calendar_at(day + 1, 0);

			cr_assert(end - begin >= AT(22, 30) && end - begin <= AT(25, 30));
			cr_assert(maui_calendar_at(day, MAUI_DAY_S) == end);
			cr_assert(maui_calendar_day(begin) == day);
			cr_assert(maui_calendar_day(end - 1) == day);
		}
	}
}

/* Moments beyond any calendar must do no harm. */
Test(calendar, far_away)
{
	use_zone("America/Denver");
	maui_calendar_at(maui_calendar_day(INT64_MAX), INT64_C(1) << 40);
	maui_calendar_at(maui_calendar_day(INT64_MIN), 0);
	cr_expect(maui_calendar_date(INT64_MAX) == 0);
	cr_expect(maui_calendar_date(INT64_MIN) == 0);
}
