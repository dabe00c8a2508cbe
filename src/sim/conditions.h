/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.h - tasks of arrays, dependencies and begin times in a simulation of a saved plan
 *
 * As slurmctld does: of an array as many tasks are in the queue as may run now (%N) and the cluster
 * could hold; a job that depends on others is eligible once they have ended or started, and one
 * with a begin time from then on. Jobs end well here. A job is left out when nobody can tell from
 * the plan when it becomes eligible: it is held, Slurm refuses it, it begins after the time that is
 * looked at, it depends on something else (singleton, afternotok, another cluster), on a job that
 * is not in the plan, or on one that is left out.
 *
 * Rules: CMD-36.
 */
#ifndef MAUI_SIM_CONDITIONS_H
#define MAUI_SIM_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_sim_engine;
struct maui_sim_trace;

/* The waiting tasks of an array head, or one that slurmctld keeps apart from them, as after a hold:
 * neighbours in the trace. */
struct maui_sim_tasks {
	size_t first, count;
	size_t next;     /* how many are in the queue, or have been */
	int64_t waiting; /* in the queue now */
	size_t running;
	uint32_t run_max; /* %N; 0: any number */
	int64_t most;     /* of them in the queue at once */
};

/* The jobs of the trace that have one array number, or no array and this number. */
struct maui_sim_family {
	uint32_t job;
	size_t first, count;                /* in `order` */
	size_t running, unstarted, unended; /* now: counted as jobs start and end */
	int64_t waiting;                    /* tasks of its groups in the queue now */
	size_t left_out;
	int64_t last_start_s;
};

struct maui_sim_conditions {
	struct maui_sim_tasks *tasks;
	size_t task_count;
	struct maui_sim_family *families; /* by number */
	size_t family_count;
	uint32_t *order; /* jobs of the trace, by family, then by task */
};

/* Of the trace of a saved plan, and the snapshot, whose array heads leave the queue. Marks the jobs
 * that are left out. */
void maui_sim_conditions_begin(struct maui_sim_engine *e);
void maui_sim_conditions_finish(struct maui_sim_conditions *conditions);

/* A job of the trace has started now; has ended, or waits again. */
void maui_sim_conditions_start(struct maui_sim_engine *e, size_t index);
void maui_sim_conditions_end(struct maui_sim_engine *e, size_t index, bool requeued);

/* Before each plan: tasks join the queue, jobs become eligible. */
void maui_sim_conditions_poll(struct maui_sim_engine *e);
/* After the starts of a plan: when a job becomes eligible by the clock alone; MAUI_NEVER: none. */
int64_t maui_sim_conditions_next(struct maui_sim_engine *e);

#endif
