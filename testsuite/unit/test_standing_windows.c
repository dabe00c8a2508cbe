/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_standing_windows.c - windows of reservations that no golden case covers
 *
 * Rules: RSV-1, RSV-2, RSV-4.
 */
#include "reservation/windows/windows.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#define EVERY_DAY 0x7fu
#define MONDAY    (1u << 1)
#define HOUR      3600
#define NOON      INT64_C(1700481600) /* Monday, 2023-11-20, 12:00 UTC */
#define MIDNIGHT  (NOON - 12 * HOUR)
#define DAY       86400

static struct maui_arena arena;

static void use_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static const struct maui_rsv_instance *windows(const struct maui_rsv *rsv, int64_t now,
					       uint32_t expected)
{
	struct maui_rsv_instance *list;
	uint32_t count;

	cr_assert(maui_standing_windows(rsv, now, &arena, &list, &count) == 0);
	cr_assert(count == expected, "%u windows, not %u", count, expected);
	return list;
}

Test(standing_windows, not_clipped_and_named_by_day)
{
	struct maui_rsv rsv = { .days = EVERY_DAY,
				.depth = 2,
				.start_s = 9 * HOUR,
				.end_s = 17 * HOUR,
				.task_count = 6 };
	const struct maui_rsv_instance *w;

	use_zone("UTC");
	w = windows(&rsv, NOON, 2);
	cr_expect(w[0].start_s == MIDNIGHT + 9 * HOUR && w[0].end_s == MIDNIGHT + 17 * HOUR);
	cr_expect(w[0].day == 20231120 && w[0].ordinal == 0);
	cr_expect(w[1].day == 20231121 && w[1].ordinal == 1);
	cr_expect(w[0].wanted == 6 && w[0].missing == 6 && w[0].place_count == 0 && !w[0].made);
	w = windows(&rsv, MIDNIGHT + 17 * HOUR, 1);
	cr_expect(w[0].ordinal == 1);
	maui_arena_finish(&arena);
}

Test(standing_windows, days_leave_gaps)
{
	struct maui_rsv rsv = { .days = MONDAY, .depth = 15 };
	const struct maui_rsv_instance *w;

	use_zone("UTC");
	w = windows(&rsv, NOON, 3);
	cr_expect(w[0].ordinal == 0 && w[1].ordinal == 7 && w[2].ordinal == 14);
	rsv.days = 0;
	windows(&rsv, NOON, 0);
	maui_arena_finish(&arena);
}

Test(standing_windows, depth_counts_periods)
{
	struct maui_rsv rsv = { .days = EVERY_DAY, .depth = 400 };
	const struct maui_rsv_instance *w;

	use_zone("America/Denver");
	w = windows(&rsv, NOON, 400);
	for (uint32_t i = 1; i < 400; i++)
		cr_expect(w[i].start_s == w[i - 1].end_s && w[i].ordinal == i);
	cr_expect(w[399].day == 20241223, "%d", w[399].day);
	maui_arena_finish(&arena);
}

Test(standing_windows, weeks_begin_on_sunday)
{
	struct maui_rsv rsv = { .period = MAUI_RSV_WEEK, .depth = 2, .start_s = DAY + 8 * HOUR };
	const struct maui_rsv_instance *w;

	use_zone("UTC");
	w = windows(&rsv, NOON, 2);
	cr_expect(w[0].day == 20231119 && w[1].day == 20231126);
	cr_expect(w[0].start_s == MIDNIGHT + 8 * HOUR && w[0].end_s == MIDNIGHT + 6 * DAY);
	cr_expect(w[1].start_s == w[0].start_s + 7 * DAY);
	cr_expect(maui_standing_next(&rsv, NOON) == MIDNIGHT + 6 * DAY);
	maui_arena_finish(&arena);
}

Test(standing_windows, a_start_after_the_end_has_no_window)
{
	struct maui_rsv rsv = {
		.days = EVERY_DAY, .depth = 3, .start_s = 20 * HOUR, .end_s = 6 * HOUR
	};

	use_zone("UTC");
	windows(&rsv, NOON, 0);
	rsv.end_s = 20 * HOUR;
	windows(&rsv, NOON, 0);
	rsv.start_s = DAY;
	rsv.end_s = 0;
	windows(&rsv, NOON, 0);
	cr_expect(maui_standing_next(&rsv, NOON) == MIDNIGHT + DAY);
	rsv.depth = 0;
	windows(&rsv, NOON, 0);
	maui_arena_finish(&arena);
}

Test(standing_windows, an_end_beyond_the_day_is_its_end)
{
	struct maui_rsv rsv = {
		.days = EVERY_DAY, .depth = 1, .start_s = 20 * HOUR, .end_s = 30 * HOUR
	};

	use_zone("UTC");
	cr_expect(windows(&rsv, NOON, 1)->end_s == MIDNIGHT + DAY);
	maui_arena_finish(&arena);
}

Test(standing_windows, infinity_and_setres_have_one_window)
{
	struct maui_rsv rsv = { .period = MAUI_RSV_INFINITY, .depth = 2, .start_s = 9 * HOUR };
	const struct maui_rsv_instance *w = windows(&rsv, NOON, 1);

	cr_expect(w->start_s == NOON && w->end_s == MAUI_NEVER && w->day == 0 && w->ordinal == 0);
	cr_expect(maui_standing_next(&rsv, NOON) == MAUI_NEVER);
	rsv = (struct maui_rsv){ .period = MAUI_RSV_ONCE, .start_s = NOON, .end_s = NOON + 10 };
	w = windows(&rsv, NOON + 9, 1);
	cr_expect(w->start_s == NOON && w->end_s == NOON + 10 && w->day == 0);
	windows(&rsv, NOON - 5, 1);
	windows(&rsv, NOON + 10, 0);
	cr_expect(maui_standing_next(&rsv, NOON - 5) == NOON);
	cr_expect(maui_standing_next(&rsv, NOON) == NOON + 10);
	cr_expect(maui_standing_next(&rsv, NOON + 10) == MAUI_NEVER);
	rsv.end_s = MAUI_NEVER;
	cr_expect(windows(&rsv, NOON, 1)->end_s == MAUI_NEVER);
	maui_arena_finish(&arena);
}

/* Windows do not change before the returned moment, and do change at it. */
static void expect_next_is_next(const struct maui_rsv *rsv, int64_t from, int64_t until)
{
	int64_t next = maui_standing_next(rsv, from);

	for (int64_t now = from; now < until; now = next) {
		struct maui_rsv_instance *one, *other;
		uint32_t count, others;

		next = maui_standing_next(rsv, now);
		cr_assert(next > now);
		cr_assert(maui_standing_windows(rsv, now, &arena, &one, &count) == 0);
		cr_assert(maui_standing_windows(rsv, next - 1, &arena, &other, &others) == 0);
		cr_assert(count == others);
		for (uint32_t i = 0; i < count; i++)
			cr_assert(one[i].start_s == other[i].start_s &&
				  one[i].end_s == other[i].end_s &&
				  (one[i].start_s <= now) == (other[i].start_s <= next - 1));
		maui_arena_clear(&arena);
	}
}

Test(standing_windows, next_change_of_a_window)
{
	struct maui_rsv rsv = {
		.days = EVERY_DAY & ~MONDAY, .depth = 3, .start_s = 9 * HOUR, .end_s = 17 * HOUR
	};
	use_zone("America/Denver");
	cr_expect(maui_standing_next(&rsv, NOON) == MIDNIGHT + 31 * HOUR); /* Monday has none */
	cr_expect(maui_standing_next(&rsv, NOON + DAY) == MIDNIGHT + DAY + 16 * HOUR);
	cr_expect(maui_standing_next(&rsv, MIDNIGHT + DAY + 16 * HOUR) ==
		  MIDNIGHT + DAY + 24 * HOUR);
	expect_next_is_next(&rsv, 1709900000, 1710400000);
	rsv = (struct maui_rsv){ .days = EVERY_DAY, .depth = 4 };
	expect_next_is_next(&rsv, 1730300000, 1730900000);
	rsv = (struct maui_rsv){
		.period = MAUI_RSV_WEEK, .depth = 2, .start_s = DAY, .end_s = 3 * DAY
	};
	expect_next_is_next(&rsv, 1730300000, 1734000000);
	maui_arena_finish(&arena);
}

/* There the clock went from 00:01 back to 23:01: the roll is at the second midnight. */
Test(standing_windows, next_where_the_clock_goes_back_across_midnight)
{
	const int64_t midnight = 1099189800, back = midnight + 60, again = midnight + HOUR;
	struct maui_rsv rsv = { .days = EVERY_DAY, .depth = 3, .start_s = 9 * HOUR };

	use_zone("America/St_Johns");
	cr_expect(maui_standing_next(&rsv, midnight - 1) == midnight);
	cr_expect(maui_standing_next(&rsv, 1099191497) == again);
	cr_expect(maui_standing_next(&rsv, again) == again + 9 * HOUR);
	expect_next_is_next(&rsv, back, back + 3 * DAY);
	rsv.period = MAUI_RSV_WEEK; /* a Sunday's midnight */
	cr_expect(maui_standing_next(&rsv, back) == again);
	expect_next_is_next(&rsv, back, back + 15 * DAY);
	maui_arena_finish(&arena);
}

/* ---- finding one window ---- */

static void expect_found(const struct maui_rsv *rsv, int64_t now)
{
	struct maui_rsv_instance *list;
	int32_t day = -1;
	uint32_t count, i = 0;

	cr_assert(maui_standing_windows(rsv, now, &arena, &list, &count) == 0);
	for (int64_t ordinal = -1; ordinal <= rsv->depth; ordinal++) {
		bool there = i < count && list[i].ordinal == ordinal;

		cr_expect(maui_standing_find_window(rsv, now, ordinal, &day) == there, "%d",
			  (int)ordinal);
		cr_expect(!there || day == list[i].day);
		i += there;
	}
	cr_assert(i == count);
	for (int32_t date = 20230225; i > 0 && date < 20240401; date++) {
		bool there = false;

		for (uint32_t k = 0; k < count; k++)
			there |= list[k].day == date;
		cr_expect(maui_standing_find_window(rsv, now, date, &day) == there, "%d", date);
		cr_expect(!there || day == date);
	}
	maui_arena_clear(&arena);
}

Test(standing_windows, a_window_is_found_by_number_and_by_day)
{
	struct maui_rsv rsv = {
		.days = EVERY_DAY, .depth = 200, .start_s = 2 * HOUR, .end_s = 3 * HOUR
	};

	use_zone("America/New_York"); /* the clock changes on March 10 */
	expect_found(&rsv, NOON);
	rsv.days = MONDAY;
	expect_found(&rsv, NOON + 5 * HOUR);
	rsv = (struct maui_rsv){ .period = MAUI_RSV_WEEK, .depth = 15, .start_s = 30 * HOUR };
	expect_found(&rsv, NOON);
	rsv.depth = 0;
	expect_found(&rsv, NOON);
	maui_arena_finish(&arena);
}

/* A request may name 256. */
Test(standing_windows, windows_far_ahead_are_found)
{
	const struct maui_rsv rsv = { .days = EVERY_DAY, .depth = 3660 };
	int32_t day;

	use_zone("America/New_York");
	for (int i = 0; i < 256; i++)
		cr_assert(maui_standing_find_window(&rsv, NOON, i % 2 ? 3000 : 20300101, &day));
}
