/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_moment.c - moments as text */
#include "base/moment.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rows.h"

#define DAY INT64_C(86400)
/* Monday 23 November 2026, 10:00:00 UTC, an hour later in Berlin */
#define NOW INT64_C(1795428000)

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* ---- at some moment ---- */

struct row {
	const char *name;
	int64_t when_s;
	const char *maui, *plain, *brief, *spoken, *label;
};

static const struct row rows[] = {
	{ "now", NOW, "Mon Nov 23 10:00:00", "10:00", "10:00", "Monday 10:00", "10:00" },
	{ "in the evening", NOW + 13 * 3600, "Mon Nov 23 23:00:00", "23:00", "23:00",
	  "Monday 23:00", "Mon 23 Nov 23:00" },
	{ "tomorrow", NOW + DAY, "Tue Nov 24 10:00:00", "Tue 10:00", "24 Nov 10:00",
	  "Tuesday 10:00", "Tue 24 Nov 10:00" },
	{ "soon tomorrow", NOW + 14 * 3600 - DAY / 2, "Mon Nov 23 12:00:00", "12:00", "12:00",
	  "Monday 12:00", "12:00" },
	{ "yesterday", NOW - DAY, "Sun Nov 22 10:00:00", "Sun 10:00", "22 Nov 10:00",
	  "Sunday 10:00", "Sun 22 Nov 10:00" },
	{ "just under six days", NOW + 6 * DAY - 1, "Sun Nov 29 09:59:59", "Sun 09:59",
	  "29 Nov 09:59", "Sunday 09:59", "Sun 29 Nov 09:59" },
	{ "in December", NOW + 10 * DAY, "Thu Dec  3 10:00:00", " 3 Dec 10:00", "3 Dec 10:00",
	  "Thursday  3 December 10:00", "Thu  3 Dec 10:00" },
	{ "next year", NOW + 41 * DAY, "Sun Jan  3 10:00:00", " 3 Jan 2027", "3 Jan 10:00",
	  "Sunday  3 January 10:00", "Sun  3 Jan 10:00" },
	{ "in half a year", NOW + 182 * DAY, "Mon May 24 10:00:00 2027", "24 May 2027",
	  "24 May 10:00", "Monday 24 May 10:00", "Mon 24 May 10:00" },
	{ "half a year ago", NOW - 182 * DAY, "Mon May 25 10:00:00 2026", "Mon 10:00",
	  "25 May 10:00", "Monday 10:00", "Mon 25 May 10:00" },
	{ "in eleven months", NOW + 301 * DAY, "Mon Sep 20 10:00:00 2027", "20 Sep 2027",
	  "20 Sep 2027", "Monday 20 September 10:00", "Mon 20 Sep 10:00" },
	{ "never", INT64_MAX, "INFINITY", "9223372036854775807", "9223372036854775807",
	  "9223372036854775807", "9223372036854775807" },
	{ "before all times", INT64_MIN, "-9223372036854775808", "-9223372036854775808",
	  "-9223372036854775808", "-9223372036854775808", "-9223372036854775808" },
};

typedef const char *print_fn(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			     char *buf, size_t size);

static void says(print_fn *print, const struct row *row, const char *expected)
{
	char buf[MAUI_MOMENT_SIZE];

	cr_expect(print(row->when_s, MAUI_NOT_AFTER, NOW, buf, sizeof(buf)) == buf,
		  "%s: not the buffer", row->name);
	cr_expect(!strcmp(buf, expected), "%s: '%s' instead of '%s'", row->name, buf, expected);
	print(row->when_s, MAUI_NOT_BEFORE, INT64_MAX, buf,
	      sizeof(buf)); /* no clock says so, but an answer may */
	print(row->when_s, MAUI_NOT_BEFORE, INT64_MIN, buf, sizeof(buf));
}

TEST_ROWS(moment, at_a_moment, rows, row)
{
	char buf[MAUI_MOMENT_SIZE];

	use_zone("UTC");
	maui_moment_as_maui(row->when_s, NOW, buf, sizeof(buf));
	cr_expect_str_eq(buf, row->maui, "%s: %s", row->name, buf);
	says(maui_moment_plain, row, row->plain);
	says(maui_moment_brief, row, row->brief);
	says(maui_moment_spoken, row, row->spoken);
	says(maui_moment_label, row, row->label);
}

/* "about 20:06" for 20:06:59 is a minute too early. */
Test(moment, what_begins_is_rounded_up_and_what_ends_is_rounded_down)
{
	static const struct {
		int64_t when_s;
		const char *begins, *ends;
	} rows_of_minutes[] = {
		{ NOW + 1, "10:01", "10:00" },  { NOW + 59, "10:01", "10:00" },
		{ NOW + 60, "10:01", "10:01" }, { NOW + 14 * 3600 - 1, "Tue 00:00", "23:59" },
		{ NOW - 1, "09:59", "09:59" }, /* it has begun */
	};
	char buf[MAUI_MOMENT_SIZE];

	use_zone("UTC");
	for (size_t i = 0; i < sizeof(rows_of_minutes) / sizeof(rows_of_minutes[0]); i++) {
		const int64_t when_s = rows_of_minutes[i].when_s;

		maui_moment_plain(when_s, MAUI_NOT_BEFORE, NOW, buf, sizeof(buf));
		cr_expect_str_eq(buf, rows_of_minutes[i].begins, "row %zu: %s", i, buf);
		maui_moment_plain(when_s, MAUI_NOT_AFTER, NOW, buf, sizeof(buf));
		cr_expect_str_eq(buf, rows_of_minutes[i].ends, "row %zu: %s", i, buf);
	}
	maui_moment_brief(NOW + 59, MAUI_NOT_BEFORE, NOW, buf, sizeof(buf));
	cr_expect_str_eq(buf, "10:01");
	maui_moment_spoken(NOW + 59, MAUI_NOT_BEFORE, NOW, buf, sizeof(buf));
	cr_expect_str_eq(buf, "Monday 10:01");
	maui_moment_label(NOW + 59, MAUI_NOT_BEFORE, NOW, buf, sizeof(buf));
	cr_expect_str_eq(buf, "10:01");
}

/* ---- always the same ---- */

static void is(const char *text, const char *expected)
{
	cr_expect_str_eq(text, expected, "'%s' instead of '%s'", text, expected);
}

Test(moment, whenever_it_is_read)
{
	const int64_t third = NOW + 10 * DAY;
	char buf[MAUI_MOMENT_SIZE];

	use_zone("Europe/Berlin");
	is(maui_moment_padded(third, buf, sizeof(buf)), "Thu Dec 03 11:00:00");
	is(maui_moment_minute(third, buf, sizeof(buf)), " 3 Dec 11:00");
	is(maui_moment_exact(third, buf, sizeof(buf)), "3 Dec 2026 11:00:00");
	is(maui_moment_full(NOW, buf, sizeof(buf)), "Monday 23 November 2026, 11:00:00 CET");
	is(maui_moment_date(NOW, buf, sizeof(buf)), "2026-11-23");
	is(maui_moment_date(NOW + 13 * 3600, buf, sizeof(buf)), "2026-11-24");
	is(maui_moment_exact(INT64_MAX, buf, sizeof(buf)), "9223372036854775807");
	is(maui_moment_mark(NOW + 5, 5, buf, sizeof(buf)), "11:00:05");
	is(maui_moment_mark(NOW, 3600, buf, sizeof(buf)), "11:00");
	is(maui_moment_mark(NOW + 13 * 3600, 3600, buf, sizeof(buf)), "Tue 24");
}

Test(moment, a_small_buffer_is_kept_to)
{
	char buf[] = "xxxxxxxx";

	use_zone("UTC");
	is(maui_moment_exact(NOW, buf, 4), "179");
	cr_expect(buf[4] == 'x');
}
