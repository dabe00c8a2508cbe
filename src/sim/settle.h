/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle.h - what a job of a trace is on the cluster of the simulation
 *
 * A job without a limit is planned with SYSTEMDEFAULTJOBWALLTIME, as by sched/maui, and runs as
 * long as it ran. A partition takes a job by Slurm's rules: MinNodes, MaxNodes, MaxTime, State.
 */
#ifndef MAUI_SIM_SETTLE_H
#define MAUI_SIM_SETTLE_H

#include "base/arena.h"
#include "config/config.h"
#include "sim/cluster.h"
#include "sim/trace.h"

/* Names that the job gets come from the arena, the cluster or the configuration. */
void maui_sim_settle(struct maui_sim_job *job, const struct maui_sim_cluster *cluster,
		     const struct maui_config *config, struct maui_arena *arena);

#endif
