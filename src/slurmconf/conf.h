/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - lines of KEY=value pairs, as slurm.conf has them */
#ifndef MAUI_SLURMCONF_CONF_H
#define MAUI_SLURMCONF_CONF_H

#include <stdint.h>

#include "base/lines.h"

/* The next line that says something, comments and continuations resolved, in lines->text. 1, 0 at
 * the end, -1. */
int maui_conf_next(struct maui_lines *lines, struct maui_err *err);

/* The value of a key (any case) of a line, a copy of the caller's; NULL: none, or no memory. */
char *maui_conf_get(const char *line, const char *key);
/* As a number; `missing` when there is none. */
int64_t maui_conf_get_number(const char *line, const char *key, int64_t missing);

#endif
