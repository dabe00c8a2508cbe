/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the steps of a scheduling cycle share, for src/plan only
 *
 * In their order (plan.c):
 * access.c           reservations are put in place; which of them each job may use
 * access_tables.c    jobs with equal access share one table
 * queue.c            eligible jobs, ranked and sorted: entries
 * limits.c           throttling: the one place that asks policy/throttle
 * job reservation.c          job reservations of the cycle before that carry over
 * priority_pass.c    jobs in order of priority: starts, then job reservations
 * suspended_jobs.c   jobs that were suspended and go on
 * preempt.c          active jobs that go for a blocked one
 * owner.c            OWNERPREEMPT: whose reservation it is
 * occupying_jobs.c   OWNERPREEMPT: jobs of others that use what an owner has reserved
 * backfill_pass.c    backfill: windows of idle nodes, and the jobs that may use them
 * reasons.c          one short reason for each job that does not start; start estimates
 * usage.c            what of reservations is in use
 * finish.c           the plan becomes a value
 * Used by these:
 * place.c            finds nodes for an entry, now or later
 * bounds.c           what earlier searches tell about later ones
 * commit.c           starts and job reservations: timeline, decisions, bypass counts
 */
#ifndef MAUI_PLAN_PRIVATE_H
#define MAUI_PLAN_PRIVATE_H

#include <string.h>

#include "base/hashtable.h"
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
	uint32_t next_of_job;                       /* another entry of the same job; NONE */
	uint32_t reservation;                       /* index of decisions->reservations; NONE */
	const struct maui_job_reservation *job_rsv; /* of the last plan; NULL: none */
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
	/* of a variant with access to reservations, of this cycle only: the shape without */
	struct maui_plan_shape *base;
};

struct maui_plan_pool {
	bool blocked;  /* a job could not start: the plain order has ended */
	int64_t *left; /* reservations left of each stack */
	uint32_t *nodes, node_count;
	uint32_t *open, open_count; /* nodes with processors free now; may have others still */
};

/* What did not fit before `when`; of one epoch. */
struct maui_plan_bound {
	const struct maui_shape *shape;
	int64_t limit_s, nodes, when;
};

/* The working memory of a cycle, by subject. What outlives the cycle moves into struct maui_plan
 * (finish.c); what the next cycle may use again says so. */
struct maui_planner {
	/* what goes in, and the decisions that come out */
	const struct maui_plan_input *input;
	struct maui_plan_input asked; /* a copy: *input is the caller's */
	const struct maui_config *config;
	const struct maui_snapshot *snapshot;
	int64_t now;
	struct maui_decisions *out;
	struct {
		size_t starts, reservations, preemptions;
	} room; /* of the decisions' arrays */

	/* the cycle itself */
	struct maui_arena arena;
	struct maui_timeline timeline;
	const struct maui_planning_config **rules; /* of each partition */
	uint64_t iteration, epoch; /* count cycles; what failed in one epoch fails until the next */
	bool by_user;              /* somebody wants nodes for himself: users matter */
	bool failed;               /* no memory, or it was stopped: the plan is given up */
	bool stopped;

	/* eligible jobs, best first */
	struct {
		struct maui_plan_entry *entries;
		uint32_t count;
		uint32_t
			*last_of_job; /* 1 + index of the last entry of jobs with several rows; 0 */
	} queue;

	/* partitions that share nodes */
	struct {
		struct maui_plan_pool *list;
		uint32_t count;
		bool reopen; /* processors were given back: the open nodes are not all */
	} pools;

	/* standing and administrative reservations, and whom they admit */
	struct {
		struct maui_plan_access *access; /* NULL: there are none */
		struct maui_access_index *index;
		struct maui_plan_tables *tables;
		struct maui_hashtable known;    /* access tables by what a job is known by */
		struct maui_hashtable contents; /* access tables by their content */
		struct maui_rsv *copies;        /* of administrative ones */
		uint32_t copy_count;
	} reservations;

	/* throttling */
	struct {
		struct maui_throttle_idle *of_entry; /* NULL: nothing is limited */
		bool any;                            /* some job has limits */
		bool counted;                        /* active jobs are counted in the throttle */
		struct maui_throttle *throttle;      /* of the configuration, kept */
		struct maui_config *config;
	} limits;

	/* jobs that are preempted, and that go on */
	struct {
		bool *gone;      /* active jobs that are preempted; NULL: none yet */
		bool *preempted; /* nodes that are held while they are vacated; NULL: none */
		struct maui_plan_suspended *suspended; /* to be resumed, best first */
		uint32_t suspended_count, next_suspended;
	} preemption;

	/* OWNERPREEMPT */
	struct {
		uint32_t *instances; /* whose owner's jobs push others off now */
		uint32_t instance_count;
		const struct maui_plan_occupied **occupying; /* of each active job; NULL */
	} owners;

	/* the window that is being backfilled */
	struct {
		const struct maui_window *window; /* NULL: none is */
		const struct maui_requester *who; /* the jobs it is for; NULL: without access */
		const uint32_t *nodes; /* those that matter to them, ascending; NULL: all open */
		uint32_t node_count;
		int64_t *procs; /* of each node; NULL: not kept */
	} backfill;

	/* what earlier searches tell about later ones; memory kept */
	struct {
		struct maui_plan_bound *list;
		size_t count, alloc;
		uint64_t epoch;
	} bounds;

	/* candidates of one placement; memory kept */
	struct {
		struct maui_candidate *list;
		size_t alloc;
	} candidates;

	/* credentials of the snapshot, kept as long as that and the configuration */
	struct {
		struct maui_plan_creds *list;
		size_t count, alloc;
	} creds;

	/* shapes, by request, partition and DEDICATED: kept as long as the snapshot */
	struct {
		uint64_t serial; /* of the snapshot */
		struct maui_plan_shape **list;
		size_t count;
		struct maui_hashtable variants; /* of this cycle, by access to reservations */
		uint32_t *usable;               /* nodes of each class */
		bool *up;                       /* which nodes these are */
		struct maui_arena arena;
	} shapes;
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
static inline struct maui_requester maui_plan_requester(const struct maui_planner *p,
							const struct maui_plan_entry *e)
{
	const struct maui_request *r = &p->snapshot->requests[e->request];

	return (struct maui_requester){ r->claim_count > 0 || r->passes_shares ? r : NULL,
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

/* place.c: both leave the chosen candidates at the front of p->candidates.list. */
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

/* job_reservations.c: finds the entry of each earlier job reservation; later the timeline gets
 * those that carry over. */
int maui_plan_job_rsvs(struct maui_planner *p);
/* Before that: what waiting jobs have been promised and still can have, for the placement of
 * reservations. -1 without memory. */
int maui_plan_held_job_rsvs(struct maui_planner *p, struct maui_standing_input *input);
int maui_plan_hold(struct maui_planner *p);
/* Gives up the nodes held for the entry's job reservation; it is waiting then. */
void maui_plan_unhold(struct maui_planner *p, struct maui_plan_entry *e);
/* Whether its job reservation is due and kept all the same. */
bool maui_plan_is_due(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Makes it a reservation as it stands. */
void maui_plan_keep(struct maui_planner *p, struct maui_plan_entry *e);

/* Whether limits let a suspended job go on; then its processors count again. */
bool maui_plan_limits_resume(struct maui_planner *p, const struct maui_active *active);

/* suspended_jobs.c: lists who is suspended; considers those of at least this published priority. */
int maui_plan_list_suspended(struct maui_planner *p);
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

/* priority_pass.c: the earliest moment from `from` on at which it fits and its limits let it start;
 * MAUI_NEVER. Candidates as place.c leaves them. */
int64_t maui_plan_later(struct maui_planner *p, struct maui_plan_entry *e,
			enum maui_limit_level level, int64_t from, uint32_t *ret_count);
void maui_plan_priority_pass(struct maui_planner *p, enum maui_limit_level level);

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

/* backfill_pass.c: processors of a node that are free in all of the window being backfilled */
int64_t maui_plan_window_procs(const struct maui_planner *p, uint32_t node);
int maui_plan_backfill_pass(struct maui_planner *p, enum maui_limit_level level);

#endif
