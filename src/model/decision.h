/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.h - what one plan decides: starts on named nodes, reservations, reasons
 *
 * Jobs and nodes are indices of the snapshot that was planned. Everything belongs to the arena of
 * the decisions and goes with it. The next plan is told what carries over by its caller
 * (plan/plan.h: job reservations, bypass counts, stamps).
 */
#ifndef MAUI_MODEL_DECISION_H
#define MAUI_MODEL_DECISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/reason.h"
#include "model/rsv.h"
#include "model/violation.h"
#include "model/when.h"

/* What a job gets of one node. */
struct maui_place {
	uint32_t node;
	uint32_t tasks;
	int64_t procs;
	const int64_t *amounts; /* of every dimension; shared by places that are alike */
	int64_t kept;           /* of a start on several nodes over which the resource manager
				   shares the tasks out: processors free there at this point of
				   the plan that are not for the job, because of reservations or
				   job reservations; 0: it may take as many as it can */
};

struct maui_start {
	uint32_t job;                    /* index of snapshot->idle */
	uint32_t copy;                   /* which of its copies, from 0 in each plan */
	uint32_t row;                    /* index of its rows: the partition */
	int64_t limit_s;                 /* shorter than asked for by --time-min only */
	const struct maui_place *places; /* ascending by node */
	uint32_t place_count;
	int64_t procs;       /* of all places */
	bool backfilled;     /* in a backfill window */
	bool out_of_order;   /* a job of higher priority stayed idle, as behind each of those: what
				users know as backfilled, whichever step of the plan found it */
	bool preemptible;    /* BACKFILLPOLICY PREEMPT */
	bool soft_violation; /* over a soft limit, as only hard ones allow: SPVIOLATION, PREEMPTSPV;
				to be remembered as maui_job.soft_violation while it runs */
};

struct maui_reservation {
	uint32_t job, copy, row;
	int64_t start_s, end_s; /* start <= now: due, but it cannot start yet */
	bool preempting;        /* jobs have been preempted for it */
	const struct maui_place *places;
	uint32_t place_count;
	int64_t procs;
};

/* An active job that has to go for an idle one. */
struct maui_preemption {
	uint32_t active; /* index of snapshot->active */
	uint32_t job, copy;
};

/* One reason. Lists are chained in the order in which they were found. */
struct maui_block {
	const struct maui_block *next;
	enum maui_reason reason;
	const struct maui_violation *violation; /* of LIMIT */
	int64_t until_s;                        /* when it may be over; MAUI_NEVER: unknown */
};

/* One for each idle job, in the snapshot's order. */
struct maui_verdict {
	double priority;    /* of its best row, not truncated */
	uint32_t published; /* the number that Slurm shows, by which jobs are ordered */
	uint32_t rank;      /* place in the queue from 0; UINT32_MAX: not in it */
	uint32_t bypass;    /* to be added to its count */
	uint32_t started;   /* copies */
	int64_t estimate_s; /* when it starts, or could; MAUI_NEVER: unknown */
	const struct maui_block *blocks; /* of the first copy that does not start */
	bool enough_idle;  /* its partition has as many idle processors as it asks for; with
			      reasons only */
	bool no_accrual;   /* fails the eligibility step: `limit` of policy/accrual.h */
	bool rejected;     /* REJECTNEGPRIOJOBS */
	bool fs_capped;    /* a fairshare cap is reached */
	bool active_limit; /* a hard active limit keeps it from starting */
};

/* A stretch of idle processors; windows overlap, the widest is first. */
struct maui_window {
	int64_t length_s; /* from now; MAUI_NEVER: no end */
	int64_t procs;
	uint32_t nodes;
};

struct maui_decisions {
	struct maui_start *starts; /* in the order decided */
	struct maui_reservation *reservations;
	struct maui_preemption *preemptions;
	uint32_t *resumes; /* suspended jobs to resume: indices of snapshot->active */
	/* active jobs that BACKFILLPOLICY PREEMPT made preemptible and that are so no longer, since
	 * their priority has reached that of the best idle job: indices of snapshot->active */
	uint32_t *secured;
	struct maui_verdict *verdicts;
	struct maui_window *windows;         /* before backfill; when asked for */
	struct maui_rsv_instance *instances; /* of reservations: where they are now */
	uint32_t instance_count;
	const struct maui_standing_job_rsv
		/* job reservations that waiting jobs had when the nodes of `instances` were
		 * chosen */
		*held_job_rsvs;
	uint32_t held_job_rsv_count;
	uint32_t start_count, reservation_count, preemption_count, resume_count, secured_count;
	uint32_t verdict_count, window_count;
	int64_t next_s; /* the next moment at which something planned is due; MAUI_NEVER: none */
	struct maui_arena arena;
};

/* Gives everything back; a zeroed struct is fine. */
void maui_decisions_finish(struct maui_decisions *decisions);

#endif
