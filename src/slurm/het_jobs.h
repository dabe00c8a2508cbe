/* SPDX-License-Identifier: GPL-2.0-or-later */
/* het_jobs.h - HETJOBS: slurmctld accepts het jobs under sched/maui, and we start them
 *
 * slurmctld accepts het jobs only if SchedulerType is sched/backfill. It looks once, at the first
 * request for a het job, and remembers the answer. slurm-maui sends an empty request first, which
 * slurmctld refuses, and slurm_conf has that name for the duration of the request.
 *
 * Rules: HET-1.
 */
#ifndef MAUI_SLURM_HET_JOBS_H
#define MAUI_SLURM_HET_JOBS_H

#include <stdbool.h>

/* Sends the request. Only while slurmctld loads sched/maui: later, users' requests may have come
 * before. false: this Slurm cannot be asked, and refuses het jobs. */
bool maui_het_jobs_open(void);

/* Whether the components of het jobs start. Any thread. */
void maui_het_jobs_set(bool start);
bool maui_het_jobs_start(void);

#endif
