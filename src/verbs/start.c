/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.c - the verb "start" */

#include "verbs/start.h"

MAUI_RECORD_TYPE(maui_job_start, MAUI_JOB_START_FIELDS);
MAUI_RECORD_TYPE(maui_start_answer, MAUI_START_ANSWER_FIELDS);

MAUI_VERB(start, ALL, &maui_job_args_type, &maui_start_answer_type, "when a job starts");
