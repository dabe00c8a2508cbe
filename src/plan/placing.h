/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placing.h - finds nodes for an entry and takes them; for src/plan only */
#ifndef MAUI_PLAN_PLACING_H
#define MAUI_PLAN_PLACING_H

#include "plan/private.h"

/* shapes.c: the entry's shape; NULL without memory */
const struct maui_shape *maui_plan_shape(struct maui_planner *p, struct maui_plan_entry *e);
/* The shape of a start for which Slurm chooses the nodes: that of request->least_request, or the
 * entry's own, which exists. NULL without memory. */
struct maui_plan_shape *maui_plan_least_shape(struct maui_planner *p, struct maui_plan_entry *e);
/* Whether no set of nodes of its partition could ever serve it. */
bool maui_plan_never_fits(struct maui_planner *p, struct maui_plan_entry *e);
/* The variant of a shape for this access table, and for nodes of one set alone. NULL without
 * memory. */
struct maui_plan_shape *maui_plan_shape_variant(struct maui_planner *p,
						struct maui_plan_shape *base,
						const struct maui_access_table *access,
						bool in_set);

/* candidates.c: makes room for p->candidates.list[index]; NULL without memory */
struct maui_candidate *maui_plan_candidate(struct maui_planner *p, uint32_t index);
struct maui_plan_attempt;
/* Collects what the pool's open nodes take; inside a backfill window, what the window's nodes
 * take. */
void maui_plan_collect_open(struct maui_plan_attempt *a);
/* Collects the nodes of the pool on which the entry starts beside other jobs, on their processors.
 * Only for starts for which Slurm chooses the nodes. */
void maui_plan_collect_shared(struct maui_plan_attempt *a);
/* Makes room for p->closed. -1 without memory. */
int maui_plan_make_closed(struct maui_planner *p);
/* Lists the open nodes of all pools again. */
void maui_plan_list_open_nodes(struct maui_planner *p);
/* Adds a node that was given back now to them. */
void maui_plan_open_node(struct maui_planner *p, uint32_t node);

/* A search for a place of an entry, within its limits. */
struct maui_plan_attempt {
	struct maui_search search;
	struct maui_planner *p;
	struct maui_plan_entry *e;
	bool anywhere;                 /* Slurm is to choose among the candidates */
	struct maui_plan_tried *tried; /* notes what limits are asked about; NULL: nothing does */
	int64_t allowed_s;             /* when limits first allow a place that they refused */
	uint32_t refused;              /* moments at which limits did not allow the place */
};

/* within_limits.c: takes nodes that limits allow: those of the policy, or else the fewest, or else
 * those with least of an amount. Returns how many, at the front of the candidates; 0: they do not
 * suffice, or `too_much` is set: limits allow none of them. */
uint32_t maui_plan_take(struct maui_plan_attempt *a);
/* Whether limits refuse the least of what was tried for another job of this shape, or all of it.
 * Sets `too_much`. */
bool maui_plan_is_refused(struct maui_planner *p, struct maui_plan_entry *e,
			  const struct maui_plan_tried *tried, int64_t limit_s, bool anywhere);
/* Begins to note what is tried. NULL: the entry has no limits, or no memory. */
struct maui_plan_tried *maui_plan_begin_tried(struct maui_planner *p,
					      const struct maui_plan_entry *e, int64_t limit_s,
					      bool anywhere, struct maui_plan_tried *tried);

/* place.c: place_now() and place_later() leave the chosen candidates at the front of
 * p->candidates.list. None of these finds anything once the plan has failed. */
/* Finds nodes for `limit_s` seconds from now, inside the backfill window if there is one. Returns
 * how many nodes, 0 if the job does not fit. */
uint32_t maui_plan_place_now(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s);
/* Leaves all nodes that serve as candidates, from which Slurm is to choose. Returns how many. */
uint32_t maui_plan_place_anywhere(struct maui_planner *p, struct maui_plan_entry *e,
				  int64_t limit_s);
/* The same for a start: where Slurm chooses, finds all nodes that serve. Sets `incomplete`, and
 * finds none, where the plan has to end. */
uint32_t maui_plan_place_start(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s);
/* The earliest moment from `from` on at which the job fits. MAUI_NEVER: it never does, and
 * *ret_count is not set. */
int64_t maui_plan_place_later(struct maui_planner *p, struct maui_plan_entry *e, int64_t from,
			      uint32_t *ret_count);
/* The same within its limits of this level. */
int64_t maui_plan_earliest(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level, int64_t from, uint32_t *ret_count);

/* bounds.c: a moment before which the entry cannot start, from the searches of other entries.
 * note_bound() adds the result of the entry's own search from now on. */
int64_t maui_plan_bound(struct maui_planner *p, const struct maui_plan_entry *e);
void maui_plan_note_bound(struct maui_planner *p, const struct maui_plan_entry *e, int64_t when);

/* commit.c */
void maui_plan_add_reason(struct maui_planner *p, const struct maui_plan_entry *e,
			  enum maui_reason reason, const struct maui_violation *violation,
			  int64_t until_s);
/* Adds the reason COMPONENT, for another component of the het job: index of snapshot->idle; NONE:
 * it is not there. */
void maui_plan_add_component(struct maui_planner *p, const struct maui_plan_entry *e,
			     uint32_t component);
/* The same because all components together need more nodes or licences than there are. */
void maui_plan_add_together(struct maui_planner *p, const struct maui_plan_entry *e);
/* Enters a start, or a job reservation, on the first `count` candidates. NULL: the plan has failed,
 * and the entry stays as it was. */
struct maui_start *maui_plan_start(struct maui_planner *p, struct maui_plan_entry *e,
				   uint32_t count, int64_t limit_s);
struct maui_reservation *maui_plan_reserve(struct maui_planner *p, struct maui_plan_entry *e,
					   uint32_t count, int64_t start_s);
/* Takes the job's cluster-wide resources, such as licences. */
void maui_plan_take_global(struct maui_planner *p, const struct maui_shape *shape, int64_t from,
			   int64_t until);
/* Removes the entry's job reservation from the timeline and the decisions. */
void maui_plan_release(struct maui_planner *p, struct maui_plan_entry *e);
/* Gives up the nodes held for the entry's job reservation. The entry waits again. */
void maui_plan_unhold(struct maui_planner *p, struct maui_plan_entry *e);
/* Counts the bypass of each job of higher priority that this start passes. */
void maui_plan_count_bypass(struct maui_planner *p, const struct maui_plan_entry *e);

#endif
