/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_tally.h - what became of a request that changes several records
 *
 * Rules: CMD-47.
 */
#ifndef MAUI_SLURM_CHANGE_TALLY_H
#define MAUI_SLURM_CHANGE_TALLY_H

#include <stddef.h>

#include "model/job_action.h"
#include "slurm/change_job.h"

/* Zeroed at the start. */
struct maui_change_tally {
	size_t done, unheld;
	enum maui_change_result failure; /* the first; DONE: none */
};

/* A record that ended before its turn (NO_JOB) is no failure; neither is one without a hold when
 * all holds are released, because other tasks of its array may be held. */
void maui_change_count(struct maui_change_tally *tally, enum maui_job_action action,
		       enum maui_change_result result);

/* DONE only when a record was changed. */
enum maui_change_result maui_change_sum(const struct maui_change_tally *tally);

#endif
