/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - reads lines of KEY=value pairs, as in slurm.conf
 *
 * The grammar is that of Slurm's own parser: `#` begins a comment and `\#` is the character, a
 * backslash at the end of a line joins the next one, and any other backslash only protects the
 * character behind it. Blanks may stand around `=`, before which one of + - * / is taken. A value
 * in quotes may have blanks. Keys are in any case, and the last value of a key counts.
 */
#ifndef MAUI_SLURMCONF_CONF_H
#define MAUI_SLURMCONF_CONF_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct maui_conf_pair {
	char *key, *value;
};

struct maui_conf_line {
	const char *path; /* the file that it is in, and its number there */
	uint64_t number;
	struct maui_conf_pair *pairs;
	size_t count, alloc;
	char *rest; /* text behind the last pair; NULL: none */
};

/* Takes one line; other than 0 ends the reading. */
typedef int (*maui_conf_fn)(void *data, const struct maui_conf_line *line);

/* Calls `take` for each line that is not empty; lines of included files in their place. In the name
 * of an included file %c is ClusterName in lower case, which must stand before. 0, what `take`
 * returned, or -1 with err: a file cannot be read, or includes are nested more than 16 deep. */
int maui_conf_read(const char *path, maui_conf_fn take, void *data, struct maui_err *err);

/* The last value of a key; NULL: the line has no such key. */
const char *maui_conf_value(const struct maui_conf_line *line, const char *key);
/* The same as a copy, which the caller frees; NULL also without memory. */
char *maui_conf_get(const struct maui_conf_line *line, const char *key);

/* Adds copies of the pairs of a line behind those that are there. -1 without memory. */
int maui_conf_line_add(struct maui_conf_line *to, const struct maui_conf_line *from);
void maui_conf_line_finish(struct maui_conf_line *line);

#endif
