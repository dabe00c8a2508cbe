/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.h - the output of maui-sim */
#ifndef MAUI_SIM_REPORT_H
#define MAUI_SIM_REPORT_H

#include <stdio.h>

#include "config/config.h"
#include "sim/engine.h"
#include "sim/results.h"
#include "sim/trace.h"

struct maui_statistics_estimate;

/* The simulation of one policy. */
struct maui_sim_outcome {
	const char *config_path;
	const struct maui_config *config;
	const struct maui_sim_trace *trace;
	const struct maui_sim_run *run;
	struct maui_sim_results results;
};

/* Writes "index submit start run procs", one line for each started job, in submit order; the line
 * of one job. */
#define MAUI_SIM_STARTS_TITLE "# index submit start run procs\n"
void maui_sim_write_starts(FILE *out, const struct maui_sim_trace *trace);
void maui_sim_write_start(FILE *out, const struct maui_sim_job *job);
/* Writes "job user submit reserved start end nodes procs why", one line for each job. reserved:
 * the start of the job's first reservation; "-": no value. */
void maui_sim_write_jobs(FILE *out, const struct maui_sim_trace *trace);

/* How far starts came from their estimates; no row if these were not wanted. */
const struct maui_statistics_estimate *maui_sim_list_estimates(
	struct maui_arena *arena, const struct maui_sim_outcome *outcome, size_t *ret_count);

/* The same as a table; of no row nothing. */
void maui_sim_print_estimates(const struct maui_sim_outcome *outcome);

void maui_sim_print_summary(const struct maui_sim_outcome *outcome);
/* Prints several policies with the same jobs, side by side. */
void maui_sim_print_comparison(const struct maui_sim_outcome *outcomes, size_t count);

/* Fairshare of one credential of the trace at the end. */
struct maui_sim_share {
	struct maui_fs_target target; /* of the credential, or its kind's DEFAULT */
	double used;                  /* decayed, in the metric of FSPOLICY */
	double percent;               /* share of all usage */
};
/* False: fairshare is off, or the credential has no target. */
bool maui_sim_share_of(const struct maui_sim_outcome *outcome, enum maui_cred_kind kind,
		       const char *name, struct maui_sim_share *ret);

#endif
