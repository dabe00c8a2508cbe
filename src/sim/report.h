/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - what maui-sim writes */
#ifndef MAUI_SIM_REPORT_H
#define MAUI_SIM_REPORT_H

#include <json-c/json.h>
#include <stdio.h>

#include "config/config.h"
#include "sim/engine.h"
#include "sim/results.h"
#include "sim/trace.h"

/* One policy's simulation. */
struct maui_sim_outcome {
	const char *config_path;
	const struct maui_config *config;
	const struct maui_sim_trace *trace;
	const struct maui_sim_run *run;
	struct maui_sim_results results;
};

/* "index submit start run procs" a line, in submit order; jobs that did not start are left out. */
void maui_sim_write_starts(FILE *out, const struct maui_sim_trace *trace);
/* "job user submit promise start end nodes procs why" a line; promise is the start of the job's
 * first reservation; "-" for what there is not. */
void maui_sim_write_jobs(FILE *out, const struct maui_sim_trace *trace);

void maui_sim_print_summary(FILE *out, const struct maui_sim_outcome *outcome);
/* Several policies on the same jobs, side by side. */
void maui_sim_print_comparison(FILE *out, const struct maui_sim_outcome *outcomes, size_t count);

/* Fairshare at the end, of one credential of the trace. */
struct maui_sim_share {
	struct maui_fs_target target; /* its own, or its kind's DEFAULT */
	double used;                  /* decayed, in the metric of FSPOLICY */
	double percent;               /* of all usage */
};
/* false: fairshare is off, or it has no target. */
bool maui_sim_share_of(const struct maui_sim_outcome *outcome, enum maui_cred_kind kind,
		       const char *name, struct maui_sim_share *ret);

/* The caller's; NULL without memory. */
json_object *maui_sim_outcome_json(const struct maui_sim_outcome *outcome);

#endif
