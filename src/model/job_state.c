/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_state.c - the words for the state of a job */

#include "model/job_state.h"

#include <stddef.h>

const char *const maui_job_state_words[MAUI_JOB_STATE_COUNT] = {
	[MAUI_JOB_RUNNING] = "Running",     [MAUI_JOB_STARTING] = "Starting",
	[MAUI_JOB_SUSPENDED] = "Suspended", [MAUI_JOB_COMPLETING] = "Completing",
	[MAUI_JOB_IDLE] = "Idle",           [MAUI_JOB_BLOCKED] = "Blocked",
	[MAUI_JOB_USER_HOLD] = "UserHold",  [MAUI_JOB_SYSTEM_HOLD] = "SystemHold",
	[MAUI_JOB_DEFERRED] = "Deferred",   [MAUI_JOB_NO_STATE] = NULL,
};

const char *maui_job_state_text(enum maui_job_state state, const char *none)
{
	return state < MAUI_JOB_NO_STATE ? maui_job_state_words[state] : none;
}

const char *maui_job_state_letter(enum maui_job_state state)
{
	switch (state) {
	case MAUI_JOB_RUNNING:
	case MAUI_JOB_COMPLETING:
		return "R";
	case MAUI_JOB_STARTING:
		return "S";
	case MAUI_JOB_SUSPENDED:
		return "Z";
	case MAUI_JOB_NO_STATE:
	case MAUI_JOB_STATE_COUNT:
		return "-";
	default:
		return "I";
	}
}
