/* SPDX-License-Identifier: GPL-2.0-or-later */
/* eligible.h - which pending jobs may start by Slurm's own rules, and what they ask for
 *
 * Under sched/maui no other code walks the queue, so this folder has the duties of slurmctld's
 * build_job_queue(). For each pending job, under job WRITE: tasks are split off arrays for burst
 * buffers and for aftercorr (arrays.h); failed associations are tried again; accrue time counts;
 * begin time and dependencies are checked (job_independent(), which cancels jobs whose dependency
 * can never be satisfied); holds and their reasons are set; limits of partition, association and
 * QOS and deadlines are checked (verdict.h). A job that Slurm refuses keeps Slurm's reason.
 * ARCHITECTURE.md has the list.
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
	uint32_t task_count;           /* of an array head: all its waiting tasks; else 1 */
	uint32_t user_id;
	uint32_t captured; /* index among the captured jobs */
	int64_t submit_s;
	uint64_t fingerprint; /* see maui_capture_fingerprint() */
	uint32_t restarts;    /* number of requeues */
	/* Everything but what the caller fills in: creds of rows (0 here; priority is
	 * slurmctld's), queue_since_s, and job. id: the job id. blocked: NONE, HELD, DEPENDENCY,
	 * BEGIN_TIME, PARTITION, SLURM. A partition that Slurm refuses has no row. When Slurm
	 * refuses all, blocked says why, and all have a row, so that the job has a partition.
	 * The time limit is that of the first row's partition. */
	struct maui_idle idle;
	struct maui_row *rows; /* idle.rows, writable */
	int64_t most_s;        /* as in struct maui_request_facts */
	/* the job has started, and is captured as if it still waited: in the partition in which it
	 * runs, without a fingerprint; `captured` is not set */
	bool put_back;
	struct maui_kept_job
		*kept;   /* nothing has changed since the last cycle; NULL: it may have */
	uint64_t record; /* of a job that can be kept: kept.h; else 0 */
};

/* What is kept of jobs between cycles: kept.h. */
struct job_record; /* of slurmctld */
struct maui_kept;
struct maui_kept *maui_kept_create(void); /* NULL without memory */
void maui_kept_destroy(struct maui_kept *kept);

/* Ids of jobs that another scheduler has started since the last plan: SERVERMODE TEST. */
struct maui_put_back {
	const uint32_t *ids;
	size_t count;
};

/* What only the caller knows. */
struct maui_eligible_questions {
	/* whether jobs of a fingerprint are not tried in a reservation, though they may use it: of a
	 * list, or magnetic */
	bool (*is_closed)(void *data, uint64_t fingerprint, const char *reservation);
	/* the name of a user's own group in the name service; NULL: it is not known yet */
	const char *(*primary_group)(void *data, uint32_t uid);
	void *data;
};

struct maui_eligible {
	struct maui_pending *jobs;
	uint32_t count;
	uint32_t kept; /* of these, nothing had changed */
	size_t alloc;  /* of jobs */
	struct maui_arena arena;
	struct maui_hold_times reads, writes;
};

/* Takes WRITE locks for a few milliseconds at a time; call without any. The sealed snapshot of
 * `cluster` gets the requests; each waiting job is added to `jobs`. Jobs of `put_back` come last in
 * `ret`; their records stay as they are. `ret`: a zeroed struct, or one that maui_eligible_finish()
 * left. Jobs that did not change since the last cycle are those of `kept`, without a lock. -1 with
 * err, and nothing to free: no memory, or slurmctld's tables have changed since. */
int maui_eligible_capture(struct maui_cluster *cluster, struct maui_captured_jobs *jobs,
			  const struct maui_put_back *put_back,
			  const struct maui_eligible_questions *questions, struct maui_kept *kept,
			  struct maui_eligible *ret, struct maui_err *err);
void maui_eligible_finish(struct maui_eligible *eligible);

/* Whether Slurm still admits the job in its partition (job_ptr->part_ptr), for a start. The check
 * may end the job (dependency, deadline); its record stays. Under conf READ, job WRITE, node
 * WRITE, part READ. */
bool maui_eligible_again(struct job_record *job_ptr);

/* For a start, puts a job that names no reservation into the magnetic reservation that has all of
 * these nodes (ids) now and admits the job, so that select_nodes() may use them. false: there is
 * no such reservation, and nothing changes. job_resv_clear_magnetic_flag() undoes it; a started
 * job keeps the reservation. For an array, undo it in the record of the rest as well. Locks as for
 * a start. */
bool maui_eligible_attract(struct job_record *job_ptr, const uint32_t *nodes, uint32_t count);

#endif
