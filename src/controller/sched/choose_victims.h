/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_victims.h - which of a preemptor's victims go, by questions to Slurm
 *
 * If a preemptor fits by number, but Slurm has just found no place for it, Slurm is asked
 * first whether it could start now with no job gone: then none goes.
 *
 * Then the question is about the victims of the plan. If the preemptor could not start without
 * them, it is about all that the preemptor may preempt on its nodes. If that helps, each of them
 * stays that Slurm says is not needed, the last one first.
 *
 * The plan may name one job for several preemptors. The first one for which it goes has its room,
 * and none of the others.
 *
 * Rules: PRE-8.
 */
#ifndef MAUI_CONTROLLER_SCHED_CHOOSE_VICTIMS_H
#define MAUI_CONTROLLER_SCHED_CHOOSE_VICTIMS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decision.h"

/* Which victims can stay is asked only with so many questions left, or one for each. */
enum { MAUI_QUESTIONS_TO_SPARE = MAUI_PREEMPTORS_ASKED };

enum maui_victims_answer {
	MAUI_VICTIMS_HELP,
	MAUI_VICTIMS_IN_VAIN,
	MAUI_VICTIMS_NOT_NEEDED, /* the preemptor could start beside all of them */
	MAUI_VICTIMS_NOT_KNOWN,  /* no question was left, or the preemptor has changed */
};

struct maui_victims {
	uint32_t planned, count;      /* those of the plan come first, then further ones */
	bool fits;                    /* the preemptor fits by number, but Slurm found no place */
	bool *goes;                   /* of each victim: room for the answer */
	struct maui_preemption *list; /* the victims */
};

static inline bool maui_is_same_preemptor(const struct maui_preemption *one,
					  const struct maui_preemption *other)
{
	return one->job == other->job && one->copy == other->copy;
}

/* Lists the victims of the preemptor of `first`, which the decisions contain; ret->list has room
 * for all. `taken`: of each active job: it goes for another preemptor; such a job is not listed.
 * False: a victim of the plan is taken, so the preemptor has no room in this plan. */
bool maui_victims_list(const struct maui_decisions *d, const struct maui_preemption *first,
		       const bool *taken, struct maui_victims *ret);
/* Marks those who go as taken. */
void maui_victims_take(const struct maui_victims *victims, bool *taken);

struct maui_victims_oracle {
	/* Whether the preemptor could start without those who go. */
	enum maui_victims_answer (*ask)(void *data);
	/* How many further questions this cycle may ask. */
	unsigned (*left)(const void *data);
	void *data;
};

/* Sets victims->goes, which counts if the answer is MAUI_VICTIMS_HELP. NOT_KNOWN: also when too few
 * questions are left to find out who can stay. */
enum maui_victims_answer maui_choose_victims(struct maui_victims *victims,
					     const struct maui_victims_oracle *oracle);

#endif
