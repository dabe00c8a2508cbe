/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shortage.h - explains why an instance misses tasks
 *
 * In: a snapshot, the input of maui_standing_place() and the instances that it returned. Out: the
 * jobs, reservations and node states that keep nodes from an instance, most nodes first, or a
 * sentence about them. Memory is the arena's.
 */
#ifndef MAUI_RESERVATION_PLACEMENT_SHORTAGE_H
#define MAUI_RESERVATION_PLACEMENT_SHORTAGE_H

#include "reservation/placement/placement.h"

/* Why an instance does not have a node. */
enum maui_holder_kind {
	MAUI_HOLDER_JOB,      /* index: of snapshot->active */
	MAUI_HOLDER_JOB_RSV,  /* index: of input->job_rsvs */
	MAUI_HOLDER_INSTANCE, /* index: of the instances */
	MAUI_HOLDER_CLAIM,    /* index: of snapshot->claims, Slurm's reservations */
	MAUI_HOLDER_DOWN,     /* nodes that are not usable */
	MAUI_HOLDER_SMALL,    /* nodes that are too small for a task, or for TPN of them */
	MAUI_HOLDER_DEPTH,    /* nodes with RESDEPTH reservations */
	MAUI_HOLDER_NO_NODE,  /* no node has the host name, features and partition */
	MAUI_HOLDER_CAPACITY, /* all nodes together are too small for the tasks */
};

struct maui_holder {
	enum maui_holder_kind kind;
	uint32_t index;
	uint32_t nodes; /* number of such nodes that could serve; 0 for NO_NODE, CAPACITY */
	uint32_t node;  /* the first of these nodes */
	/* jobs and job reservations: how many of these nodes no reservation holds */
	uint32_t unreserved;
	int64_t tasks; /* CAPACITY: tasks that all nodes together take */
};

/* Lists why the instance does not have nodes that could serve it: most nodes first, but CAPACITY
 * before all others. -1 without memory. */
int maui_standing_holders(const struct maui_snapshot *snapshot,
			  const struct maui_standing_input *input,
			  const struct maui_rsv_instance *list, uint32_t count, uint32_t instance,
			  int64_t now_s, struct maui_arena *arena, struct maui_holder **ret,
			  uint32_t *ret_count);

/* A sentence about an instance that misses tasks: "2 of 6 tasks missing: job 17 holds 3 nodes (n4
 * ...), ...; raise DEPTH of SRCFG[biz]". Names the first `most` holders. NULL without memory. */
const char *maui_standing_explain(const struct maui_snapshot *snapshot,
				  const struct maui_standing_input *input,
				  const struct maui_rsv_instance *list, uint32_t count,
				  uint32_t instance, int64_t now_s, uint32_t most,
				  struct maui_arena *arena);

/* Only the sentences of this many instances, those that begin first, name holders, because finding
 * holders visits all jobs and reservations for each instance. The other sentences have the number
 * of missing tasks only. */
enum { MAUI_STANDING_EXPLAINED = 100 };

/* A sentence for each instance that misses tasks, NULL for the others. The arena gets only the
 * sentences and the list. NULL without memory. */
const char **maui_standing_explain_all(const struct maui_snapshot *snapshot,
				       const struct maui_standing_input *input,
				       const struct maui_rsv_instance *list, uint32_t count,
				       int64_t now_s, uint32_t most, struct maui_arena *arena);

/* Whether the reservation names no partition, or one that is there. */
bool maui_standing_has_partition(const struct maui_snapshot *s, const struct maui_rsv *rsv);

#endif
