/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmconf.h - nodes and partitions of a slurm.conf, for programs without slurmctld
 *
 * The values mean what they mean to Slurm's own parser; testsuite/slurmconf compares the two.
 */
#ifndef MAUI_SLURMCONF_SLURMCONF_H
#define MAUI_SLURMCONF_SLURMCONF_H

#include "base/err.h"
#include "base/words.h"
#include "model/snapshot.h"

/* What slurmctld asks of a job of a partition before it starts it. */
struct maui_conf_limits {
	int64_t max_s; /* MaxTime; MAUI_NEVER: none */
	int64_t min_nodes, max_nodes;
};

struct maui_slurmconf {
	struct maui_snapshot *snapshot;  /* sealed, no jobs */
	struct maui_conf_limits *limits; /* of each partition */
	char **gres;                     /* names of dimensions MAUI_AMOUNT_FIXED and above */
	unsigned gres_count;
	uint32_t default_partition; /* the first one if none has Default=YES */
	bool has_default;
	bool open;               /* MaxNodeCount: slurm.conf does not name all nodes */
	struct maui_words notes; /* what is in the file and is not looked at, a sentence each */
};

/* Reads the lines of nodes, partitions, NodeSets and DownNodes of a slurm.conf and of the files
 * it includes, with their DEFAULT lines; also SelectType, SelectTypeParameters, DefMemPerNode,
 * DefMemPerCPU. Of a node: CPUs, Boards, Sockets, SocketsPerBoard, CoresPerSocket,
 * ThreadsPerCore, CoreSpecCount, CPUSpecList, RealMemory, MemSpecLimit, TmpDisk, Feature(s),
 * Weight, Gres, State (nodes in state DOWN, DRAIN, FAIL or FUTURE are never usable and not in
 * totals; a note counts them). Of a partition: Nodes, Default, State, PriorityTier,
 * PriorityJobFactor, Priority, MaxTime, DefaultTime, MinNodes, MaxNodes, DefMemPerNode,
 * DefMemPerCPU, OverSubscribe, ExclusiveUser, LLN. Jobs get whole cores unless
 * SelectTypeParameters says CR_CPU. -1 with err, where Slurm would not start either: an invalid
 * value or line, a partition with an unknown node, a node or partition with two lines. The caller
 * calls maui_slurmconf_finish() in each case. */
int maui_slurmconf_read(struct maui_slurmconf *ret, const char *path, struct maui_err *err);
void maui_slurmconf_finish(struct maui_slurmconf *conf); /* a zeroed struct is fine */

#endif
