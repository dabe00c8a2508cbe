/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.h - holds, releases and cancels jobs as scontrol and scancel do
 *
 * Slurm's own functions do it, with the rights of the named user. Each record is changed
 * under the locks that Slurm's server takes for the same request. Call without any lock.
 *
 * Rules: CMD-47.
 */
#ifndef MAUI_SLURM_CHANGE_JOB_H
#define MAUI_SLURM_CHANGE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/job_action.h"
#include "slurm/hold.h"

enum maui_change_result {
	MAUI_CHANGE_DONE,
	MAUI_CHANGE_DENIED,
	MAUI_CHANGE_NO_JOB,
	MAUI_CHANGE_NO_HOLD,    /* RELEASE_ADMIN, RELEASE_USER: the job has no hold ... */
	MAUI_CHANGE_OTHER_HOLD, /* ... or the other one of the two */
	MAUI_CHANGE_TOO_MANY,   /* the array has more records than one request may change */
	MAUI_CHANGE_RUNS,       /* maui_find_waiting_records(): the job runs already */
	MAUI_CHANGE_FAILED,     /* for the reason that *ret_why has */
};

/* A record that a name means. */
struct maui_job_record {
	uint32_t job_id, array_job_id;
	int64_t submit_s;
	bool restarted; /* requeued at least once */
};

/* Names a job, and all tasks of the array of this number; or task `task` (-1: none is named) of the
 * array; and who asks. */
struct maui_job_choice {
	uint32_t job_id;
	int64_t task, component;
	uid_t uid;
};

/* The records that wait, at most `room`; with room for one the first. A task that waits together
 * with others of its array becomes a record of its own before, if Slurm lets the user change it.
 * *ret_why as below. */
enum maui_change_result maui_find_waiting_records(const struct maui_job_choice *choice,
						  struct maui_job_record *records, size_t room,
						  size_t *ret_count, const char **ret_why,
						  struct maui_hold_times *writes);

/* The result is that of the first record that could not be changed. *ret_why: Slurm's text, static.
 * *action: HOLD becomes HOLD_USER when Slurm has placed a user's hold, as it does for users.
 * *ret_runs: a job that was held runs. */
enum maui_change_result maui_change_job(const struct maui_job_choice *choice,
					enum maui_job_action *action, bool *ret_runs,
					const char **ret_why, struct maui_hold_times *writes);

#endif
