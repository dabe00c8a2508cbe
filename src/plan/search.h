/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.h - the search for a place: does a job fit, where, from when, for how long, how much
 *
 * There is only this one. The planner places its entries by it, within their limits; src/explain
 * asks it about waiting and hypothetical jobs, on the timeline of the finished plan. So what users
 * are told is what the next plan finds.
 *
 * In: a timeline, a shape, the rules by which nodes are chosen. Out: the candidates, the chosen
 * ones first. The caller decides about everything that is not nodes and time: limits, turns.
 *
 * Rules: BF-15.
 */
#ifndef MAUI_PLAN_SEARCH_H
#define MAUI_PLAN_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decision.h"
#include "policy/alloc/alloc.h"
#include "timeline/alike.h"
#include "timeline/fit.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"
#include "timeline/window.h"

/* The nodes that could take tasks, kept from search to search. The owner frees `list`. */
struct maui_candidates {
	struct maui_candidate *list;
	size_t alloc;
};

/* The window that is being backfilled. */
struct maui_backfilling {
	const struct maui_window *window; /* NULL: backfill is not running */
	/* the jobs that it is for; NULL: jobs without access */
	const struct maui_requester *who;
	/* the nodes that these jobs may use, ascending; NULL: all open ones */
	const uint32_t *nodes;
	uint32_t node_count;
	/* free processors of each node during the window; NULL: computed at each call */
	int64_t *procs;
};

/* Sums of the candidates collected so far. */
struct maui_search_sums {
	uint32_t count, required;
	int64_t tasks;
	bool order_set;     /* the members that the candidates are ordered by are set */
	uint32_t last;      /* the node of the last search; NONE */
	int64_t last_tasks; /* what that node takes; if more than 0, it is the last candidate */
};

enum { MAUI_SEARCH_NONE = UINT32_MAX };

struct maui_search;
/* Takes nodes for a start at search->span.from among the candidates. CHOSEN: `chosen` of them are
 * at the front, with `gives` set. */
typedef enum maui_fit_answer (*maui_search_take_fn)(struct maui_search *search);

struct maui_search {
	/* set by the caller */
	struct maui_timeline *timeline;
	const struct maui_shape *shape;
	int policy; /* NODEALLOCATIONPOLICY */
	struct maui_candidates *candidates;
	const uint32_t *nodes; /* all nodes that could serve; NULL: those of the timeline */
	uint32_t node_count;
	const bool *closed; /* of each node: it is not for the job; NULL: none */
	/* all nodes that could serve, those that are alike for the shape together: too few of them
	 * end a search before it looks at each node; NULL: not known */
	const struct maui_alike *alike;
	uint32_t alike_count;
	const struct maui_backfilling *backfill; /* NULL: no window bounds the search */
	maui_search_take_fn take;                /* NULL: the policy's choice is taken */
	void *data;                              /* of `take` */
	/* the result */
	struct maui_span span; /* of the moment that was tried last */
	struct maui_search_sums sums;
	uint32_t chosen;
	bool failed; /* no memory */
};

/* Makes room for list[index]; NULL without memory. */
struct maui_candidate *maui_candidates_at(struct maui_candidates *candidates, uint32_t index);

/* Begins to collect candidates for this span. */
void maui_search_begin(struct maui_search *s, struct maui_span span);
/* Adds a node that takes so many tasks; then, a node if it takes tasks during the span: nodes in
 * their order. */
void maui_search_add(struct maui_search *s, uint32_t node, int64_t tasks, bool required);
void maui_search_add_node(struct maui_search *s, uint32_t node);
/* Adds those of the nodes that have free processors now, and drops the others from the list.
 * Returns how many remain. */
uint32_t maui_search_add_open(struct maui_search *s, uint32_t *nodes, uint32_t count);
/* Whether the candidates are enough, as counts. */
bool maui_search_has_enough(const struct maui_search *s);
/* Moves the candidates that the policy chooses to the front. Returns how many; 0: they do not
 * suffice. */
uint32_t maui_search_choose(struct maui_search *s);

/* Whether there is a place from that moment on for so long. */
bool maui_search_fits(struct maui_search *s, int64_t from, int64_t length);
/* The earliest moment, `from` or later, at which there is a place for so long, which is then
 * chosen; MAUI_NEVER: none; -1 without memory. */
int64_t maui_search_earliest(struct maui_search *s, int64_t from, int64_t length);
/* The longest time, shorter than `most`, for which there is a place from that moment on; 0: none.
 * `alike` must be set. */
int64_t maui_search_longest(struct maui_search *s, int64_t from, int64_t most);

/* How much a shape of tasks that take one processor each could have from now on: adds it to the
 * profile of windows. -1 without memory. Then, at the beginning of each of these many equal parts
 * of the time from now on. */
int maui_search_windows(const struct maui_search *s, struct maui_profile *profile);
void maui_search_parts(const struct maui_search *s, int64_t part_s, uint32_t parts,
		       int64_t *ret_procs);

/* Processors of a node that are free during the whole backfill window, as they are now; and as the
 * window's list has them, if there is one. */
int64_t maui_backfilling_free(const struct maui_timeline *t,
			      const struct maui_backfilling *backfill, uint32_t node);
int64_t maui_backfilling_procs(const struct maui_timeline *t,
			       const struct maui_backfilling *backfill, uint32_t node);

/* Processors of a node that nobody has at a moment. */
static inline int64_t maui_search_idle_at(const struct maui_timeline *t, uint32_t node,
					  int64_t when)
{
	return maui_line_step(t, &t->lines[node], maui_timeline_step_at(t, node, when))
		->free[MAUI_AMOUNT_PROCS];
}

#endif
