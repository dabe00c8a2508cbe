/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostlist.h - Slurm's node lists written out: n[01-03,7],login */
#ifndef MAUI_SLURMCONF_HOSTLIST_H
#define MAUI_SLURMCONF_HOSTLIST_H

#include "base/err.h"
#include "base/words.h"

/* All names, in the order of the text. -1: it is not well formed, or more than
 * MAUI_HOSTEXPR_MAX_NAMES. */
int maui_hostlist_expand(const char *text, struct maui_words *ret_names, struct maui_err *err);

#endif
