/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - what a pending job asks for, in terms of the model
 *
 * Turns job_record_t into struct maui_request (model/snapshot.h) by the rules of slurmctld,
 * select/cons_tres and select/linear: processors are Slurm's CPUs, whole cores on nodes of several
 * threads; default memory of partition or cluster; gres by node, task and job. Numbers are limited
 * to MAUI_REQUEST_MOST, so that no sum of what users ask for overflows. A request that no node can
 * serve is still a request.
 */
#ifndef MAUI_SLURM_REQUEST_REQUEST_H
#define MAUI_SLURM_REQUEST_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/gres.h"
#include "slurm/capture/cluster.h"

struct job_record; /* of slurmctld */

#define MAUI_REQUEST_MOST (INT64_C(1) << 40)
/* More processors than any node has: asked for where no node may serve. */
#define MAUI_REQUEST_NOWHERE (MAUI_REQUEST_MOST * 2)

enum {
	MAUI_REQUEST_FEATURES = 256,
	MAUI_REQUEST_SUPPLIES = 64,
	/* Bounds the work that constraints of users cause under locks, for one job and for all
	 * jobs of a walk. A unit is some 10 ns: a character matched with a kind of nodes, or a
	 * node read for a term. A constraint that would cost more is not resolved. */
	MAUI_REQUEST_WORK_OF_A_JOB = 100 * 1000,
	MAUI_REQUEST_WORK_OF_A_PASS = 10 * 1000 * 1000,
};

/* The number of nodes of one kind in a partition. */
struct maui_request_kind_count {
	uint32_t idle, in_service;
};

/* The kinds of nodes: nodes with the same features are of one kind. Memory is the cluster's
 * arena. */
struct maui_request_kinds {
	uint32_t count;
	const char **features;                   /* of each; "": none */
	uint32_t *of_class;                      /* the kind of each node class of the snapshot */
	struct maui_request_kind_count **counts; /* by partition, then by kind; NULL: not yet */
	int64_t work_left;
};

/* Facts about the cluster, calculated once for many jobs. */
struct maui_request_site {
	struct maui_cluster *cluster;
	uint32_t node_count; /* entries of slurmctld's node table */
	int32_t *index_of;   /* snapshot's index of each; -1: not in it */
	uint32_t threads;    /* largest number of threads of a core; select/linear: 1 */
	bool mixed;          /* nodes differ in threads of a core */
	uint32_t sockets;    /* largest number of sockets of a node */
	int64_t procs;       /* of all nodes */
	int64_t memory;      /* of each node, when all have the same; else 0 */
	int64_t node_procs;  /* of the largest node, with those that are set aside for the system */
	bool keeps_gres;     /* a reservation keeps certain gres */

	/* scratch of the current job; copied when the request enters the snapshot */
	int64_t *per_node, *per_task, *per_proc, *per_job, *least, *global;
	uint32_t *required, *excluded, *claims;
	int64_t gres_procs;   /* that come with gres of the whole job */
	bool describes_least; /* it counts the least that a start needs (least_request) */
	bool uneven;          /* and that is less than its shares */

	/* cache of resolved constraints: many jobs have the same */
	struct maui_request_features {
		const char *asked, *resolved; /* in the cluster's arena; NULL: free */
		uint32_t partition, nodes_min;
	} features[MAUI_REQUEST_FEATURES]; /* by hash */
	struct maui_request_kinds kinds;
	/* cache of what partitions can give: many jobs ask the same */
	struct maui_request_supply {
		struct maui_gres_supply supply;
		struct maui_gres_along along;
		uint32_t partition;
		unsigned dimension;        /* 0: free */
	} supplies[MAUI_REQUEST_SUPPLIES]; /* by hash */
};

/* Values of a job outside of its request. */
struct maui_request_facts {
	uint32_t request;             /* index in the snapshot */
	int64_t procs;                /* that the job will get, for windows, limits, metrics */
	int64_t limit_s, limit_min_s; /* as in struct maui_idle */
	uint32_t copies;              /* tasks of an array head that may run now; else 1 */
	int64_t most_s; /* until its Slurm reservation ends, which ends the job; 0: it has none */
};

/* Choices for a request that are not fields of the job's record. */
struct maui_request_bounds {
	uint32_t nodes_min, nodes_max; /* by get_node_cnts(); max 0: any number */
	/* the job runs in this reservation only: --reservation, or magnetic; NULL: none */
	const char *reservation;
};

/* Calculates the facts about the cluster. Under node READ. Memory is the arena's; -1 without. */
int maui_request_prepare(struct maui_request_site *site, struct maui_cluster *cluster,
			 struct maui_arena *arena);

/* The same, as far as maui_request_size() needs it. Under conf and node READ. */
int maui_request_survey(struct maui_request_site *site, struct maui_cluster *cluster,
			struct maui_arena *arena);

/* Tasks and processors that an active job asked for, calculated as for a waiting job from what its
 * record still has: slurmctld overwrites some fields when a job starts. The job has details. Under
 * conf, job, node, part READ. */
void maui_request_size(struct maui_request_site *site, const struct job_record *job_ptr,
		       int64_t *ret_tasks, int64_t *ret_procs);

/* Makes the request of a pending job in one of its partitions, after job_limits_check() there,
 * which fills in defaults. Under conf, job, node, part READ. -1 without memory. */
int maui_request_make(struct maui_request_site *site, const struct job_record *job_ptr,
		      const void *part_ptr, const struct maui_request_bounds *bounds,
		      struct maui_request_facts *ret);

/* nodes.c */
void maui_request_nodes(const struct maui_request_site *site, const struct job_record *job_ptr,
			struct maui_request *request);
void maui_request_claims(const struct maui_request_site *site, const struct job_record *job_ptr,
			 const char *reservation, struct maui_request *request);
/* most_s of struct maui_request_facts: Slurm starts a job in its reservation at any moment before
 * the end, with any time limit. */
int64_t maui_request_most_s(const struct maui_request_site *site, const struct job_record *job_ptr,
			    const char *reservation, const struct maui_request *request);
/* kinds.c */
int maui_request_kinds_make(struct maui_request_site *site); /* -1: no memory */
/* The partition's nodes by kind, as counted at the first call of this walk; NULL: no memory. */
const struct maui_request_kind_count *maui_request_kinds_count(struct maui_request_site *site,
							       uint32_t partition);
/* Whether the job's budget *left has this much work; then takes it from the budget. */
bool maui_request_may_work(struct maui_request_site *site, uint64_t *left, uint64_t work);
/* Marks the kinds of nodes that serve the constraint; whether any does. */
bool maui_request_matches(const struct maui_request_site *site, const char *constraint,
			  bool *matches);
/* features.c: which nodes the features allow. -1: no memory. "[a|b]" stays as it is when the
 * snapshot does not know the partition (-1), or when this would take too long: then Slurm alone
 * enforces that all nodes have the same. */
int maui_request_features(struct maui_request_site *site, const char *features, int64_t partition,
			  struct maui_request *request);
/* For a request that asks Slurm: "[a|b]" admits the nodes of each alternative, among which Slurm
 * chooses. A node of a size (-N1,4), or with free sockets, may be there in the other alternative
 * alone. */
void maui_request_open_features(const char *features, struct maui_request *request);
/* inexact.c: whether the job runs on cores that other jobs of the partition may have, too:
 * OverSubscribe=FORCE:n, and YES with --oversubscribe (BF-32). Under job and part READ. */
bool maui_request_shares_cores(const struct job_record *job_ptr, const void *part_ptr);
/* Marks the request when Slurm looks at more than it describes. After all else,
 * as it lowers amounts. */
void maui_request_mark(const struct maui_request_site *site, const struct job_record *job_ptr,
		       const void *part_ptr, struct maui_request *request);
/* gres.c; `reservation`: its name, or NULL */
void maui_request_gres(struct maui_request_site *site, const struct job_record *job_ptr,
		       const void *part_ptr, struct maui_request *request);
void maui_request_licenses(const struct maui_request_site *site, const struct job_record *job_ptr,
			   const char *reservation, struct maui_request *request);
/* a times b, both >= 0, cut at MAUI_REQUEST_MOST */
static inline int64_t maui_request_times(uint64_t a, uint64_t b)
{
	uint64_t product;

	if (__builtin_mul_overflow(a, b, &product) || product > (uint64_t)MAUI_REQUEST_MOST)
		return MAUI_REQUEST_MOST;
	return (int64_t)product;
}

#endif
