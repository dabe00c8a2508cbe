/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.h - where and when a shape fits into a timeline */
#ifndef MAUI_TIMELINE_FIT_H
#define MAUI_TIMELINE_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "timeline/shape.h"
#include "timeline/timeline.h"

/* Tasks that a node of the class takes during one step of such a span. Claims and users
 * included. */
int64_t maui_fit_step(const struct maui_timeline *t, const struct maui_shape *shape,
		      uint32_t class_index, const struct maui_step *step, struct maui_span span);

/* Tasks that a node takes during all of [from, until): the least of its steps. Exclusions, claims
 * and users included. */
int64_t maui_fit_tasks(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t until);

/* Until when a node that takes so many tasks at `from` goes on to take them: with one task the end
 * of its free interval, which LASTAVAILABLE orders by. */
int64_t maui_fit_until(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t tasks);

/* The first moment >= from at which what the shape wants of the cluster is there for `length`
 * seconds; MAUI_NEVER. */
int64_t maui_fit_global(const struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			int64_t length);

/* Somebody of whom something is kept that the shape would get during the span if nothing were: the
 * first of them; NULL: that is not what it lacks. */
const struct maui_global_claim *maui_fit_blocking_global_claim(const struct maui_timeline *t,
							       const struct maui_shape *shape,
							       struct maui_span span);

/* Whether so many tasks on so many nodes can be enough: what a caller sums up while it looks. */
static inline bool maui_fit_suffices(const struct maui_shape *shape, uint64_t nodes, int64_t tasks)
{
	return nodes >= shape->nodes_min && tasks >= shape->tasks;
}

/* A node and the moment from which it serves. */
struct maui_fit_node {
	int64_t next;
	uint32_t node, cursor;
	bool required;
};

/* The earliest moment >= from at which the shape fits for `length` seconds. At each moment at which
 * counts say that it may, `place` is asked to find the nodes; it returns true when it has (and
 * remembers them), false to go on. It is told which nodes serve, with all their tasks: those of the
 * list whose `next` is start_s; or NULL, when it has to ask all nodes itself. Returns that moment,
 * MAUI_NEVER when there is none, or -1 without memory. */
typedef bool (*maui_fit_place_fn)(void *data, int64_t start_s, const struct maui_fit_node *nodes,
				  size_t count);
int64_t maui_fit_earliest(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			  int64_t length, maui_fit_place_fn place, void *data);

void maui_fit_scratch_finish(struct maui_fit_scratch *scratch);

#endif
