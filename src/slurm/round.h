/* SPDX-License-Identifier: GPL-2.0-or-later */
/* round.h - the agent's rounds and the end of slurmctld
 *
 * When slurmctld shuts down it saves its state, unless a thread has its locks at that moment. So no
 * round begins any more. Since 25.11 slurmctld first waits until bf_active is 0, which under
 * sched/maui says that a round goes on. With any Slurm no old jobs are purged meanwhile.
 */
#ifndef MAUI_SLURM_ROUND_H
#define MAUI_SLURM_ROUND_H

#include <stdbool.h>

/* Whether slurmctld is about to end. A failed takeover or reconfigure may change that. */
bool maui_slurmctld_is_ending(void);

/* Begins a round; false: slurmctld is about to end. `schedules`: SchedulerType is sched/maui;
 * otherwise bf_active is another scheduler's. End the round with the same value. Call both without
 * slurmctld's locks and ours. */
bool maui_round_begin(bool schedules);
void maui_round_end(bool schedules);

#endif
