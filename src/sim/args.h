/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args.h - the command line of maui-sim
 *
 * In: argc and argv. Out: what is asked for; what is wrong with it is said.
 */
#ifndef MAUI_SIM_ARGS_H
#define MAUI_SIM_ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAUI_SIM_MOST_CONFIGS 8
/* with the maui.cfg of a saved plan */
#define MAUI_SIM_MOST_RUNS (MAUI_SIM_MOST_CONFIGS + 1)

struct maui_sim_args {
	const char *trace, *sacct, *cluster, *starts, *jobs, *report, *plan, *config;
	char *plan_text; /* of the file --plan */
	size_t plan_length;
	int64_t for_s;                           /* --for; 0: not given */
	int64_t progress_s;                      /* --progress; 0: not given */
	double ends_at;                          /* --ends-at; 0: not given */
	const char *configs[MAUI_SIM_MOST_RUNS]; /* NULL: as saved in the plan */
	size_t config_count;
	int64_t procs;
	bool json, compare, quiet, estimates, polls;
};

/* Returns an exit status; *ret_done: nothing is left to do. */
int maui_sim_args_read(int argc, char **argv, struct maui_sim_args *ret, bool *ret_done);

#endif
