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

#include <stdatomic.h>
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

/* A job reservation of the previous plan. It carries over under RESERVATIONPOLICY HIGHEST, while it
 * is due and RESERVATIONRETRYTIME has not passed, and while victims leave its nodes. A job that has
 * a job reservation is exempt from idle limits (THR-8). */
struct maui_job_reservation {
	uint64_t job; /* id; several reservations of one job belong to its copies, in this order */
	uint32_t partition;
	int64_t start_s;                 /* as first planned, even if it is past */
	const struct maui_place *places; /* nodes are indices of this snapshot */
	uint32_t place_count;
	bool preempting; /* jobs have been preempted for it, so it carries over under any policy */
};

struct maui_plan;

struct maui_plan_input {
	const struct maui_config *config;
	const struct maui_snapshot *snapshot; /* sealed */
	int64_t now_s;
	/* standing and administrative reservations; NULL: none */
	const struct maui_standing_input *standing;
	/* fairshare usage; NULL: nothing has been used yet */
	const struct maui_fs_table *usage;
	int64_t chunk_until_s; /* time of the last job's end + BFCHUNKDURATION; 0: none */
	const struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	/* another thread may set it to give the plan up; NULL: no thread does */
	const atomic_bool *stop;
	/* starts of requests that ask Slurm name every node on which the job may run, and the plan
	 * ends behind them (BF-26). false: such requests are planned as if they were exact */
	bool slurm_chooses;
	bool backfill_only; /* no priority pass, no job reservations: one backfill pass only */
	bool want_windows;  /* fill in decisions->windows */
	bool want_reasons;  /* fill in verdicts[].blocks of eligible jobs */
};

/* Memory and lookups that one plan leaves for the next. They do not influence decisions. Each
 * thread needs its own planner. NULL without memory. */
struct maui_planner *maui_planner_create(void);
void maui_planner_destroy(struct maui_planner *planner); /* NULL is fine */

/* Frees what the last plan left, except lookups in the configuration. Call it before the planner
 * pauses or the snapshot is replaced. The decisions stay, with all that they point to; the
 * functions below cannot be called. */
void maui_planner_rest(struct maui_planner *planner);

/* Plans into *ret and frees its earlier content; a zeroed struct will do. Decisions own what they
 * point to, except the lists of reservations (input->standing). -1 with err without memory, if the
 * snapshot is not sealed, and if *input->stop was set: then *ret is empty, and the planner is as
 * new. */
int maui_plan(struct maui_planner *planner, const struct maui_plan_input *input,
	      struct maui_decisions *ret, struct maui_err *err);

/* In slurmctld so many jobs without a job reservation get a start estimate. */
enum { MAUI_PLAN_ESTIMATES = 100 };

/* Turns the last plan into a value (plan/finished.h), with start estimates for this many jobs in
 * addition to those that have a job reservation. The value owns the decisions; the caller may go on
 * reading its struct. `snapshot` is the one that was planned. The planner rests afterwards. NULL
 * without memory: the decisions stay the caller's. */
struct maui_plan *maui_plan_finish(struct maui_planner *planner, struct maui_snapshot *snapshot,
				   uint32_t estimates);

/* Counts what is in use inside the reservations: sets reserved_procs, used_procs, idle_procs,
 * in_use and users of the last plan's instances that have begun. Active jobs are those that the
 * snapshot has now, jobs started since by maui_snapshot_launch() included. Call nothing else about
 * this plan after jobs were launched. -1 without memory. */
int maui_plan_usage(struct maui_planner *planner);

#endif
