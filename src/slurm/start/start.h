/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - starts planned jobs by select_nodes(), after checking each decision again
 *
 * Slurm does the exact placement: the job may use the planned nodes and no others. Locks are given
 * back after 20 ms; on a large cluster one start may take that long.
 *
 * A job keeps the reservation that it names (--reservation). A job that names none enters a
 * magnetic reservation that has all planned nodes and admits the job. start_reservation.h admits a
 * job to nodes of our own reservations where the plan did. When the job may use only a part of a
 * node, hide_cores.h hides the rest during the call, because Slurm spreads a job's tasks over its
 * nodes as it likes.
 *
 * Rules: BF-12.
 */
#ifndef MAUI_SLURM_START_START_H
#define MAUI_SLURM_START_START_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/capture/cluster.h"

enum maui_start_outcome {
	MAUI_START_NOT_TRIED, /* after a refusal, or when slurmctld ends */
	MAUI_START_DONE,
	MAUI_START_REFUSED, /* Slurm refused: `code`; the job has Slurm's reason */
	/* the job is gone, held, updated, or started; or its partition or nodes changed */
	MAUI_START_CHANGED,
};

/* Whether the job is tried again in a partition or a reservation. */
enum maui_start_closed {
	MAUI_START_OPEN,
	MAUI_START_CLOSED_NOW,  /* not for a moment */
	MAUI_START_CLOSED_EVER, /* it can never serve the job */
};

struct maui_start_order {
	uint32_t job_id;       /* of the array's head for a task of it */
	uint32_t array_job_id; /* 0: no array */
	int64_t submit_s;
	uint64_t fingerprint; /* eligible.h */
	const char *partition;
	uint32_t qos;          /* as in struct maui_row */
	const uint32_t *nodes; /* ids: indices of slurmctld's node table, ascending */
	uint32_t node_count;
	const uint32_t *procs; /* planned on each node; NULL: not known */
	/* free processors of each node that must stay idle (hide_cores.h); NULL: none */
	const uint32_t *kept;
	/* the planned limit in minutes, for a job with --time-min or without a limit of its own;
	 * at least --time-min, at most what its record and partition allow. Other jobs keep their
	 * own limit. 0: Slurm's rules decide */
	uint32_t limit_min;
	/* a component of a het job; of the first one, how many orders are executed together or
	 * not at all, else 0 */
	bool het;
	uint32_t together;
	bool backfilled;
	/* Slurm chooses among the nodes: all on which the plan lets the job run, however many it
	 * needs. It looks at --prefer, as its own schedulers do. */
	bool slurm_chooses;
	/* when Slurm finds no nodes now, ask it when it would, and which */
	bool want_offer;

	/* results */
	enum maui_start_outcome outcome;
	/* of select_nodes(); ESLURM_NODES_BUSY also for licences, and when other nodes might
	 * serve */
	int code;
	bool nodes_refused; /* REFUSED: because of these nodes ... */
	bool network;       /* ... which are in the wrong places of the network */
	bool unfit;         /* REFUSED: these nodes could never run the job */
	bool failed;        /* REFUSED: the job cannot start as it is */
	/* REFUSED: by this partition, but another of the job's may serve */
	enum maui_start_closed partition_closed;
	/* REFUSED in a reservation, but others, or nodes outside of them, may serve; its name is in
	 * the arena of the site */
	enum maui_start_closed reservation_closed;
	const char *reservation;
	const char *why;       /* CHANGED: what has changed; a constant */
	uint32_t started_id;   /* the id under which it runs: a new one for a task of an array */
	uint32_t started_task; /* of the array; MAUI_NO_TASK: none */
	int64_t start_s, end_s;
	bool moved; /* on fewer nodes than planned */
	/* REFUSED with want_offer: when Slurm's test lets the job start, if running jobs end by
	 * their limits and no other job starts; MAUI_NEVER: it does not say. Ids of the nodes, in the
	 * arena of the site. */
	int64_t offer_s;
	const uint32_t *offer;
	uint32_t offer_count;
	bool no_moment; /* its test lets the job start at no moment */
	bool doubtful;  /* its test lets the job start now, where it has just refused the job */
};

struct maui_start_result {
	uint32_t done, refused, changed;
	bool table_changed; /* the rest of the plan is void */
	/* Slurm used fewer nodes than planned: a job had ended there, and the rest of the plan did
	 * not know */
	bool moved;
	struct maui_hold_times writes;
};

/* What all orders have in common. */
struct maui_start_site {
	uint64_t table;                     /* the node table that ids are of (cluster.h) */
	const struct maui_mirrors *mirrors; /* which reservations are ours; NULL: none */
	const atomic_bool *stop;            /* NULL: none */
	struct maui_arena *arena;           /* of results; NULL: nobody reads offers and names */
};

/* Executes the orders one by one until the first refusal, or until slurmctld ends. After a
 * refusal no later job may take the place of the refused one: the caller plans again. Several
 * orders may name the same array. Call without any lock. */
void maui_start_jobs(const struct maui_start_site *site, struct maui_start_order *orders,
		     size_t count, struct maui_start_result *ret);

enum maui_possible {
	MAUI_POSSIBLE_NO,
	MAUI_POSSIBLE_YES,
	MAUI_POSSIBLE_UNSAID,  /* a reservation, a limit or a licence came first */
	MAUI_POSSIBLE_CHANGED, /* the job or the node table has changed: Slurm was not asked */
};

/* Whether Slurm says that the job could run in the order's partition at some time: with the nodes
 * as they are configured, without other jobs and reservations. The order names no nodes. Changes
 * nothing. Takes the same locks once. */
enum maui_possible maui_start_is_possible(const struct maui_start_site *site,
					  const struct maui_start_order *order);

/* Asks select_nodes(test_only) whether it would accept the start, and the select plugin whether it
 * could place the job now (SELECT_MODE_WILL_RUN: milliseconds on a large cluster). Changes
 * nothing. For SERVERMODE TEST, and to measure how stale plans get. Returns SLURM_SUCCESS or a
 * code: ESLURM_INVALID_JOB_ID when the job has changed. Does not check eligibility. Takes the same
 * locks once. */
int maui_start_test(const struct maui_start_site *site, const struct maui_start_order *order);

#endif
