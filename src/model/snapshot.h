/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - the cluster at one moment, as a plan sees it: nodes, what runs, what waits
 *
 * Filled by src/slurm (from slurmctld), by the simulator, by tests. No pointer into anybody else's
 * memory survives: names and vectors are copied into the snapshot's arena, everything is known by a
 * stable number (`id`) of its owner and by its index here. There is no limit but memory.
 *
 * Order of filling: amounts, partitions, nodes; maui_snapshot_seal(), which sorts nodes by id and
 * groups identical ones into classes; then requests, credentials, claims, jobs in any order. What
 * is planned does not depend on the order in which things were added.
 *
 * What is counted are vectors of amounts, one number a dimension: processors first, then memory and
 * disk, then whatever the owner names (gres, licences). A pool of identical processors, as workload
 * traces have it, is one node with all of them and one dimension.
 *
 * Processors are what the resource manager gives out: on nodes with several threads a core in
 * multiples of `unit`; cores and memory set aside for the system are not in `have`.
 */
#ifndef MAUI_MODEL_SNAPSHOT_H
#define MAUI_MODEL_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/cred.h"
#include "model/job.h"
#include "model/reason.h"
#include "model/when.h"

enum maui_amount {
	MAUI_AMOUNT_PROCS,
	MAUI_AMOUNT_MEM,   /* MB; only with more than one dimension */
	MAUI_AMOUNT_DISK,  /* MB; only with more than two */
	MAUI_AMOUNT_FIXED, /* the first one that the owner names */
};

struct maui_partition {
	const char *name;  /* also the class of its jobs */
	uint32_t tier;     /* orders before priority, higher first */
	uint32_t pool;     /* set by seal: partitions that share nodes are one pool, numbered by the
			     lowest node */
	double job_factor; /* the class priority of jobs whose class has none; 0: not set */
	uint32_t cap_amount; /* a dimension of which its jobs take as many as they are given
				processors, together at most what a node has of it: a cap on the
				partition's processors of a node (a multiple of the node's unit);
				0: none. Pieces of active jobs have it in their amounts. */
};

struct maui_node {
	uint32_t id; /* stable; place in the node table: FIRSTAVAILABLE's order, neighbours */
	const char *name;
	const int64_t *have;        /* amounts that jobs may use in all */
	const uint32_t *partitions; /* indices */
	uint32_t partition_count;
	const char *features;   /* "a,b"; NULL: none */
	uint32_t unit;          /* processors are given out in multiples of this; >= 1 */
	uint32_t weight;        /* Slurm's: lower first */
	double speed, priority; /* FASTEST, MAXBALANCE; NODECFG PRIORITY */
	double load;            /* processors' worth of work on it: CPULOAD */
	bool asleep;            /* powered down, or in the cloud: last choice */
	int64_t usable_from_s;  /* <= now: it is; MAUI_NEVER: down, drained, ... */
	enum maui_reason state; /* why it is not usable, for explanations */
	uint32_t class_index;   /* set by seal */
};

/* Nodes that differ in their use, at most: same amounts, features, partitions, unit. */
struct maui_node_class {
	uint32_t sample; /* index of one of them */
	uint32_t count;
};

/* A node that a request gets nothing of before a moment, whatever is free there: its owner has just
 * refused it. */
struct maui_refused_node {
	uint64_t node;   /* index */
	int64_t until_s; /* MAUI_NEVER: not at all in this plan */
};

/* What jobs ask for. Equal requests are one: a plan tries each distinct one once. */
struct maui_request {
	uint32_t nodes_min;      /* >= 1 */
	uint32_t nodes_max;      /* 0: any number */
	uint64_t tasks;          /* in all; 0: one a node */
	uint32_t procs_per_task; /* >= 1 */
	uint32_t threads_used;   /* of each core, on nodes whose `unit` is more: the rest of the
				    core is given to the task all the same; 0: all are used */
	uint32_t tasks_per_node_min, tasks_per_node_max; /* 0: any number */
	/* amounts in vectors as long as the snapshot's; NULL: nothing */
	const int64_t *per_node; /* of each node, once: --mem, --tmp, --mincpus, --gres */
	const int64_t *per_task; /* of each task besides: --gres by task */
	const int64_t *per_proc; /* of each processor given: --mem-per-cpu */
	const int64_t *least;    /* configured on each node, whatever is free, and not consumed:
				    --tmp and --mem where nothing counts them */
	const int64_t *global;   /* of the cluster, not of a node: licences */
	uint32_t global_claim;   /* of what is kept of those, one that is for it: index + 1; 0:
				    none */
	bool whole_nodes;        /* nobody else on its nodes, all processors given */
	bool contiguous;
	bool sole_user;                      /* only jobs of the same user on its nodes */
	bool nodes_named;                    /* the number of nodes is the user's own (EXACTNODE) */
	const char *features;                /* "a&b|c", "[a|b]": see features.h; NULL: none */
	const uint32_t *required, *excluded; /* indices of nodes, ascending */
	uint32_t required_count, excluded_count;
	const struct maui_refused_node *refused; /* by node, ascending */
	uint32_t refused_count;
	const uint32_t *claims; /* indices of claims that it may use, ascending */
	uint32_t claim_count;
	bool only_claims;   /* and must: nothing outside them */
	bool passes_shares; /* claims of Slurm's with amounts keep nothing from it: it names a
				    reservation */
};

/* The credentials of a job in one partition. */
struct maui_credentials {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	uint32_t user;                     /* >= 1; same user, same number */
};

#define MAUI_CLAIM_FOREIGN UINT32_MAX

/* What is kept for some during a time: a reservation. */
struct maui_claim {
	uint64_t id;
	const char *name;
	int64_t start_s, end_s;
	/* with the adjoining instances of its reservation, which are one to a TIMELIMIT; end 0:
	 * alone */
	int64_t run_start_s, run_end_s;
	const uint32_t *nodes; /* indices */
	uint32_t node_count;
	uint32_t rsv; /* index of its reservation, as in access tables (model/access.h); FOREIGN:
			 Slurm's, see the `claims` of a request */
	const int64_t *amounts; /* kept of each node: node_count vectors, in the nodes' order; NULL:
				   the whole nodes. FOREIGN: they are the very same processors all
				   the time, so who would meet the claim gets none of them before it
				   begins, either */
	uint32_t stack;         /* FOREIGN with amounts: of claims with the same number, unless 0,
				   one has all processors that another one has, if that has more,
				   of the nodes that both have */
	bool mixed;             /* and some of them are those of a claim with another number, too */
};

/* What is kept of the cluster's amounts during a time for those who name it: the licences of a
 * reservation of Slurm's. As slurmctld counts, a job that is there at any moment of that time gets
 * nothing of it at any moment, and those who name it use up what is there for all: what they hold
 * does not lessen what is kept. */
struct maui_global_claim {
	const char *name;
	int64_t start_s, end_s;
	const int64_t *amounts;
};

/* What an active job holds of one node, until its end. */
struct maui_piece {
	uint32_t node;
	const int64_t *amounts;
	int64_t resumes; /* processors that a suspended job takes again when it goes on */
	const struct maui_share *shares; /* which of its processors are those of claims */
	uint32_t share_count;
};

/* Processors of a claim of Slurm's with amounts that a job holds. */
struct maui_share {
	uint32_t claim;
	int64_t procs;
};

struct maui_active {
	uint64_t id;
	uint32_t creds;
	int64_t start_s, end_s; /* end by its limit; over it, it counts as ending in a second */
	const struct maui_piece *pieces;
	uint32_t piece_count;
	struct maui_job job; /* for limits and run priority: elapsed_s and credentials are set by
				the plan */
	bool suspended;      /* holds what its pieces say: memory; end_s is as if it went on now */
	bool resumable;      /* suspended by us: the plan says when it goes on */
	bool completing;     /* holds its nodes until they are clean, and counts for no limit
				(THR-3) */
	const int64_t *global; /* what it holds of the cluster; NULL: nothing */
	bool sole_user;
	bool preemptee;          /* may be preempted, whatever its QOS */
	uint32_t given_priority; /* run priority, by another plugin; 0: the plan computes it */
	bool preempt_never;      /* may not be, whatever its QOS: it could not be requeued */
	int64_t procs;           /* of all pieces */
	/* what it asked for when it waited, which lists of reservations go by and which may be less
	 * than it was given; 0: not told, one task a processor of those that it was given */
	int64_t asked_tasks, asked_procs;
	const char *advres; /* reservation that it names; NULL: none (policy/access.h) */
};

/* One partition a job may run in. */
struct maui_row {
	uint32_t partition, creds;
	double priority; /* when it is given */
};

struct maui_idle {
	uint64_t id; /* stable, unique among idle jobs */
	uint32_t request;
	uint32_t copies;             /* tasks of an array that may run now, all alike; >= 1 */
	const struct maui_row *rows; /* partitions in the user's order */
	uint32_t row_count;          /* >= 1 */
	int64_t submit_s;            /* orders jobs of equal priority, then id does */
	int64_t queue_since_s;       /* its stamp: queue time counts from here (policy/accrual.h) */
	int64_t limit_s;             /* MAUI_NEVER: none */
	int64_t limit_min_s;         /* --time-min: it may be cut to this; 0: it may not */
	int64_t nice;
	int64_t procs;            /* what windows, limits and metrics count */
	struct maui_job job;      /* for priority and limits; the plan sets credentials, queue
					time and fairshare */
	bool priority_given;      /* rows have it: another plugin's, or set directly */
	bool refused;             /* not to be started now: it has just been refused */
	const char *advres;       /* reservation that it names; NULL: none (policy/access.h) */
	enum maui_reason blocked; /* not eligible, whatever the cluster has; NONE: eligible */
	int64_t blocked_until_s;  /* when that may be over; 0: not known */
};

struct maui_snapshot {
	uint64_t serial;       /* no other snapshot of this process has it */
	unsigned refs;         /* maui_snapshot_ref() */
	unsigned amount_count; /* >= 1 */
	const char *
		*amount_names; /* of each dimension, for explanations; NULL, or an entry NULL: not
				      known */
	struct maui_totals totals; /* as configured, for PE */
	struct maui_partition *partitions;
	struct maui_node *nodes;
	struct maui_node_class *classes;
	struct maui_request *requests;
	struct maui_credentials *creds;
	struct maui_claim *claims;
	struct maui_active *active;
	struct maui_idle *idle;
	uint32_t partition_count, node_count, class_count, request_count, cred_count, claim_count;
	uint32_t active_count, idle_count;
	const int64_t *global; /* what jobs may use of the cluster: licences; NULL: not modelled */
	struct maui_global_claim *global_claims; /* kept of that */
	uint32_t global_claim_count;
	bool shares_tasks; /* the resource manager shares tasks out over the nodes it is handed and
			      may use fewer of them, as select/cons_tres does: policy/alloc/alloc.h */
	bool sealed;
	struct maui_snapshot_store *store; /* memory behind all this */
};

/* An empty one with so many dimensions (>= 1). NULL without memory. Freed whole. */
struct maui_snapshot *maui_snapshot_create(unsigned amount_count);
/* A finished plan keeps its snapshot: whoever takes a reference calls destroy, too, and the last
 * one frees the memory. Any thread. */
struct maui_snapshot *maui_snapshot_ref(struct maui_snapshot *snapshot);
void maui_snapshot_destroy(struct maui_snapshot *snapshot); /* NULL is fine */

/* What users call a dimension that the owner names: "gpu", the name of a licence. -1 without
 * memory. */
int maui_snapshot_name_amount(struct maui_snapshot *s, unsigned dimension, const char *name);

/* All add a copy, of what pointers of the argument lead to as well, and return its index, or -1
 * without memory, for a reference to nothing, or out of order (see above). */
int64_t maui_snapshot_add_partition(struct maui_snapshot *s,
				    const struct maui_partition *partition);
int64_t maui_snapshot_add_node(struct maui_snapshot *s, const struct maui_node *node);

/* What the cluster has besides its nodes: a copy of the vector. -1 without memory. */
int maui_snapshot_set_global(struct maui_snapshot *s, const int64_t *amounts);

/* And what is kept of it: a copy, whose index is returned; -1 without memory. Before requests. */
int64_t maui_snapshot_keep_global(struct maui_snapshot *s, const struct maui_global_claim *claim);

/* Sorts nodes, makes classes and pools. Two nodes of one id are an error. */
int maui_snapshot_seal(struct maui_snapshot *s, struct maui_err *err);

/* Index of the node with this id; -1: none. */
int64_t maui_snapshot_find_node(const struct maui_snapshot *s, uint32_t id);

/* Index of an equal one, or of a new copy. */
int64_t maui_snapshot_request(struct maui_snapshot *s, const struct maui_request *request);
/* cred: MAUI_CRED_COUNT names. */
int64_t maui_snapshot_creds(struct maui_snapshot *s, const char *const *cred);

int64_t maui_snapshot_add_claim(struct maui_snapshot *s, const struct maui_claim *claim);
int64_t maui_snapshot_add_active(struct maui_snapshot *s, const struct maui_active *active);
int64_t maui_snapshot_add_idle(struct maui_snapshot *s, const struct maui_idle *idle);

struct maui_start;

/* How many tasks a request is. */
static inline int64_t maui_request_task_count(const struct maui_request *request)
{
	return (int64_t)(request->tasks ? request->tasks : request->nodes_min);
}

/* A planned start as an active job: what the plan says of credentials, end, pieces, licences, what
 * it asked for, the reservation it names and sole use is filled in, the rest (id, start_s, job ...)
 * is the caller's. As maui_snapshot_add_active(). */
int64_t maui_snapshot_launch(struct maui_snapshot *s, const struct maui_start *start,
			     struct maui_active *active);

/* For the simulator, which has one snapshot for a whole trace. An active job goes and the last one
 * moves to its place; idle jobs, given by ascending indices, go and the others keep their order.
 * What they pointed to stays until the end. */
void maui_snapshot_drop_active(struct maui_snapshot *s, uint32_t index);
void maui_snapshot_drop_idle(struct maui_snapshot *s, const uint32_t *indices, uint32_t count);

/* A copy of a vector in the snapshot's memory; NULL for NULL, and without memory. */
const int64_t *maui_snapshot_amounts(struct maui_snapshot *s, const int64_t *amounts);

#endif
