/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.c - moments as text, in local time */

#include "base/moment.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DAY_S = 86400, HALF_A_YEAR_S = 182 * DAY_S };

/* False: the calendar does not have it. */
static bool local_time(int64_t when_s, struct tm *ret)
{
	time_t when = (time_t)when_s;

	return localtime_r(&when, ret) != NULL;
}

/* By a format of strftime(). */
static const char *print(int64_t when_s, const char *format, char *buf, size_t size)
{
	struct tm tm;

	if (!local_time(when_s, &tm) || strftime(buf, size, format, &tm) == 0)
		snprintf(buf, size, "%" PRId64, when_s);
	return buf;
}

/* Without the blank before a day of one digit. */
static const char *trim(char *buf)
{
	if (*buf == ' ')
		memmove(buf, buf + 1, strlen(buf));
	return buf;
}

/* How far away it is, without overflow. */
static int64_t ahead(int64_t when_s, int64_t now_s)
{
	int64_t ret;

	if (__builtin_sub_overflow(when_s, now_s, &ret))
		return when_s < now_s ? INT64_MIN : INT64_MAX;
	return ret;
}

/* Whether it is nearer than that, before or behind. */
static bool is_near(int64_t when_s, int64_t now_s, int64_t span_s)
{
	int64_t by = ahead(when_s, now_s);

	return by > -span_s && by < span_s;
}

static bool is_same_year(int64_t one_s, int64_t two_s)
{
	struct tm one, two;

	return local_time(one_s, &one) && local_time(two_s, &two) && one.tm_year == two.tm_year;
}

static bool is_same_day(int64_t one_s, int64_t two_s)
{
	struct tm one, two;

	return local_time(one_s, &one) && local_time(two_s, &two) && one.tm_year == two.tm_year &&
	       one.tm_yday == two.tm_yday;
}

/* The formats below cut off seconds: only what lies ahead and begins then is moved. */
static int64_t whole_minute(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s)
{
	struct tm tm;

	if (minutes == MAUI_NOT_BEFORE && when_s > now_s && local_time(when_s, &tm) &&
	    tm.tm_sec > 0)
		when_s += 60 - tm.tm_sec;
	return when_s;
}

const char *maui_moment_as_maui(int64_t when_s, int64_t now_s, char *buf, size_t size)
{
	bool near = is_near(when_s, now_s, HALF_A_YEAR_S);

	if (when_s == INT64_MAX) {
		snprintf(buf, size, "INFINITY");
		return buf;
	}
	return print(when_s, near ? "%a %b %e %H:%M:%S" : "%a %b %e %H:%M:%S %Y", buf, size);
}

const char *maui_moment_plain(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size)
{
	when_s = whole_minute(when_s, minutes, now_s);
	return print(when_s,
		     is_same_day(when_s, now_s)       ? "%H:%M" :
		     ahead(when_s, now_s) < 6 * DAY_S ? "%a %H:%M" :
		     is_same_year(when_s, now_s)      ? "%e %b %H:%M" :
							"%e %b %Y",
		     buf, size);
}

const char *maui_moment_brief(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size)
{
	when_s = whole_minute(when_s, minutes, now_s);
	print(when_s,
	      is_same_day(when_s, now_s)         ? "%H:%M" :
	      ahead(when_s, now_s) < 301 * DAY_S ? "%e %b %H:%M" :
						   "%e %b %Y",
	      buf, size);
	return trim(buf);
}

const char *maui_moment_spoken(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			       char *buf, size_t size)
{
	when_s = whole_minute(when_s, minutes, now_s);
	return print(when_s, ahead(when_s, now_s) < 6 * DAY_S ? "%A %H:%M" : "%A %e %B %H:%M", buf,
		     size);
}

const char *maui_moment_label(int64_t when_s, enum maui_moment_minutes minutes, int64_t now_s,
			      char *buf, size_t size)
{
	when_s = whole_minute(when_s, minutes, now_s);
	return print(when_s, is_near(when_s, now_s, DAY_S / 2) ? "%H:%M" : "%a %e %b %H:%M", buf,
		     size);
}

const char *maui_moment_padded(int64_t when_s, char *buf, size_t size)
{
	return print(when_s, "%a %b %d %H:%M:%S", buf, size);
}

const char *maui_moment_minute(int64_t when_s, char *buf, size_t size)
{
	return print(when_s, "%e %b %H:%M", buf, size);
}

const char *maui_moment_exact(int64_t when_s, char *buf, size_t size)
{
	print(when_s, "%e %b %Y %H:%M:%S", buf, size);
	return trim(buf);
}

const char *maui_moment_full(int64_t when_s, char *buf, size_t size)
{
	return print(when_s, "%A %e %B %Y, %H:%M:%S %Z", buf, size);
}

const char *maui_moment_date(int64_t when_s, char *buf, size_t size)
{
	return print(when_s, "%Y-%m-%d", buf, size);
}

const char *maui_moment_mark(int64_t when_s, int64_t step_s, char *buf, size_t size)
{
	struct tm tm;
	bool midnight = local_time(when_s, &tm) && tm.tm_hour == 0 && tm.tm_min == 0;

	return print(when_s, step_s < 60 ? "%H:%M:%S" : midnight ? "%a %e" : "%H:%M", buf, size);
}
