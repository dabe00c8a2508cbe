/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - reasons and start estimates written where squeue and scontrol look
 *
 * state_reason, state_desc (free text: squeue's REASON), StartTime and SchedNodeList of pending
 * jobs. Written only when it differs, so that an idle queue stays quiet.
 */
#ifndef MAUI_SLURM_PUBLISH_JOBS_H
#define MAUI_SLURM_PUBLISH_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/reason.h"
#include "model/violation.h"
#include "slurm/capture/cluster.h"

struct maui_job_notice {
	uint32_t job_id;
	int64_t submit_s;
	enum maui_reason reason; /* NONE, and those where Slurm says why itself (HELD, DEPENDENCY,
				    BEGIN_TIME, PARTITION, SLURM, REFUSED): its reason is left
				    alone; so it is when the record says by now that it is held,
				    dependent and the like */
	const struct maui_violation *violation; /* of MAUI_REASON_LIMIT; NULL: not known */
	const char *text;      /* one line for squeue, cut at 159 bytes; NULL: Slurm's own words
				    for the reason */
	int64_t start_s;       /* estimate; 0: none. Held and dependent jobs get none */
	const uint32_t *nodes; /* ids of the planned nodes; may be none */
	uint32_t node_count;
};

/* Call without any lock: takes job WRITE, node READ a few milliseconds at a time. Returns how many
 * records changed; with one or more last_job_update was set. Ends when the node table is another
 * one. A node list of more than 16 KiB is not told. */
size_t maui_publish_jobs(const struct maui_job_notice *notices, size_t count, uint64_t table,
			 struct maui_hold_times *ret_writes);

/* Holds a job as an administrator would, with a text for squeue. false: it is gone, runs, or is
 * held already. Call without any lock. */
bool maui_publish_hold(uint32_t job_id, int64_t submit_s, const char *text);

/* sdiag's block of the backfill scheduler. */
struct maui_sdiag_cycle {
	int64_t began_s;
	uint32_t queue_length; /* of what Slurm lets start, a job once for each partition */
	uint32_t considered;   /* jobs: "last depth cycle" */
	uint32_t tried;        /* those that limits and the like let into the plan: "try sched" */
	uint32_t started_backfilled;
	uint32_t table_size; /* different moments in the plan */
	uint64_t duration_us;
};
/* bf_active, while which slurmctld purges no old jobs; ended by maui_publish_sdiag(). Both must be
 * called without any of slurmctld's locks. */
void maui_publish_sdiag_begin(void);
void maui_publish_sdiag(const struct maui_sdiag_cycle *cycle);
/* The cycle came to nothing. One of the two must follow: slurmctld purges no jobs in between. */
void maui_publish_sdiag_failed(void);

#endif
