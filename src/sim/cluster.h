/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - the simulated machine: a pool of processors, or the nodes of a slurm.conf */
#ifndef MAUI_SIM_CLUSTER_H
#define MAUI_SIM_CLUSTER_H

#include "base/err.h"
#include "sim/trace.h"
#include "slurmconf/slurmconf.h"

struct maui_sim_cluster {
	struct maui_slurmconf conf;
	bool pool; /* one node with all processors, so that jobs need no placement */
};

/* A pool of identical processors. */
int maui_sim_cluster_pool(struct maui_sim_cluster *cluster, int64_t procs, struct maui_err *err);
int maui_sim_cluster_read(struct maui_sim_cluster *cluster, const char *path, struct maui_err *err);
void maui_sim_cluster_finish(struct maui_sim_cluster *cluster);

/* The request of a job, as an index of the cluster's requests; -1 without memory. */
int64_t maui_sim_cluster_request(struct maui_sim_cluster *cluster, const struct maui_sim_job *job);

/* The partition of this name; the default partition for NULL and for an unknown name. */
uint32_t maui_sim_cluster_partition(const struct maui_sim_cluster *cluster, const char *name);

#endif
