/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - what the steps of a scheduling cycle share, for src/plan only
 *
 * The steps, in their order (plan.c):
 * access.c            places the reservations and finds out which of them each job may use
 * access_tables.c     stores each access table once; jobs with equal access share it
 * creds.c             what maui.cfg and fairshare say about credentials
 * queue.c             ranks and sorts the eligible jobs into entries
 * limits.c            throttling: counts jobs, and judges starts
 * idle_limits.c       throttling: which entries limits keep out of the plan
 * held_job_rsvs.c     puts job reservations of the previous cycle back in place
 * late_job_rsvs.c     moves job reservations whose nodes are not free in time
 * priority_pass.c     goes through the jobs by priority: starts, then job reservations
 * het/                starts the components of het jobs together
 * suspended_jobs.c    resumes suspended jobs
 * preemptees.c        which active jobs a blocked job may preempt
 * preempt.c           chooses those of them that go
 * owner.c             OWNERPREEMPT: which jobs are the owner's
 * occupying_jobs.c    OWNERPREEMPT: which other jobs use what an owner has reserved
 * backfill_pass.c     backfill: windows of idle nodes, and the jobs that may use them
 * reasons.c           one short reason for each job that does not start; start estimates
 * usage.c             counts what is in use inside the reservations
 * finish.c            turns the plan into a value
 * These steps call:
 * search.c            which nodes take tasks of a shape, which of them it gets, and when; also for
 *                     src/explain
 * candidates.c        the nodes that a search for a start now looks at
 * within_limits.c     takes those of them that limits allow
 * demands.c           what a job counts for in limits
 * violations.c        the limits that a job violates, as its reasons
 * place.c             finds nodes for an entry, now or later
 * bounds.c            limits a search by the results of earlier searches
 * commit.c            records starts, job reservations and reasons: timeline, decisions, bypass
 *                     counts
 * What they offer each other is in limits.h, placing.h, preempt.h and het/het.h, the rest here.
 */
#ifndef MAUI_PLAN_PRIVATE_H
#define MAUI_PLAN_PRIVATE_H

#include <string.h>

#include "base/hashtable.h"
#include "plan/access.h"
#include "plan/finished.h"
#include "plan/plan.h"
#include "plan/search.h"
#include "policy/alloc/alloc.h"
#include "policy/alloc/node_sets.h"
#include "policy/priority.h"
#include "policy/throttle/throttle.h"
#include "timeline/fit.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"

#define MAUI_PLAN_NONE UINT32_MAX

/* Bounds of one plan. After so many searches for jobs of one user that limits refused, further jobs
 * of this user have no turn; each search takes up to 10 ms on 10,000 nodes. A search for a later
 * moment ends after so many refused moments, and all such searches together after so many. */
enum { MAUI_PLAN_REFUSALS = 256, MAUI_PLAN_MOMENTS = 32, MAUI_PLAN_ALL_MOMENTS = 256 };

/* Starts in one plan for which Slurm chooses the nodes: one takes up to 13 ms on 10,000 nodes. */
enum { MAUI_PLAN_CHOICES = 64 };

enum maui_plan_state {
	MAUI_PLAN_WAITING,
	MAUI_PLAN_STARTED,
	MAUI_PLAN_HELD, /* its job reservation carries over and its turn has not come */
	MAUI_PLAN_RESERVED,
	MAUI_PLAN_OUT, /* not eligible, or another row of the job has started */
};

/* One copy of a job in one of its partitions. What each pass reads of every entry comes first, so
 * that it fetches one line of memory of those that it leaves alone. */
struct maui_plan_entry {
	uint32_t job, pool, creds, request;
	/* Of a component of a het job: 1 + index of the het job that starts at this entry's turn;
	 * NONE: it starts at another entry's turn. 0: no het job */
	uint32_t het;
	enum maui_plan_state state;
	bool primary;        /* the copy's first entry: bypass counts use only this one */
	bool limited;        /* a limit of the current level forbids its start */
	bool refused;        /* Slurm refused the job lately: do not start it now */
	bool busy;           /* Slurm found no nodes for it lately: not before busy_until_s */
	bool backfilled;     /* this backfill pass has listed it */
	bool chunked;        /* BFCHUNKSIZE keeps it out of backfill */
	bool kept_out;       /* it fits at no moment, because of reservations */
	bool forced;         /* runjob: past limits and fairshare caps */
	bool too_much;       /* there was a place for it last time, but limits did not allow that */
	bool no_reservation; /* as in struct maui_idle */
	int stack;           /* index of config->stacks; -1: none */
	const struct maui_planning_config *rules;
	uint64_t flags; /* flags of its QOS: 1 << enum maui_qos_flag */
	struct maui_plan_shape *shape;
	const struct maui_access_table *access; /* NULL: no reservation admits the job */
	int64_t limit_s, limit_min_s, procs;
	uint32_t copy, row, partition;
	uint32_t published;
	uint32_t next_of_job;                       /* another entry of the same job; NONE */
	uint32_t reservation;                       /* index of decisions->reservations; NONE */
	const struct maui_job_reservation *job_rsv; /* from the previous plan; NULL: none */
	struct maui_plan_shape *least;              /* see maui_plan_least_shape() */
	int64_t in_set_until_s; /* until then it starts only inside a node set (BF-24) */
	/* processors that it keeps free on each of its nodes, in addition to its own; NULL: none */
	int64_t *kept_free;
	int64_t held_from_s; /* while HELD or RESERVED: when its span on the timeline begins */
	int64_t busy_until_s;
};

/* The sort key of a row. Entries are made once the order is known. */
struct maui_plan_rank {
	bool first; /* runjob */
	bool in_reservation;
	uint32_t tier, published, job, row;
	int64_t submit_s;
	uint64_t order, id;
};

/* What the configuration and fairshare say about one set of credentials. */
struct maui_plan_creds {
	uint64_t epoch; /* of fs_delta, cap */
	struct maui_priority_creds priority;
	struct maui_priority_weights weights;
	double fs_delta[MAUI_CRED_COUNT];
	double user_procs, user_jobs; /* UPROC, UJOB when jobs were ranked last */
	const struct maui_throttle_set *limits;
	size_t limit_count;
	bool known, capped;
	struct maui_violation cap;
	uint64_t flags;
	int stack;
};

struct maui_plan_placed {
	struct maui_quantities holds;
	struct maui_demand demand;
};

/* What limits were last asked about for a start of this shape: the least that the nodes could give
 * a job, and the places. Valid in one epoch, for this long or longer; the places only until nodes
 * are given out. */
struct maui_plan_tried {
	bool set, anywhere;
	bool all; /* limits refused each place that the search knows */
	uint64_t taken;
	const struct maui_window *window;
	int64_t limit_s;
	struct maui_quantities least, *places;
	uint32_t place_count;
};

/* A shape with its failed searches: what does not fit for some time does not fit for a longer time,
 * until nodes are given back. */
struct maui_plan_shape {
	struct maui_shape shape;
	uint64_t epoch;
	bool made, fails;
	uint8_t fits_a_set;           /* whether a node set could hold it; 0: not asked yet */
	int64_t fails_for_s;          /* no start now for that many seconds or more */
	struct maui_plan_tried tried; /* of a start now */
	struct maui_quantities least; /* for limits */
	bool has_least;
	/* The last search for jobs to preempt that found too few: the iteration, the length, the
	 * preemptor's credentials, kind and priority, and the number of preemptions before it. The
	 * next search fails as well if none of them is more favourable. */
	uint64_t preempting_iteration;
	int64_t preempting_fails_for_s;
	uint32_t preempting_creds, preempting_kind, preempting_published, preempting_count;
	/* of a variant with access to reservations, which is valid in this cycle only: the shape
	 * without */
	struct maui_plan_shape *base;
};

struct maui_plan_pool {
	bool blocked;  /* a job could not start, so the plain order has ended */
	int64_t *left; /* job reservations that each stack may still make */
	uint32_t *nodes, node_count;
	/* nodes with processors free now; full ones drop out when they are next looked at */
	uint32_t *open, open_count;
};

/* A shape that did not fit before `when`. Valid during one epoch. */
struct maui_plan_bound {
	const struct maui_shape *shape; /* in a head: one of those that it is for */
	int64_t limit_s, nodes, when;
	uint32_t next; /* the next bound with the same access; 0: none */
};

/* The working memory of a cycle, by subject. finish.c moves what outlives the cycle into struct
 * maui_plan. Members that the next cycle may use again say so. */
struct maui_planner {
	/* the input, and the decisions that come out */
	const struct maui_plan_input *input;
	struct maui_plan_input asked; /* the copy that `input` points to */
	const struct maui_config *config;
	const struct maui_snapshot *snapshot;
	int64_t now;
	struct maui_decisions *out;
	struct {
		size_t starts, reservations, reserved, preemptions, further;
	} capacity; /* allocated lengths of the decisions' arrays */

	/* the cycle itself */
	struct maui_arena arena;
	struct maui_timeline timeline;
	const struct maui_planning_config **rules; /* of each partition */
	int64_t *takes; /* working memory of one function: amount_count numbers */
	/* `iteration` counts cycles; what failed in an epoch fails until the next epoch */
	uint64_t iteration, epoch;
	/* working memory of candidates.c, of each node; NULL: no job asks for shared processors */
	int64_t *needed_from_s;
	/* some job excludes other users from its nodes, so users matter */
	bool by_user;
	/* the plan is given up: `stop` was set, or no memory for what is not in an arena */
	bool failed;
	bool stopped;

	/* eligible jobs, best first */
	struct {
		struct maui_plan_entry *entries;
		uint32_t count;
		/* of each job with several rows: 1 + index of its last entry; else 0 */
		uint32_t *last_of_job;
	} queue;

	/* job reservations that carry over; entries that are still HELD have them */
	struct {
		struct maui_plan_entry **list;
		uint32_t count;
	} held;

	/* what job reservations take that are due, of each node: amount_count numbers, which the
	 * timeline shows as taken, and Slurm sees as free. NULL: none is due */
	int64_t *due;

	/* the entries that out->reservations are for, in the same order */
	struct maui_plan_entry **reserved;

	/* partitions that share nodes */
	struct {
		struct maui_plan_pool *list;
		uint32_t count;
		/* processors were given back: the lists of open nodes are incomplete */
		bool reopen;
	} pools;

	/* standing and administrative reservations, and which jobs they admit */
	struct {
		struct maui_plan_access *access; /* NULL: there are no reservations */
		struct maui_access_index *index;
		struct maui_plan_tables *tables;
		struct maui_hashtable known;    /* access tables by what a job is known by */
		struct maui_hashtable contents; /* access tables by their content */
		struct maui_rsv *copies;        /* copies of the administrative reservations */
		uint32_t copy_count;
	} reservations;

	/* throttling */
	struct {
		struct maui_throttle_idle *of_entry; /* of each entry; NULL: no job has limits */
		/* of each entry: what it holds and counts where it was placed last; until then as
		 * `of_entry` */
		struct maui_plan_placed *placed;
		int64_t *amounts, *more;         /* scratch vectors: of a place, of a node of it */
		enum maui_limit_level level;     /* that places are judged at */
		struct maui_shape_supply supply; /* working memory */
		int64_t *costs;                  /* working memory: one of each node */
		uint32_t *refusals;              /* of each user, of MAUI_PLAN_REFUSALS */
		uint32_t moments;                /* of MAUI_PLAN_ALL_MOMENTS */
		uint64_t searches;               /* searches for a place */
		uint64_t taken;                  /* how often nodes were given out */
		bool any;                        /* some job has limits */
		bool counted;                    /* `throttle` contains the active jobs */
		/* made from `config`; the next cycle uses it again */
		struct maui_throttle *throttle;
		struct maui_config *config;
	} limits;

	/* jobs to preempt, and suspended jobs to resume */
	struct {
		bool *is_victim; /* of each active job: it is preempted; NULL: no job is */
		/* of each active job: the next one that goes with it; NONE: none. NULL: no
		 * jobs go together */
		uint32_t *next_part;
		/* of each node: victims are leaving it for a job reservation; NULL: no node */
		bool *is_vacated;
		/* preemptees.c; NULL: no job has asked in this cycle */
		struct maui_plan_slurms_preemptees *preemptees;
		struct maui_plan_victim *victims;      /* room for those of one entry */
		bool *needed;                          /* likewise */
		uint32_t preemptors;                   /* of this plan */
		struct maui_plan_suspended *suspended; /* highest priority first */
		uint32_t suspended_count, next_suspended;
	} preemption;

	/* het jobs */
	struct {
		struct maui_plan_het *list;
		uint32_t count;
		bool any;            /* some waiting job is a component; known with the ranks */
		uint32_t placements; /* of components, in this plan */
	} hets;

	/* of each node: it is not for the entry that is being placed; NULL: none */
	bool *closed;

	/* OWNERPREEMPT */
	struct {
		uint32_t *instances; /* instances whose owner's jobs may preempt now */
		uint32_t instance_count;
		/* of each active job: the instances that it occupies; NULL: none */
		const struct maui_plan_occupied **occupying;
	} owners;

	/* starts of this plan in which Slurm chooses the nodes */
	struct {
		uint32_t starts;
		int64_t procs; /* the least that these need together */
	} choosing;

	struct maui_backfilling backfill;

	/* results of earlier searches; the next cycle uses the memory again */
	struct {
		struct maui_plan_bound *list; /* heads, and the bounds behind them */
		size_t count, alloc;
		struct maui_hashtable heads; /* 1 + index of each, by its access */
		uint64_t epoch;
	} bounds;

	/* of one placement; the next cycle uses the memory again */
	struct maui_candidates candidates;

	/* credentials of the snapshot; valid as long as the snapshot and the configuration */
	struct {
		struct maui_plan_creds *list;
		size_t count, alloc;
	} creds;

	/* shapes by request, partition and DEDICATED; valid as long as the snapshot */
	struct {
		uint64_t serial; /* of the snapshot */
		struct maui_plan_shape **list;
		size_t count;
		struct maui_hashtable variants;    /* variants of shapes, of this cycle */
		uint32_t *usable;                  /* nodes of each class */
		const struct maui_node_sets *sets; /* NULL: maui.cfg makes none */
		bool *up; /* of each node: it was usable in the last plan */
		struct maui_arena arena;
	} shapes;
};

/* Whether the plan is given up. An arena notes what it could not give, so whoever leaves out what
 * found no memory there need not say so. A plan that is given up finds no place, starts no job and
 * makes no reservation. */
static inline bool maui_plan_has_failed(const struct maui_planner *p)
{
	return p->failed || p->arena.failed || p->out->arena.failed || p->timeline.arena.failed ||
	       p->shapes.arena.failed;
}

/* The same, also because another thread wants it. Each loop over jobs asks before each job, and the
 * plan before each of its steps. */
static inline bool maui_plan_is_given_up(struct maui_planner *p)
{
	if (p->input->stop && atomic_load_explicit(p->input->stop, memory_order_relaxed))
		p->failed = p->stopped = true;
	return maui_plan_has_failed(p);
}

/* Whether Slurm is to choose the nodes of this entry's start. */
static inline bool maui_plan_slurm_chooses(const struct maui_planner *p,
					   const struct maui_plan_entry *e)
{
	return p->input->slurm_chooses && p->snapshot->requests[e->request].asks_slurm;
}

static inline bool maui_plan_shares_procs(const struct maui_planner *p,
					  const struct maui_plan_entry *e)
{
	return p->snapshot->requests[e->request].shares_procs;
}

/* Processors that the entry takes of what is free. */
static inline int64_t maui_plan_takes(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	return maui_plan_shares_procs(p, e) ? 0 : e->procs;
}

/* Whether the plan has to end before this entry: an earlier start leaves its nodes to Slurm. Behind
 * such a start there are only others of the kind; everything else needs to know which nodes are
 * left. */
static inline bool maui_plan_must_end(struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (p->choosing.starts > 0 && !maui_plan_slurm_chooses(p, e))
		p->out->incomplete = true;
	return p->out->incomplete;
}

/* plan.c: forgets all that a plan which is given up made, and all that the planner keeps from plan
 * to plan: any of it may be half made. */
void maui_plan_forget(struct maui_planner *p);

/* queue.c */
int maui_plan_queue(struct maui_planner *p);
/* How many copies of a job could run at the same time, and one more, which waits. */
static inline uint32_t maui_plan_useful_copies(const struct maui_planner *p,
					       const struct maui_idle *idle)
{
	double most;

	if (idle->copies <= 1 || idle->procs <= 0)
		return 1;
	most = p->snapshot->totals.procs / (double)idle->procs;
	if (most < 1)
		return 1;
	return most + 1 < idle->copies ? (uint32_t)most + 1 : idle->copies;
}

/* creds.c: looks up what this cycle does not know of the credentials yet. */
void maui_plan_look_up(struct maui_planner *p, uint32_t creds);
static inline const struct maui_plan_creds *maui_plan_creds(struct maui_planner *p, uint32_t creds)
{
	const struct maui_plan_creds *c = &p->creds.list[creds];

	if (!c->known || c->epoch != p->iteration)
		maui_plan_look_up(p, creds);
	return c;
}
/* limits.c: sets the job's active processors and jobs of its user, for UPROC and UJOB. */
void maui_plan_limits_use(const struct maui_planner *p, struct maui_job *job);
static inline const struct maui_idle *maui_plan_job(const struct maui_planner *p,
						    const struct maui_plan_entry *e)
{
	return &p->snapshot->idle[e->job];
}

/* Sets what the partition and the moment say of a job that is ranked. */
static inline void maui_plan_rank_in_row(const struct maui_snapshot *s, int64_t now_s,
					 const struct maui_idle *idle, const struct maui_row *row,
					 struct maui_job *job)
{
	job->queue_time_s = now_s > idle->queue_since_s ? (double)(now_s - idle->queue_since_s) : 0;
	if (job->class_fallback == 0)
		job->class_fallback = s->partitions[row->partition].job_factor;
}

/* A job as it is ranked in one of its partitions. `c` belongs to its credentials there. */
static inline struct maui_job maui_plan_ranked_job(const struct maui_planner *p,
						   const struct maui_plan_creds *c,
						   const struct maui_idle *idle,
						   const struct maui_row *row)
{
	struct maui_job job = idle->job;

	memcpy(job.cred, p->snapshot->creds[row->creds].cred, sizeof(job.cred));
	memcpy(job.fs_delta, c->fs_delta, sizeof(job.fs_delta));
	maui_plan_limits_use(p, &job);
	maui_plan_rank_in_row(p->snapshot, p->now, idle, row, &job);
	return job;
}

/* The entry as claims see it. */
static inline struct maui_requester maui_plan_requester(const struct maui_planner *p,
							const struct maui_plan_entry *e)
{
	const struct maui_request *r = &p->snapshot->requests[e->request];

	return (struct maui_requester){ r->claim_count > 0 || r->passes_shares ? r : NULL,
					e->access };
}

/* The entry's user, as steps count it; 0: steps count no users. The entry has a shape. */
static inline uint32_t maui_plan_user(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (!p->by_user)
		return 0;
	return p->snapshot->creds[e->creds].user | (e->shape->shape.sole_user ? MAUI_USER_SOLE : 0);
}

/* The span during which an active job holds its nodes. A job that is over its limit is expected to
 * end within the next second. */
static inline struct maui_span maui_plan_active_span(const struct maui_planner *p,
						     const struct maui_active *active)
{
	return (struct maui_span){ active->start_s,
				   active->end_s > p->now ? active->end_s : p->now + 1 };
}

/* The span that access lists are asked about. A completing job was admitted for its whole limit,
 * not only for the moment that is left of it. */
static inline struct maui_span maui_plan_admitted_span(const struct maui_planner *p,
						       const struct maui_active *active)
{
	struct maui_span span = maui_plan_active_span(p, active);
	int64_t limit_s = maui_when_of(active->job.walltime_s); /* 0: none */

	if (active->completing)
		span.until = limit_s > 0 ? maui_when_add(active->start_s, limit_s) : MAUI_NEVER;
	return span;
}

/* How long an active job has run, without the time during which it was suspended. */
static inline double maui_plan_elapsed_at(int64_t now_s, const struct maui_active *active)
{
	double elapsed = active->suspended && active->end_s > now_s ?
				 active->job.walltime_s - (double)(active->end_s - now_s) :
				 (double)(now_s - active->start_s);

	return elapsed > 0 ? elapsed : 0;
}

static inline double maui_plan_elapsed(const struct maui_planner *p,
				       const struct maui_active *active)
{
	return maui_plan_elapsed_at(p->now, active);
}

/* held_job_rsvs.c: finds the entry of each job reservation of the previous plan */
int maui_plan_job_rsvs(struct maui_planner *p);
/* Lists, before reservations are placed, the job reservations that waiting jobs can still keep. New
 * reservations avoid them. -1 without memory. */
int maui_plan_held_job_rsvs(struct maui_planner *p, struct maui_standing_input *input);
int maui_plan_hold_job_rsvs(struct maui_planner *p);
/* Whether its job reservation is due, and is retried although the job did not start. */
bool maui_plan_is_due(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Notes for the rest of the plan that victims leave these nodes, and until the entry's places are
 * given back keeps what else is free there when the job is to begin, if Slurm chooses its place
 * (PRE-5). */
void maui_plan_keep_vacated(struct maui_planner *p, struct maui_plan_entry *e,
			    const struct maui_place *places, uint32_t count);
/* Counts in p->due what a job reservation takes of a node from then on, or no longer. */
void maui_plan_note_due(struct maui_planner *p, uint32_t node, int64_t from, const int64_t *takes,
			bool taken);
/* Holds its nodes again from held_from_s on, after maui_plan_unhold(). */
void maui_plan_hold(struct maui_planner *p, struct maui_plan_entry *e);
/* late_job_rsvs.c: the nodes of its job reservation become the candidates, and what it holds there
 * is counted. -1 without memory: there are no such candidates. */
int maui_plan_place_as_before(struct maui_planner *p, const struct maui_plan_entry *e,
			      const struct maui_shape *shape);
/* The first moment from then on at which the limits admit the job, beside the job reservations that
 * are held already. One that is due keeps its nodes even if they do not. MAUI_NEVER also without
 * memory. */
int64_t maui_plan_when_limits_admit(struct maui_planner *p, const struct maui_plan_entry *e,
				    int64_t from);
/* Moves a job reservation to a later moment on its own nodes. At its turn it may move to other
 * nodes. */
void maui_plan_wait_for_nodes(struct maui_planner *p, struct maui_plan_entry *e);
/* Whether the job has a job reservation from an earlier plan, whose start this one keeps (BF-3). */
static inline bool maui_plan_keeps_start(const struct maui_plan_entry *e)
{
	return e->job_rsv && !e->job_rsv->preempting &&
	       e->rules->reservation_policy == MAUI_RESERVE_HIGHEST;
}
/* Makes the held job reservation a job reservation of this plan, unchanged. */
void maui_plan_keep_job_rsv(struct maui_planner *p, struct maui_plan_entry *e);

/* priority_pass.c */
void maui_plan_priority_pass(struct maui_planner *p, enum maui_limit_level level);
/* Whether another row of the same job has a job reservation, held or new: the entry blocks no
 * pool. */
bool maui_plan_is_reserved_elsewhere(const struct maui_planner *p, const struct maui_plan_entry *e);

/* Whether the job may run only inside certain of our reservations. */
static inline bool maui_plan_confined(const struct maui_plan_entry *e)
{
	return e->access && e->access->only;
}

/* reasons.c: one short reason for each job that does not start */
int maui_plan_record_reasons(struct maui_planner *p);
/* The start of the entry's job reservation is an estimate of its job's start. */
static inline void maui_plan_note_estimate(struct maui_planner *p, const struct maui_plan_entry *e)
{
	int64_t *estimate_s = &p->out->verdicts[e->job].estimate_s;

	if (e->held_from_s < *estimate_s)
		*estimate_s = e->held_from_s;
}

/* Sets start estimates for the first `count` jobs without a job reservation, as if each had one.
 * The timeline and the entries cannot be used for anything else afterwards. */
void maui_plan_estimate(struct maui_planner *p, uint32_t count);

/* backfill_pass.c */
int maui_plan_backfill_pass(struct maui_planner *p, enum maui_limit_level level);

#endif
