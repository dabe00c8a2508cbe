/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.h - requeues, suspends and resumes active jobs
 *
 * Maui's preemption (QOS flags PREEMPTOR, PREEMPTEE; PREEMPTPOLICY) and Slurm's own (PreemptType)
 * never act together. With Slurm's own, Slurm says how each job goes, and gives it its grace time.
 *
 * Rules: PRE-4, PRE-7, PRE-10, PRE-11.
 */
#ifndef MAUI_SLURM_START_PREEMPT_H
#define MAUI_SLURM_START_PREEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_hold_times;

enum maui_preempt_action {
	/* pending again at once; its nodes are free after KillWait and epilog */
	MAUI_ACTION_REQUEUE,
	MAUI_ACTION_SUSPEND, /* processors are free for others at once, memory stays taken */
	MAUI_ACTION_RESUME,  /* refused with ESLURM_NODES_BUSY while others have its cores */
	MAUI_ACTION_CANCEL,  /* a start that takes too long: JOBMAXSTARTTIME */
};

struct maui_preempt_order {
	uint32_t job_id;
	int64_t start_s;     /* of the run that the plan knew */
	uint32_t for_job_id; /* preempt only while this job waits; 0: for no job (a resume) */
	bool anyway;         /* also when it does not wait any more */
	enum maui_preempt_action how;
	bool by_slurm; /* Slurm's own preemption: it says how; `how` is set */
	bool again;    /* Slurm has refused it before: log at debug level only */

	bool done; /* result */
	/* done: the job goes at the end of its grace time, when it has to be ordered again; 0: it
	 * goes at once */
	int64_t grace_until_s;
	/* Slurm's code when not done. ESLURM_INVALID_JOB_ID: the run is over, or the order no
	 * longer needed; ESLURM_DISABLED: not allowed at the moment */
	int code;
};

/* Whether Slurm preempts by itself (PreemptType other than preempt/none). Under conf READ. */
bool maui_preempt_by_slurm(void);

enum maui_restart {
	MAUI_RESTART_DONE,
	MAUI_RESTART_LATER, /* it is still leaving its nodes, or in its grace time */
	MAUI_RESTART_NEVER, /* it is not in the queue any more, or needs no help to start */
};

/* Lets a requeued job start again at once: Slurm sets its begin time beyond the life of its
 * credential, so that slurmd has forgotten the former run. A job that was preempted in vain need
 * not wait for that: its new credential is younger than the end of that run. Takes the locks that
 * it needs. */
enum maui_restart maui_preempt_restart(uint32_t job_id, struct maui_hold_times *holds);

/* Executes the orders one at a time, each under the locks that Slurm's functions need. Call
 * without any lock. Ends when the cluster's tables have changed since *table (cluster.h; NULL: the
 * orders come from no plan). */
void maui_preempt_jobs(struct maui_preempt_order *orders, size_t count, const uint64_t *table,
		       struct maui_hold_times *writes);

#endif
