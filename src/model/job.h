/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - a job as the policies see it
 *
 * src/slurm (from slurmctld's records), the simulator, the golden runner and the benches fill it
 * in. Plain values only; strings are borrowed from whatever filled it (an arena, a JSON object).
 */
#ifndef MAUI_MODEL_JOB_H
#define MAUI_MODEL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "model/cred.h"

#define MAUI_NO_TASK UINT32_MAX /* of a job that is no task of an array */

/* Configured processors, memory (MB) ... of the whole cluster; 0: unknown, PE leaves it out. */
struct maui_totals {
	double procs, mem_mb, swap_mb, disk_mb;
	double gres; /* GPUs and what else GRESCFG WEIGHT counts, each by its weight */
};

struct maui_job {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: the job has no such credential */
	double nodes;                      /* requested; 0 when it named none */
	double procs;                      /* tasks x processors per task */
	double mem_mb, swap_mb, disk_mb;   /* of all tasks */
	double gpus;                       /* of any type, of all tasks */
	double gres;                       /* the same and other gres, by GRESCFG WEIGHT */
	double walltime_s;                 /* wallclock limit, > 0 */
	double queue_time_s;               /* effective queue time (accrual.h), >= 0 */
	double bypass;                     /* times passed over by backfill */
	double elapsed_s;                  /* running time so far, of an active job */
	double user_procs, user_jobs;      /* the user's active use: UPROC, UJOB */
	double class_fallback;             /* the partition's PriorityJobFactor; 0 = not set */
	double fs_delta[MAUI_CRED_COUNT];  /* fairshare values of its credentials (fairshare.h) */
	bool active;                       /* starting or running */
	bool soft_violation;               /* runs over a soft limit: SPVIOLATION */
	int32_t system_priority;           /* setspri: 1 .. MAUI_SYSPRIO_MAX; 0 = none */
	int32_t system_priority_relative;  /* setspri -r: added; 0 = none */
};

#endif
