/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.h - what commands that change jobs have in common */
#ifndef MAUI_CMD_CHANGE_JOB_H
#define MAUI_CMD_CHANGE_JOB_H

#include "cmd/query.h"
#include "verbs/changejob.h"

/* Asks for the change of one job. *ret, a struct maui_changejob, is the caller's to finish; its
 * texts may be shown on a terminal. -1 with error. */
int maui_cmd_change_job(const struct maui_changejob_args *args, struct maui_cmd_answer *ret,
			struct maui_query_error *error);

/* Asks for the change once for each operand, and goes on with the others when
 * one fails. `change`: the arguments but the job. Prints `done`, a format with one %s for the job,
 * for each; with --json one object with an array. Returns the exit status: that of the first job
 * that failed. */
int maui_cmd_change_jobs(const struct maui_tool_common *common,
			 const struct maui_changejob_args *change, const char *done);

#endif
