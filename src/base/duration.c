/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.c - lengths of time: Maui's [[[DD:]HH:]MM:]SS, Slurm's, and the forms that users see
 *
 * Digits are weighed from the right once the number of fields is known. Everything is bounded
 * by MAUI_TIME_INFINITY on the way, so no text can overflow.
 */
#include "base/duration.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"

#define FIELDS_MAX 4
#define MINUTE     INT64_C(60)
#define HOUR       (60 * MINUTE)
#define DAY        (24 * HOUR)
#define SLURM_MOST 1000000000 /* of each field */
#define NEVER      INT64_MAX

static bool is_infinity(const char *text)
{
	return !strcasecmp(text, "INFINITY") || !strcasecmp(text, "INFINITE") ||
	       !strcasecmp(text, "UNLIMITED");
}

static int64_t at_most_infinity(int64_t value)
{
	return value < MAUI_TIME_INFINITY ? value : MAUI_TIME_INFINITY;
}

/* Reads the numbers between the colons. Returns how many; 0 when the text is not a duration. */
static size_t read_fields(const char *text, int64_t *fields)
{
	size_t count = 0;

	for (;;) {
		if (count == FIELDS_MAX || *text < '0' || *text > '9')
			return 0;
		fields[count] = 0;
		for (; *text >= '0' && *text <= '9'; text++)
			fields[count] = at_most_infinity(fields[count] * 10 + (*text - '0'));
		count++;
		if (!*text)
			return count;
		if (*text++ != ':')
			return 0;
	}
}

int maui_duration_parse(const char *text, int64_t *ret_s, struct maui_err *err)
{
	static const int64_t unit[FIELDS_MAX] = { DAY, HOUR, MINUTE, 1 };
	const char *digits = text + (*text == '+');
	int64_t fields[FIELDS_MAX], seconds = 0;
	size_t count;

	if (!strcmp(text, "-1")) {
		*ret_s = -1;
		return 0;
	}
	if (is_infinity(digits)) {
		*ret_s = MAUI_TIME_INFINITY;
		return 0;
	}
	count = read_fields(digits, fields);
	if (!count)
		return maui_err_set(
			err, "'%.64s' is not a time: expected [[[DD:]HH:]MM:]SS or INFINITY", text);
	for (size_t i = 0; i < count; i++)
		seconds += fields[i] * unit[FIELDS_MAX - count + i];
	*ret_s = at_most_infinity(seconds);
	return 0;
}

/* The days before the dash. */
static int read_days(const char *text, const char *dash, int64_t *ret)
{
	*ret = 0;
	if (text == dash)
		return -1;
	for (; text < dash; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		*ret = at_most_infinity(*ret * 10 + (*text - '0'));
	}
	return *ret <= SLURM_MOST ? 0 : -1;
}

int maui_duration_parse_partition(const char *text, int64_t *ret_s)
{
	static const int64_t unit[] = { HOUR, MINUTE, 1 };
	const char *dash = strchr(text, '-');
	int64_t fields[FIELDS_MAX], days = 0, seconds = 0;
	size_t count, first;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE") ||
	    !strcmp(text, "-1")) {
		*ret_s = INT64_MAX;
		return 0;
	}
	if (dash && read_days(text, dash, &days))
		return -1;
	count = read_fields(dash ? dash + 1 : text, fields);
	if (count == 0 || count == FIELDS_MAX)
		return -1;
	first = dash || count == 3 ? 0 : 1; /* hours, or minutes */
	for (size_t i = 0; i < count; i++) {
		if (fields[i] > SLURM_MOST)
			return -1;
		seconds += fields[i] * unit[first + i];
	}
	*ret_s = days * DAY + seconds;
	return 0;
}

int maui_duration_parse_slurm(const char *text, int64_t *ret_s)
{
	int64_t seconds;

	if (strcmp(text, "-1") == 0 || maui_duration_parse_partition(text, &seconds) ||
	    seconds == 0)
		return -1;
	*ret_s = seconds;
	return 0;
}

char *maui_duration_format(int64_t seconds, char *buf, size_t size)
{
	const char *sign = seconds < 0 ? "-" : "";
	int64_t s;

	/* first the clamp: INT64_MIN cannot be negated */
	s = seconds < -MAUI_TIME_INFINITY ? MAUI_TIME_INFINITY : seconds < 0 ? -seconds : seconds;
	if (s >= MAUI_TIME_INFINITY)
		snprintf(buf, size, "%sINFINITY", sign);
	else if (s < MINUTE)
		snprintf(buf, size, "%s%" PRId64, sign, s);
	else if (s < HOUR)
		snprintf(buf, size, "%s%" PRId64 ":%02" PRId64, sign, s / MINUTE, s % MINUTE);
	else if (s < DAY)
		snprintf(buf, size, "%s%" PRId64 ":%02" PRId64 ":%02" PRId64, sign, s / HOUR,
			 s % HOUR / MINUTE, s % MINUTE);
	else
		snprintf(buf, size, "%s%" PRId64 ":%02" PRId64 ":%02" PRId64 ":%02" PRId64, sign,
			 s / DAY, s % DAY / HOUR, s % HOUR / MINUTE, s % MINUTE);
	return buf;
}

/* Without a sign. */
static uint64_t magnitude(int64_t seconds)
{
	return seconds < 0 ? 0 - (uint64_t)seconds : (uint64_t)seconds;
}

/* Behind the sign; `wide`: hours have two digits, not only when there are none. */
static const char *print_clock(const char *sign, uint64_t s, bool wide, char *buf, size_t size)
{
	unsigned hours = (unsigned)(s / 3600 % 24), minutes = (unsigned)(s / 60 % 60);

	if (s >= (uint64_t)DAY)
		snprintf(buf, size, "%s%" PRIu64 ":%02u:%02u:%02u", sign, s / 86400, hours, minutes,
			 (unsigned)(s % 60));
	else
		snprintf(buf, size, hours > 0 && !wide ? "%s%u:%02u:%02u" : "%s%02u:%02u:%02u",
			 sign, hours, minutes, (unsigned)(s % 60));
	return buf;
}

const char *maui_duration_as_maui(int64_t seconds, char *buf, size_t size)
{
	if (seconds != NEVER)
		return print_clock(seconds < 0 ? "-" : "", magnitude(seconds), false, buf, size);
	snprintf(buf, size, "INFINITY");
	return buf;
}

const char *maui_duration_difference(int64_t seconds, char *buf, size_t size)
{
	return print_clock(seconds < 0 ? "-" : "+", magnitude(seconds), true, buf, size);
}

const char *maui_duration_as_squeue(int64_t seconds, char *buf, size_t size)
{
	int64_t s = seconds > 0 ? seconds : 0;
	int rest = (int)(s % MINUTE), minutes = (int)(s / MINUTE % 60),
	    hours = (int)(s / HOUR % 24);

	if (s >= DAY)
		snprintf(buf, size, "%" PRId64 "-%02d:%02d:%02d", s / DAY, hours, minutes, rest);
	else if (s >= HOUR)
		snprintf(buf, size, "%d:%02d:%02d", hours, minutes, rest);
	else
		snprintf(buf, size, "%d:%02d", minutes, rest);
	return buf;
}

const char *maui_duration_plain(int64_t seconds, char *buf, size_t size)
{
	int64_t minutes = seconds / MINUTE, hours = seconds / HOUR;

	if (hours >= 48)
		snprintf(buf, size, "%" PRId64 " d %" PRId64 " h", hours / 24, hours % 24);
	else if (hours > 0)
		snprintf(buf, size, "%" PRId64 " h %02" PRId64 " m", hours, minutes % 60);
	else if (minutes > 0)
		snprintf(buf, size, "%" PRId64 " m", minutes);
	else
		snprintf(buf, size, "%" PRId64 " s", seconds);
	return buf;
}

const char *maui_duration_in_words(int64_t seconds, char *buf, size_t size)
{
	int64_t minutes = seconds / MINUTE, hours = seconds / HOUR, days = seconds / DAY;

	if (seconds == NEVER)
		snprintf(buf, size, "without end");
	else if (seconds < MINUTE)
		snprintf(buf, size, "%" PRId64 " s", seconds);
	else if (seconds < HOUR)
		snprintf(buf, size, "%" PRId64 " min", minutes);
	else if (seconds < DAY && minutes % 60)
		snprintf(buf, size, "%" PRId64 " h %" PRId64 " min", hours, minutes % 60);
	else if (seconds < DAY)
		snprintf(buf, size, "%" PRId64 " h", hours);
	else if (hours % 24)
		snprintf(buf, size, "%" PRId64 " d %" PRId64 " h", days, hours % 24);
	else
		snprintf(buf, size, "%" PRId64 " d", days);
	return buf;
}
