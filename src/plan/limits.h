/* SPDX-License-Identifier: GPL-2.0-or-later */
/* limits.h - throttling: whether limits allow a job, and what it counts; for src/plan only */
#ifndef MAUI_PLAN_LIMITS_H
#define MAUI_PLAN_LIMITS_H

#include "plan/private.h"

/* ---- limits.c ---- */

/* Counts active jobs, before the queue is ranked. -1 without memory. */
int maui_plan_limits_active(struct maui_planner *p);
/* is_within_limits(): whether the job violates no limit. limits_allow_start(): whether it may also
 * start now, because it leaves enough of the limits to the jobs that have reservations. */
bool maui_plan_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level);
bool maui_plan_limits_allow_start(const struct maui_planner *p, const struct maui_plan_entry *e,
				  enum maui_limit_level level);
/* As is_within_limits(), in the place that was judged last. */
bool maui_plan_place_is_within_limits(const struct maui_planner *p, const struct maui_plan_entry *e,
				      enum maui_limit_level level);
bool maui_plan_has_limits(struct maui_planner *p, const struct maui_plan_entry *e);
/* Whether limits have refused so many jobs of the entry's user that it has no turn in this plan;
 * charge() counts one more. */
bool maui_plan_limits_spent(struct maui_planner *p, const struct maui_plan_entry *e);
void maui_plan_limits_charge(struct maui_planner *p, const struct maui_plan_entry *e);
/* The earliest moment from then on at which limits allow the job to run in its place; MAUI_NEVER:
 * none. */
int64_t maui_plan_limits_when_placed(struct maui_planner *p, const struct maui_plan_entry *e,
				     int64_t from);
/* started() and reserved() count what the job holds in its place. */
void maui_plan_limits_started(struct maui_planner *p, const struct maui_plan_entry *e);
/* Counts (or no longer counts) a job reservation that begins at `from`. If `from` is now, nodes are
 * being held for the job. */
void maui_plan_limits_reserved(struct maui_planner *p, const struct maui_plan_entry *e,
			       int64_t from, bool reserved);
/* The first moment from `from` on at which limits allow the start, with all active and reserved
 * jobs; MAUI_NEVER. */
int64_t maui_plan_limits_when(struct maui_planner *p, const struct maui_plan_entry *e,
			      enum maui_limit_level level, int64_t from);

/* Whether limits allow a suspended job to resume. If so, its processors count again. */
bool maui_plan_limits_resume(struct maui_planner *p, const struct maui_active *active);

/* ---- idle_limits.c ---- */

/* Applies limits to the ranked queue. -1 without memory. */
int maui_plan_limits_idle(struct maui_planner *p);
/* Whether the job is out only until jobs that use up its limits have ended. */
bool maui_plan_limits_may_end(struct maui_planner *p, const struct maui_plan_entry *e);
/* Calls for each entry that only an idle limit keeps out of this plan, and that the next plan will
 * consider, because jobs ahead of it have started. */
typedef void (*maui_plan_entry_fn)(struct maui_planner *p, struct maui_plan_entry *e, void *data);
void maui_plan_limits_next(struct maui_planner *p, maui_plan_entry_fn admitted, void *data);

/* ---- demands.c: what an entry counts for ---- */

/* What the entry, in this shape, holds on the first `count` candidates, each with what it gives;
 * where Slurm chooses, the most that it could hold wherever Slurm places it among them. */
struct maui_quantities maui_plan_quantities(struct maui_planner *p, const struct maui_plan_entry *e,
					    const struct maui_shape *shape, uint32_t count);
/* The least that it could hold on some of them. */
struct maui_quantities maui_plan_quantities_least(struct maui_planner *p,
						  const struct maui_shape *shape, uint32_t count);
/* Sets what the entry holds, as limits count it. Of an entry with limits. */
void maui_plan_limits_place(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_quantities *holds);
/* It counts again what it counts while it waits. */
void maui_plan_limits_unplace(struct maui_planner *p, const struct maui_plan_entry *e);
/* What the entry holds in the place that was judged last, which are the first `count` candidates.
 * Where Slurm chooses: the most that it could hold; zeros without limits. */
struct maui_quantities maui_plan_holds(struct maui_planner *p, const struct maui_plan_entry *e,
				       uint32_t count);
/* What the job gets at the least, where that is more than it asks for; zeros: it has no limits. */
struct maui_quantities maui_plan_limits_least(struct maui_planner *p, struct maui_plan_entry *e);

/* ---- violations.c ---- */

/* Whether a hard limit keeps the entry out: as it counts while it waits, or in its last place if
 * that was too much. */
bool maui_plan_limits_are_hard(const struct maui_planner *p, const struct maui_plan_entry *e);
/* The limits that the job violates at this level. */
struct maui_plan_violations {
	struct maui_violation *list;
	size_t count;
};
struct maui_plan_violations maui_plan_list_violations(struct maui_planner *p,
						      const struct maui_plan_entry *e,
						      enum maui_limit_level level);
/* Counts what is no longer in use since they were listed as requested by the job. */
void maui_plan_ask_for_given_back(struct maui_planner *p, const struct maui_plan_entry *e,
				  const struct maui_plan_violations *violations);
/* Records them as reasons. */
void maui_plan_record_list(struct maui_planner *p, const struct maui_plan_entry *e,
			   const struct maui_plan_violations *violations);
/* Lists and records them. */
void maui_plan_record_violations(struct maui_planner *p, const struct maui_plan_entry *e,
				 enum maui_limit_level level);
/* Records one as a reason. */
void maui_plan_record_violation(struct maui_planner *p, const struct maui_plan_entry *e,
				const struct maui_violation *violation);
/* A copy with its names, since the decisions may outlive the throttle. NULL without memory. */
const struct maui_violation *maui_plan_keep_violation(struct maui_planner *p,
						      const struct maui_violation *violation);

#endif
