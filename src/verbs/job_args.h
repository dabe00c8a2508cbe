/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_args.h - which job is asked about: the arguments of "job" and "start" */
#ifndef MAUI_VERBS_JOB_ARGS_H
#define MAUI_VERBS_JOB_ARGS_H

#include "record/record.h"

#define MAUI_JOB_ARGS_FIELDS(F, R)                                       \
	F(R, INT, job, "number of a job, of an array, or of a het job")  \
	F(R, MAYBE_INT, task, "of the array; absent: none is named", -1) \
	F(R, MAYBE_INT, component, "of the het job; absent: none is named", -1)
MAUI_RECORD(maui_job_args, MAUI_JOB_ARGS_FIELDS);

#endif
