/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.c - the verb "priorities" */

#include "verbs/priorities.h"

MAUI_RECORD_TYPE(maui_priorities_args, MAUI_PRIORITIES_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_priorities_job, MAUI_PRIORITIES_JOB_FIELDS);
MAUI_RECORD_TYPE(maui_priorities, MAUI_PRIORITIES_FIELDS);

MAUI_VERB(priorities, ALL, &maui_priorities_args_type, &maui_priorities_type,
	  "how the priority of waiting jobs is made up");
