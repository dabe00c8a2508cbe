/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_action.h - what a command asks to be done with a job */
#ifndef MAUI_MODEL_JOB_ACTION_H
#define MAUI_MODEL_JOB_ACTION_H

enum maui_job_action {
	MAUI_JOB_HOLD,          /* by an administrator */
	MAUI_JOB_HOLD_USER,     /* by the user, who may release it */
	MAUI_JOB_RELEASE,       /* every hold that may be released */
	MAUI_JOB_RELEASE_ADMIN, /* an administrator's hold only */
	MAUI_JOB_RELEASE_USER,  /* a user's hold only */
	MAUI_JOB_CANCEL,
	MAUI_JOB_PRIORITY, /* setspri */
	MAUI_JOB_RUN,      /* runjob */
	MAUI_JOB_ACTION_COUNT,
};

#endif
