/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.h - holds, releases and cancels jobs as scontrol and scancel do
 *
 * Slurm's own functions do it, with the rights of the user that is named. Each record is changed
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
	MAUI_CHANGE_NO_HOLD,   /* RELEASE_ADMIN, RELEASE_USER: the job has no such hold */
	MAUI_CHANGE_NO_RECORD, /* the task waits together with others of its array */
	MAUI_CHANGE_TOO_MANY,  /* the array has more records than one request may change */
	MAUI_CHANGE_FAILED,    /* for the reason that *ret_why has */
};

/* A record that a name means. */
struct maui_job_record {
	uint32_t job_id, array_job_id;
	int64_t submit_s;
	bool restarted; /* requeued at least once */
	bool waits;
};

/* The job, and all tasks of the array of this number; or task `task` (-1: none is named) of the
 * array. At most `room` records that have not ended. DONE, NO_JOB or NO_RECORD. */
enum maui_change_result maui_find_job_records(uint32_t job_id, int64_t task,
					      struct maui_job_record *records, size_t room,
					      size_t *ret_count);

/* The job, and all tasks of the array of this number; or task `task` (-1: none is named) of the
 * array. The result is that of the first record that could not be changed. *ret_why: Slurm's text,
 * static. */
enum maui_change_result maui_change_job(uint32_t job_id, int64_t task, enum maui_job_action action,
					uid_t uid, const char **ret_why,
					struct maui_hold_times *writes);

#endif
