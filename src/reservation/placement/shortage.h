/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shortage.h - what holds the nodes that an instance misses
 *
 * In: a snapshot, the input of maui_standing_place() and the instances that it returned. Out: the
 * jobs, reservations and node states that keep nodes from an instance, most nodes first, or a text
 * about them. Memory is the arena's.
 */
#ifndef MAUI_RESERVATION_PLACEMENT_SHORTAGE_H
#define MAUI_RESERVATION_PLACEMENT_SHORTAGE_H

#include "reservation/placement/placement.h"

/* What keeps nodes from an instance that misses some. */
enum maui_holder_kind {
	MAUI_HOLDER_JOB,      /* index: of snapshot->active */
	MAUI_HOLDER_PROMISE,  /* index: of input->promises */
	MAUI_HOLDER_INSTANCE, /* index: of the instances */
	MAUI_HOLDER_CLAIM,    /* index: of snapshot->claims, Slurm's */
	MAUI_HOLDER_DOWN,     /* nodes that are not usable */
	MAUI_HOLDER_SMALL,    /* nodes that are too small for a task, or for TPN of them */
	MAUI_HOLDER_DEPTH,    /* nodes with RESDEPTH reservations */
	MAUI_HOLDER_NO_NODE,  /* no node is listed, has its features and is in its partition */
	MAUI_HOLDER_ROOM,     /* there is not room for all of its tasks, whoever holds nodes */
};

struct maui_holder {
	enum maui_holder_kind kind;
	uint32_t index;
	uint32_t nodes; /* on so many of those that could serve; 0 for NO_NODE, ROOM */
	uint32_t node;  /* the first of them */
	int64_t tasks;  /* ROOM: for so many there is */
};

/* Holders of the nodes that the instance could use and has not got all of, most nodes first; ROOM
 * before them.
 * `list` is what maui_standing_place() returned. Memory is the arena's. -1 without. */
int maui_standing_holders(const struct maui_snapshot *snapshot,
			  const struct maui_standing_input *input,
			  const struct maui_rsv_instance *list, uint32_t count, uint32_t instance,
			  int64_t now_s, struct maui_arena *arena, struct maui_holder **ret,
			  uint32_t *ret_count);

/* What to tell of an instance that misses some: "2 of 6 tasks missing: job 17 holds 3 nodes (n4
 * ...), ...; raise DEPTH of SRCFG[biz]". Names the first `most` holders. The text is the arena's;
 * NULL without memory. */
const char *maui_standing_explain(const struct maui_snapshot *snapshot,
				  const struct maui_standing_input *input,
				  const struct maui_rsv_instance *list, uint32_t count,
				  uint32_t instance, int64_t now_s, uint32_t most,
				  struct maui_arena *arena);

/* So many instances of a list, those that begin first, are told with who holds what they miss; it
 * costs a look at all that holds nodes for each of them. Of others only how many are missing. */
enum { MAUI_STANDING_EXPLAINED = 100 };

/* The same of all instances: a text for each that misses some, NULL for the others. Texts and list
 * are the arena's, and nothing else: what it takes to find them out is given back. NULL without
 * memory. */
const char **maui_standing_explain_all(const struct maui_snapshot *snapshot,
				       const struct maui_standing_input *input,
				       const struct maui_rsv_instance *list, uint32_t count,
				       int64_t now_s, uint32_t most, struct maui_arena *arena);

#endif
