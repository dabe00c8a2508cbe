/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_scheduler.h - makes sched/maui the only scheduler that starts jobs
 *
 * slurmctld itself starts jobs in two places: at the submission of srun and salloc, and in its
 * main loop. SchedulerParameters=defer turns off the first, scheduling_disabled the second.
 * slurm-maui sets both, over slurm.conf.
 *
 * Rules: CMD-12.
 */
#ifndef MAUI_SLURM_SOLE_SCHEDULER_H
#define MAUI_SLURM_SOLE_SCHEDULER_H

#include <stdbool.h>

#include "base/diag.h"

/* Adds an error for each setting of slurm.conf that sched/maui refuses. Under conf READ at
 * least. */
void maui_sole_scheduler_check(struct maui_diags *diags);

/* Whether this load is a reconfigure of a slurmctld that runs: a refusal would end it. */
bool maui_sole_scheduler_is_reconfigure(void);

/* Sets both, at the load and again after each reconfigure. Under conf WRITE, as slurmctld calls
 * init() and sched_p_reconfig(). */
void maui_sole_scheduler_claim(void);

/* When the plugin is unloaded: scheduling_disabled is as before the claim. A backup controller
 * that gives up control unloads the plugin, and loads it again when it takes over. */
void maui_sole_scheduler_release(void);

/* Whether jobs may start: not when slurmctld itself must not schedule (a backup with
 * no_backup_scheduling), nor in a federation. */
bool maui_sole_scheduler_may_start(void);

#endif
