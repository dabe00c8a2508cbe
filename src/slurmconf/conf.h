/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - reads lines of KEY=value pairs, as in slurm.conf */
#ifndef MAUI_SLURMCONF_CONF_H
#define MAUI_SLURMCONF_CONF_H

#include "base/err.h"

/* Takes one line; other than 0 ends the reading. */
typedef int (*maui_conf_fn)(void *data, const char *line);

/* Calls `take` for each line that is not empty, without comments and with continuations joined;
 * lines of included files in their place. 0, what `take` returned, or -1 with err: a file cannot be
 * read, or includes are nested more than 16 deep. */
int maui_conf_read(const char *path, maui_conf_fn take, void *data, struct maui_err *err);

/* A copy of a key's value (key in any case), which the caller frees; NULL: no such key, or no
 * memory. */
char *maui_conf_get(const char *line, const char *key);

#endif
