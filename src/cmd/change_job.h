/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.h - what commands that change jobs have in common
 *
 * Each asks slurmctld once for each job of its line, and goes on with the others when one fails.
 */
#ifndef MAUI_CMD_CHANGE_JOB_H
#define MAUI_CMD_CHANGE_JOB_H

#include "cmd/query.h"

/* Asks for `action` on each job of argv from optind on. `extra` (may be NULL) has further
 * arguments. Prints `done`, a format with one %s for the job, for each job; with --json one object
 * with an array. Returns the exit status: that of the first job that failed. */
int maui_cmd_change_jobs(const struct maui_cmd_common *common, int argc, char **argv,
			 const char *action, json_object *extra, const char *done);

#endif
