/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quick.h - what a plan would start on a pool of processors, at the cost of what has changed
 *
 * A plan looks at all jobs. In the simplest simulations (maui_sim_quick_suits()) that is not
 * needed:
 *
 * - The queue is in order of submission whatever the time, so jobs are not ranked again.
 * - The pool is one node. Its free processors only become more with time, until the job reservation
 *   of the first waiting job, the only one, takes some again. So two numbers describe them: how
 *   many are free now, and how many of these are left (spare) when the job reservation begins.
 * - No job runs longer than its limit. So between two ends of jobs the job reservation stays where
 *   it is, windows only become smaller, and no later plan starts a job that an earlier one did not.
 *   After arrivals alone, only the jobs that arrived are looked at.
 * - After an end, blocks of the queue in which every job is too large or too long are passed over.
 *
 * The steps are those of plan.h: jobs in order until one does not fit, then BACKFILLPOLICY FIRSTFIT
 * in the window until the job reservation, then in the one without end. maui_plan() is the judge:
 * with options->compare_plans the engine makes each plan, and the simulation ends at the first one
 * that differs.
 *
 * Rules: BF-1, BF-2, BF-5.
 */
#ifndef MAUI_SIM_QUICK_H
#define MAUI_SIM_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/blocks.h"

struct maui_config;
struct maui_snapshot;
struct maui_sim_cluster;
struct maui_sim_options;
struct maui_sim_trace;

struct maui_sim_quick_start {
	uint64_t job; /* index in the trace */
	bool out_of_order;
};

struct maui_sim_quick {
	bool backfills;
	int64_t free;
	struct maui_sim_blocks waiting; /* by index in the trace */
	struct maui_sim_blocks ends;    /* of the running jobs' limits, by time */
	size_t waiting_count;
	int64_t arrived; /* 1 + the last job that has arrived */
	int64_t seen;    /* jobs before this one are known not to fit, until a job ends */
	/* what the last plan decided */
	struct maui_sim_quick_start *starts;
	size_t start_count, start_alloc;
	int64_t reserved; /* the job with the job reservation; -1: none */
	int64_t reserved_s, spare;
};

/* Whether this simulation is of the simplest kind: a pool of processors, BACKFILLPOLICY NONE, or
 * FIRSTFIT with one job reservation, priorities by queue time alone and equal for all, jobs with
 * time limits that ask for nothing but processors, no throttling, reservations, fairshare or flags,
 * and nothing wanted but the starts. Everything else is planned in full. */
bool maui_sim_quick_suits(struct maui_sim_cluster *cluster, const struct maui_sim_trace *trace,
			  const struct maui_config *config, const struct maui_sim_options *options);

/* The pool of the snapshot, of which all processors are free. */
void maui_sim_quick_init(struct maui_sim_quick *q, const struct maui_snapshot *s,
			 const struct maui_config *config);
void maui_sim_quick_finish(struct maui_sim_quick *q); /* a zeroed struct is fine */

/* Jobs arrive in the order of the trace. */
void maui_sim_quick_arrive(struct maui_sim_quick *q, uint64_t job, int64_t procs, int64_t limit_s);
/* A job that was to end at `limit_s` has ended. */
void maui_sim_quick_end(struct maui_sim_quick *q, int64_t procs, int64_t until_s);
/* Sets q->starts, the job reservation, and what is free behind the starts. */
void maui_sim_quick_plan(struct maui_sim_quick *q, int64_t now_s);

#endif
