/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - one scheduling cycle: which jobs start where, which get a job reservation, and why not
 *
 * Pure: no lock, no clock, no I/O, no state left over. The same input gives the same decisions,
 * byte for byte; the order in which a snapshot was filled does not matter.
 *
 * The steps of a cycle (Maui manual 8.2):
 *   1. Lay out the timeline: running jobs until their ends, node states, Slurm's reservations.
 *      Place our reservations, and find out which of them each job may use.
 *   2. Rank the eligible jobs by tier, priority, submit time and id. Apply the idle limits.
 *   3. Put the job reservations that carry over back in place.
 *   4. Go through the queue by priority under soft limits: start each job that fits; give a job
 *      that does not fit the earliest possible job reservation, while its stack has depth left. A
 *      suspended job goes on, or has its processors kept for it, before idle jobs that are not
 *      above its run priority.
 *   5. Backfill under soft limits, window by window.
 *   6. Repeat steps 4 and 5 under hard limits, with the depth that is left.
 *
 * Jobs of different pools (model/snapshot.h) do not compete: each pool has its own depth, order and
 * windows. Within a pool the first job that cannot start ends the plain order. Behind it, only jobs
 * whose stack has depth left are started or reserved in turn; all other jobs are left to backfill.
 * With RESERVATIONDEPTH 1 these are all jobs behind the first blocked one (manual 8.2.1).
 *
 * No job reservation begins at a moment at which running, started and reserved jobs would break a
 * limit. No job starts that would bring a job reservation into that.
 *
 * Rules: THR-7, BF-1, BF-18.
 */
#ifndef MAUI_PLAN_PLAN_H
#define MAUI_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "config/config.h"
#include "model/decision.h"
#include "model/reason.h"
#include "model/snapshot.h"
#include "policy/fairshare.h"
#include "reservation/placement/placement.h"

/* A reservation of the last plan. It carries over under RESERVATIONPOLICY HIGHEST, when it is due
 * and RESERVATIONRETRYTIME is not over, and when its nodes are being vacated; besides, idle limits
 * do not hold for jobs that have one (THR-8). */
struct maui_job_reservation {
	uint64_t job; /* id; several of one job are of its copies, in this order */
	uint32_t partition;
	int64_t start_s;                 /* as promised, also when it is past */
	const struct maui_place *places; /* nodes are indices of this snapshot */
	uint32_t place_count;
	bool preempting; /* jobs have been preempted for it: kept under any policy */
};

struct maui_plan;

struct maui_plan_input {
	const struct maui_config *config;
	const struct maui_snapshot *snapshot; /* sealed */
	int64_t now_s;
	const struct maui_standing_input *standing; /* reservations; NULL: none */
	const struct maui_fs_table *usage;          /* NULL: nothing used yet */
	int64_t chunk_until_s; /* time of the last job's end + BFCHUNKDURATION; 0: none */
	const struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	const bool *stop;   /* another thread may set it: the plan is given up; NULL: none
				  does */
	bool backfill_only; /* no walk and no reservations: one pass over what is idle */
	bool want_windows;  /* decisions->windows */
	bool want_reasons;  /* verdicts[].blocks of eligible jobs, too */
};

/* Memory and lookups kept from one plan to the next; has no influence on what is decided. One for
 * each thread. NULL without memory. */
struct maui_planner *maui_planner_create(void);
void maui_planner_destroy(struct maui_planner *planner); /* NULL is fine */

/* Gives up what the last plan left, but for what it looked up in the configuration: a planner that
 * has nothing to do for a while, and whose next snapshot is another. Its decisions stay, but what
 * they borrow from it (limits, names) and questions about that plan (below) do not. */
void maui_planner_rest(struct maui_planner *planner);

/* Plans into *ret, whose earlier content is given up; a zeroed struct will do. Limits and names in
 * it are borrowed from the configuration and the planner: read it before the next plan. -1 with
 * err without memory, for a snapshot that is not sealed or refers to nothing, and when it is
 * stopped: it is looked after before each job. */
int maui_plan(struct maui_planner *planner, const struct maui_plan_input *input,
	      struct maui_decisions *ret, struct maui_err *err);

/* Makes the last plan a value (plan/finished.h), with start estimates for so many more jobs than
 * have a job reservation. The decisions, whose struct the caller may go on reading, belong to the
 * value then; the snapshot is the one that was planned. The planner rests. NULL without memory. */
struct maui_plan *maui_plan_finish(struct maui_planner *planner, struct maui_snapshot *snapshot,
				   uint32_t estimates);

/* What of reservations is in use: reserved_procs, used_procs, idle_procs, in_use and users of the
 * last plan's instances that have begun. Counts the active jobs that its snapshot has by now: with
 * those that were started since (maui_snapshot_launch()), so that what has just been taken is not
 * idle. Nothing else may be asked about the plan once they are there. -1 without memory. */
int maui_plan_usage(struct maui_planner *planner);

#endif
