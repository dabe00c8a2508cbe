/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changejob.c - the verb "changejob" */

#include "verbs/changejob.h"

const char *const maui_changejob_actions[MAUI_JOB_ACTION_COUNT] = {
	[MAUI_JOB_HOLD] = "hold",
	[MAUI_JOB_HOLD_USER] = "hold-user",
	[MAUI_JOB_RELEASE] = "release",
	[MAUI_JOB_RELEASE_ADMIN] = "release-admin",
	[MAUI_JOB_RELEASE_USER] = "release-user",
	[MAUI_JOB_CANCEL] = "cancel",
	[MAUI_JOB_PRIORITY] = "priority",
	[MAUI_JOB_RUN] = "run",
};

MAUI_RECORD_TYPE(maui_changejob_priority, MAUI_CHANGEJOB_PRIORITY_FIELDS);
MAUI_RECORD_TYPE(maui_changejob_run, MAUI_CHANGEJOB_RUN_FIELDS);
MAUI_RECORD_TYPE(maui_changejob_args, MAUI_CHANGEJOB_ARGS_FIELDS);
MAUI_RECORD_TYPE(maui_changejob_outcome, MAUI_CHANGEJOB_OUTCOME_FIELDS);
MAUI_RECORD_TYPE(maui_changejob, MAUI_CHANGEJOB_FIELDS);

MAUI_VERB(changejob, OWNER, &maui_changejob_args_type, &maui_changejob_type,
	  "holds, releases, cancels, starts or ranks a job");
