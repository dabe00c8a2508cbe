/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - the jobs that commands name */
#ifndef MAUI_CMD_JOB_H
#define MAUI_CMD_JOB_H

#include <stdbool.h>

#include "verbs/job_args.h"

struct maui_tool_common;

/* A label as Slurm and Maui print it: "17", the component "17+1" of a het job, the task "17_3", or
 * the tasks of an array as users name them ("17_[1-3,5,7-9:2]"), as squeue prints those that wait
 * ("17_[1-6%2]"), and as showq counts them ("17_[1-3]x3"). */

/* The arguments of a question about the job, or about the array of the tasks. -1: not a label. */
int maui_cmd_job_args(const char *text, struct maui_job_args *ret);

enum { MAUI_CMD_JOBS_MAX = 10000 };

/* Jobs and tasks; zeroed it is empty. */
struct maui_cmd_jobs {
	struct maui_job_args *list;
	size_t count, alloc;
};

/* For commands that change jobs: adds each job or task. The exit status; an error is printed: not a
 * label, there are MAUI_CMD_JOBS_MAX already, or the label does not name each task ("17_[1,3,...]",
 * "17_[1-5]x3"). The caller finishes *jobs either way. */
int maui_cmd_read_jobs(const struct maui_tool_common *common, const char *text,
		       struct maui_cmd_jobs *jobs);
void maui_cmd_jobs_finish(struct maui_cmd_jobs *jobs);

#endif
