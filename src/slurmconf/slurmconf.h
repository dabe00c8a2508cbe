/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.h - nodes and partitions of a slurm.conf, for programs without slurmctld */
#ifndef MAUI_SLURMCONF_SLURMCONF_H
#define MAUI_SLURMCONF_SLURMCONF_H

#include "base/err.h"
#include "model/snapshot.h"

struct maui_slurmconf {
	struct maui_snapshot *snapshot; /* sealed, no jobs */
	char **gres;                    /* names of dimensions MAUI_AMOUNT_FIXED and above */
	unsigned gres_count;
	uint32_t default_partition;
	bool open; /* NodeSet or MaxNodeCount: slurm.conf does not name all nodes */
};

/* Reads the NodeName and PartitionName lines of a slurm.conf and of the files it includes, with
 * their DEFAULT lines. Of a node: CPUs (otherwise Boards x Sockets, or SocketsPerBoard, x
 * CoresPerSocket x ThreadsPerCore), CoreSpecCount, RealMemory, MemSpecLimit, TmpDisk,
 * Feature(s), Weight, Gres, State (nodes in state DOWN, DRAIN, FAIL or FUTURE are never usable).
 * Of a partition: Nodes, Default, PriorityTier, PriorityJobFactor. Jobs get whole cores unless
 * SelectTypeParameters says CR_CPU. -1 with err; the caller calls maui_slurmconf_finish() in
 * each case. */
int maui_slurmconf_read(struct maui_slurmconf *ret, const char *path, struct maui_err *err);
void maui_slurmconf_finish(struct maui_slurmconf *conf); /* a zeroed struct is fine */

#endif
