/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - writes reasons and start estimates where squeue and scontrol read them
 *
 * state_reason, state_desc (free text: squeue's REASON), StartTime and SchedNodeList of pending
 * jobs. A field is written only when it differs, so that an idle queue causes no updates.
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
	/* NONE, and the kinds for which Slurm has a reason (HELD, DEPENDENCY, BEGIN_TIME,
	 * PARTITION, SLURM, REFUSED), leave Slurm's reason alone; also when the record says
	 * meanwhile that the job is held or dependent */
	enum maui_reason reason;
	const struct maui_violation *violation; /* of MAUI_REASON_LIMIT; NULL: not known */
	/* one line for squeue, behind Slurm's own word, cut at 159 bytes; NULL: what Slurm alone
	 * would show */
	const char *text;
	bool network;          /* enough nodes are free in the wrong places of the network */
	int64_t start_s;       /* estimate; 0: none. Held and dependent jobs get none */
	const uint32_t *nodes; /* ids of the planned nodes; may be none */
	uint32_t node_count;
	/* results: whether the record was looked at; hash of the reason that it has from us, 0:
	 * Slurm's own; whether the record has a start estimate */
	bool seen;
	uint64_t reason_hash;
	bool estimated;
	uint64_t shown; /* maui_capture_shown() of the record afterwards; before, if `compared` */
	/* The record has all of this already, by what is kept of it. Only in the mode that compares
	 * (slurm/eligible/kept.h) is such a notice written: slurmctld ends if something changes. */
	bool compared;
};

/* Takes job WRITE and node READ for a few milliseconds at a time; call without any lock. Returns
 * how many records changed; then last_job_update was set. Ends when the node table has changed. A
 * list of nodes over 16 KiB is not published. */
size_t maui_publish_jobs(struct maui_job_notice *notices, size_t count, uint64_t table,
			 struct maui_hold_times *ret_writes);

/* A record with a reason or a start estimate that a cycle has published. */
struct maui_published_job {
	uint32_t job_id;
	uint64_t reason_hash; /* of its last notice; 0: the reason is Slurm's own */
};

/* The end of the text of a job that DEFERCOUNT holds. */
#define MAUI_HOLD_MARK " times (DEFERCOUNT)"

/* Takes back start estimates, and the reasons and texts that are still in the records, so that
 * slurmctld saves and shows none when it goes on without slurm-maui. A job that DEFERCOUNT holds
 * stays held, without the text. Returns how many records changed. Call without any lock. */
size_t maui_publish_withdraw(const struct maui_published_job *list, size_t count);

/* Holds a job as an administrator would, with a text for squeue; NULL: none. false: the job is
 * gone, runs, or is held already. Call without any lock. */
bool maui_publish_hold(uint32_t job_id, int64_t submit_s, const char *text);

#endif
