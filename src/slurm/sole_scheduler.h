/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sole_scheduler.h - sched/maui is the only one that starts jobs
 *
 * slurmctld starts jobs itself in two places besides the scheduler plugin: at the submission of
 * srun and salloc, and in its main loop. SchedulerParameters=defer keeps it from the first,
 * scheduling_disabled from the second. Both are set here, whatever slurm.conf says.
 *
 * Rules: CMD-12.
 */
#ifndef MAUI_SLURM_SOLE_SCHEDULER_H
#define MAUI_SLURM_SOLE_SCHEDULER_H

#include <stdbool.h>

#include "base/err.h"

/* What sched/maui cannot live with: defer_batch (since 23.02 it lets srun start jobs), federation,
 * gang scheduling (several jobs a processor in turns), Slurm's own preemption (it happens inside
 * select_nodes(), for nodes that a plan would never ask for). -1 and the reason. Under conf READ at
 * least. */
int maui_sole_scheduler_check(struct maui_err *err);

/* Whether this load is a reconfigure of a slurmctld that runs: a refusal would end it. */
bool maui_sole_scheduler_is_reconfigure(void);

/* Sets both, at the load and again after each reconfigure. Under conf WRITE, as slurmctld calls
 * init() and sched_p_reconfig(). */
void maui_sole_scheduler_claim(void);

/* When the plugin goes: scheduling_disabled is as it was before the claim. A backup that gives up
 * control unloads us and loads us anew when it takes over again. */
void maui_sole_scheduler_release(void);

/* Whether jobs may be started at all: not when slurmctld itself was told not to (a backup with
 * no_backup_scheduling), nor as a member of a federation. */
bool maui_sole_scheduler_may_start(void);

#endif
