/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clock.c - moments as Maui's commands write them */
#include "base/clock.h"

#include <stdbool.h>
#include <strings.h>
#include <time.h>

#include "base/calendar.h"
#include "base/duration.h"
#include "base/limits.h"

enum { YEARS_AHEAD = 8 /* the most years from one 29 February to the next */ };

struct clock_text {
	int hour, minute, second;
	int month, day, year; /* 0: not given */
};

/* Normalises a day outside of its month into the month before or after. */
static int64_t on_date(int year, int month, int day, int64_t wall_s)
{
	struct tm tm = { .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };

	return maui_calendar_at((int64_t)timegm(&tm) / MAUI_DAY_S, wall_s);
}

static int days_of(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

/* Reads one or two digits (four as well for a year) and the separator that must follow. */
static bool read_number(const char **at, int most, int *ret)
{
	int value = 0, digits = 0;

	for (; **at >= '0' && **at <= '9' && digits < most; (*at)++, digits++)
		value = value * 10 + (**at - '0');
	*ret = value;
	return digits > 0 && !(**at >= '0' && **at <= '9');
}

static bool read_next(const char **at, char separator, int most, int *ret)
{
	if (**at != separator)
		return true;
	(*at)++;
	return read_number(at, most, ret);
}

static bool read_date(const char **at, struct clock_text *c)
{
	if (**at != '_')
		return true;
	(*at)++;
	c->day = 1;
	if (!read_number(at, 2, &c->month) || c->month < 1 || c->month > 12 ||
	    !read_next(at, '/', 2, &c->day))
		return false;
	if (**at == '/') {
		if (!read_next(at, '/', 4, &c->year))
			return false;
		c->year += c->year < 100 ? 2000 : 0;
		if (c->year < 1970 || c->year > 9999)
			return false;
	}
	/* without a year the 29th of February exists in a later year */
	return c->day >= 1 && c->day <= days_of(c->year ? c->year : 2000, c->month);
}

static bool read_clock(const char *text, struct clock_text *c)
{
	const char *at = text;

	*c = (struct clock_text){ 0 };
	if (!read_number(&at, 2, &c->hour) || !read_next(&at, ':', 2, &c->minute) ||
	    !read_next(&at, ':', 2, &c->second) || !read_date(&at, c) || *at != '\0')
		return false;
	if (c->hour == 24)
		return c->minute == 0 && c->second == 0;
	return c->hour < 24 && c->minute < 60 && c->second < 60;
}

static int64_t on_day(const struct clock_text *c, int year, int month, int day)
{
	return on_date(year, month, day, c->hour * INT64_C(3600) + c->minute * 60 + c->second);
}

/* The first such moment at or after base: on any day, or on the given day of any year. */
static int64_t first_from(const struct clock_text *c, int64_t base_s)
{
	time_t base = (time_t)base_s;
	int64_t when_s = base_s;
	struct tm tm;

	if (!localtime_r(&base, &tm))
		return base_s;
	if (c->month == 0) {
		/* yesterday's 24:00 is today's midnight */
		for (int d = -1; d <= 1; d++) {
			when_s = on_day(c, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday + d);
			if (when_s >= base_s)
				break;
		}
		return when_s;
	}
	for (int y = -1; y <= YEARS_AHEAD; y++) {
		int year = tm.tm_year + 1900 + y;

		if (c->day > days_of(year, c->month))
			continue;
		when_s = on_day(c, year, c->month, c->day);
		if (when_s >= base_s)
			break;
	}
	return when_s;
}

int maui_clock_parse(const char *text, int64_t base_s, int64_t *ret_s, struct maui_err *err)
{
	struct clock_text c;
	int64_t length_s;

	if (*text == '+' || !strcasecmp(text, "INFINITY") || !strcasecmp(text, "INFINITE")) {
		if (maui_duration_parse(text, &length_s, err))
			return -1;
		*ret_s = length_s >= MAUI_TIME_INFINITY ? MAUI_CLOCK_NEVER : base_s + length_s;
		return 0;
	}
	if (!read_clock(text, &c))
		return maui_err_set(err,
				    "'%.64s' is not a time: expected "
				    "HH[:MM[:SS]][_MO[/DD[/YY]]] or +[[[DD:]HH:]MM:]SS",
				    text);
	*ret_s = c.year ? on_day(&c, c.year, c.month, c.day) : first_from(&c, base_s);
	return 0;
}
