/* SPDX-License-Identifier: GPL-2.0-or-later */
/* left.h - what reservations leave a job of a node, whoever else is there; for src/plan only
 *
 * Who runs on the node, and what is promised on it, does not count. `shape` is the job's, with its
 * access; spans are [from, until) in seconds since the epoch, nodes indices of the snapshot.
 */
#ifndef MAUI_PLAN_LEFT_H
#define MAUI_PLAN_LEFT_H

#include <stdbool.h>
#include <stdint.h>

struct maui_claim_set;
struct maui_plan_entry;
struct maui_planner;
struct maui_shape;
struct maui_span;
struct maui_step;

/* Whether a claim of the timeline does not let it in for the span. */
bool maui_plan_shut(const struct maui_planner *p, const struct maui_shape *shape, uint32_t claim,
		    struct maui_span span);

/* Whether the node is one of those that it asks for: named, when those are enough, and of the
 * reservations outside of which it may not run. */
bool maui_plan_asked(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node);
/* Whether, besides, it can be of use to it. */
bool maui_plan_matters(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node);

/* What the claims of the set that are its home have, in the dimensions they speak of, into
 * amount_count numbers: MAUI_NEVER in others. False: none is its home. */
bool maui_plan_within(const struct maui_planner *p, const struct maui_shape *shape,
		      const struct maui_claim_set *set, struct maui_span span, int64_t *ret);
/* What of the node it could have during a step, into amount_count numbers; false: nothing. Stacked
 * claims each count by themselves. */
bool maui_plan_step_left(const struct maui_planner *p, const struct maui_shape *shape,
			 uint32_t node, const struct maui_step *step, struct maui_span span,
			 int64_t *ret);

/* Tasks that the node takes: of one of its steps, for a span; during the span. */
int64_t maui_plan_step_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			     uint32_t node, uint32_t step, struct maui_span span);
int64_t maui_plan_span_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span);
/* From now on, for as long as its limit; at last: in the end, when all that ends is over. */
int64_t maui_plan_node_tasks(const struct maui_planner *p, const struct maui_plan_entry *e,
			     uint32_t node, bool at_last);

/* The set of claims, as a step has it, that keep it from the node during the span; 0: none do. */
uint32_t maui_plan_closed(const struct maui_planner *p, const struct maui_shape *shape,
			  uint32_t node, struct maui_span span);

#endif
