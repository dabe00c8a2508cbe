/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diagnose.h - what `diagnose` shows: one option, one function, one file of this folder
 *
 * Each function asks slurmctld and prints the answer, as text or with --json as one object. `name`
 * is the operand: one reservation, job, node, user ...; NULL: all. Returns the exit status.
 */
#ifndef MAUI_CMD_DIAGNOSE_DIAGNOSE_H
#define MAUI_CMD_DIAGNOSE_DIAGNOSE_H

#include "cmd/cmd.h"
#include "cmd/query.h"

typedef int (*maui_diagnose_fn)(const struct maui_tool_common *common, const char *name);

int maui_diagnose_fairshare(const struct maui_tool_common *common, const char *name);    /* -f */
int maui_diagnose_jobs(const struct maui_tool_common *common, const char *name);         /* -j */
int maui_diagnose_blocked(const struct maui_tool_common *common, const char *name);      /* -q */
int maui_diagnose_nodes(const struct maui_tool_common *common, const char *name);        /* -n */
int maui_diagnose_users(const struct maui_tool_common *common, const char *name);        /* -u */
int maui_diagnose_groups(const struct maui_tool_common *common, const char *name);       /* -g */
int maui_diagnose_accounts(const struct maui_tool_common *common, const char *name);     /* -a */
int maui_diagnose_classes(const struct maui_tool_common *common, const char *name);      /* -c */
int maui_diagnose_qos(const struct maui_tool_common *common, const char *name);          /* -Q */
int maui_diagnose_priorities(const struct maui_tool_common *common, const char *name);   /* -p */
int maui_diagnose_reservations(const struct maui_tool_common *common, const char *name); /* -r */

/* ---- parts.c ---- */

/* What maui.cfg gets wrong: the texts of "warnings", below a blank line. */
void maui_diagnose_show_warnings(const char *const *warnings, size_t count);

/* Since when and why maui.cfg is refused, below a blank line. */
struct maui_refused;
void maui_diagnose_show_refused(const struct maui_refused *refused, int64_t now_s);

/* The number of a job. MAUI_EXIT_USAGE, with a message: the name is not a number. */
int maui_diagnose_read_job(const struct maui_tool_common *common, const char *name, int64_t *ret);

#endif
