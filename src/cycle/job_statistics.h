/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_statistics.h - counts each job once that has started, and once that has ended
 *
 * slurmctld keeps the record of a job for MinJobAge after its end, so a cycle sees the end. The
 * job's history remembers that the job is counted, also over a restart. slurmctld gives a requeued
 * job a new submit time, with which maui_job_histories_get() begins a new history: each run counts.
 * Jobs that ended before the statistics began, and jobs that never ran, do not count.
 *
 * Rules: CMD-28, CMD-67, CMD-69.
 */
#ifndef MAUI_CYCLE_JOB_STATISTICS_H
#define MAUI_CYCLE_JOB_STATISTICS_H

#include "config/config.h"
#include "cycle/job_history.h"
#include "model/captured.h"
#include "state/statistics.h"

/* The job has started: counts how far its start came from what was expected, and how long it
 * waited, once for each run. `cred`: of the partition in which it runs;
 * `known`: which of them have a name, whether maui.cfg has them or not. -1 without memory. */
int maui_job_statistics_count_start(struct maui_statistics *statistics,
				    const struct maui_config *config,
				    struct maui_job_history *history,
				    const struct maui_captured_job *captured,
				    const char *const *cred, unsigned known);

/* -1 without memory. limit_s: the job's time limit; 0: none. */
int maui_job_statistics_count(struct maui_statistics *statistics, const struct maui_config *config,
			      struct maui_job_history *history,
			      const struct maui_captured_job *captured, const char *const *cred,
			      unsigned known, double limit_s);

#endif
