/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_usage.h - what a job adds to the usage of its association and QOS, and when that is reset
 *
 * Pure arithmetic of slurm.conf's PriorityDecayHalfLife and PriorityUsageResetPeriod. The records
 * are slurm/associations/.
 *
 * Rules: FS-13, THR-18.
 */
#ifndef MAUI_POLICY_SLURM_USAGE_H
#define MAUI_POLICY_SLURM_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/* What remains of usage after one second; 1: all of it. half_life_s 0: usage does not decay. */
double maui_slurm_usage_decay(uint32_t half_life_s);

/* PriorityUsageResetPeriod. */
enum maui_reset_period {
	MAUI_RESET_NONE,
	MAUI_RESET_DAILY,
	MAUI_RESET_WEEKLY, /* on Sunday */
	MAUI_RESET_MONTHLY,
	MAUI_RESET_QUARTERLY,
	MAUI_RESET_YEARLY,
};

/* The midnight, local time, that ends the period of `last_s`; of several days or weeks that have
 * passed since, the last one. 0: NONE. */
int64_t maui_slurm_usage_next_reset(enum maui_reset_period period, int64_t last_s, int64_t now_s);

/* One job, between two moments at which usage is counted. */
struct maui_slurm_usage_job {
	int64_t start_s;
	int64_t end_s;       /* 0: it runs */
	int64_t limit_end_s; /* start and time limit: so much was added to the run-seconds */
	int64_t due_end_s; /* when slurmctld will end it; later than the limit with OverTimeLimit */
	int64_t back_from_s; /* run-seconds before this have come back; 0: none have */
	/* it ends, is requeued or changes its size: all its run-seconds come back */
	bool over;
};

struct maui_slurm_usage_span {
	double ran_s, decayed_s; /* run time, without and with decay */
	uint64_t back_s;         /* of its run-seconds, those that come back */
};

/* Run time from the last count (0: never) until now. */
struct maui_slurm_usage_span maui_slurm_usage_span(const struct maui_slurm_usage_job *job,
						   int64_t last_s, int64_t now_s, double decay);

#endif
