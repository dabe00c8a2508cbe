/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.h - nodes that Slurm refused to a job, kept from it and from all jobs like it
 *
 * A plan knows less than Slurm: it counts the processors of a node, not those of each socket. Where
 * the plan was wrong once it would be wrong again for each of a thousand equal jobs. So a refused
 * start keeps its nodes from all jobs of the same fingerprint until something on these nodes ends.
 * The job may start elsewhere at once, gets a reservation for later, and other jobs get the nodes.
 *
 * A refusal is over when less is taken on one of its nodes than at the time of the refusal, and
 * after a second, then two ..., since the reason may go away without that. A node that would not
 * serve even empty is kept from the job for longer. A job with a reservation on the nodes keeps the
 * reservation for a few tries: whatever is in its way is about to end.
 *
 * Goes in: refused starts. Comes out: the snapshot's requests with refused nodes.
 *
 * Rules: BF-12.
 */
#ifndef MAUI_CYCLE_REFUSED_NODES_H
#define MAUI_CYCLE_REFUSED_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "cycle/waiting.h"
#include "model/decision.h"
#include "model/snapshot.h"

/* One refused start. */
struct maui_refusal {
	uint64_t fingerprint, serial; /* of the jobs; serial: the order in which refusals came */
	struct maui_refusal_node {
		uint32_t id;
		int64_t taken; /* processors, when the start was refused */
	} * nodes;
	uint32_t node_count;
	unsigned tries;  /* how often a start was refused there */
	int64_t until_s; /* tried again then, at the latest */
	bool never_there, keeps_reservation;
	bool cached; /* while refusals are applied: which request replaces which */
	uint32_t plain, replaced;
};

struct maui_refused_nodes {
	struct maui_refusal *list;
	size_t count, alloc;
	uint64_t serial, table; /* table: of slurmctld's nodes, when last applied */
};

/* The snapshot at hand. `taken` and `next_end_s` are filled in when they are needed. */
struct maui_refusal_view {
	struct maui_snapshot *snapshot;
	const struct maui_waiting *waiting; /* of each idle job */
	struct maui_arena *arena;
	int64_t now_s;
	uint64_t table;              /* number of slurmctld's node table */
	int64_t *taken, *next_end_s; /* of each node: processors of active jobs, first end */
};

struct maui_refused_start {
	uint32_t job;          /* idle job of the snapshot */
	const uint32_t *nodes; /* ids, in the order of the places */
	const struct maui_place *places;
	uint32_t node_count;
	bool never_there; /* not even if the nodes were empty */
	bool reserved;    /* a reservation of the job holds the nodes */
};

/* The longest that a refused job is left alone when nothing ends. */
enum { MAUI_REFUSAL_RETRY_MAX_S = 16 };

/* How long a job is left alone after so many refusals: a second, two, four ... */
static inline int64_t maui_refusal_backoff_s(unsigned refusals)
{
	return refusals < 4 ? 1 << refusals : MAUI_REFUSAL_RETRY_MAX_S;
}

void maui_refused_nodes_finish(struct maui_refused_nodes *refused);

/* Notes a refused start. When to try again; 0: nothing was noted (no memory). */
int64_t maui_refused_nodes_add(struct maui_refused_nodes *refused, struct maui_refusal_view *view,
			       const struct maui_refused_start *start);

/* Drops the refusals that are over. When the next one is; 0: none is left. */
int64_t maui_refused_nodes_review(struct maui_refused_nodes *refused,
				  struct maui_refusal_view *view);

/* Gives each idle job of the snapshot the request with the nodes that are refused to it. */
void maui_refused_nodes_apply(struct maui_refused_nodes *refused, struct maui_refusal_view *view);

#endif
