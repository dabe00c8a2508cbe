/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - the machine of a simulation: a pool of processors, or nodes out of a slurm.conf */
#ifndef MAUI_SLURMCONF_CLUSTER_H
#define MAUI_SLURMCONF_CLUSTER_H

#include "base/err.h"
#include "model/snapshot.h"
#include "sim/trace.h"

struct maui_sim_cluster {
	struct maui_snapshot *snapshot; /* sealed, no jobs */
	bool pool;                      /* one node with all processors: jobs are spread at will */
	char **gres;                    /* names of the dimensions from MAUI_AMOUNT_FIXED on */
	unsigned gres_count;
	uint32_t default_partition;
	bool open; /* slurm.conf alone does not tell all nodes or whose they
					   are: NodeSet, MaxNodeCount */
};

/* A pool of so many identical processors. */
int maui_sim_cluster_pool(struct maui_sim_cluster *cluster, int64_t procs, struct maui_err *err);

/* NodeName and PartitionName lines of a slurm.conf and the files it includes, their DEFAULT ones
 * included. Read of a node: CPUs (else Boards x Sockets, or SocketsPerBoard, x CoresPerSocket x
 * ThreadsPerCore), CoreSpecCount, RealMemory,
 * MemSpecLimit, TmpDisk, Feature(s), Weight, Gres, State (DOWN, DRAIN, FAIL, FUTURE: not used); of
 * a partition: Nodes, Default, PriorityTier, PriorityJobFactor. Processors are given out by core
 * unless SelectTypeParameters says CR_CPU. */
int maui_sim_cluster_read(struct maui_sim_cluster *cluster, const char *path, struct maui_err *err);

void maui_sim_cluster_finish(struct maui_sim_cluster *cluster);

/* What a job asks for, as an index of the cluster's requests; -1 without memory. */
int64_t maui_sim_cluster_request(struct maui_sim_cluster *cluster, const struct maui_sim_job *job);

/* Index of the partition called so; the default one for NULL and for a name that is none. */
uint32_t maui_sim_cluster_partition(const struct maui_sim_cluster *cluster, const char *name);

#endif
