/* SPDX-License-Identifier: GPL-2.0-or-later */
/* warnings.h - what maui-sim says on the standard error of a workload, a policy and a machine that
 * do not suit each other
 *
 * Rules: CMD-13.
 */
#ifndef MAUI_SIM_WARNINGS_H
#define MAUI_SIM_WARNINGS_H

#include "sim/cluster.h"
#include "sim/report.h"

/* Of what this machine, or any simulation, cannot do of the policy. */
void maui_sim_warn_of_policy(const struct maui_config *config,
			     const struct maui_snapshot *snapshot);
/* Of NODEACCESSPOLICY and DEDICATED on a pool. */
void maui_sim_warn_of_sharing(const char *config_path);
/* Of what slurm.conf says and no simulation does, and of jobs that run elsewhere than the trace
 * says. */
void maui_sim_warn_of_cluster(const char *slurm_conf, const struct maui_sim_trace *trace,
			      const struct maui_sim_cluster *cluster);
/* Of partitions in which no job started. True: no job of the workload started at all. */
bool maui_sim_warn_of_starts(const struct maui_sim_outcome *outcome,
			     const struct maui_sim_cluster *cluster);

#endif
