/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk.h - walks over a job's nodes and finds its cores on each
 *
 * slurmctld's record of a job's resources (job_resrcs) has one entry for each node of the job, in
 * the order of the node table. Its cores are in one bitmap, node after node.
 */
#ifndef MAUI_SLURM_CAPTURE_WALK_H
#define MAUI_SLURM_CAPTURE_WALK_H

#include "slurm/compat.h"

/* The current node of the walk; all 0 before the first. */
struct maui_cluster_step {
	uint32_t count;      /* nodes up to this one */
	uint32_t place;      /* its place in the job's own arrays */
	int64_t index;       /* its index in the node table */
	int64_t from, cores; /* where its cores are in the job's bitmap; cores 0: not known */
	uint32_t run, left;  /* runs of nodes with the same number of cores */
};

/* Moves to the next node; false: none. `res` has a bitmap of its nodes. */
bool maui_cluster_walk(const job_resources_t *res, struct maui_cluster_step *step);

/* First set bit >= from and < end of a bitmap, quickly over gaps; -1. */
int64_t maui_cluster_next_bit(bitstr_t *bitmap, int64_t from, int64_t end);

/* Whether an array in slurmctld has so many elements. */
bool maui_cluster_has(const void *array, size_t elements, size_t size);

#endif
