/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fakeslurmd_runs.h - the jobs that fakeslurmd has launched and has to report as ended
 *
 * A queue by time of end. Any thread may call any function. Out of memory ends the program.
 */
#ifndef FAKESLURMD_RUNS_H
#define FAKESLURMD_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fake_run {
	struct timespec end;
	uint32_t job_id;
	/* the first node: slurmctld believes only this node about a batch script */
	char *node;
	uint64_t launch; /* set by fake_run_keep() */
};

/* A new run of this job, which ends in `seconds`. */
struct fake_run *fake_run_new(uint32_t job_id, double seconds, const char *nodes);
void fake_run_free(struct fake_run *run);

/* Adds the run to the queue, which owns it. */
void fake_run_keep(struct fake_run *run);

/* Forgets the job: nothing is reported for it. A requeued job is a new launch. */
void fake_run_forget(uint32_t job_id);

/* Waits for the earliest end; the caller owns the run. *ret_known: the job was not forgotten
 * meanwhile. */
struct fake_run *fake_run_wait(bool *ret_known);

#endif
