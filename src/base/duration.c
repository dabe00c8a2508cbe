/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.c - lengths of time: Maui's [[[DD:]HH:]MM:]SS, and Slurm's
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

int maui_duration_parse_slurm(const char *text, int64_t *ret_s)
{
	static const int64_t unit[] = { HOUR, MINUTE, 1 };
	const char *dash = strchr(text, '-');
	int64_t fields[FIELDS_MAX], days = 0, seconds = 0;
	size_t count, first;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE")) {
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
	if (days * DAY + seconds == 0)
		return -1;
	*ret_s = days * DAY + seconds;
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
