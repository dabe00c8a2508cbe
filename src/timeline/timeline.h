/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.h - what is free on each node from now on
 *
 * Every node has a line of steps: from step.at until the next one's so much is free; the last step
 * has no end. Exact: whole seconds, half-open intervals, no buckets. A node with many processors is
 * one line, which makes a pool of them cheap.
 *
 * Amounts may go below 0, when a node reports less than its jobs hold: nothing fits there then.
 * Claims do not take anything: a step knows which of them lie on it, and what it gives depends on
 * requester asks.
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

/* Who is on a node: a user's number, or several; the bit says that somebody wants nobody else. */
#define MAUI_USER_SEVERAL UINT32_C(0x7fffffff)
#define MAUI_USER_SOLE    UINT32_C(0x80000000)

struct maui_step {
	int64_t at;
	uint32_t claims; /* 0: none; else set n + 1 of them, see claims.h */
	uint32_t user;   /* 0: nobody */
	int64_t free[];  /* amounts */
};

/* Without room for another step (alloc equals count) the steps may be those of other lines, too:
 * they are copied before they are changed. */
struct maui_line {
	char *steps;
	uint32_t count, alloc;
};

/* Lists of maui_fit_earliest(), kept for the next time. */
struct maui_fit_scratch {
	struct maui_fit_node *nodes;
	int64_t *moments;
	struct maui_fit_event *events;
	int64_t *steps;
	size_t node_alloc, event_count, event_alloc, step_alloc;
};

/* Room that lines have grown out of, for others to grow into. */
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
	struct maui_line *lines; /* of each node; one more behind them when has_global */
	uint32_t *class_of;      /* of each node */
	bool has_global;         /* lines[node_count] is of the cluster: licences */
	const struct maui_snapshot *snapshot;
	const struct maui_claim **claims; /* the snapshot's, then those added */
	size_t claim_count, claim_alloc;
	struct maui_claim_set *claim_sets; /* set n + 1 of a step is entry n */
	size_t claim_set_count, claim_set_alloc;
	struct maui_hashtable claim_table;           /* numbers of sets, by their content */
	struct maui_arena arena;                     /* lines and steps; emptied by each build */
	struct maui_hole holes[MAUI_TIMELINE_HOLES]; /* in it: the largest that are known */
	struct maui_fit_scratch scratch;
};

static inline struct maui_step *maui_line_step(const struct maui_timeline *t,
					       const struct maui_line *line, uint32_t index)
{
	return (struct maui_step *)(void *)(line->steps + index * t->step_size);
}

/* End of a step: the next one's begin. */
static inline int64_t maui_line_step_end(const struct maui_timeline *t,
					 const struct maui_line *line, uint32_t index)
{
	return index + 1 < line->count ? maui_line_step(t, line, index + 1)->at : MAUI_NEVER;
}

/* Whether it shows that two nodes are the same for all time; they may be so without. */
static inline bool maui_timeline_same(const struct maui_timeline *t, uint32_t a, uint32_t b)
{
	return t->lines[a].steps == t->lines[b].steps && t->class_of[a] == t->class_of[b];
}

/* A zeroed struct is an empty one. Lays out nodes, claims and active jobs of a snapshot from `now`
 * on. Whatever was there is gone. `users`: requester is where is of interest. -1 without memory. */
int maui_timeline_build(struct maui_timeline *t, const struct maui_snapshot *snapshot, int64_t now,
			bool users);
void maui_timeline_finish(struct maui_timeline *t);

/* A view of a timeline that nobody changes any more, for one thread: it has the lines and claims of
 * the other, and memory of its own for what a search notes down. The other has to outlive it; it is
 * finished like any timeline. -1 without memory. */
int maui_timeline_view(const struct maui_timeline *t, struct maui_timeline *ret);
/* From now on changes go to copies of the lines. Returns the lines as they are, which stay so
 * (memory of the timeline's); NULL without memory. */
struct maui_line *maui_timeline_freeze(struct maui_timeline *t);

/* Index of the step in force at `when` (>= now). */
uint32_t maui_timeline_step_at(const struct maui_timeline *t, uint32_t node, int64_t when);

/* Takes amounts of a node (of the cluster: node_count) during [from, until), or gives them back.
 * `user` of a job that is put there (with MAUI_USER_SOLE if it wants to be alone), 0: nobody.
 * Giving back does not tell requester is left. What lies before now is cut off. -1 without memory: then
 * nothing has changed. */
int maui_timeline_take(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user);
int maui_timeline_give(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts);

/* The same for a job that may be inside claims: what it takes there is no longer kept for others
 * (claims.h). [from, until) is its own span, and has to be the same when it is given back: a
 * TIMELIMIT goes by all of it, also by what is past. */
int maui_timeline_take_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, uint32_t user,
			      const struct maui_requester *requester);
int maui_timeline_give_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      const int64_t *amounts, const struct maui_requester *requester);

/* What was laid out, or taken, without access until `until` turns out to be inside. */
int maui_timeline_mark_inside(struct maui_timeline *t, uint32_t node, struct maui_span span,
			      int64_t until, const int64_t *amounts,
			      const struct maui_access_table *access);

/* What an active job holds until then are processors of claims of Slurm's, or (sign -1) are so no
 * longer. */
int maui_timeline_charge_shares(struct maui_timeline *t, const struct maui_piece *piece,
				int64_t until, int sign);

/* Lays claims into it, one after the other, over those that are there; before jobs inside them are
 * taken. They stay the caller's and have to outlive the timeline. -1 without memory. */
int maui_timeline_add_claims(struct maui_timeline *t, const struct maui_claim *claims,
			     uint32_t count);

/* What a step gives to whom (NULL: somebody without access) during a span: amounts, maybe in
 * `store` (as many numbers); NULL: nothing. */
static inline const int64_t *maui_timeline_capacity(const struct maui_timeline *t,
						    const struct maui_step *step,
						    const struct maui_requester *requester,
						    struct maui_span span, int64_t *store)
{
	return step->claims || requester ? maui_claims_capacity(t, step, requester, span, store) :
					   step->free;
}

/* How much somebody with this access ought to use the node during the span (ACL-7): as many
 * claims as are his with positive affinity at some moment of it; -1 when one is with negative
 * affinity; 0: neither. */
int maui_timeline_affinity(const struct maui_timeline *t, uint32_t node,
			   const struct maui_access_table *access, struct maui_span span);

/* The fewest processors free to them during all of the span, never negative. */
int64_t maui_timeline_procs(const struct maui_timeline *t, uint32_t node, int64_t from,
			    int64_t until, const struct maui_requester *requester);

#endif
