/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.h - active jobs that have to go for others: requeued, suspended, resumed
 *
 * Maui's preemption (QOS flags PREEMPTOR, PREEMPTEE; PREEMPTPOLICY). Slurm's own (PreemptType)
 * must be off for it, which only.h sees to at the load; where a reconfigure has brought it nobody
 * has to go here. What was suspended before is resumed all the same.
 *
 * Rules: PRE-4.
 */
#ifndef MAUI_SLURM_START_PREEMPT_H
#define MAUI_SLURM_START_PREEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_hold_times;

enum maui_preempt_action {
	MAUI_ACTION_REQUEUE, /* pending again at once, its nodes when KillWait and epilog are
				over */
	MAUI_ACTION_SUSPEND, /* processors are free for others at once, memory stays taken */
	MAUI_ACTION_RESUME,  /* refused with ESLURM_NODES_BUSY while others have its cores */
	MAUI_ACTION_CANCEL,  /* a start that takes too long: JOBMAXSTARTTIME */
};

struct maui_preempt_order {
	uint32_t job_id;
	int64_t start_s;     /* of the run that was meant */
	uint32_t for_job_id; /* nobody goes unless it waits; 0: nobody (a resume) */
	enum maui_preempt_action how;
	bool again; /* it was refused before: another refusal is for the debug log */

	bool done; /* result */
	int code;  /* Slurm's, when not: ESLURM_INVALID_JOB_ID: over anyhow, or not
				wanted any more; ESLURM_DISABLED: not allowed at the moment */
};

/* Whether Slurm preempts by itself (PreemptType other than preempt/none). Under conf READ. */
bool maui_preempt_is_slurms(void);

/* Whether a job may be preempted so: it is running; only batch jobs are requeued, those with
 * --no-requeue never; nobody is suspended while nodes boot or a prolog runs. Under job READ. */
bool maui_preempt_allowed(const void *job_ptr, enum maui_preempt_action how);

/* Call without any lock: takes what Slurm's functions want, one order at a time, and lets others in
 * between. Ends when the cluster's tables are not those of *table any more (cluster.h; NULL: the
 * orders come from no plan). */
void maui_preempt_jobs(struct maui_preempt_order *orders, size_t count, const uint64_t *table,
		       struct maui_hold_times *writes);

#endif
