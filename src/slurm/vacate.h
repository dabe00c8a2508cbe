/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vacate.h - active jobs that have to go for others: requeued, suspended, resumed
 *
 * Maui's preemption (QOS flags PREEMPTOR, PREEMPTEE; PREEMPTPOLICY). Slurm's own (PreemptType)
 * must be off for it: with that set nobody has to go here, which is said once; what was suspended
 * before is resumed all the same.
 */
#ifndef MAUI_SLURM_VACATE_H
#define MAUI_SLURM_VACATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum maui_vacate_how {
	MAUI_VACATE_REQUEUE, /* pending again at once, its nodes when KillWait and epilog are over */
	MAUI_VACATE_SUSPEND, /* processors are free for others at once, memory stays taken */
	MAUI_VACATE_RESUME,  /* refused with ESLURM_NODES_BUSY while others have its cores */
	MAUI_VACATE_CANCEL,  /* a start that takes too long: JOBMAXSTARTTIME */
};

struct maui_vacate_order {
	uint32_t job_id;
	int64_t start_s;     /* of the run that was meant */
	uint32_t for_job_id; /* said in the log; 0: nobody (a resume) */
	enum maui_vacate_how how;

	bool done;           /* result */
	int code;            /* Slurm's, when not */
};

/* Whether Slurm preempts by itself (PreemptType other than preempt/none). Under conf READ. */
bool maui_vacate_is_slurms(void);

/* Whether a job may be preempted so: it is running; only batch jobs are requeued, those with
 * --no-requeue never; nobody is suspended while nodes boot or a prolog runs. Under job READ. */
bool maui_vacate_allowed(const void *job_ptr, enum maui_vacate_how how);

/* Call without any lock: takes what Slurm's functions want, one order at a time. */
void maui_vacate_jobs(struct maui_vacate_order *orders, size_t count);

#endif
