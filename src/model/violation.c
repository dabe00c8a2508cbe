/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violation.c - a violated limit as one line
 *
 * Rules: THR-17.
 */

#include "model/violation.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/limits.h"

const char *maui_limited_name(int object)
{
	return object == MAUI_LIMITED_SYSTEM ? "system" :
					       maui_cred_name((enum maui_cred_kind)object);
}

/* Seconds become a time if they are below INFINITY; percentages have a fraction. */
static char *format_value(const struct maui_violation *v, double value, char *buf, size_t size)
{
	if (v->resource == MAUI_RESOURCE_COUNT)
		snprintf(buf, size, "%.4g%%", value);
	else if (v->resource == MAUI_RESOURCE_WC && value >= 0 && value < MAUI_TIME_INFINITY)
		return maui_duration_format((int64_t)value, buf, size);
	else
		snprintf(buf, size, "%.0f", value);
	return buf;
}

/* "USER" of "user" */
static void upper_case(const char *from, char *to, size_t size)
{
	size_t i = 0;

	for (; from[i] != '\0' && i + 1 < size; i++)
		to[i] = (char)toupper((unsigned char)from[i]);
	to[i] = '\0';
}

/* Whether the job alone requests more than the hard limit: it can never start. */
static bool is_never_met(const struct maui_violation *v)
{
	return v->level == MAUI_LIMIT_HARD && v->requested > v->value &&
	       (v->kind == MAUI_VIOLATION_ACTIVE || v->kind == MAUI_VIOLATION_IDLE);
}

/* "in use", "in use+requested" or "requested", where the other one is implied. */
static void format_use(const struct maui_violation *v, char *buf, size_t size)
{
	char used[64], asked[64];

	format_value(v, v->in_use, used, sizeof(used));
	format_value(v, v->requested, asked, sizeof(asked));
	if (v->kind == MAUI_VIOLATION_JOB || is_never_met(v))
		snprintf(buf, size, "%s", asked);
	else if (v->kind == MAUI_VIOLATION_FAIRSHARE || v->resource == MAUI_RESOURCE_JOB)
		snprintf(buf, size, "%s", used);
	else
		snprintf(buf, size, "%s+%s", used, asked);
}

char *maui_violation_limit(const struct maui_violation *v, char *buf, size_t size)
{
	char cred[16], second[16] = "";

	upper_case(maui_limited_name(v->cred), cred, sizeof(cred));
	if (v->second_name)
		upper_case(maui_limited_name(v->second), second, sizeof(second));
	snprintf(buf, size, "%s %s %s%s%s%s%s", v->limit, cred, v->name, v->second_name ? " " : "",
		 second, v->second_name ? " " : "", v->second_name ? v->second_name : "");
	return buf;
}

char *maui_violation_format(const struct maui_violation *v, char *buf, size_t size)
{
	const char *level = v->kind == MAUI_VIOLATION_FAIRSHARE ? "cap" :
			    v->level == MAUI_LIMIT_SOFT         ? "soft" :
								  "hard";
	char cred[16], second[16] = "", use[160], value[64];

	upper_case(maui_limited_name(v->cred), cred, sizeof(cred));
	if (v->second_name)
		upper_case(maui_limited_name(v->second), second, sizeof(second));
	format_use(v, use, sizeof(use));
	format_value(v, v->value, value, sizeof(value));
	snprintf(buf, size, "%s %s %s%s%s%s%s %s/%s (%s)%s", v->limit, cred, v->name,
		 v->second_name ? " " : "", second, v->second_name ? " " : "",
		 v->second_name ? v->second_name : "", use, value, level,
		 is_never_met(v) ? ": larger than the limit" : "");
	return buf;
}
