/* SPDX-License-Identifier: GPL-2.0-or-later */
/* choose_victims.h - which of a preemptor's victims go, by questions to Slurm
 *
 * First the question is about the victims of the plan. If the preemptor could not start without
 * them, it is about all that the preemptor may preempt on its nodes. If that helps, each of them
 * stays that Slurm says is not needed, the last one first.
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
	MAUI_VICTIMS_NOT_KNOWN, /* no question was left, or the preemptor has changed */
};

struct maui_victims {
	uint32_t planned, count; /* those of the plan come first, then further ones */
	bool *goes;              /* of each victim: room for the answer */
};

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
