/* SPDX-License-Identifier: GPL-2.0-or-later */
/* decision.h - what one plan decides: starts on named nodes, reservations, reasons
 *
 * Jobs and nodes are indices of the snapshot that was planned. Everything belongs to the arena of
 * the decisions and goes with it. The next plan is told what carries over by its caller
 * (plan/plan.h: promises, bypass counts, stamps).
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
				   promises; 0: it may take as many as it can */
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
	bool vacating;          /* jobs have been preempted for it */
	const struct maui_place *places;
	uint32_t place_count;
	int64_t procs;
};

/* An active job that has to go for an idle one. */
struct maui_preemption {
	uint32_t active; /* index of snapshot->active */
	uint32_t job, copy;
};

/* The reservation that keeps a job out. */
struct maui_keeper {
	const char *name;         /* of the reservation, without a number */
	uint32_t rsv;             /* its group */
	int64_t start_s, end_s;   /* of the instance that is in the way */
	int why;                  /* enum maui_entry of policy/access.h; MAUI_ENTRY_OK: it gets in,
				     but for a time only, or it may run nowhere else */
	int64_t limit_s;          /* TIMELIMIT: so long they may overlap; 0: none */
	int kind;                 /* what of it is not admitted, or denied: enum maui_cred_kind or
				     maui_acl_kind; -1: not known */
	const char *name_of_kind; /* its credential of that kind; NULL: none */
	const char *attribute;    /* of a JOBATTRLIST, the configuration's */
	int64_t value;            /* of a TASKLIMIT or PROCLIMIT */
	int order;                /* enum maui_acl_order, of the value */
	int64_t shorter_s;        /* with this time limit it would start now; 0: with none */
	enum maui_reason lacks;   /* of an instance that the job may not leave, what it has too
				     little of for it, empty: NODE_PROCS, NODE_MEM (MB), NODE_OTHER
				     of a node, RESOURCES: tasks in all; NODE_STATE: it has no
				     nodes; NONE: nothing */
	bool down;                /* NODE_STATE: it has, but they are down or drained */
	int64_t needs, has;       /* of that, at the best node; NODE_OTHER: not known */
};

/* One reason. Lists are chained in the order in which they were found. */
struct maui_block {
	const struct maui_block *next;
	enum maui_reason reason;
	const struct maui_violation *violation; /* of LIMIT */
	const struct maui_keeper *keeper;       /* of ACCESS; of LICENCES, if it is that: the
						   name */
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
	bool behind;       /* a job of its partition, or of the reservation that it is for, is
				   before it and waits for resources; with reasons only */
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
	uint32_t *resumes; /* suspended jobs that go on: indices of snapshot->active */
	uint32_t *secured; /* preemptees by BACKFILLPOLICY PREEMPT that are no longer, since their
			      priority has reached the best idle job's: likewise */
	struct maui_verdict *verdicts;
	struct maui_window *windows;         /* before backfill; when asked for */
	struct maui_rsv_instance *instances; /* of reservations: where they are now */
	uint32_t instance_count;
	const struct maui_standing_promise *promised; /* what waiting jobs had already while nodes
							 were chosen for them (policy/standing.h) */
	uint32_t promised_count;
	uint32_t start_count, reservation_count, preemption_count, resume_count, secured_count;
	uint32_t verdict_count, window_count;
	int64_t next_s; /* the next moment at which something planned is due; MAUI_NEVER: none */
	struct maui_arena arena;
};

/* Gives everything back; a zeroed struct is fine. */
void maui_decisions_finish(struct maui_decisions *decisions);

#endif
