/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fakeslurmd_runs.h - the jobs that fakeslurmd has launched and has to report as ended
 *
 * A queue by time of end. Any thread may call any function. Out of memory ends the program.
 */
#ifndef FAKESLURMD_RUNS_H
#define FAKESLURMD_RUNS_H

#include "slurm/compat.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fake_run {
	struct timespec end;
	slurm_step_id_t step; /* of a batch script only the job_id */
	/* the first node: slurmctld believes only this node about a batch script */
	char *node;
	uint32_t tasks;    /* of a step; 0: batch script */
	uid_t uid;         /* of a step: its srun's user, */
	slurm_addr_t srun; /* address to report to */
	uint64_t launch;   /* set by fake_run_keep() */
};

/* A new run of this job, which ends in `seconds`. */
struct fake_run *fake_run_new(uint32_t job_id, double seconds, const char *nodes);
void fake_run_free(struct fake_run *run);

/* Adds the run to the queue, which owns it. */
void fake_run_keep(struct fake_run *run);

/* Whether the job was launched and not forgotten since. */
bool fake_run_is_known(uint32_t job_id);

/* Forgets the job: nothing is reported for it. A requeued job is a new launch. */
void fake_run_forget(uint32_t job_id);

/* Waits for the earliest end; the caller owns the run. *ret_known: the job was not forgotten
 * meanwhile. */
struct fake_run *fake_run_wait(bool *ret_known);

#endif
