/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.h - one scheduling iteration: who starts where, who gets a reservation, and why not
 *
 * Pure: no lock, no clock, no I/O, nothing left over. Same input, same decisions, byte for byte;
 * the order in which a snapshot was filled does not matter.
 *
 * An iteration (Maui manual 8.2; rulings e.7, g, m.14):
 *   1. the timeline: what runs until when, nodes' states, claims; reservations are put in place,
 *      and it is found out whom they let in
 *   2. the queue: eligible jobs by tier, priority, submit time, id; idle limits
 *   3. reservations that carry over are put in place
 *   4. under soft limits, by priority: start what fits; what does not gets the earliest possible
 *      reservation while its stack has depth left. A suspended job goes on, or has its processors
 *      kept for it, before idle jobs that are not above its run priority
 *   5. backfill under soft limits, window by window
 *   6. the same two under hard limits, with the depth that is left
 *
 * Jobs of different pools (model/snapshot.h) do not compete: depth, order and windows are a pool's
 * own. Within a pool the first job that cannot start ends the plain order. From there on only jobs
 * whose stack has depth left are started or reserved in turn, all others are left to backfill: with
 * RESERVATIONDEPTH 1 everything behind the first blocked job (manual 8.2.1).
 *
 * No reservation is made for a moment at which a limit would be broken by what runs, starts or is
 * reserved by then, and nothing is started that would bring a reservation into that.
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
 * do not hold for jobs that have one (ruling e.8). */
struct maui_promise {
	uint64_t job; /* id; several of one job are of its copies, in this order */
	uint32_t partition;
	int64_t start_s;                 /* as promised, also when it is past */
	const struct maui_place *places; /* nodes are indices of this snapshot */
	uint32_t place_count;
	bool vacating; /* jobs have been preempted for it: kept under any policy */
};

struct maui_plan;

struct maui_plan_input {
	const struct maui_config *config;
	const struct maui_snapshot *snapshot; /* sealed */
	int64_t now_s;
	const struct maui_standing_input *standing; /* reservations; NULL: none */
	const struct maui_fs_table *usage;          /* NULL: nothing used yet */
	int64_t chunk_until_s; /* time of the last job's end + BFCHUNKDURATION; 0: none */
	const struct maui_promise *promises;
	size_t promise_count;
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
