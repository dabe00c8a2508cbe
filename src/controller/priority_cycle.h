/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priority_cycle.h - usage and priorities in one cycle of the agent
 *
 * Goes in: a copy of slurmctld's jobs. Comes out: histories and usage up to date, and priorities
 * written to slurmctld's job records. For the agent's thread only, called without any lock.
 *
 * Rules: PRIO-18.
 */
#ifndef MAUI_CONTROLLER_PRIORITY_CYCLE_H
#define MAUI_CONTROLLER_PRIORITY_CYCLE_H

#include "controller/private.h"
#include "model/captured.h"
#include "slurm/publish/priorities.h"

struct maui_priority_cycle {
	struct maui_controller *c;
	struct maui_captured_jobs captured;
	/* c->rankings when the copy began. slurmctld ranked a job with a newer version since; the
	 * copy may be older than that ranking. */
	uint64_t rankings;
	struct maui_apply_job *jobs; /* to be written */
	size_t job_count;
};

/* Call before the jobs are copied into `captured`. */
void maui_priority_cycle_begin(struct maui_priority_cycle *cycle, struct maui_controller *c);
/* Makes the history of each job, and asks for the names of its user and group. */
void maui_priority_cycle_add_jobs(struct maui_priority_cycle *cycle);
/* Charges usage, publishes fairshare percentages, counts what each user runs. */
void maui_priority_cycle_charge(struct maui_priority_cycle *cycle);
/* Ranks all jobs. With priority/maui, writes the priorities into slurmctld's records. */
void maui_priority_cycle_publish(struct maui_priority_cycle *cycle, struct maui_apply_result *ret);
/* Frees the copy. */
void maui_priority_cycle_finish(struct maui_priority_cycle *cycle);

#endif
