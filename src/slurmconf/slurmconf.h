/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.h - nodes and partitions of a slurm.conf, for programs that run without slurmctld */
#ifndef MAUI_SLURMCONF_SLURMCONF_H
#define MAUI_SLURMCONF_SLURMCONF_H

#include "base/err.h"
#include "model/snapshot.h"

struct maui_slurmconf {
	struct maui_snapshot *snapshot; /* sealed, no jobs */
	char **gres;                    /* names of the dimensions from MAUI_AMOUNT_FIXED on */
	unsigned gres_count;
	uint32_t default_partition;
	bool open; /* NodeSet or MaxNodeCount: slurm.conf alone does not name all nodes */
};

/* NodeName and PartitionName lines of a slurm.conf and the files it includes, their DEFAULT ones
 * included. Read of a node: CPUs (else Boards x Sockets, or SocketsPerBoard, x CoresPerSocket x
 * ThreadsPerCore), CoreSpecCount, RealMemory, MemSpecLimit, TmpDisk, Feature(s), Weight, Gres,
 * State (DOWN, DRAIN, FAIL, FUTURE: not used); of a partition: Nodes, Default, PriorityTier,
 * PriorityJobFactor. Processors are given out by core unless SelectTypeParameters says CR_CPU.
 * -1 with err: `ret` is for maui_slurmconf_finish() all the same. */
int maui_slurmconf_read(struct maui_slurmconf *ret, const char *path, struct maui_err *err);
void maui_slurmconf_finish(struct maui_slurmconf *conf); /* a zeroed struct is fine */

#endif
