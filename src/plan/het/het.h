/* SPDX-License-Identifier: GPL-2.0-or-later */
/* het.h - the components of het jobs start together; for src/plan only */
#ifndef MAUI_PLAN_HET_HET_H
#define MAUI_PLAN_HET_HET_H

#include "plan/private.h"

/* Finds out which jobs belong together, once limits have their verdicts; a het job
 * leaves the queue if a component is missing or can never start. -1 without memory. */
int maui_plan_list_hets(struct maui_planner *p);
/* Starts all components at the leader's entry, or none. `backfill`: behind blocked jobs. */
bool maui_plan_start_het(struct maui_planner *p, struct maui_plan_entry *e,
			 enum maui_limit_level level, bool backfill);
/* As maui_plan_is_within_limits() and maui_plan_limits_allow_start(), of all components of the
 * entry's het job side by side. */
bool maui_plan_is_het_within_limits(struct maui_planner *p, const struct maui_plan_entry *e,
				    enum maui_limit_level level);
bool maui_plan_limits_allow_het(struct maui_planner *p, const struct maui_plan_entry *e,
				enum maui_limit_level level);
/* Whether limits did not allow the place of some component when they were placed last. */
bool maui_plan_is_het_too_much(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Records which component a hard limit keeps out, and that the others wait for it. */
void maui_plan_record_het_limits(struct maui_planner *p);
/* Whether a job that waits in the partitions of some component has ended the plain order there. */
bool maui_plan_is_het_behind(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Gives all components job reservations at one moment, or none. */
bool maui_plan_reserve_het(struct maui_planner *p, struct maui_plan_entry *e,
			   enum maui_limit_level level);
/* The same search, without job reservations. */
void maui_plan_try_het(struct maui_planner *p, struct maui_plan_entry *e,
		       enum maui_limit_level level);
/* Whether others wait for the job: not if the last search found no moment at which all components
 * could start. */
bool maui_plan_is_het_waited_for(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Starts het jobs behind blocked jobs, after backfill. */
void maui_plan_backfill_hets(struct maui_planner *p, enum maui_limit_level level);

#endif
