/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - the simulated machine: a pool of processors, or the nodes of a slurm.conf */
#ifndef MAUI_SIM_CLUSTER_H
#define MAUI_SIM_CLUSTER_H

#include "base/err.h"
#include "config/config.h"
#include "sim/trace.h"
#include "slurmconf/slurmconf.h"

struct maui_sim_cluster {
	struct maui_slurmconf conf;
	bool pool; /* one node with all processors, so that jobs need no placement */
};

/* A pool of identical processors. */
int maui_sim_cluster_pool(struct maui_sim_cluster *cluster, int64_t procs, struct maui_err *err);
/* Lets the jobs of a pool share it, whatever NODEACCESSPOLICY and DEDICATED say of nodes: a pool
 * has none that one job could have for itself. Returns whether maui.cfg said so. */
bool maui_sim_cluster_share_pool(const struct maui_sim_cluster *cluster,
				 struct maui_config *config);
int maui_sim_cluster_read(struct maui_sim_cluster *cluster, const char *path, struct maui_err *err);
void maui_sim_cluster_finish(struct maui_sim_cluster *cluster);

/* The request of a job in the partition, as an index of the cluster's requests; -1 without
 * memory. */
int64_t maui_sim_cluster_request(struct maui_sim_cluster *cluster, uint32_t partition,
				 const struct maui_sim_job *job);

/* Sets the machine's totals.gres: all gres by GRESCFG WEIGHT. */
void maui_sim_cluster_weigh(struct maui_sim_cluster *cluster, const struct maui_config *config);
/* Sets the gpus and gres of a job that has neither. */
void maui_sim_cluster_gres(const struct maui_sim_cluster *cluster, const struct maui_config *config,
			   const struct maui_sim_job *job, struct maui_job *ret);

/* The partition of this name, or the first one that exists of a list "batch,fast"; the default
 * partition for NULL and for unknown names. `ret_known`: false for unknown names; NULL is fine. */
uint32_t maui_sim_cluster_partition(const struct maui_sim_cluster *cluster, const char *name,
				    bool *ret_known);

#endif
