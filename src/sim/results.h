/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results.h - the figures of a simulation */
#ifndef MAUI_SIM_RESULTS_H
#define MAUI_SIM_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/trace.h"

/* Figures of all jobs, or of the jobs of one credential. */
struct maui_sim_figures {
	const char *name; /* NULL: all */
	uint64_t jobs;    /* jobs that started */
	uint64_t waiting; /* of a saved plan: that did not, and count as waits until the end */
	double wait_mean_s, bounded_slowdown, accuracy; /* accuracy: run time / limit,
							 * of jobs that have one */
	int64_t wait_p50_s, wait_p95_s, wait_max_s;
	double proc_seconds;
};

struct maui_sim_results {
	struct maui_sim_figures all;
	struct maui_sim_figures *by[MAUI_CRED_COUNT]; /* for each credential, by name */
	size_t by_count[MAUI_CRED_COUNT];
	/* of the machine, between first and last submit; of a saved plan between its moment and
	 * the end of the time that is looked at (none: of the last job) */
	double utilisation;
	int64_t procs;
	uint64_t without_limit; /* jobs of a trace that have no time limit */
	/* of a saved plan: jobs that are not simulated, by reason, and in no figure */
	uint64_t left_out[MAUI_REASON_COUNT];
};

/* Computes the figures. Bounded slowdown: mean of max(1, (wait + run) / max(run, 10)).
 * Percentile p: the value at index floor(n * p) of n values in ascending order. */
void maui_sim_results_make(const struct maui_sim_trace *trace, int64_t procs,
			   struct maui_sim_results *ret);
void maui_sim_results_finish(struct maui_sim_results *results);

#endif
