/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.h - what one plan decides: starts on named nodes, job reservations, reasons
 *
 * Jobs and nodes are indices of the snapshot that was planned. All members live in the arena of the
 * decisions. The caller passes what carries over to the next plan (plan/plan.h: job reservations,
 * bypass counts, stamps).
 */
#ifndef MAUI_MODEL_DECISION_H
#define MAUI_MODEL_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/job.h"
#include "model/reason.h"
#include "model/rsv.h"
#include "model/violation.h"
#include "model/when.h"

/* What a job gets from one node. */
struct maui_place {
	uint32_t node;
	uint32_t tasks;
	int64_t procs;
	const int64_t *amounts; /* one for each dimension; equal places share them */
	/* For a start on several nodes over which the resource manager distributes the tasks:
	 * processors that are free on the node at this point of the plan, but that the job must not
	 * use because of reservations or job reservations. 0: the job may take as many as it
	 * can. */
	int64_t kept;
};

struct maui_start {
	uint32_t job;                    /* index of snapshot->idle */
	uint32_t copy;                   /* which copy of the job, from 0 in each plan */
	uint32_t row;                    /* index of the job's rows: names the partition */
	int64_t limit_s;                 /* shorter than requested only with --time-min */
	const struct maui_place *places; /* ascending by node */
	uint32_t place_count;
	int64_t procs; /* of all places */
	/* what the job holds there; where Slurm chooses, the most that it could hold if it has
	 * limits, or else zeros */
	struct maui_quantities holds;
	bool backfilled; /* in a backfill window */
	/* a job of higher priority stays idle: users call this backfilled, whichever step of the
	 * plan started the job */
	bool out_of_order;
	bool preemptible; /* BACKFILLPOLICY PREEMPT */
	/* the places are all nodes on which the job may run, each with all tasks that fit there;
	 * Slurm chooses among them. Nothing of them is taken in the plan (BF-26) */
	bool slurm_chooses;
	/* of the first component of a het job: how many starts, from this one on, take place
	 * together or not at all; 0: other starts */
	uint32_t together;
	/* the job breaks a soft limit (SPVIOLATION, PREEMPTSPV); the caller keeps this as
	 * maui_job.soft_violation while the job runs */
	bool soft_violation;
};

struct maui_reservation {
	uint32_t job, copy, row;
	int64_t start_s, end_s; /* start_s <= now: due, but the job cannot start yet */
	bool preempting;        /* jobs have been preempted for it */
	const struct maui_place *places;
	uint32_t place_count;
	int64_t procs;
	struct maui_quantities holds; /* as that of a start */
};

/* An active job that is preempted for an idle one. */
struct maui_preemption {
	uint32_t active; /* index of snapshot->active */
	uint32_t job, copy;
};

/* One reason. Reasons are chained in the order in which they were found. */
struct maui_block {
	const struct maui_block *next;
	enum maui_reason reason;
	const struct maui_violation *violation; /* for LIMIT; for COMPONENT its, or NULL */
	/* for COMPONENT: the number of that job, and its place in the het job; 0: not known, or
	 * all together need more nodes or licences than there are */
	uint64_t component;
	uint32_t component_offset;
	enum maui_reason component_reason; /* why that job may not start */
	bool together;
	int64_t until_s; /* when it may be over; MAUI_NEVER: unknown */
};

/* One for each idle job, in the snapshot's order. */
struct maui_verdict {
	double priority;    /* of the job's best row, not truncated */
	uint32_t published; /* the number that Slurm shows, and by which jobs are ordered */
	uint32_t rank;      /* place in the queue from 0; UINT32_MAX: not in it */
	uint32_t bypass;    /* to add to the job's bypass count */
	uint32_t started;   /* number of copies started */
	/* when the job starts, or could start; of an array whose tasks do not all start now, the
	 * next ones. MAUI_NEVER: unknown */
	int64_t estimate_s;
	const struct maui_block *blocks; /* reasons of the first copy that does not start */
	/* the partition has as many idle processors as the job requests; set with reasons only */
	bool enough_idle;
	bool no_accrual; /* fails the eligibility step: `limit` of policy/accrual.h */
	bool rejected;   /* REJECTNEGPRIOJOBS */
	bool fs_capped;  /* a fairshare cap is reached */
	/* in none of its partitions a set of nodes could ever serve it; set with reasons only */
	bool never_fits;
	bool active_limit; /* a hard active limit keeps it from starting */
	/* tasks of an array that an idle limit keeps out while other tasks are considered, and
	 * that limit; the blocks say nothing of them */
	uint32_t idle_limited;
	const struct maui_violation *idle_limit; /* NULL: there are no such tasks */
};

/* Idle processors for some time. Windows overlap; the widest is first. */
struct maui_window {
	int64_t length_s; /* from now; MAUI_NEVER: no end */
	int64_t procs;
	uint32_t nodes;
};

/* Slurm is asked about the first preemptors of a plan, so many at most. */
enum { MAUI_PREEMPTORS_ASKED = 16 };

struct maui_decisions {
	struct maui_start *starts; /* in the order decided */
	struct maui_reservation *reservations;
	struct maui_preemption *preemptions;
	/* further jobs on the nodes of the preemptors that they may preempt: by number they need
	 * not go, but Slurm may not be able to place a preemptor beside them. Of the preemptors
	 * about which Slurm is asked; the cheapest of each first */
	struct maui_preemption *further;
	uint32_t *resumes; /* suspended jobs to resume: indices of snapshot->active */
	/* active jobs that BACKFILLPOLICY PREEMPT made preemptible and that are so no longer, since
	 * their priority has reached that of the best idle job: indices of snapshot->active */
	uint32_t *secured;
	struct maui_verdict *verdicts;
	/* as they are before backfill; with want_windows only */
	struct maui_window *windows;
	struct maui_rsv_instance *instances; /* the instances of reservations with their nodes */
	uint32_t instance_count;
	const struct maui_standing_job_rsv
		/* job reservations that waiting jobs had when the nodes of `instances` were
		 * chosen */
		*held_job_rsvs;
	uint32_t held_job_rsv_count;
	uint32_t start_count, reservation_count, preemption_count, further_count;
	uint32_t resume_count, secured_count, verdict_count, window_count;
	/* the plan ends at a start in which Slurm chooses the nodes: what comes next depends on them.
	 * The caller starts what there is, and plans again */
	bool incomplete;
	int64_t next_s; /* the next moment at which something planned happens; MAUI_NEVER: none */
	struct maui_arena arena;
};

/* Whether an active job holds one of the nodes. */
struct maui_active;
bool maui_active_is_on(const struct maui_active *active, const struct maui_place *places,
		       uint32_t count);

/* Frees all memory. Accepts a zeroed struct. */
void maui_decisions_finish(struct maui_decisions *decisions);

#endif
