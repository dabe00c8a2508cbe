/* SPDX-License-Identifier: GPL-2.0-or-later */
/* violation_text.h - a violated limit in words
 *
 * Rules: THR-17.
 */
#ifndef MAUI_EXPLAIN_VIOLATION_TEXT_H
#define MAUI_EXPLAIN_VIOLATION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct maui_violation;

/* One line, as long as the buffer lets it be:
 *   MAXJOB USER steve 2/2 (soft)                       jobs in use / limit
 *   MAXPROC CLASS fast USER steve 40+11/50 (hard)      in use + asked for / limit
 *   MAX.WCLIMIT CLASS batch 2:00:00/1:00:00 (hard)     asked for / limit of a single job
 *   MAXPROC USER dan 20/16 (hard): larger than the limit   the job alone asks for more
 *   FSTARGET USER steve 31.79%/25% (cap)
 * Returns buf. MAUI_VIOLATION_SIZE suffices for names of ordinary length. */
#define MAUI_VIOLATION_SIZE 256
char *maui_violation_format(const struct maui_violation *violation, char *buf, size_t size);

/* Whether the job alone requests more than the hard limit, so that it can never start; then, with
 * what it requests: "MAXPROC USER dan: the job requests 20, the limit is 16". Returns buf. */
bool maui_violation_is_never_met(const struct maui_violation *violation);
char *maui_violation_never_met(const struct maui_violation *violation, char *buf, size_t size);

/* The limit alone: "MAXJOB USER steve". Returns buf. */
char *maui_violation_limit(const struct maui_violation *violation, char *buf, size_t size);

#endif
