/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - the jobs that commands name */
#ifndef MAUI_CMD_JOB_H
#define MAUI_CMD_JOB_H

#include <json-c/json.h>

/* "17", the task "17_3", or the waiting tasks of an array as showq names them ("17_[1-5]x3"): the
 * arguments of a question about the job. NULL: none of these. */
json_object *maui_cmd_job_args(const char *text);

/* What the answer calls the job: "17_3". */
const char *maui_cmd_job_label(json_object *job);

#endif
