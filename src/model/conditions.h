/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.h - what else has to happen before a waiting job may start
 *
 * slurmctld decides these itself, so a plan does not need them: the plan gets eligible jobs. A
 * simulation of what comes next does (sim/conditions.h).
 */
#ifndef MAUI_MODEL_CONDITIONS_H
#define MAUI_MODEL_CONDITIONS_H

#include <stdbool.h>
#include <stdint.h>

enum maui_dependency_kind {
	MAUI_DEPENDENCY_OTHER,    /* only slurmctld can tell: singleton, afternotok, ... */
	MAUI_DEPENDENCY_END,      /* afterok, afterany: the job has ended */
	MAUI_DEPENDENCY_START,    /* after: the job has started, `delay_s` ago */
	MAUI_DEPENDENCY_TASK_END, /* aftercorr: the job's task with the same number has ended */
	MAUI_DEPENDENCY_COUNT
};

/* Another job that a job waits for. */
struct maui_dependency {
	enum maui_dependency_kind kind;
	uint32_t job;  /* the number of an array stands for all its tasks */
	uint32_t task; /* MAUI_NO_TASK: not one task of an array */
	int64_t delay_s;
};

struct maui_job_conditions {
	int64_t begin_s;  /* --begin; 0: none, or over */
	uint32_t run_max; /* of an array: at most so many tasks run at once (%N); 0: any number */
	/* the waiting tasks of an array head, ascending; NULL: all from the first to the last, or
	 * too many to list */
	const uint32_t *tasks;
	uint32_t task_count;
	const struct maui_dependency *dependencies;
	uint32_t dependency_count;
	bool any_dependency; /* one of them suffices */
	/* slurmctld's name for what keeps the job, as in squeue: "PartitionNodeLimit"; NULL: not
	 * known */
	const char *slurm_reason;
	/* slurmctld's words for a hold of its own: "launch failed requeued held"; NULL: none */
	const char *hold_words;
};

#endif
