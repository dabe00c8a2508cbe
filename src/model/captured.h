/* SPDX-License-Identifier: GPL-2.0-or-later */
/* captured.h - slurmctld's job records as copied at one moment
 *
 * Goes in: job records, read by slurm/capture. Comes out: plain values without a pointer into
 * slurmctld, in units and meaning of model/job.h. "What a Slurm job is to Maui" in
 * doc/slurm-compatibility.md says which field of Slurm becomes which of these.
 */
#ifndef MAUI_MODEL_CAPTURED_H
#define MAUI_MODEL_CAPTURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bulk.h"
#include "model/conditions.h"
#include "model/job.h"

enum maui_captured_state {
	MAUI_CAPTURED_PENDING,
	MAUI_CAPTURED_ACTIVE, /* running, configuring, suspended */
	MAUI_CAPTURED_ENDED,
};

/* One partition of a job; a job has several when it was submitted to a list. */
struct maui_captured_part {
	const char *name;
	double job_factor; /* PriorityJobFactor; 0: Slurm's default, not set */
	double walltime_s; /* time limit in this partition; 0: none */
	bool up;
};

struct maui_captured_job {
	uint32_t job_id, array_job_id, user_id, group_id;
	/* of a task of an array; MAUI_NO_TASK: no task, or the head of an array, which stands for
	 * the tasks first_task to last_task, not all of which need be waiting */
	uint32_t array_task, first_task, last_task;
	struct maui_het_place het;             /* id 0: not of a het job */
	struct maui_job_conditions conditions; /* of pending jobs of a plan only */
	enum maui_captured_state state;
	bool suspended, held, dependent, direct;
	bool held_by_user;
	bool restarted;   /* requeued at least once: the same job with a new submit time */
	bool own_limit;   /* the job names a time limit itself */
	bool starting;    /* slurmctld is preparing its nodes */
	bool requeueable; /* a batch job without --no-requeue */
	uint32_t priority;
	int64_t nice; /* positive lowers the priority */
	int64_t submit_s;
	int64_t start_s; /* of the run that ran_s counts; 0: none */
	int64_t ran_s;   /* running time so far, or of the whole run; without suspensions */
	int64_t until_s; /* the moment up to which ran_s counts: now, or the end */
	MAUI_JOB_QUANTITIES(MAUI_JOB_QUANTITY)
	uint64_t fingerprint; /* of pending jobs only: slurm/eligible/eligible.h */
	const char *name;     /* the first bytes: MAUI_JOB_NAME_SHOWN */
	const char *account, *qos;
	const char *qos_text; /* kept by job_submit/maui; NULL: none */
	const char *advres;   /* kept by job_submit/maui; "": withdrawn; NULL: not mentioned */
	struct maui_captured_part *parts;
	size_t part_count;
};

/* A job with these quantities, and nothing else. */
static inline struct maui_job maui_captured_quantities(const struct maui_captured_job *captured)
{
#define MAUI_CAPTURED_QUANTITY(name, what) .name = captured->name,
	return (struct maui_job){ MAUI_JOB_QUANTITIES(MAUI_CAPTURED_QUANTITY) };
#undef MAUI_CAPTURED_QUANTITY
}

struct maui_config;
struct maui_captured_jobs {
	struct maui_arena arena; /* of all that the jobs point to */
	struct maui_captured_job *jobs;
	size_t count, alloc;
	uint32_t tasks_listed;     /* of all arrays: conditions.task_count */
	struct maui_totals totals; /* of the cluster's nodes */
	int64_t now_s;
	const struct maui_config *config; /* borrowed: GRESCFG */
};

static inline void maui_captured_jobs_finish(struct maui_captured_jobs *jobs)
{
	maui_bulk_free(jobs->jobs, jobs->alloc * sizeof(*jobs->jobs));
	maui_arena_finish(&jobs->arena);
	*jobs = (struct maui_captured_jobs){ 0 };
}

#endif
