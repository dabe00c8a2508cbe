/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.c - Maui's time values: [[[DD:]HH:]MM:]SS, plain seconds, INFINITY
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
