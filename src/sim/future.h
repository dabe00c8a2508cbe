/* SPDX-License-Identifier: GPL-2.0-or-later */
/* future.h - what comes after a saved plan, under one maui.cfg
 *
 * In: the text of a saved plan, a configuration (of the plan itself, or another), and a change of
 * the state to begin with. Out: an outcome as of any simulation.
 *
 * Rules: CMD-36.
 */
#ifndef MAUI_SIM_FUTURE_H
#define MAUI_SIM_FUTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/err.h"
#include "sim/engine.h"
#include "sim/report.h"

struct maui_sim_question {
	const char *text; /* maui.snapshot.v1 */
	size_t length;
	const char *label;          /* of the outcome: a path of maui.cfg */
	struct maui_config *config; /* NULL: as saved; a reference is taken */
	int64_t for_s;              /* from the plan's moment; 0: until nothing happens */
	double ends_at;             /* as in sim/saved.h; 0: at the limit */
	struct maui_sim_options options;
	/* changes the state to begin with; NULL: not changed. -1 with err. The snapshot is
	 * sealed, and has room for more jobs. */
	int (*change)(struct maui_saved_plan *plan, void *arg, struct maui_err *err);
	void *arg;
};

struct maui_sim_future {
	struct maui_sim_saved saved;
	struct maui_sim_cluster cluster;
	struct maui_sim_trace trace;
	struct maui_sim_run run;
	struct maui_config *config;
	struct maui_sim_outcome outcome;
};

/* -1 with err; the caller calls maui_sim_future_finish() in each case. */
int maui_sim_future_run(const struct maui_sim_question *question, struct maui_sim_future *ret,
			struct maui_err *err);
void maui_sim_future_finish(struct maui_sim_future *future);

#endif
