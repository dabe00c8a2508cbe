/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eligible.h - may a pending job start at all, by Slurm's own rules, and what does it ask for
 *
 * Under sched/maui nobody else walks the queue, so the duties of slurmctld's build_job_queue() are
 * done here, for each pending job, under job WRITE: tasks split off arrays for burst buffers and
 * for aftercorr (arrays.h); failed associations tried again; accrue time; begin time and
 * dependencies (job_independent(), which kills jobs whose dependency can never be satisfied); holds
 * and their reasons; limits of partition, association and QOS; deadlines (verdict.h). What Slurm
 * refuses keeps the reason that Slurm gives. ARCHITECTURE.md has the list.
 *
 * Rules: BF-17.
 */
#ifndef MAUI_SLURM_ELIGIBLE_ELIGIBLE_H
#define MAUI_SLURM_ELIGIBLE_ELIGIBLE_H

#include "base/arena.h"
#include "base/err.h"
#include "model/snapshot.h"
#include "slurm/capture/cluster.h"

struct maui_pending {
	uint32_t job_id, array_job_id; /* array_job_id 0: no array */
	uint32_t task_count;           /* of an array head: all of its tasks that wait; else 1 */
	uint32_t user_id;
	uint32_t captured; /* index among the captured jobs */
	int64_t submit_s;
	uint64_t fingerprint; /* of what was asked for: see maui_eligible_fingerprint() */
	int64_t deadline_s;   /* 0: none */
	uint32_t restarts;    /* times it was requeued */
	/* All but creds and priority of rows (which are those of slurmctld, creds 0), queue_since_s
	 * and job, which are the caller's. id: the job id. blocked: NONE, HELD, DEPENDENCY,
	 * BEGIN_TIME, PARTITION, SLURM; a row that Slurm refuses is not in rows, and when none is
	 * left blocked says why (with all rows there, so that the job has a partition). The request
	 * and the time limit are those in the first row's partition. */
	struct maui_idle idle;
	struct maui_row *rows; /* idle.rows, writable */
};

struct maui_eligible {
	struct maui_pending *jobs;
	uint32_t count;
	size_t alloc; /* of jobs */
	struct maui_arena arena;
	struct maui_hold_times writes;
};

/* Takes WRITE locks a few milliseconds at a time; call without any. The snapshot of `cluster` is
 * sealed and gets the requests; each job that waits is added to `jobs`. `ret`: a zeroed struct, or
 * one that maui_eligible_finish() left. -1 with err, and nothing to be finished: no memory, or the
 * tables have changed since. */
int maui_eligible_capture(struct maui_cluster *cluster, struct maui_captured_jobs *jobs,
			  struct maui_eligible *ret, struct maui_err *err);
void maui_eligible_finish(struct maui_eligible *eligible);

/* One job for a start: whether Slurm still lets it, in the partition in which it stands
 * (job_ptr->part_ptr). It may be ended by this (dependency, deadline), its record stays. Under conf
 * READ, job WRITE, node WRITE, part READ. */
bool maui_eligible_again(void *job_ptr);

/* A number made of all that a plan depends on of a pending job: another one, and the job was
 * updated since. Not of an array's number of tasks, nor of nice. Under job READ. */
uint64_t maui_eligible_fingerprint(const void *job_ptr);

/* Puts a job that names no reservation into the magnetic one that has all of these nodes (ids) now
 * and that lets it in, for the time of a start: then select_nodes() may give them. false: there is
 * none, nothing was done. Undone by job_resv_clear_magnetic_flag(), which leaves it to a job that
 * has started; of an array on the record of the rest as well. Locks as for a start. */
bool maui_eligible_attract(void *job_ptr, const uint32_t *nodes, uint32_t count);

#endif
