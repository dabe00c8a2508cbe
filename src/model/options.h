/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.h - what a user names for a job that is not submitted, as a request in a partition
 *
 * For questions about a hypothetical job: fits, showbf, showstart, whatif, and for the jobs of
 * maui-sim. The partition gives what the options leave open, as slurmctld does at a submit
 * (src/slurm/request reads the requests of real jobs from slurmctld's records, which have it).
 *
 * Rules: CMD-41, CMD-53.
 */
#ifndef MAUI_MODEL_OPTIONS_H
#define MAUI_MODEL_OPTIONS_H

#include "model/snapshot.h"

struct maui_job_options {
	/* 0: not named; all but the tasks at most UINT32_MAX */
	int64_t nodes, nodes_max, tasks, cpus_per_task;
	bool whole_nodes; /* --exclusive */
	/* MB of each node and of each processor; both 0: all memory of its nodes (--mem=0) */
	bool memory_named;
	int64_t mem, mem_per_cpu;
	/* vectors of the snapshot's dimensions: of each node, of the whole job; NULL: none */
	const int64_t *gres, *gpus;
	bool least; /* of --gpus the least that a start needs, where Slurm may deal them unevenly */
	const char *features; /* NULL, "": none */
	/* the claim of a Slurm reservation that the job names; NULL: it names none */
	const uint32_t *claim;
};

/* Sets `ret` for a job of the partition. Its vectors are the arena's, its features and claim those
 * of the options. -1 without memory. */
int maui_options_request(const struct maui_snapshot *s, uint32_t partition,
			 const struct maui_job_options *options, struct maui_arena *arena,
			 struct maui_request *ret);

/* The claim of the Slurm reservation of this name. false: it has no nodes, or there is none. */
bool maui_options_find_claim(const struct maui_snapshot *s, const char *name, uint32_t *ret);

#endif
