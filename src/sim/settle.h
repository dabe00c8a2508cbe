/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle.h - what the jobs of a trace are on a cluster: partition, time limit, and whether the
 * partition takes them
 *
 * Before this a job has what the source says; afterwards one class, and a limit to plan with.
 *
 * Rules: CMD-13, PRIO-18.
 */
#ifndef MAUI_SIM_SETTLE_H
#define MAUI_SIM_SETTLE_H

#include "sim/cluster.h"

void maui_sim_settle(struct maui_sim_trace *trace, const struct maui_sim_cluster *cluster,
		     const struct maui_config *config);

#endif
