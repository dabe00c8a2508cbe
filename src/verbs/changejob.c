/* SPDX-License-Identifier: GPL-2.0-or-later */
/* changejob.c - what can be done to a job, by name */

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
