/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - planned starts carried out by select_nodes(), each decision checked again
 *
 * Slurm places exactly: the job may use the planned nodes and no others. Locks are given back after
 * 20 ms (one start may take that long by itself on a large cluster).
 *
 * A job keeps the reservation that it names (--reservation). A job that names none gets into a
 * magnetic reservation that has all the planned nodes and admits it. start_reservation.h lets a job
 * onto nodes of our own reservations where the plan did. Where the job may have only a part of what
 * is free on a node, the rest is hidden from Slurm during the call: Slurm shares a job's tasks out
 * over its nodes as it likes.
 *
 * Rules: BF-12.
 */
#ifndef MAUI_SLURM_START_START_H
#define MAUI_SLURM_START_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/capture/cluster.h"

enum maui_start_outcome {
	MAUI_START_NOT_TRIED, /* after a refusal, or when told to stop */
	MAUI_START_DONE,
	MAUI_START_REFUSED, /* by Slurm: `code`, and the job's reason is Slurm's */
	MAUI_START_CHANGED, /* gone, held, updated, started otherwise, its partition or nodes
				 went */
};

struct maui_start_order {
	uint32_t job_id;       /* of the array's head for a task of it */
	uint32_t array_job_id; /* 0: no array */
	int64_t submit_s;
	uint64_t fingerprint; /* eligible.h */
	const char *partition;
	const uint32_t *nodes; /* ids: indices of slurmctld's node table, ascending */
	uint32_t node_count;
	const uint32_t *procs; /* planned on each node; NULL: not known */
	const uint32_t *kept;  /* free processors of each node that are to be left (keep_off.h);
				   NULL: none */
	uint32_t limit_min;    /* minutes that the plan counts with, for a job that has no limit of
				   its own or --time-min; never less than that, nor more than what
				   its record and its partition allow; others keep their own. 0:
				   nothing is said, Slurm's rules hold */
	bool backfilled;

	/* results */
	enum maui_start_outcome outcome;
	int code;            /* of select_nodes(); ESLURM_NODES_BUSY also for licences, and when
				   these nodes do not serve, but others might */
	bool nodes_refused;  /* REFUSED: it is about these nodes ... */
	bool never_there;    /* ... and not about what is free on them */
	const char *why;     /* CHANGED: what has; a constant */
	uint32_t started_id; /* the id it runs under: another one for a task of an array */
	int64_t start_s, end_s;
	bool moved; /* on fewer nodes than planned */
};

struct maui_start_result {
	uint32_t done, refused, changed;
	bool table_changed; /* nothing else can be done with this plan */
	bool moved;         /* Slurm took other nodes of those planned than all: something had
				   ended there, and what follows was planned with less room */
	struct maui_hold_times writes;
};

/* What orders are carried out in. */
struct maui_start_site {
	uint64_t table;                     /* the node table that ids are of (cluster.h) */
	const struct maui_mirrors *mirrors; /* which reservations are ours; NULL: none */
	const volatile bool *stop;          /* NULL: none */
};

/* In the given order, until the first refusal (lower jobs shall not take the place of a refused
 * one: the caller plans again) or until told to stop. Several orders may name the same array. Call
 * without any lock. */
void maui_start_jobs(const struct maui_start_site *site, struct maui_start_order *orders,
		     size_t count, struct maui_start_result *ret);

/* Whether a refusal says something about the job, not about what is free at the moment. */
bool maui_start_failed(int code);

/* What select_nodes(test_only) says of a plan's start, and whether the select plugin could place it
 * now (SELECT_MODE_WILL_RUN: milliseconds on a large cluster); the queue untouched. For SERVERMODE
 * TEST and the measurement of how stale plans get. SLURM_SUCCESS or a code: ESLURM_INVALID_JOB_ID
 * when the job has changed. Eligibility is not asked again. Takes the same locks once. */
int maui_start_test(const struct maui_start_site *site, const struct maui_start_order *order);

#endif
