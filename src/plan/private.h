/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the steps of an iteration share, for src/plan only
 *
 * access.c    reservations, and whom they let in
 * tables.c    what jobs have in common there
 * queue.c     entries, ranked and sorted
 * limits.c    throttling: the one place that asks policy/throttle
 * place.c     finding nodes for an entry, now or later
 * bounds.c    what earlier searches tell about later ones
 * commit.c    starts and reservations: timeline, decisions, bypass counts
 * walk.c      priority order and reservations
 * owner.c     OWNERPREEMPT: whose reservation it is
 * squat.c     and who sits on it
 * promise.c   reservations that carry over
 * preempt.c   who has to go
 * resume.c    who may go on
 * gaps.c      backfill: windows for policy/backfill, and its host
 * reasons.c   why not, and when
 * finish.c    the plan as a value
 * usage.c     what of reservations is in use
 */
#ifndef MAUI_PLAN_PRIVATE_H
#define MAUI_PLAN_PRIVATE_H

#include <string.h>

#include "plan/access.h"
#include "plan/plan.h"
#include "policy/alloc/alloc.h"
#include "policy/priority.h"
#include "policy/throttle/throttle.h"
#include "timeline/fit.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"

#define MAUI_PLAN_NONE UINT32_MAX

enum maui_plan_state {
	MAUI_PLAN_WAITING,
	MAUI_PLAN_STARTED,
	MAUI_PLAN_HELD, /* has a reservation that carries over, until its turn comes */
	MAUI_PLAN_RESERVED,
	MAUI_PLAN_OUT, /* not eligible; or another row of the job was served */
};

/* One copy of a job in one of its partitions. */
struct maui_plan_entry {
	uint32_t job, copy, row;
	uint32_t partition, creds, pool, request;
	struct maui_plan_shape *shape;          /* NULL until it is first needed */
	const struct maui_access_table *access; /* to reservations; NULL: none */
	const struct maui_planning_config *rules;
	int64_t limit_s, limit_min_s, procs;
	int stack; /* index of config->stacks; -1: none */
	uint32_t published;
	uint32_t next_of_job;               /* another entry of the same job; NONE */
	uint32_t reservation;               /* index of decisions->reservations; NONE */
	const struct maui_promise *promise; /* of the last plan; NULL: none */
	int64_t held_from_s; /* while it is held or reserved: from when its nodes are taken */
	uint64_t flags;      /* of its QOS: 1 << enum maui_qos_flag */
	enum maui_plan_state state;
	bool primary;    /* first entry of this copy: what bypass counts go by */
	bool limited;    /* a limit of the level in force keeps it from starting */
	bool refused;    /* not to be started now */
	bool backfilled; /* has been looked at in this pass of backfill */
	bool chunked;    /* kept out of backfill by chunking */
};

/* What a row is sorted by; entries are made once the order is known. */
struct maui_plan_rank {
	uint32_t tier, published, job, row;
	int64_t submit_s;
	uint64_t id;
};

/* What is known of one set of credentials. */
struct maui_plan_creds {
	uint64_t epoch; /* of fs_delta, cap */
	struct maui_priority_creds priority;
	struct maui_priority_weights weights;
	double fs_delta[MAUI_CRED_COUNT];
	const struct maui_throttle_set *limits;
	size_t limit_count;
	bool known, capped;
	struct maui_violation cap;
	uint64_t flags;
	int stack;
};

/* Failures of one shape: what does not fit for so long does not fit for longer, as long as
 * nothing is given back. */
struct maui_plan_shape {
	struct maui_shape shape;
	uint64_t epoch;
	bool made, fails;
	int64_t fails_for_s; /* now, for so many seconds */
	/* nobody can be pushed off: in this iteration, after so many were preempted, for jobs of
	 * these credentials with no higher priority, for so many seconds */
	uint64_t push_iteration;
	int64_t push_fails_for_s;
	uint32_t push_creds, push_published, push_count;
	/* of one that is of some access to reservations, and of this iteration: without, and the
	 * next of equal hash */
	struct maui_plan_shape *base, *next;
};

struct maui_plan_pool {
	bool blocked;  /* a job could not start: the plain order has ended */
	int64_t *left; /* reservations left of each stack */
	uint32_t *nodes, node_count;
	uint32_t *open, open_count; /* nodes with processors free now; may have others still */
};

struct maui_planner {
	/* of this iteration */
	const struct maui_plan_input *input; /* `asked`: questions come after the plan, too */
	struct maui_plan_input asked;
	const struct maui_config *config;
	const struct maui_snapshot *snapshot;
	int64_t now;
	struct maui_decisions *out;
	size_t start_alloc, reservation_alloc, preemption_alloc;
	struct maui_arena arena;
	struct maui_timeline timeline;
	struct maui_plan_access *access;        /* to reservations; NULL: there are none */
	struct maui_access_index *access_index; /* its, until the next plan */
	struct maui_plan_tables *tables;        /* of access, in this plan */
	struct maui_rsv *rsvs; /* copies of administrative reservations, until the next plan */
	uint32_t rsv_count;
	struct maui_plan_entry *entries;
	uint32_t entry_count;
	const struct maui_planning_config **rules; /* of each partition */
	struct maui_plan_pool *pools;
	uint32_t pool_count;
	struct maui_throttle_idle *limits; /* of each entry; NULL: nothing is limited */
	bool any_limits, counted; /* some job has limits; active jobs are counted in the throttle */
	uint32_t *last_of_job; /* 1 + index of the last entry of jobs with several rows; 0: none */
	uint64_t epoch;        /* of failures: goes on from plan to plan */
	bool *gone;            /* active jobs that are preempted; NULL: none yet */
	bool *vacated;         /* nodes that are held while they are vacated; NULL: none */
	struct maui_plan_sleeper *sleepers; /* suspended jobs to be resumed, best first */
	uint32_t sleeper_count, sleeper_next;
	uint32_t *owned; /* instances whose owner's jobs push others off now */
	uint32_t owned_count;
	const struct maui_plan_squat **squats; /* of each active job; NULL: nothing is owned */
	bool by_user;                          /* somebody wants nodes for himself: users matter */
	bool reopen; /* processors were given back: pools' open nodes are not all */
	bool failed; /* no memory, or it was stopped: the plan is given up */
	bool stopped;
	const struct maui_window *window;      /* being backfilled; NULL: none */
	const struct maui_visitor *window_who; /* the jobs it is for, to claims; NULL: no access */
	const uint32_t *window_nodes; /* those that matter to them, ascending; NULL: all ... */
	uint32_t window_node_count;   /* ... that are open */
	int64_t *window_procs;        /* of each node, while one is; NULL: not kept */

	/* what did not fit before when; of one epoch */
	struct maui_plan_bound {
		const struct maui_shape *shape;
		int64_t limit_s, nodes, when;
	} * bounds;
	size_t bound_count, bound_alloc;
	uint64_t bound_epoch;

	/* candidates of one placement */
	struct maui_candidate *candidates;
	size_t candidate_alloc;

	/* kept between iterations */
	uint64_t serial; /* of the snapshot the tables are of */
	struct maui_config *tables_config;
	uint64_t iteration;
	struct maui_throttle *throttle;
	struct maui_plan_creds *creds;
	size_t cred_count, cred_alloc;
	struct maui_plan_shape **shapes; /* by request, partition, DEDICATED: see place.c */
	size_t shape_count;
	struct maui_plan_shape **variants; /* of this iteration, by hash; NULL: none yet */
	size_t variant_slots;
	uint32_t *usable; /* nodes of each class */
	bool *up;         /* which nodes these are */
	struct maui_arena shape_arena;
};

/* To be asked before each job: whether the plan is given up. */
static inline bool maui_plan_ends(struct maui_planner *p)
{
	if (p->input->stop && __atomic_load_n(p->input->stop, __ATOMIC_RELAXED))
		p->failed = p->stopped = true;
	return p->failed;
}

/* queue.c */
int maui_plan_queue(struct maui_planner *p);
const struct maui_plan_creds *maui_plan_creds(struct maui_planner *p, uint32_t creds);
/* Their QOS's flags, for maui_standing_place(). */
uint64_t maui_plan_qos_flags(void *planner, uint32_t creds);
/* Its user's active processors and jobs, for UPROC and UJOB. */
void maui_plan_limits_use(const struct maui_planner *p, struct maui_job *job);
static inline const struct maui_idle *maui_plan_job(const struct maui_planner *p,
						    const struct maui_plan_entry *e)
{
	return &p->snapshot->idle[e->job];
}

/* A job as it is ranked in one of its partitions; `c` is of its credentials there. */
static inline struct maui_job maui_plan_ranked_job(const struct maui_planner *p,
						   const struct maui_plan_creds *c,
						   const struct maui_idle *idle,
						   const struct maui_row *row)
{
	struct maui_job job = idle->job;

	memcpy(job.cred, p->snapshot->creds[row->creds].cred, sizeof(job.cred));
	memcpy(job.fs_delta, c->fs_delta, sizeof(job.fs_delta));
	maui_plan_limits_use(p, &job);
	job.queue_time_s =
		p->now > idle->queue_since_s ? (double)(p->now - idle->queue_since_s) : 0;
	if (job.class_fallback == 0)
		job.class_fallback = p->snapshot->partitions[row->partition].job_factor;
	return job;
}

/* What claims see in an entry. */
static inline struct maui_visitor maui_plan_visitor(const struct maui_planner *p,
						    const struct maui_plan_entry *e)
{
	const struct maui_request *r = &p->snapshot->requests[e->request];

	return (struct maui_visitor){ r->claim_count > 0 || r->passes_shares ? r : NULL,
				      e->access };
}

/* From when to when it holds its nodes. Over its limit, it goes in the next second. */
static inline struct maui_span maui_plan_active_span(const struct maui_planner *p,
						     const struct maui_active *active)
{
	return (struct maui_span){ active->start_s,
				   active->end_s > p->now ? active->end_s : p->now + 1 };
}

/* The span that lists are asked about: what is ending was let in for all of its limit, not for the
 * moment that is left of it. */
static inline struct maui_span maui_plan_admitted_span(const struct maui_planner *p,
						       const struct maui_active *active)
{
	struct maui_span span = maui_plan_active_span(p, active);
	int64_t limit_s = (int64_t)active->job.walltime_s; /* 0: none */

	if (active->completing)
		span.until = limit_s > 0 ? maui_when_add(active->start_s, limit_s) : MAUI_NEVER;
	return span;
}

/* How long an active job has run, not counting the time it is suspended. */
static inline double maui_plan_elapsed(const struct maui_planner *p,
				       const struct maui_active *active)
{
	double elapsed = active->suspended && active->end_s > p->now ?
				 active->job.walltime_s - (double)(active->end_s - p->now) :
				 (double)(p->now - active->start_s);

	return elapsed > 0 ? elapsed : 0;
}

/* limits.c: active jobs are counted before the queue is ranked, idle limits decide after it */
int maui_plan_limits_active(struct maui_planner *p);
int maui_plan_limits_idle(struct maui_planner *p);
/* Whether no limit is violated; whether, besides, it may start now as far as limits go: it leaves
 * those with reservations what they need. */
bool maui_plan_limits_hold(const struct maui_planner *p, const struct maui_plan_entry *e,
			   enum maui_limit_level level);
bool maui_plan_limits_allow(const struct maui_planner *p, const struct maui_plan_entry *e,
			    enum maui_limit_level level);
/* All that it violates at this level, as reasons. */
void maui_plan_limits_explain(struct maui_planner *p, const struct maui_plan_entry *e,
			      enum maui_limit_level level);
void maui_plan_limits_started(struct maui_planner *p, const struct maui_plan_entry *e);
/* It is to start at `from` (now: its nodes are kept for it), or that is given up. */
void maui_plan_limits_reserved(struct maui_planner *p, const struct maui_plan_entry *e,
			       int64_t from, bool reserved);
/* When from `from` on limits would let it start, with what runs and is reserved; MAUI_NEVER. */
int64_t maui_plan_limits_when(struct maui_planner *p, const struct maui_plan_entry *e,
			      enum maui_limit_level level, int64_t from);

/* place.c: both leave the chosen candidates at the front of p->candidates. */
struct maui_candidate *maui_plan_candidate(struct maui_planner *p, uint32_t index);
const struct maui_shape *maui_plan_shape(struct maui_planner *p, struct maui_plan_entry *e);
/* Of an entry that has one: that which is the same to whoever begins now; in a window, of those it
 * is for. NULL without memory. */
struct maui_plan_shape *maui_plan_shape_now(struct maui_planner *p, struct maui_plan_entry *e);
/* Lists the open nodes of all pools afresh. */
void maui_plan_open(struct maui_planner *p);
/* Nodes for `limit_s` from now; inside the window being backfilled, if one is. Their number, 0:
 * none. */
uint32_t maui_plan_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s);
/* Whether there are any. */
bool maui_plan_can_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s);
/* The earliest moment from `from` on at which it fits; MAUI_NEVER, and then no count. */
int64_t maui_plan_place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			      uint32_t *ret_count);

/* bounds.c: a moment before which the entry cannot start, by what others found, and what it found
 * itself, searching from now on. */
int64_t maui_plan_bound(struct maui_planner *p, const struct maui_plan_entry *e);
void maui_plan_note_bound(struct maui_planner *p, const struct maui_plan_entry *e, int64_t when);

/* commit.c */
struct maui_start *maui_plan_start(struct maui_planner *p, struct maui_plan_entry *e,
				   uint32_t count, int64_t limit_s);
struct maui_reservation *maui_plan_reserve(struct maui_planner *p, struct maui_plan_entry *e,
					   uint32_t count, int64_t start_s);
/* Takes what a job has of the cluster itself. */
void maui_plan_take_global(struct maui_planner *p, const struct maui_shape *shape, int64_t from,
			   int64_t until);
/* Gives places of an entry back to the timeline, and what it has of the cluster. */
void maui_plan_give(struct maui_planner *p, const struct maui_plan_entry *e,
		    const struct maui_place *places, uint32_t count, int64_t from, int64_t until);
/* Takes the entry's reservation out of timeline and decisions. */
void maui_plan_release(struct maui_planner *p, struct maui_plan_entry *e);
void maui_plan_block(struct maui_planner *p, const struct maui_plan_entry *e,
		     enum maui_reason reason, const struct maui_violation *violation,
		     int64_t until_s);
/* The job is served, or out, by this row: its other rows are out. */
void maui_plan_settle(struct maui_planner *p, const struct maui_plan_entry *e);
/* A start past jobs of higher priority: counts their bypass. */
void maui_plan_passed(struct maui_planner *p, const struct maui_plan_entry *e);

/* promise.c: promises find their entries, and later those that carry over are put in place */
int maui_plan_promises(struct maui_planner *p);
/* Before that: what waiting jobs have been promised and still can have, for the placement of
 * reservations. -1 without memory. */
int maui_plan_standing_promises(struct maui_planner *p, struct maui_standing_input *input);
int maui_plan_hold(struct maui_planner *p);
/* Gives up the nodes held for the entry's promise; it is waiting then. */
void maui_plan_unhold(struct maui_planner *p, struct maui_plan_entry *e);
/* Whether its promise is due and kept all the same. */
bool maui_plan_is_due(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Makes it a reservation as it stands. */
void maui_plan_keep(struct maui_planner *p, struct maui_plan_entry *e);

/* Whether limits let a suspended job go on; then its processors count again. */
bool maui_plan_limits_resume(struct maui_planner *p, const struct maui_active *active);

/* resume.c: lists who is suspended; considers those of at least this published priority. */
int maui_plan_sleepers(struct maui_planner *p);
void maui_plan_resume(struct maui_planner *p, uint32_t above);

struct maui_plan_victim {
	uint32_t active;
	uint32_t priority; /* of its run */
	int64_t start_s;
	uint64_t id;
};

/* preempt.c: for qsort(): who goes first. The lowest; of equals the one that lost least time. */
int maui_plan_compare_victims(const void *a, const void *b);
/* Whether it could go at all. */
bool maui_plan_may_go(const struct maui_planner *p, const struct maui_active *active);
/* The published run priority of an active job: start priority and USAGE. */
uint32_t maui_plan_run_priority(struct maui_planner *p, const struct maui_active *active);
/* Backfilled preemptees that are safe from now on. */
int maui_plan_secure(struct maui_planner *p);
/* True when jobs go for it, and it has a reservation at once. */
bool maui_plan_preempt(struct maui_planner *p, struct maui_plan_entry *e);
/* The same for its owner's job, by which only those go who are on the reservation. */
bool maui_plan_push(struct maui_planner *p, struct maui_plan_entry *e);
/* Whether a job whose nodes are being vacated, and took longer than was planned, would now run into
 * what was promised to one before it. */
bool maui_plan_overstays(const struct maui_planner *p, const struct maui_plan_entry *e);

/* walk.c: the earliest moment from `from` on at which it fits and its limits let it start;
 * MAUI_NEVER. Candidates as place.c leaves them. */
int64_t maui_plan_later(struct maui_planner *p, struct maui_plan_entry *e,
			enum maui_limit_level level, int64_t from, uint32_t *ret_count);
void maui_plan_walk(struct maui_planner *p, enum maui_limit_level level);

/* Whether it may run nowhere but inside some of our reservations. */
static inline bool maui_plan_confined(const struct maui_plan_entry *e)
{
	return e->access && e->access->only;
}

/* reasons.c: one short reason for each job that does not start */
int maui_plan_explain(struct maui_planner *p);
/* When so many jobs without a job reservation could start if they had one, in their order. The
 * timeline and the entries are of no use for anything else afterwards. */
void maui_plan_estimate(struct maui_planner *p, uint32_t count);

/* gaps.c: processors of a node that are free in all of the window being backfilled */
int64_t maui_plan_window_procs(const struct maui_planner *p, uint32_t node);
int maui_plan_gaps(struct maui_planner *p, enum maui_limit_level level);

#endif
