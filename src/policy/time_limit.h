/* SPDX-License-Identifier: GPL-2.0-or-later */
/* time_limit.h - the time limit of a job that names none
 *
 * In: what the job names, what slurm.conf says of its partition, DEFAULT.WCLIMIT of its class and
 * SYSTEMDEFAULTJOBWALLTIME. Out: the limit that priorities and plans use, and where it comes from.
 *
 * Rules: PRIO-18.
 */
#ifndef MAUI_POLICY_TIME_LIMIT_H
#define MAUI_POLICY_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

struct maui_config;
struct maui_partition;

struct maui_time_limit {
	int64_t seconds;
	/* the parameter that it comes from: "SYSTEMDEFAULTJOBWALLTIME"; NULL: the job names it */
	const char *from;
};

/* `named`: the job names a limit. `slurm_s`: the limit by Slurm, that is the job's own, else
 * DefaultTime of its partition, else MaxTime; 0: none, or UNLIMITED. */
int64_t maui_time_limit_of(const struct maui_config *config, const char *class, bool named,
			   int64_t slurm_s);

/* Of a hypothetical job. `asked_s`: 0: it names none; MAUI_NEVER: UNLIMITED. */
struct maui_time_limit maui_time_limit_in(const struct maui_config *config,
					  const struct maui_partition *partition, int64_t asked_s);

#endif
