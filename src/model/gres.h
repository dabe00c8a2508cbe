/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.h - generic resources that a job requests on each node, as sbatch --gres writes them
 *
 *   gpu            one gpu
 *   gpu:2          two
 *   gpu:a100:2     two of a type
 *   gpu:2,nvme:1   both
 *   none           nothing
 */
#ifndef MAUI_MODEL_GRES_H
#define MAUI_MODEL_GRES_H

#include "base/err.h"
#include "model/snapshot.h"

/* What users call the dimension if it is a generic resource of nodes: "gpu", "gpu:a100". NULL: it
 * is something else. */
const char *maui_gres_name(const struct maui_snapshot *s, unsigned dimension);

/* Whether "gpu:a100" is a type of "gpu". */
bool maui_gres_is_type_of(const char *type, const char *name);

/* Adds what `text` (NULL, "none": nothing) requests to `per_node`, a vector of the snapshot's
 * dimensions. As everywhere in a snapshot, a type counts for its name as well. Of an item that is
 * repeated the last count holds, as in sbatch. -1 with err: not such a text, or no node of the
 * snapshot has such a resource. */
int maui_gres_add(const struct maui_snapshot *s, const char *text, int64_t *per_node,
		  struct maui_err *err);

/* What a node has of a resource that jobs do not use up (no_consume): more than any job asks for */
enum { MAUI_GRES_UNCOUNTED = INT32_MAX };

/* Nodes that can each give as many of a resource to one job. */
struct maui_gres_step {
	uint64_t each, nodes;
};

/* What a partition's nodes can give of a resource at most: the largest first, none that give
 * nothing. */
struct maui_gres_supply {
	const struct maui_gres_step *steps; /* the arena's */
	uint32_t count;
};

/* Processors and memory of a node that each unit of the resource takes along (--cpus-per-gpu,
 * --mem-per-gpu); 0: none. */
struct maui_gres_along {
	uint64_t procs, memory;
};

/* Lists the supply of a partition. The work is in proportion to the snapshot's node classes. -1
 * without memory. */
int maui_gres_supply(const struct maui_snapshot *s, uint32_t partition, unsigned dimension,
		     struct maui_gres_along along, struct maui_arena *arena,
		     struct maui_gres_supply *ret);

/* A count for the whole job (sbatch --gpus) as a plan deals it out; slurmctld may deal otherwise
 * when it starts the job. */
struct maui_gres_share {
	uint64_t by_task, by_node; /* one of them is 0 */
	uint32_t nodes_min;        /* nodes that the job needs at least */
	bool inexact;              /* no equal shares: one of each node is the least */
	bool uneven; /* equal shares, but Slurm may deal others: one of each node is the least */
};

/* Several tasks take equal shares, if the count can be divided so and all nodes that have any can
 * be used up by such shares. Else the nodes take equal shares, rounded up: as many nodes as the job
 * asks for at least, or more, up to nodes_max (0: any number), if these have too little. Where
 * nodes differ there are no equal shares. Shares are even for sure on a single node, and where the
 * job needs all that its nodes can have. */
struct maui_gres_share maui_gres_deal(uint64_t count, const struct maui_gres_supply *supply,
				      uint64_t tasks, uint32_t nodes_min, uint32_t nodes_max);

/* What a request with the share asks for: raises request->nodes_min and marks the request. With
 * `least` the least that a start needs (maui_request.least_request). */
struct maui_gres_share maui_gres_use_share(struct maui_gres_share share, bool least,
					   struct maui_request *request);

/* Deals out `counts`, a vector of what the whole job asks for in the partition, which becomes
 * request->per_job, and adds to the two vectors, as maui_gres_use_share() does. -1 without
 * memory. */
int maui_gres_deal_all(const struct maui_snapshot *s, uint32_t partition, const int64_t *counts,
		       bool least, struct maui_request *request, int64_t *per_node,
		       int64_t *per_task);

#endif
