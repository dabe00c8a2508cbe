/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.h - what is free on each node from now on
 *
 * Each node has a line of steps. A step says how much is free from step.at until the next step;
 * the last step has no end. Times are exact: whole seconds, half-open intervals, no buckets. A
 * node with many processors is one line, so a large shared-memory machine costs no more than a
 * small one.
 *
 * Free amounts are negative when a node reports less than its jobs hold; then nothing fits there.
 * Claims of reservations are not subtracted from the free amounts. A step names the set of its
 * claims, and its capacity depends on the requester (claims.h).
 *
 * Thread safety: none.
 */
#ifndef MAUI_TIMELINE_TIMELINE_H
#define MAUI_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hashtable.h"
#include "model/snapshot.h"
#include "timeline/claims.h"
#include "timeline/users.h"

struct maui_step {
	int64_t at;
	uint32_t claims; /* 0: none; otherwise set n + 1, see claims.h */
	uint32_t who;    /* the summary of the users, see users.h */
	int64_t free[];  /* free amounts */
};

/* When alloc equals count, other lines may share these steps: they are copied before a change. */
struct maui_line {
	char *steps;
	uint32_t count, alloc;
};

/* Working memory, kept from call to call: of maui_fit_earliest(), and of maui_claims_use(). */
struct maui_fit_scratch {
	struct maui_fit_run *runs;
	struct maui_fit_moment *moments;
	struct maui_fit_event *events;
	int64_t *steps;
	size_t run_alloc, event_count, event_alloc, step_alloc;
	struct maui_claim_use *uses;
	struct maui_claim_admission *admissions;
	size_t use_alloc, admission_alloc;
};

/* Working memory of amount_count numbers each, in the arena. */
struct maui_timeline_vectors {
	int64_t *capacity;   /* what maui_claims_capacity() returned last */
	int64_t *only_procs; /* what maui_timeline_only_procs() returned last */
	/* of one function, which calls no other that uses these */
	int64_t *one, *two;
};

/* Memory that a line left when it grew, to be used again by other lines. */
struct maui_hole {
	char *start;
	size_t size;
};

enum { MAUI_TIMELINE_HOLES = 8 };

struct maui_timeline {
	int64_t now;
	unsigned amount_count;
	size_t step_size;
	uint32_t node_count;
	struct maui_line *lines; /* one for each node, then that of licences when has_global */
	uint32_t *class_of;      /* node class of each node */
	uint64_t *run_begins;    /* a bit for each node, see maui_timeline_run_end() */
	bool repeats;            /* some claims of whole nodes come back every period */
	bool has_global;         /* lines[node_count] has the licences of the whole cluster */
	const struct maui_snapshot *snapshot;
	const struct maui_claim **claims; /* claims of the snapshot, then added claims */
	size_t claim_count, claim_alloc;
	struct maui_claim_set *claim_sets; /* set n + 1 of a step is entry n */
	size_t claim_set_count, claim_set_alloc;
	struct maui_hashtable claim_table; /* finds the number of a set by its content */
	struct maui_users users;
	/* lines and steps; cleared by maui_timeline_build() */
	struct maui_arena arena;
	struct maui_hole holes[MAUI_TIMELINE_HOLES]; /* the largest known holes in the arena */
	struct maui_fit_scratch scratch;
	struct maui_timeline_vectors vectors;
};

static inline struct maui_step *maui_line_step(const struct maui_timeline *t,
					       const struct maui_line *line, uint32_t index)
{
	return (struct maui_step *)(void *)(line->steps + index * t->step_size);
}

/* End of a step: the begin of the next step. */
static inline int64_t maui_line_step_end(const struct maui_timeline *t,
					 const struct maui_line *line, uint32_t index)
{
	return index + 1 < line->count ? maui_line_step(t, line, index + 1)->at : MAUI_NEVER;
}

/* Whether two nodes share their steps and their node class, so that they are equal for all time.
 * Nodes that do not share may be equal, too. */
static inline bool maui_timeline_same(const struct maui_timeline *t, uint32_t a, uint32_t b)
{
	return t->lines[a].steps == t->lines[b].steps && t->class_of[a] == t->class_of[b];
}

/* The end of a run of nodes that maui_timeline_same() holds equal: the first node behind this one
 * that may differ from it. Most nodes of an idle machine, or of one reservation, are one run. */
static inline uint32_t maui_timeline_run_end(const struct maui_timeline *t, uint32_t node)
{
	uint32_t next = node + 1;
	uint64_t bits = t->run_begins[next / 64] >> next % 64;

	if (bits)
		return next + (uint32_t)__builtin_ctzll(bits);
	next = next / 64 + 1;
	while (!t->run_begins[next]) /* a run begins behind the last node, too */
		next++;
	return next * 64 + (uint32_t)__builtin_ctzll(t->run_begins[next]);
}

/* Lays out nodes, claims and active jobs of a snapshot from `now` on, and drops what was there;
 * a zeroed struct is an empty timeline. `users`: note which users are on each node. -1 without
 * memory. */
int maui_timeline_build(struct maui_timeline *t, const struct maui_snapshot *snapshot, int64_t now,
			bool users);
/* For maui_timeline_build() and views: makes the vectors of amount_count numbers. -1 without
 * memory. */
int maui_timeline_make_vectors(struct maui_timeline *t);
/* For all that lays out lines: finds the runs of equal nodes. -1 without memory. */
int maui_timeline_find_runs(struct maui_timeline *t);
void maui_timeline_finish(struct maui_timeline *t);

/* A view of a frozen timeline, for one thread. The view shares lines and claims with the
 * timeline, which must outlive the view, and has its own working memory for searches. The caller
 * finishes the view like any timeline. -1 without memory. */
int maui_timeline_view(const struct maui_timeline *t, struct maui_timeline *ret);
/* A view with lines of its own, of which a job may be given back. The users stay as they are. */
int maui_timeline_copy(const struct maui_timeline *t, struct maui_timeline *ret);
/* A view of it as if there were no jobs: the nodes, when they are usable, and the claims alone. */
int maui_timeline_without_jobs(const struct maui_timeline *t, struct maui_timeline *ret);
/* Later changes go to copies of the lines. Returns the lines as they are now (the timeline's
 * memory), to be read only; NULL without memory. */
struct maui_line *maui_timeline_freeze(struct maui_timeline *t);
/* Drops all later changes: these are the timeline's lines again. -1 without memory. */
int maui_timeline_restore(struct maui_timeline *t, struct maui_line *frozen);

/* The user of an active job, as its nodes' steps count it. */
static inline uint32_t maui_timeline_user(const struct maui_snapshot *s,
					  const struct maui_active *active)
{
	return s->creds[active->creds].user | (active->sole_user ? MAUI_USER_SOLE : 0);
}

/* Index of the step in force at `when` (>= now). */
uint32_t maui_timeline_step_at(const struct maui_timeline *t, uint32_t node, int64_t when);

/* Takes amounts of a node during [from, until), or gives them back; node_count is the line of
 * licences. `user`: the user of the job (with MAUI_USER_SOLE when the job does not share nodes);
 * 0: none, the user stays, or the timeline was built without users. Give back with the same span.
 * The part of the span before `now` is ignored. -1 without memory. */
int maui_timeline_take(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user);
int maui_timeline_give(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user);

/* The same for a job that may run inside claims: the claims that admit the job no longer keep
 * the amounts for others (claims.h). [from, until) is the whole span of the job, also the part
 * before `now`, because a TIMELIMIT counts all of it. Give back with the same span. */
int maui_timeline_take_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, uint32_t user,
			      const struct maui_requester *requester);
int maui_timeline_give_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, uint32_t user,
			      const struct maui_requester *requester);

/* Marks amounts of a job, taken before without access, as used inside the claims that `access`
 * admits the job to, until `until`. */
int maui_timeline_mark_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      int64_t until, const int64_t *amounts,
			      const struct maui_access_table *access);

/* Marks processors that an active job holds until `until` as used from Slurm's claims (sign 1),
 * or undoes that (sign -1). */
int maui_timeline_charge_shares(struct maui_timeline *t, const struct maui_piece *piece,
				int64_t until, int sign);

/* Adds claims to those that are there, before any job inside them is taken. The claims remain
 * the caller's and must outlive the timeline. -1 without memory. */
int maui_timeline_add_claims(struct maui_timeline *t, const struct maui_claim *claims,
			     uint32_t count);

/* The free amounts of a step that a requester (NULL: without access) can have during a span:
 * maui_claims_capacity(). */
static inline const int64_t *maui_timeline_capacity(const struct maui_timeline *t,
						    const struct maui_step *step,
						    const struct maui_requester *requester,
						    struct maui_span span)
{
	return step->claims || requester ? maui_claims_capacity(t, step, requester, span) :
					   step->free;
}

/* So many processors and nothing else: amount_count numbers, until the next call. */
static inline const int64_t *maui_timeline_only_procs(const struct maui_timeline *t, int64_t procs)
{
	t->vectors.only_procs[MAUI_AMOUNT_PROCS] = procs;
	return t->vectors.only_procs;
}

/* How strongly a job with this access prefers the node during the span (ACL-7): the largest
 * number of claims with positive affinity at any moment of the span; -1 if a claim with negative
 * affinity is on the node. */
int maui_timeline_affinity(const struct maui_timeline *t, uint32_t node,
			   const struct maui_access_table *access, struct maui_span span);

/* The fewest processors that the requester can have at any moment of the span, never negative. */
int64_t maui_timeline_procs(const struct maui_timeline *t, uint32_t node, int64_t from,
			    int64_t until, const struct maui_requester *requester);

#endif
