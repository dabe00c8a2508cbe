/* SPDX-License-Identifier: GPL-2.0-or-later */
/* results.c - figures over all jobs of a trace */

#include "sim/results.h"

#include <stdlib.h>

#include "model/when.h"
#include "sim/tally.h"

/* When what is counted of a saved plan ends: with the time that is looked at, else with the last
 * job. */
static int64_t end_of(const struct maui_sim_trace *trace)
{
	int64_t last_s = trace->from_s;

	if (trace->until_s != MAUI_NEVER)
		return trace->until_s;
	for (size_t i = 0; i < trace->count; i++)
		if (trace->jobs[i].start_s >= 0 &&
		    trace->jobs[i].start_s + trace->jobs[i].run_s > last_s)
			last_s = trace->jobs[i].start_s + trace->jobs[i].run_s;
	return last_s;
}

void maui_sim_results_make(const struct maui_sim_trace *trace, int64_t procs,
			   struct maui_sim_results *ret)
{
	int64_t last_s = trace->count > 0 ? trace->jobs[trace->count - 1].submit_s : 0;
	struct maui_sim_tally *tally =
		maui_sim_tally_create(trace, trace->until_s ? end_of(trace) : 0);

	for (size_t i = 0; i < trace->count; i++)
		maui_sim_tally_add(tally, &trace->jobs[i], last_s);
	maui_sim_tally_close(tally, procs, last_s, ret);
}

void maui_sim_results_finish(struct maui_sim_results *results)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		free(results->by[k]);
	*results = (struct maui_sim_results){ 0 };
}
