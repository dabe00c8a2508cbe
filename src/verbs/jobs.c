/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.c - the verb "jobs" */

#include "verbs/jobs.h"

MAUI_RECORD_TYPE(maui_jobs_args, MAUI_JOBS_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_jobs_job, MAUI_JOBS_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_jobs, MAUI_JOBS_FIELDS);

MAUI_VERB(jobs, ALL, &maui_jobs_args_type, &maui_jobs_type,
	  "jobs with their requests, and what blocks them");
