/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_args.c - which job is asked about */

#include "verbs/job_args.h"

MAUI_RECORD_TYPE(maui_job_args, MAUI_JOB_ARGS_FIELDS);
