/* SPDX-License-Identifier: GPL-2.0-or-later */
/* request.h - what a pending job asks for, as the model has it
 *
 * job_record_t to struct maui_request (model/snapshot.h), by the rules of slurmctld and of
 * select/cons_tres and select/linear: processors are Slurm's CPUs, whole cores on nodes of several
 * threads, the memory that a partition or the cluster gives by default, gres by node, task and
 * job. Numbers are cut at MAUI_REQUEST_MOST, so that no sum of what users ask for overflows; a
 * request that no node can serve is still one.
 */
#ifndef MAUI_SLURM_ELIGIBLE_REQUEST_H
#define MAUI_SLURM_ELIGIBLE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "slurm/capture/cluster.h"

#define MAUI_REQUEST_MOST (INT64_C(1) << 40)
/* So many processors no node has: asked for where nothing may serve. */
#define MAUI_REQUEST_NOWHERE (MAUI_REQUEST_MOST * 2)

enum {
	MAUI_REQUEST_SETTLED = 256,
	/* What a user writes may cost with locks held, of one job and of all jobs of a pass: units
	 * of some 10 ns, a character matched with a kind of nodes or a node looked at for a term.
	 * A constraint that would cost more is not settled. */
	MAUI_REQUEST_WORK_OF_A_JOB = 100 * 1000,
	MAUI_REQUEST_WORK_OF_A_PASS = 10 * 1000 * 1000,
};

/* Nodes of one kind in a partition. */
struct maui_request_kind_count {
	uint32_t idle, in_service;
};

/* Nodes with the same features are of one kind. Memory is the cluster's arena. */
struct maui_request_kinds {
	uint32_t count;
	const char **features;                   /* of each; "": none */
	uint32_t *of_class;                      /* the kind of each class of the snapshot */
	struct maui_request_kind_count **counts; /* by partition, then by kind; NULL: not yet */
	int64_t work_left;
};

/* Of the cluster, worked out once for many jobs. */
struct maui_request_site {
	struct maui_cluster *cluster;
	uint32_t node_count; /* places in slurmctld's node table */
	int32_t *index_of;   /* snapshot's index of each; -1: not in it */
	uint32_t threads;    /* most threads a core; select/linear: 1 */
	bool mixed;          /* nodes differ in their threads a core */
	uint32_t sockets;    /* most sockets of a node */
	int64_t procs;       /* of all nodes */
	int64_t memory;      /* of each node, when all have the same; else 0 */
	int64_t *most;       /* of each amount, the most that a node has */

	/* of the job in hand; copied when the request enters the snapshot */
	int64_t *per_node, *per_task, *per_proc, *least, *global;
	uint32_t *required, *excluded, *claims;

	/* constraints settled lately: many jobs ask alike */
	struct maui_request_settled {
		const char *asked, *settled; /* the arena's of the cluster; NULL: free */
		uint32_t partition, nodes_min;
	} settled[MAUI_REQUEST_SETTLED]; /* by hash */
	struct maui_request_kinds kinds;
};

/* What else a plan must know of it. */
struct maui_request_facts {
	uint32_t request;             /* index in the snapshot */
	int64_t procs;                /* that it will get, for windows, limits, metrics */
	int64_t limit_s, limit_min_s; /* as in struct maui_idle */
	uint32_t copies;              /* tasks of an array head that may run now; else 1 */
};

/* Nodes and reservations that it may have, as far as they are not fields of the record. */
struct maui_request_bounds {
	uint32_t nodes_min, nodes_max; /* by get_node_cnts(); max 0: any number */
	const char *reservation;       /* it runs in it only: --reservation, or magnetic; NULL */
};

/* Under node READ. Memory is the arena's; -1 without. */
int maui_request_prepare(struct maui_request_site *site, struct maui_cluster *cluster,
			 struct maui_arena *arena);

/* The same for maui_request_size() only. Under conf and node READ. */
int maui_request_survey(struct maui_request_site *site, struct maui_cluster *cluster,
			struct maui_arena *arena);

/* Tasks and processors that an active job asked for, as they were worked out when it waited, as far
 * as its record still tells: slurmctld writes some of it anew when a job starts. It has details.
 * Under conf, job, node, part READ. */
void maui_request_size(struct maui_request_site *site, const void *job_ptr, int64_t *ret_tasks,
		       int64_t *ret_procs);

/* A pending job in a partition of it, after job_limits_check() there, which fills in defaults.
 * Under conf, job, node, part READ. -1 without memory. */
int maui_request_make(struct maui_request_site *site, const void *job_ptr, const void *part_ptr,
		      const struct maui_request_bounds *bounds, struct maui_request_facts *ret);

/* of request_nodes.c */
void maui_request_nodes(const struct maui_request_site *site, const void *job_ptr,
			struct maui_request *request);
void maui_request_claims(const struct maui_request_site *site, const char *reservation,
			 struct maui_request *request);
/* of request_kinds.c */
int maui_request_kinds_make(struct maui_request_site *site); /* -1: no memory */
bool maui_request_in_partition(const struct maui_node *node, uint32_t partition);
bool maui_request_is_idle(const struct maui_node *node);
/* Of the partition, by kind, as they were when first asked for in this pass; NULL: no memory. */
const struct maui_request_kind_count *maui_request_kinds_count(struct maui_request_site *site,
							       uint32_t partition);
/* Whether so much more may be done for a job that has *left for it; then it counts as done. */
bool maui_request_may_work(struct maui_request_site *site, uint64_t *left, uint64_t work);
/* Which kinds of nodes serve the constraint; whether any does. */
bool maui_request_matches(const struct maui_request_site *site, const char *constraint,
			  bool *matches);
/* of request_features.c; features and named nodes are settled together, after the nodes. -1: no
 * memory. A partition that the snapshot does not know (-1) leaves features as they are, and
 * so does one that would take long to settle: then Slurm alone enforces what is about the set. */
int maui_request_features(struct maui_request_site *site, const char *features, int64_t partition,
			  struct maui_request *request);
/* of request_gres.c; reservation: its name, or NULL */
void maui_request_gres(const struct maui_request_site *site, const void *job_ptr,
		       const void *part_ptr, struct maui_request *request);
void maui_request_licenses(const struct maui_request_site *site, const void *job_ptr,
			   const char *reservation, struct maui_request *request);
/* a times b, both >= 0, cut at MAUI_REQUEST_MOST */
int64_t maui_request_times(uint64_t a, uint64_t b);

#endif
