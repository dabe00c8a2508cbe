/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf.h - reads lines of KEY=value pairs, as in slurm.conf */
#ifndef MAUI_SLURMCONF_CONF_H
#define MAUI_SLURMCONF_CONF_H

#include <stdint.h>

#include "base/lines.h"

/* Reads the next line that is not empty into lines->text, without comments and with
 * continuations joined. 1: a line; 0: the end; -1: error. */
int maui_conf_next(struct maui_lines *lines, struct maui_err *err);

/* A copy of a key's value (key in any case), which the caller frees; NULL: no such key, or no
 * memory. */
char *maui_conf_get(const char *line, const char *key);
/* The value as a number; `missing` when there is none. */
int64_t maui_conf_get_number(const char *line, const char *key, int64_t missing);

#endif
