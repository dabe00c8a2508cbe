/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.c - the values of one NodeName or PartitionName line, with its DEFAULT lines */

#include "slurmconf/entry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/limits.h"
#include "model/when.h"
#include "slurmconf/conf.h"

char *maui_conf_entry_text(const struct maui_conf_entry *entry, const char *key)
{
	char *value = maui_conf_get(entry->line, key);

	return value || !entry->base ? value : maui_conf_get(entry->base, key);
}

void maui_conf_entry_fail(struct maui_conf_entry *entry, const char *why)
{
	const char *line = entry->line + strspn(entry->line, " \t");

	if (!entry->failed)
		maui_err_set(entry->err, "%s: %.*s: %s", entry->path, (int)strcspn(line, " \t"),
			     line, why);
	entry->failed = true;
}

static void fail_value(struct maui_conf_entry *entry, const char *key, const char *value,
		       const char *what)
{
	char why[256];

	snprintf(why, sizeof(why), "%s=%.100s is %s", key, value, what);
	maui_conf_entry_fail(entry, why);
}

static bool is_infinite(const char *value)
{
	return strcasecmp(value, "INFINITE") == 0 || strcasecmp(value, "UNLIMITED") == 0;
}

int64_t maui_conf_entry_number(struct maui_conf_entry *entry, const char *key, int64_t max,
			       int64_t missing)
{
	char *value = maui_conf_entry_text(entry, key), *end;
	int64_t number = missing;

	if (!value)
		return missing;
	if (is_infinite(value)) {
		number = max;
	} else {
		errno = 0;
		number = strtoll(value, &end, 0);
		if ((*end == 'k' || *end == 'K') && number <= MAUI_NUMBER_MAX) {
			number *= 1024;
			end++;
		}
		if (end == value || *end != '\0')
			fail_value(entry, key, value, "not a number");
		else if (number < 0 || number > max || errno == ERANGE)
			fail_value(entry, key, value, "out of range");
	}
	free(value);
	return entry->failed ? missing : number;
}

bool maui_conf_entry_yes(struct maui_conf_entry *entry, const char *key)
{
	static const char *const words[][2] = {
		{ "YES", "NO" }, { "UP", "DOWN" }, { "TRUE", "FALSE" }, { "1", "0" }
	};
	char *value = maui_conf_entry_text(entry, key);
	bool yes = false, known = !value;

	for (size_t i = 0; value && i < sizeof(words) / sizeof(words[0]); i++) {
		yes |= strcasecmp(value, words[i][0]) == 0;
		known |= yes || strcasecmp(value, words[i][1]) == 0;
	}
	if (!known)
		fail_value(entry, key, value, "neither YES nor NO");
	free(value);
	return yes;
}

int64_t maui_conf_entry_limit(struct maui_conf_entry *entry, const char *key)
{
	char *value = maui_conf_entry_text(entry, key);
	int64_t seconds = 0;

	if (value && maui_duration_parse_slurm(value, &seconds))
		fail_value(entry, key, value, "not a time");
	free(value);
	return seconds == MAUI_NEVER ? 0 : (seconds + 59) / 60 * 60;
}
