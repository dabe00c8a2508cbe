/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.h - what is free on each node from now on
 *
 * Every node has a line of steps: from step.at until the next one's so much is free; the last step
 * has no end. Exact: whole seconds, half-open intervals, no buckets. A node with many processors is
 * one line, which makes a pool of them cheap.
 *
 * Amounts may go below 0, when a node reports less than its jobs hold: nothing fits there then.
 * Thread safety: none.
 */
#ifndef MAUI_TIMELINE_TIMELINE_H
#define MAUI_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/snapshot.h"

/* Who is on a node: a user's number, or several; the bit says that somebody wants nobody else. */
#define MAUI_USER_SEVERAL UINT32_C(0x7fffffff)
#define MAUI_USER_SOLE    UINT32_C(0x80000000)

struct maui_step {
	int64_t at;
	uint32_t claims; /* 0: none; else a set of claims, see maui_timeline_claim_set() */
	uint32_t user;   /* 0: nobody */
	int64_t free[];  /* amounts */
};

struct maui_line {
	char *steps;
	uint32_t count, alloc;
};

struct maui_claim_set {
	const uint32_t *list; /* indices of claims, ascending */
	uint32_t count;
};

/* Lists of maui_fit_earliest(), kept for the next time. */
struct maui_fit_scratch {
	struct maui_fit_node *nodes;
	int64_t *moments;
	struct maui_fit_event *events;
	int64_t *steps;
	size_t node_alloc, event_count, event_alloc, step_alloc;
};

struct maui_timeline {
	int64_t now;
	unsigned amount_count;
	size_t step_size;
	uint32_t node_count;
	struct maui_line *lines; /* of each node; one more behind them when has_global */
	uint32_t *class_of;      /* of each node */
	bool has_global;         /* lines[node_count] is of the cluster: licences */
	struct maui_claim_set *claim_sets; /* set n + 1 of a step is entry n */
	size_t claim_set_count, claim_set_alloc;
	struct maui_arena arena; /* lines and steps; emptied by each build */
	struct maui_fit_scratch scratch;
};

static inline struct maui_step *maui_line_step(const struct maui_timeline *t,
					       const struct maui_line *line, uint32_t index)
{
	return (struct maui_step *)(void *)(line->steps + index * t->step_size);
}

/* End of a step: the next one's begin. */
static inline int64_t maui_line_until(const struct maui_timeline *t, const struct maui_line *line,
				      uint32_t index)
{
	return index + 1 < line->count ? maui_line_step(t, line, index + 1)->at : MAUI_NEVER;
}

/* A zeroed struct is an empty one. Lays out nodes, claims and active jobs of a snapshot from `now`
 * on. Whatever was there is gone. `users`: who is where is of interest. -1 without memory. */
int maui_timeline_build(struct maui_timeline *t, const struct maui_snapshot *snapshot, int64_t now,
			bool users);
void maui_timeline_finish(struct maui_timeline *t);

/* Index of the step in force at `when` (>= now). */
uint32_t maui_timeline_at(const struct maui_timeline *t, uint32_t node, int64_t when);

/* Takes amounts of a node (of the cluster: node_count) during [from, until), or gives them back.
 * `user` of a job that is put there (with MAUI_USER_SOLE if it wants to be alone), 0: nobody.
 * Giving back does not tell who is left. What lies before now is cut off. -1 without memory: then
 * nothing has changed. */
int maui_timeline_take(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user);
int maui_timeline_give(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts);

/* Whether claims let jobs of a request (NULL: one without any access) in during a step. */
bool maui_timeline_enters(const struct maui_timeline *t, const struct maui_step *step,
			  const struct maui_request *request);

/* Processors free during a step for such jobs, never negative. */
int64_t maui_timeline_step_procs(const struct maui_timeline *t, const struct maui_step *step,
				 const struct maui_request *request);

/* The fewest of them during [from, until). */
int64_t maui_timeline_procs(const struct maui_timeline *t, uint32_t node, int64_t from,
			    int64_t until, const struct maui_request *request);

#endif
