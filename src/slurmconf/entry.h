/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - the values of one NodeName or PartitionName line, with its DEFAULT lines
 *
 * The forms of values are those of Slurm. A value that Slurm would not take is an error, which
 * names the line. The caller looks at `failed` once, behind the last value.
 */
#ifndef MAUI_SLURMCONF_ENTRY_H
#define MAUI_SLURMCONF_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "slurmconf/conf.h"

struct maui_conf_entry {
	const char *path;
	const struct maui_conf_line *line;
	const struct maui_conf_line *base; /* all DEFAULT lines before it; NULL: none */
	struct maui_err *err;
	bool failed;
};

/* The value; NULL: there is none. */
const char *maui_conf_entry_text(const struct maui_conf_entry *entry, const char *key);

/* A whole number; a larger one than `max`, INFINITE and UNLIMITED are `max`. */
int64_t maui_conf_entry_number(struct maui_conf_entry *entry, const char *key, int64_t max,
			       int64_t missing);
bool maui_conf_entry_yes(struct maui_conf_entry *entry, const char *key);
/* Seconds, whole minutes of them; MAUI_NEVER: UNLIMITED, or no such key. */
int64_t maui_conf_entry_limit(struct maui_conf_entry *entry, const char *key);

/* Sets `failed`, and err unless it is set: "PATH: NodeName=n1: WHY". */
void maui_conf_entry_fail(struct maui_conf_entry *entry, const char *why);
/* The same: "PATH: NodeName=n1: CPUs=x is WHAT". */
void maui_conf_entry_refuse(struct maui_conf_entry *entry, const char *key, const char *value,
			    const char *what);

#endif
