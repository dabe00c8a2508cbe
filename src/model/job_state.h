/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_state.h - the state of a job, in Maui's words */
#ifndef MAUI_MODEL_JOB_STATE_H
#define MAUI_MODEL_JOB_STATE_H

enum maui_job_state {
	/* it is active */
	MAUI_JOB_RUNNING,
	MAUI_JOB_STARTING, /* slurmctld starts it, or the plan does */
	MAUI_JOB_SUSPENDED,
	MAUI_JOB_COMPLETING,
	/* it waits */
	MAUI_JOB_IDLE,
	MAUI_JOB_BLOCKED, /* not eligible; where queues show why, one of these: */
	MAUI_JOB_USER_HOLD,
	MAUI_JOB_SYSTEM_HOLD,
	MAUI_JOB_DEFERRED,
	MAUI_JOB_NO_STATE, /* of what is no job */
	MAUI_JOB_STATE_COUNT
};

/* "Running", "UserHold"; NULL of MAUI_JOB_NO_STATE, the last. */
extern const char *const maui_job_state_words[MAUI_JOB_STATE_COUNT];
/* The word; of MAUI_JOB_NO_STATE `none`. */
const char *maui_job_state_text(enum maui_job_state state, const char *none);
/* As Maui's tables shorten it: "R" runs, "S" starts, "Z" is suspended, "I" waits; "-": no state. */
const char *maui_job_state_letter(enum maui_job_state state);

#endif
