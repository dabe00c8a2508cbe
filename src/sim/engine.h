/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - a virtual clock around maui_plan()
 *
 * There is one plan for each distinct moment at which jobs end or arrive; ends come first. Between
 * events nothing changes, so nothing is planned, unless a plan says that something is due
 * (chunking, begins and ends of reservations). The simulation is deterministic: the same trace and
 * configuration give the same starts.
 *
 * Where quick.h suits, it decides in the place of maui_plan(). Then the snapshot has no jobs.
 *
 * Rules: CMD-13.
 */
#ifndef MAUI_SIM_ENGINE_H
#define MAUI_SIM_ENGINE_H

#include <stdint.h>

#include "base/err.h"
#include "config/config.h"
#include "sim/cluster.h"
#include "sim/saved.h"
#include "sim/trace.h"
#include "state/statistics.h"
#include "state/usage.h"

struct maui_sim_stream;

struct maui_sim_run {
	uint64_t plans;
	uint64_t compared; /* with compare_plans: plans that decided as quick.h */
	uint64_t backfilled;
	uint64_t preempted;      /* preempted and requeued */
	int64_t first_s, last_s; /* first submit, last end */
	struct maui_usage usage; /* with fairshare on: usage at the end */
	/* how far starts came from their estimates, if these are wanted; nothing else */
	struct maui_statistics starts;
	/* jobs that never started, without those that are left out: no nodes or no window between
	 * reservations could hold them */
	uint64_t unstarted;
};

/* Called from time to time with the share of jobs that have ended. */
typedef void (*maui_sim_progress_fn)(void *data, size_t ended, size_t count);

/* What the first plan was made from, and what it decided. */
struct maui_sim_first_plan {
	const struct maui_snapshot *snapshot;
	const struct maui_standing_input *standing; /* NULL: no reservations */
	const struct maui_decisions *decisions;
	int64_t now_s;
};

struct maui_sim_options {
	/* of a trace whose jobs are read as they arrive, which quick.h suits; NULL: all are there */
	struct maui_sim_stream *stream;
	const struct maui_sim_saved *saved; /* the state at the beginning; NULL: an empty machine */
	bool want_reasons;
	bool want_nodes;     /* jobs remember their nodes */
	bool want_estimates; /* starts are estimated in each plan, as in slurmctld */
	bool polls; /* while jobs wait, a plan each RMPOLLINTERVAL besides those of events */
	maui_sim_progress_fn progress; /* NULL: none */
	void *progress_data;
	/* looks at the first plan before its starts; NULL: not called. -1 with err ends the
	 * simulation */
	int (*check)(const struct maui_sim_first_plan *first, void *arg, struct maui_err *err);
	void *check_arg;
	/* every plan is made, and the simulation ends with err at the first one that decides
	 * otherwise than quick.h */
	bool compare_plans;
};

/* Runs the trace and fills in the results of its jobs. The cluster's snapshot cannot be used
 * again. */
int maui_sim_run(struct maui_sim_cluster *cluster, struct maui_sim_trace *trace,
		 const struct maui_config *config, const struct maui_sim_options *options,
		 struct maui_sim_run *ret, struct maui_err *err);
void maui_sim_run_finish(struct maui_sim_run *run);

#endif
