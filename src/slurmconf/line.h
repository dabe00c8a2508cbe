/* SPDX-License-Identifier: GPL-2.0-or-later */
/* line.h - cuts a line of slurm.conf into its pairs, for conf.c */
#ifndef MAUI_SLURMCONF_LINE_H
#define MAUI_SLURMCONF_LINE_H

#include "slurmconf/conf.h"

/* Adds the pairs of a text without comments and continuations. The rest begins with the first text
 * that is not a pair. -1 without memory. */
int maui_conf_line_split(struct maui_conf_line *ret, const char *text);

#endif
