/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preempt.h - which jobs go or come back for others; for src/plan only */
#ifndef MAUI_PLAN_PREEMPT_H
#define MAUI_PLAN_PREEMPT_H

#include "plan/private.h"

/* suspended_jobs.c: lists the suspended jobs; resumes those of at least this published priority. */
int maui_plan_list_suspended(struct maui_planner *p);
void maui_plan_resume(struct maui_planner *p, uint32_t above);

struct maui_plan_victim {
	uint32_t active;
	uint32_t priority; /* its run priority; with Slurm's own preemption what it costs */
	int64_t start_s;
	uint64_t id;
};

/* The jobs that an entry may preempt, the cheapest first. */
struct maui_plan_preemptees {
	struct maui_plan_victim *list;
	uint32_t count, at;
	bool slurms; /* the list is the whole cycle's */
};

/* The job that goes with this one when it is preempted, the next component of its het job; NONE:
 * there is none. */
static inline uint32_t maui_plan_next_part(const struct maui_planner *p, uint32_t active)
{
	return p->preemption.next_part ? p->preemption.next_part[active] : MAUI_PLAN_NONE;
}

/* preemptees.c: for qsort(): the job of lowest priority first; of equals the job that loses least
 * time. */
int maui_plan_compare_victims(const void *a, const void *b);
/* Whether the job can be preempted at all. */
bool maui_plan_can_be_preempted(const struct maui_planner *p, const struct maui_active *active);
/* The published run priority of an active job: start priority and USAGE. */
uint32_t maui_plan_run_priority(struct maui_planner *p, const struct maui_active *active);
/* Whether the entry may preempt jobs of some kind, apart from those that occupy a reservation of
 * its own. */
bool maui_plan_is_preemptor(const struct maui_planner *p, const struct maui_plan_entry *e);
/* Begins with the cheapest. `occupying`: only jobs on a reservation of which the entry is the
 * owner's job. The entry has a shape. -1 without memory. */
int maui_plan_preemptees_begin(struct maui_planner *p, const struct maui_plan_entry *e,
			       bool occupying, struct maui_plan_preemptees *ret);
/* False: there are no more. */
bool maui_plan_preemptees_next(const struct maui_planner *p, const struct maui_plan_entry *e,
			       struct maui_plan_preemptees *from, struct maui_plan_victim *ret);
/* Lists the backfilled preemptees that from now on are no longer preempted. */
int maui_plan_list_secured(struct maui_planner *p);

/* preempt.c: preempts jobs for the entry. True if it found victims; the entry then has a job
 * reservation from now on. */
bool maui_plan_preempt(struct maui_planner *p, struct maui_plan_entry *e);
/* The same for an entry behind a blocked job. A job of a reservation's owner preempts only jobs on
 * that reservation. */
bool maui_plan_preempt_behind(struct maui_planner *p, struct maui_plan_entry *e);

#endif
