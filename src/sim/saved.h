/* SPDX-License-Identifier: GPL-2.0-or-later */
/* saved.h - a saved plan as the beginning of a simulation
 *
 * In: maui.snapshot.v1. Out: a cluster whose snapshot has the jobs of that moment, and a trace that
 * names each of them: running jobs end at their limits (or at a fraction of them), waiting ones run
 * as long. Each task of an array is a job of its own. sim/conditions.h says when jobs become
 * eligible.
 *
 * Rules: CMD-36.
 */
#ifndef MAUI_SIM_SAVED_H
#define MAUI_SIM_SAVED_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/cluster.h"
#include "sim/trace.h"
#include "state/saved_plan/saved_plan.h"

struct maui_sim_saved {
	struct maui_saved_plan plan;
	double ends_at;  /* when jobs end, as a part of their limits: above 0, at most 1 */
	int64_t until_s; /* the simulation ends then; MAUI_NEVER: when nothing happens any more */
};

/* Makes cluster and trace of a plan that was read; they take over its snapshot. -1 with err; the
 * caller finishes all three in each case. */
int maui_sim_saved_begin(struct maui_sim_saved *saved, struct maui_sim_cluster *cluster,
			 struct maui_sim_trace *trace, struct maui_err *err);

/* The job of the trace with this number; -1: none. */
int64_t maui_sim_saved_find(const struct maui_sim_trace *trace, uint64_t number);

/* How long a job with this limit runs. */
int64_t maui_sim_saved_run(const struct maui_sim_saved *saved, int64_t limit_s);

#endif
