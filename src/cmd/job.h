/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - the jobs that commands name */
#ifndef MAUI_CMD_JOB_H
#define MAUI_CMD_JOB_H

#include <json-c/json.h>

/* "17", the task "17_3", or the waiting tasks of an array as showq names them ("17_[1-5]x3"): the
 * arguments of a question about the job. NULL: none of these. */
json_object *maui_cmd_job_args(const char *text);

enum { MAUI_CMD_JOBS_MAX = 10000 };

/* For commands that change jobs: "17", "17_3", or the tasks "17_[1-3,5,7-9:2]", each a job of its
 * own. Adds the arguments of each to the array `jobs`. -1: none of these, or `jobs` is full. */
int maui_cmd_job_list(const char *text, json_object *jobs);

/* What the answer calls the job: "17_3". */
const char *maui_cmd_job_label(json_object *job);

#endif
