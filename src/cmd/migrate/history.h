/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.h - Maui's fairshare files, copied for slurm-maui
 *
 * In: Maui's statistics directory. Out: each FS.<epoch> file that can be read, written to another
 * directory; what it holds in sum. Maui's own files stay as they are.
 *
 * Rules: CMD-20, FS-9.
 */
#ifndef MAUI_CMD_MIGRATE_HISTORY_H
#define MAUI_CMD_MIGRATE_HISTORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"

struct maui_history {
	size_t windows;          /* files that were read */
	size_t names;            /* credentials with use, most in one window */
	int64_t first_s, last_s; /* begin of the oldest window, and of the newest */
	int64_t interval_s;      /* length of the newest window */
};

/* `to` NULL: reads only. Faults of single files go to `diags`, as errors when nothing of the file
 * can be used. -1: the directory cannot be read, or a copy cannot be written. A missing directory
 * has no history. */
int maui_history_copy(const char *from, const char *to, int64_t default_interval_s,
		      struct maui_history *ret, struct maui_diags *diags, struct maui_err *err);

#endif
