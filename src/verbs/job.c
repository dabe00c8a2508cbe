/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.c - the verb "job" */

#include "verbs/job.h"

MAUI_RECORD_TYPE(maui_job_help, MAUI_JOB_HELP_FIELDS);
MAUI_RECORD_TYPE(maui_job_blocking, MAUI_JOB_BLOCKING_FIELDS);
MAUI_RECORD_TYPE(maui_job_user, MAUI_JOB_USER_FIELDS);
MAUI_RECORD_TYPE(maui_job_waiting, MAUI_JOB_WAITING_FIELDS);
MAUI_RECORD_TYPE(maui_job_active, MAUI_JOB_ACTIVE_FIELDS);
MAUI_RECORD_TYPE(maui_job_details, MAUI_JOB_DETAILS_FIELDS);
MAUI_RECORD_TYPE(maui_job_answer, MAUI_JOB_ANSWER_FIELDS);

MAUI_VERB(job, ALL, &maui_job_args_type, &maui_job_answer_type,
	  "all about a job, and why it waits");
