/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.h - on which nodes and when a shape fits into a timeline */
#ifndef MAUI_TIMELINE_FIT_H
#define MAUI_TIMELINE_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/shape.h"
#include "timeline/timeline.h"

/* Tasks that a node of the class takes in one step, for a job that runs during the span. Claims
 * and users on the node are considered. */
int64_t maui_fit_step(const struct maui_timeline *t, const struct maui_shape *shape,
		      uint32_t class_index, const struct maui_step *step, struct maui_span span);

/* Tasks that the node takes during all of [from, until): the least of its steps. Exclusions,
 * claims and users on the node are considered. */
int64_t maui_fit_tasks(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t until);

/* The same as far as steps go: no matter whether the shape excludes the node. *ret_claims: the
 * claims on the step that leaves least; 0: none are on it, or each step leaves all that an empty
 * node takes. */
int64_t maui_fit_remainder(const struct maui_timeline *t, const struct maui_shape *shape,
			   uint32_t node, struct maui_span span, uint32_t *ret_claims);

/* The same for a job whose processors may be those of other jobs: they need not be free. 0 where a
 * claim is in the way. Whether a job reservation is, the caller has to know. */
int64_t maui_fit_tasks_shared(const struct maui_timeline *t, const struct maui_shape *shape,
			      uint32_t node, struct maui_span span);

/* The end of the interval from `from` on in which the node takes so many tasks. With one task
 * this is the end of the node's free interval, by which LASTAVAILABLE orders nodes. */
int64_t maui_fit_until(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t tasks);

/* The first moment >= `from` from which on the licences of the shape are free for `length`
 * seconds; MAUI_NEVER: none. */
int64_t maui_fit_global(const struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			int64_t length);

/* The first reservation of licences that alone keeps the shape from its licences during the
 * span; NULL: without reservations the licences would lack, too, or nothing lacks. */
const struct maui_global_claim *maui_fit_blocking_global_claim(const struct maui_timeline *t,
							       const struct maui_shape *shape,
							       struct maui_span span);

/* Whether so many nodes and tasks are enough for the shape. A caller sums them up while it
 * searches. */
static inline bool maui_fit_suffices(const struct maui_shape *shape, uint64_t nodes, int64_t tasks)
{
	return nodes >= shape->nodes_min && tasks >= shape->tasks;
}

/* So many adjacent nodes that are equal, and the next moment at which they serve. */
struct maui_fit_run {
	int64_t next;
	uint32_t node, count, cursor;
	bool required;
};

/* What the caller makes of a moment. */
enum maui_fit_answer {
	MAUI_FIT_NO,      /* the search goes on */
	MAUI_FIT_CHOSEN,  /* the caller has chosen nodes, and remembers them itself */
	MAUI_FIT_GIVE_UP, /* the search ends without a moment */
};

/* Finds the earliest moment >= `from` at which the shape fits for `length` seconds. Returns this
 * moment, MAUI_NEVER when there is none, or -1 without memory.
 *
 * At each moment at which the sums of nodes and tasks are enough, `place` is called to choose the
 * nodes. `runs` has the candidates: those with `next` == start_s serve with all their tasks. When
 * `runs` is NULL, `place` has to ask all nodes with maui_fit_tasks(). */
typedef enum maui_fit_answer (*maui_fit_place_fn)(void *data, int64_t start_s,
						  const struct maui_fit_run *runs, size_t count);
int64_t maui_fit_earliest(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			  int64_t length, maui_fit_place_fn place, void *data);

#endif
