/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - a job as the policies see it
 *
 * src/slurm (from slurmctld's records), the simulator, the golden runner and the benches fill it
 * in. Plain values only; strings are borrowed from its source (an arena, a JSON object).
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

/* What a job asks for, or holds: Q(member, what it is). struct maui_job, captured jobs, saved plans
 * with doc/snapshot.md, and golden cases have these members under these names. */
#define MAUI_JOB_QUANTITIES(Q)                                    \
	Q(nodes, "nodes that it names, or has; 0: it names none") \
	Q(procs, "processors: tasks x processors per task")       \
	Q(mem_mb, "memory of all tasks, MB")                      \
	Q(swap_mb, "swap of all tasks, MB; always 0 in Slurm")    \
	Q(disk_mb, "temporary disk of all tasks, MB")             \
	Q(gpus, "GPUs of any type, of all tasks")                 \
	Q(gres, "GPUs and other generic resources, each by its GRESCFG WEIGHT")

#define MAUI_JOB_QUANTITY(name, what) double name;

/* These members alone. */
struct maui_quantities {
	MAUI_JOB_QUANTITIES(MAUI_JOB_QUANTITY)
};

/* A component of a het job: the leader's number, and its place among the components. */
struct maui_het_place {
	uint32_t id, offset;
};

struct maui_job {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: the job has no such credential */
	MAUI_JOB_QUANTITIES(MAUI_JOB_QUANTITY)
	double walltime_s;                /* wallclock limit, > 0 */
	double queue_time_s;              /* effective queue time (accrual.h), >= 0 */
	double bypass;                    /* times passed over by backfill */
	double elapsed_s;                 /* running time so far, of an active job */
	double user_procs, user_jobs;     /* the user's active use: UPROC, UJOB */
	double class_fallback;            /* the partition's PriorityJobFactor; 0 = not set */
	double fs_delta[MAUI_CRED_COUNT]; /* fairshare values of its credentials (fairshare.h) */
	bool active;                      /* starting or running */
	bool soft_violation;              /* runs over a soft limit: SPVIOLATION */
	int32_t system_priority;          /* setspri: 1 .. MAUI_SYSPRIO_MAX; 0 = none */
	int32_t system_priority_relative; /* setspri -r: added; 0 = none */
};

/* Sets each quantity to at least this much. */
static inline void maui_job_raise(struct maui_job *job, const struct maui_quantities *least)
{
#define MAUI_JOB_RAISE(name, what) job->name = job->name > least->name ? job->name : least->name;
	MAUI_JOB_QUANTITIES(MAUI_JOB_RAISE)
#undef MAUI_JOB_RAISE
}

#endif
