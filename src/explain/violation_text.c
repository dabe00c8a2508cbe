/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violation_text.c - a violated limit in words: its name, what is in use, what the job requests */

#include "explain/violation_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "model/violation.h"

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

bool maui_violation_is_never_met(const struct maui_violation *v)
{
	return v->level == MAUI_LIMIT_HARD && v->requested > v->value && !v->placed &&
	       (v->kind == MAUI_VIOLATION_ACTIVE || v->kind == MAUI_VIOLATION_IDLE);
}

/* "in use", "in use+requested" or "requested", where the other one is implied. */
static void format_use(const struct maui_violation *v, char *buf, size_t size)
{
	char used[64], asked[64];

	format_value(v, v->in_use, used, sizeof(used));
	format_value(v, v->requested, asked, sizeof(asked));
	if (v->kind == MAUI_VIOLATION_JOB || maui_violation_is_never_met(v))
		snprintf(buf, size, "%s", asked);
	else if (v->kind == MAUI_VIOLATION_FAIRSHARE ||
		 (v->resource == MAUI_RESOURCE_JOB && v->requested <= 1))
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
	char use[160], value[64];
	size_t length = strlen(maui_violation_limit(v, buf, size));

	format_use(v, use, sizeof(use));
	format_value(v, v->value, value, sizeof(value));
	snprintf(buf + length, size - length, " %s/%s (%s)%s", use, value, level,
		 maui_violation_is_never_met(v) ? ": larger than the limit" :
		 v->later                       ? " once a job ahead starts" :
						  "");
	return buf;
}

char *maui_violation_never_met(const struct maui_violation *v, char *buf, size_t size)
{
	char asked[64], value[64];
	size_t length = strlen(maui_violation_limit(v, buf, size));

	format_value(v, v->requested, asked, sizeof(asked));
	format_value(v, v->value, value, sizeof(value));
	snprintf(buf + length, size - length, ": the job requests %s, the limit is %s", asked,
		 value);
	return buf;
}
