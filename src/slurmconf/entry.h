/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - the values of one NodeName or PartitionName line, with its DEFAULT lines
 *
 * Slurm's forms of values; what Slurm would not take is an error, which names the line. The caller
 * looks at `failed` once, behind the last value.
 */
#ifndef MAUI_SLURMCONF_ENTRY_H
#define MAUI_SLURMCONF_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct maui_conf_entry {
	const char *path;
	const char *line;
	const char *base; /* the DEFAULT lines before it, the last one first; NULL: none */
	struct maui_err *err;
	bool failed;
};

/* A copy of the value, which the caller frees; NULL: none, or no memory. */
char *maui_conf_entry_text(const struct maui_conf_entry *entry, const char *key);

/* A whole number up to `max`, also in hexadecimal, "4k", or INFINITE, which is `max`. */
int64_t maui_conf_entry_number(struct maui_conf_entry *entry, const char *key, int64_t max,
			       int64_t missing);
bool maui_conf_entry_yes(struct maui_conf_entry *entry, const char *key);
/* Seconds, whole minutes of them; 0: UNLIMITED, or no such key. */
int64_t maui_conf_entry_limit(struct maui_conf_entry *entry, const char *key);

/* Sets `failed`, and err unless it is set: "PATH: NodeName=n1: WHY". */
void maui_conf_entry_fail(struct maui_conf_entry *entry, const char *why);

#endif
