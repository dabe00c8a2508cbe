/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsfile.h - FS.<epoch>: one fairshare window as text, in Maui's own format (manual 6.3.2.3)
 *
 *   # FS Data File (Duration: 43200 seconds)  Starting: Fri Aug 18 18:00:00
 *   user USERA 150000.000
 *   ...
 *   sched ALL 600000.000
 *   TOTAL 600000.000
 *
 * Values are proc-seconds. The reader accepts types in any case, acct or account, and either form
 * of the total (Maui itself wants three words, the manual prints two). The writer writes both forms
 * of the total, so that each reader finds its own, and leaves out credentials without usage.
 * Blanks, control characters and '%' in a name are written as %20 and so on.
 *
 * Rules: FS-9.
 */
#ifndef MAUI_STATE_FSFILE_H
#define MAUI_STATE_FSFILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "state/usage.h"

/* The start in a file's name "FS.1729900800"; -1: another name. */
int64_t maui_fsfile_start(const char *name);

/* Reads a file's text into an empty window whose start is set. The header sets interval_s;
 * without a header it stays as the caller set it. Accounts are read in lower case, as slurmctld
 * has them. Invalid lines (negative, infinite or unreadable values, unknown types, control
 * characters in names) are skipped with a diagnostic. If the total is missing or less than the
 * sum of one kind, the largest such sum is the total, with a diagnostic. Returns -1 when there
 * was an error: `window` then has what could be read; MAUI_FSFILE_NO_MEMORY: of a file that may be
 * sound. */
enum { MAUI_FSFILE_NO_MEMORY = -2 };
int maui_fsfile_parse(const char *path, const char *text, size_t length,
		      struct maui_usage_window *window, struct maui_diags *diags);

/* Writes the file's text, sorted by kind and name: equal windows give equal bytes. The caller
 * checks out->failed. */
void maui_fsfile_format(const struct maui_usage_window *window, struct maui_strbuf *out);

/* Loads all FS.* files of a directory. An unusable file is set aside (file.h) with an error
 * among the diagnostics. A file with invalid lines is set aside, too, and its valid lines are
 * saved again. -1 without memory: no file is set aside for that. */
int maui_fsfile_load_all(const char *directory, int64_t default_interval_s,
			 struct maui_usage *usage, struct maui_diags *diags);

/* Writes one window to <directory>/FS.<start>. */
int maui_fsfile_save(const char *directory, const struct maui_usage_window *window,
		     struct maui_err *err);

#endif
