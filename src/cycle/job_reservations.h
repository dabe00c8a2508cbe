/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_reservations.h - carries job reservations from one cycle to the next
 *
 * A plan knows jobs, nodes and partitions by index, and the next snapshot has other indices. So job
 * reservations are saved, in memory and in the state file, by job id, node number, hash of the
 * node's name, and the partition's name.
 *
 * Goes in: the decisions of one plan. Comes out: an input of the next plan.
 */
#ifndef MAUI_CYCLE_JOB_RESERVATIONS_H
#define MAUI_CYCLE_JOB_RESERVATIONS_H

#include <stddef.h>

#include "base/arena.h"
#include "cycle/waiting.h"
#include "model/decision.h"
#include "model/snapshot.h"
#include "plan/plan.h"
#include "state/saved_plan/saved_plan.h"
#include "state/store/store.h"

/* Zeroed: none. */
struct maui_saved_job_rsvs {
	struct maui_store_job_rsv *list;
	size_t count;
	struct maui_arena arena; /* has all of it */
};

void maui_saved_job_rsvs_finish(struct maui_saved_job_rsvs *saved);

/* Lends the list to a store that is to be saved: until it changes. */
void maui_saved_job_rsvs_to_store(const struct maui_saved_job_rsvs *saved,
				  struct maui_store *store);
/* Copies what the file has to an empty list. -1: no memory. */
int maui_saved_job_rsvs_from_store(struct maui_saved_job_rsvs *saved,
				   const struct maui_store *store);
/* Forgets the saved reservation of a job. The next plan makes a new one. */
void maui_saved_job_rsvs_drop(struct maui_saved_job_rsvs *saved, uint64_t job);

/* A copy of a job that has started, by its number in a plan that had these job reservations. */
struct maui_started_copy {
	uint64_t job;
	uint32_t copy;
};

/* Forgets the job reservations of copies that have started. Later plans give their numbers to other
 * copies of the job, which have job reservations of their own. */
void maui_saved_job_rsvs_drop_started(struct maui_saved_job_rsvs *saved,
				      const struct maui_started_copy *started, size_t count);

/* The saved job reservations whose nodes and partition still exist, with the indices of this
 * snapshot; in the arena. -1: no memory. */
int maui_job_reservations_restore(const struct maui_saved_job_rsvs *saved,
				  const struct maui_snapshot *snapshot, struct maui_arena *arena,
				  struct maui_job_reservation **ret, size_t *ret_count);

/* Those of a plan that `maui snapshot` saved, which has the indices of its own snapshot:
 * plan->job_rsv_count of them, in the arena. NULL without memory. */
struct maui_job_reservation *maui_job_reservations_of_plan(const struct maui_saved_plan *plan,
							   struct maui_arena *arena);

/* Saves the job reservations of the decisions in `ret`, in place of those that are there. `waiting`
 * has one element for each idle job. Without memory a job reservation is left out, and the job gets
 * another one. */
void maui_job_reservations_keep(const struct maui_decisions *decisions,
				const struct maui_snapshot *snapshot,
				const struct maui_waiting *waiting,
				struct maui_saved_job_rsvs *ret);

#endif
