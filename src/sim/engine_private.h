/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine_private.h - the state of a simulation, for engine*.c only
 *
 * engine.c moves the clock, engine_plan.c makes a plan and executes it, engine_jobs.c lets jobs
 * arrive, start and end.
 */
#ifndef MAUI_SIM_ENGINE_PRIVATE_H
#define MAUI_SIM_ENGINE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "sim/charge.h"
#include "sim/conditions.h"
#include "sim/ends.h"
#include "sim/engine.h"
#include "sim/quick.h"
#include "sim/rsvs.h"

struct maui_sim_engine {
	struct maui_sim_cluster *cluster;
	struct maui_sim_trace *trace;
	const struct maui_config *config;
	const struct maui_sim_options *options;
	struct maui_sim_run *run;
	struct maui_snapshot *snapshot;
	struct maui_planner *planner;
	/* finished plan of each of `decisions`; NULL: not needed */
	struct maui_plan *finished[2];
	struct maui_explainer *explainer;   /* of the last plan; NULL: none */
	struct maui_decisions decisions[2]; /* the job reservations point into the latest */
	unsigned turn;
	struct maui_job_reservation *job_rsvs;
	size_t job_rsv_count;
	struct maui_sim_ends ends;
	struct maui_sim_charges charges;
	struct maui_sim_rsvs rsvs;
	struct maui_sim_conditions conditions; /* of a saved plan */
	uint32_t *active_at;                   /* index of a running job in snapshot->active */
	size_t arrived, ended, expected;
	int64_t now, chunk_until_s, wake_s;
	int64_t planned_s; /* time of the last plan */
	bool any_paused;   /* the last plan kept a job from accruing queue time */
	bool is_quick;     /* `quick` knows all jobs */
	bool plans;        /* the snapshot has all jobs, and plans are made from it */
	struct maui_sim_quick quick;
};

/* How many jobs wait. */
static inline size_t maui_sim_waiting(const struct maui_sim_engine *e)
{
	return e->plans ? e->snapshot->idle_count : e->quick.waiting_count;
}

/* A job of the trace joins the queue; runs; is no longer among the running jobs, with its usage
 * charged; ends, unless this is the end of a run that was preempted. */
void maui_sim_jobs_arrive(struct maui_sim_engine *e, size_t index);
void maui_sim_jobs_launch(struct maui_sim_engine *e, const struct maui_start *start);
void maui_sim_jobs_launch_quick(struct maui_sim_engine *e,
				const struct maui_sim_quick_start *start);
void maui_sim_jobs_remove(struct maui_sim_engine *e, uint64_t id);
void maui_sim_jobs_end(struct maui_sim_engine *e, uint64_t id, int64_t end_s);
/* Keeps the nodes of a job that runs when the simulation begins, or resumes, if they are wanted. */
void maui_sim_jobs_keep_places(struct maui_sim_engine *e, const struct maui_active *active);

/* Plans at this moment, does what was decided, and says when the next plan is due. */
int maui_sim_plan_run(struct maui_sim_engine *e, struct maui_err *err);

#endif
