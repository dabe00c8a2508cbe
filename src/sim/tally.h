/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tally.h - adds up the jobs of a simulation, so that a job that has ended may be forgotten
 *
 * Jobs are added in the order of the trace, whether all at the end or each one when it has ended:
 * then sums are the same to the last digit.
 */
#ifndef MAUI_SIM_TALLY_H
#define MAUI_SIM_TALLY_H

#include <stdint.h>

#include "sim/results.h"

struct maui_sim_tally;

/* Of the trace the tally needs what is said in its header: from_s, until_s. `end_s`: of a saved
 * plan, until when jobs wait that do not start. */
struct maui_sim_tally *maui_sim_tally_create(const struct maui_sim_trace *trace, int64_t end_s);
/* Counts the job, whose credentials' names last as long as the results. last_submit_s: the last
 * submit of the trace, or MAUI_NEVER while it is known to be no earlier than the job's end. */
void maui_sim_tally_add(struct maui_sim_tally *tally, const struct maui_sim_job *job,
			int64_t last_submit_s);
/* The figures of all jobs that were added. Destroys the tally. */
void maui_sim_tally_close(struct maui_sim_tally *tally, int64_t procs, int64_t last_submit_s,
			  struct maui_sim_results *ret);

#endif
