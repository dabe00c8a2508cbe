/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.c - the values of one NodeName or PartitionName line, with its DEFAULT lines */

#include "slurmconf/entry.h"

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "model/when.h"
#include "slurmconf/keys.h"

const char *maui_conf_entry_text(const struct maui_conf_entry *entry, const char *key)
{
	const char *value = maui_conf_value(entry->line, key);

	return value || !entry->base ? value : maui_conf_value(entry->base, key);
}

void maui_conf_entry_fail(struct maui_conf_entry *entry, const char *why)
{
	const struct maui_conf_line *line = entry->line;

	if (!entry->failed)
		maui_err_set(entry->err, "%s: %.64s=%.200s: %s", entry->path, line->pairs[0].key,
			     line->pairs[0].value, why);
	entry->failed = true;
}

void maui_conf_entry_refuse(struct maui_conf_entry *entry, const char *key, const char *value,
			    const char *what)
{
	char why[256];

	snprintf(why, sizeof(why), "%s=%.100s is %s", key, value, what);
	maui_conf_entry_fail(entry, why);
}

int64_t maui_conf_entry_number(struct maui_conf_entry *entry, const char *key, int64_t max,
			       int64_t missing)
{
	const char *value = maui_conf_entry_text(entry, key), *wrong;
	int64_t number = missing;

	if (!value)
		return missing;
	wrong = maui_conf_read_number(value, max, true, &number);
	if (wrong)
		maui_conf_entry_refuse(entry, key, value, wrong);
	return number;
}

bool maui_conf_entry_yes(struct maui_conf_entry *entry, const char *key)
{
	const char *value = maui_conf_entry_text(entry, key), *wrong;
	bool yes = false;

	wrong = value ? maui_conf_read_yes(value, &yes) : NULL;
	if (wrong)
		maui_conf_entry_refuse(entry, key, value, wrong);
	return yes;
}

int64_t maui_conf_entry_limit(struct maui_conf_entry *entry, const char *key)
{
	const char *value = maui_conf_entry_text(entry, key);
	int64_t seconds = MAUI_NEVER;

	if (value && maui_duration_parse_partition(value, &seconds))
		maui_conf_entry_refuse(entry, key, value, "not a time");
	return seconds == MAUI_NEVER ? MAUI_NEVER : (seconds + 59) / 60 * 60;
}
