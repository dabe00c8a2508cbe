/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - slurmctld's jobs copied out, so that policies think without its locks
 *
 * Units and meaning follow model/job.h; what Slurm's fields mean for Maui is ruled in
 * ARCHITECTURE.md, "What a Slurm job is to Maui". No Slurm pointer survives.
 */
#ifndef MAUI_SLURM_CAPTURE_JOBS_H
#define MAUI_SLURM_CAPTURE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/job.h"
#include "slurm/hold.h"

enum maui_seen_state {
	MAUI_SEEN_PENDING,
	MAUI_SEEN_ACTIVE, /* running, configuring, suspended */
	MAUI_SEEN_ENDED,
};

/* One partition of a job; a job has several when it was submitted to a list. */
struct maui_seen_part {
	const char *name;
	double job_factor; /* PriorityJobFactor; 0: Slurm's default, not set */
	double walltime_s; /* limit there; 0: none at all */
	bool up;
};

struct maui_seen_job {
	uint32_t job_id, array_job_id, user_id, group_id;
	enum maui_seen_state state;
	bool suspended, held, dependent, direct;
	bool restarted;   /* requeued at least once: a new submit time, the same job */
	bool own_limit;   /* it named a time limit itself */
	bool starting;    /* its nodes are being made ready */
	bool requeueable; /* a batch job without --no-requeue */
	uint32_t priority;
	int64_t nice; /* positive lowers */
	int64_t submit_s;
	int64_t start_s; /* of the run that ran_s counts; 0: none */
	int64_t ran_s;   /* running time so far, or in all; suspension does not count */
	int64_t until_s; /* when that was: now, or the end */
	double nodes, procs, mem_mb, disk_mb;
	uint64_t asks; /* of a pending job: eligible.h, fingerprint */
	const char *account, *qos;
	const char *qos_text; /* kept by job_submit/maui; NULL: none */
	const char *advres;   /* likewise; "": taken back; NULL: nothing is said */
	struct maui_seen_part *parts;
	size_t part_count;
};

struct maui_seen {
	struct maui_arena arena;
	struct maui_seen_job *jobs;
	size_t count;
	struct maui_totals totals;
	int64_t now_s;
	struct maui_hold_times reads;
};

struct job_record;

/* One job. The caller holds job READ and part READ. Strings are copied to the arena. -1: no
 * memory, or a record that cannot be read (no details). */
int maui_capture_job(const void *job_ptr, int64_t now_s, struct maui_arena *arena,
		     struct maui_seen_job *ret);

/* All jobs and the cluster's totals. Takes slurmctld's READ locks itself, a few milliseconds at a
 * time; a job that vanishes in between is left out. Call without any lock. */
int maui_capture(struct maui_seen *ret, struct maui_err *err);
void maui_seen_finish(struct maui_seen *snapshot);

#endif
