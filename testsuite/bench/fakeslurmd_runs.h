/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fakeslurmd_runs.h - what fakeslurmd has launched and is to report as ended
 *
 * A queue by time of end. Any thread may call any function; out of memory ends the program.
 */
#ifndef FAKESLURMD_RUNS_H
#define FAKESLURMD_RUNS_H

#include "slurm/compat.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fake_run {
	struct timespec end;
	slurm_step_id_t step; /* of a batch script its job_id alone */
	char *node;           /* the first one: slurmctld believes only that of a batch script */
	uint32_t tasks;       /* of a step; 0: a batch script */
	uid_t uid;            /* of a step: its srun's user, */
	slurm_addr_t srun;    /* who is told */
	uint64_t launch;      /* set by fake_run_keep() */
};

/* A new one of that job, which ends in `seconds`. */
struct fake_run *fake_run_new(uint32_t job_id, double seconds, const char *nodes);
void fake_run_free(struct fake_run *run);

/* The queue owns it from now on. */
void fake_run_keep(struct fake_run *run);

/* Whether something of the job was launched and not forgotten since. */
bool fake_run_is_known(uint32_t job_id);

/* Nothing of the job is left to be reported: when it is requeued it comes as a new launch. */
void fake_run_forget(uint32_t job_id);

/* Waits for the earliest end; the caller owns the run. *ret_known: not forgotten meanwhile. */
struct fake_run *fake_run_wait(bool *ret_known);

#endif
