/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fsfile.h - FS.<epoch>: one fairshare window as text, Maui's own format (manual 6.3.2.3)
 *
 *   # FS Data File (Duration: 43200 seconds)  Starting: Fri Aug 18 18:00:00
 *   user USERA 150000.000
 *   ...
 *   sched ALL 600000.000
 *   TOTAL 600000.000
 *
 * Values are proc-seconds. Read: types in any case, acct or account, either form of the total (Maui
 * itself wants three words, the manual prints two). Written: both forms, so that either reader
 * finds its own; credentials without use are left out. Blanks, control characters and '%' of a name
 * stand as %20 and so on.
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

/* "FS.1729900800" -> its start; -1: not the name of such a file. */
int64_t maui_fsfile_start(const char *name);

/* Accounts are read in lower case, as slurmctld has them.
 * Reads a file's text into an empty window whose start is set; interval_s comes from the header,
 * else stays as the caller set it. Junk lines (negative, infinite, unparseable values, unknown
 * types, control characters in names) are diagnostics and skipped. Without a total line, or with
 * one that is less than a kind's sum, the total is the largest such sum, with a diagnostic.
 * Returns -1 when there was an error: `window` then holds what could be read, and the caller
 * decides. */
int maui_fsfile_parse(const char *path, const char *text, size_t length,
		      struct maui_usage_window *window, struct maui_diags *diags);

/* The file's text, sorted by kind and name; same window, same bytes. Check out->failed. */
void maui_fsfile_format(const struct maui_usage_window *window, struct maui_strbuf *out);

/* All FS.* files of a directory. A file that cannot be used is set aside (file.h) with an error
 * among the diagnostics; so is the remainder of one that holds junk: its good lines are kept and
 * written again. -1 only without memory. */
int maui_fsfile_load_all(const char *directory, int64_t default_interval_s,
			 struct maui_usage *usage, struct maui_diags *diags);

/* Writes one window to <directory>/FS.<start>. */
int maui_fsfile_save(const char *directory, const struct maui_usage_window *window,
		     struct maui_err *err);

#endif
