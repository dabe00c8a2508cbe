/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused_nodes.h - keeps nodes that Slurm refused to a job from that job and from all equal jobs
 *
 * A plan knows less than Slurm: it counts the processors of a node, not those of each socket. A
 * plan that was wrong once would be wrong again for each of a thousand equal jobs. So a refused
 * start keeps its nodes from all jobs of the same fingerprint until something on these nodes ends.
 * The job may start elsewhere at once, gets a job reservation for later, and other jobs get the
 * nodes.
 *
 * A refusal is over when less is taken on one of its nodes than at the time of the refusal. It is
 * also over after a second, then two ..., since the reason may disappear by itself. A node that
 * would refuse the job even if empty is kept from it for longer. A job with a job reservation on
 * the nodes keeps that for a few tries, because whatever is in its way is about to end.
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
	uint64_t fingerprint, serial; /* fingerprint of the jobs; number of the refusal */
	struct maui_refusal_node {
		uint32_t id;
		int64_t taken; /* processors taken at the refusal */
	} * nodes;
	uint32_t node_count;
	unsigned tries;  /* how often Slurm refused a start there */
	int64_t until_s; /* the next try, at the latest */
	bool never_there, keeps_reservation;
	bool cached; /* used while refusals are applied: which request replaces which */
	uint32_t plain, replaced;
};

struct maui_refused_nodes {
	struct maui_refusal *list;
	size_t count, alloc;
	/* `table`: number of slurmctld's node table when refusals were last applied */
	uint64_t serial, table;
};

/* The current snapshot. `taken` and `next_end_s` are computed when they are first needed. */
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
	bool never_there; /* the nodes would refuse the job even if they were empty */
	bool reserved;    /* the job has a job reservation on the nodes */
};

/* The longest pause before the next try while no job ends. */
enum { MAUI_REFUSAL_RETRY_MAX_S = 16 };

/* The pause after this many refusals: a second, two, four ... */
static inline int64_t maui_refusal_backoff_s(unsigned refusals)
{
	return refusals < 4 ? 1 << refusals : MAUI_REFUSAL_RETRY_MAX_S;
}

void maui_refused_nodes_finish(struct maui_refused_nodes *refused);

/* Stores a refused start. Returns when to try again; 0: nothing was stored (no memory). */
int64_t maui_refused_nodes_add(struct maui_refused_nodes *refused, struct maui_refusal_view *view,
			       const struct maui_refused_start *start);

/* Drops the refusals that are over. Returns when the next one ends; 0: none is left. */
int64_t maui_refused_nodes_review(struct maui_refused_nodes *refused,
				  struct maui_refusal_view *view);

/* Gives each idle job of the snapshot a request that excludes the nodes refused to it. */
void maui_refused_nodes_apply(struct maui_refused_nodes *refused, struct maui_refusal_view *view);

#endif
