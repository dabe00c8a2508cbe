/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.h - writes computed priorities to slurmctld's job records
 *
 * Each write is checked again under the lock: since the copy, the job may be gone, held, started,
 * set directly, or ranked by slurmctld's own call.
 *
 * Rules: PRIO-14, PRIO-19.
 */
#ifndef MAUI_SLURM_PUBLISH_PRIORITIES_H
#define MAUI_SLURM_PUBLISH_PRIORITIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/hold.h"

struct job_record; /* of slurmctld */

struct maui_apply_part {
	const char *name;
	uint32_t priority; /* >= 1 */
};

struct maui_apply_job {
	uint32_t job_id;
	int64_t submit_s; /* with the id: the same job */
	uint64_t version; /* of the caller's record, see still_current */
	const struct maui_apply_part *parts;
	size_t part_count; /* >= 1 */
};

struct maui_apply_result {
	size_t changed;
	struct maui_hold_times writes;
};

/* Whether the computed priority is still current. Called under slurmctld's job WRITE lock, so it
 * must be quick, and may take only locks that come after slurmctld's. */
typedef bool (*maui_still_current_fn)(const struct maui_apply_job *job, void *arg);

/* Takes job WRITE, part READ a few milliseconds at a time. Call without any lock. */
void maui_apply_priorities(const struct maui_apply_job *jobs, size_t count,
			   maui_still_current_fn still_current, void *arg,
			   struct maui_apply_result *ret);

/* The same for one job whose record the caller has under job WRITE: fills its priority per
 * partition and returns the number for the partition it stands in. */
uint32_t maui_apply_parts(struct job_record *job_ptr, const struct maui_apply_part *parts,
			  size_t count);

#endif
