/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - the draft of a snapshot, for the files of this folder only
 *
 * Under a lock, values are only copied into a draft. Without any lock, the draft's names are
 * sorted, and the snapshot is built and sealed.
 */
#ifndef MAUI_SLURM_CAPTURE_PRIVATE_H
#define MAUI_SLURM_CAPTURE_PRIVATE_H

#include "slurm/compat.h"

#include "model/admission.h"
#include "slurm/capture/cluster.h"
#include "slurm/hold.h"

enum maui_draft_result {
	MAUI_DRAFT_DONE,
	MAUI_DRAFT_CHANGED, /* the tables have changed: start again */
	MAUI_DRAFT_NO_MEMORY,
	MAUI_DRAFT_FOREIGN, /* records of another build (abi.h) */
};

/* A kind of gres; its number is its place in the draft's list. */
struct maui_draft_gres {
	const char *name, *type; /* type NULL: of any type */
	bool apart;              /* whole nodes do not bring it along */
	unsigned amount;         /* its dimension, once dimensions are assigned */
};

struct maui_draft_count {
	int64_t gres; /* place in the list */
	int64_t count;
};

struct maui_draft_node {
	uint32_t id, unit, weight, partition_count, count_count;
	const char *name, *features, *note;
	const uint32_t *partitions;
	const struct maui_draft_count *counts;
	int64_t procs, mem, disk, usable_from_s;
	double load;
	enum maui_reason state;
	bool asleep, maint, drained;
};

struct maui_draft_partition {
	struct maui_partition of;
	uint32_t cap_procs;   /* MaxCPUsPerNode; 0: none */
	uint32_t jobs_a_core; /* OverSubscribe=FORCE:n or YES:n; 1: other partitions */
};

struct maui_draft_license {
	const char *name;
	int64_t total; /* in the cluster; -1: there is no such licence */
	unsigned amount;
};

/* A reservation of cores. */
struct maui_draft_share {
	bitstr_t *nodes, *cores; /* of the whole cluster; the draft owns them */
	int64_t first, last;     /* of the nodes */
	uint32_t claim, stack;   /* see struct maui_claim */
};

struct maui_draft {
	struct maui_cluster *cluster;
	struct maui_captured_jobs *jobs;    /* active and ended jobs */
	const struct maui_mirrors *mirrors; /* our own Slurm reservations; NULL: none */
	struct maui_arena arena;            /* of names and lists */
	struct maui_draft_partition *partitions;
	struct maui_admission *admission; /* of the partitions; NULL: that of the capture before */
	struct maui_draft_node *nodes;
	struct maui_draft_gres *gres;
	struct maui_draft_license *licenses;
	struct maui_draft_share *shares;
	uint32_t *job_ids;
	uint64_t places; /* a hash of the nodes and their places in the network */
	uint32_t partition_count, node_count, gres_count, license_count, share_count;
	size_t node_room, gres_alloc, license_alloc, share_alloc, job_count;
	bool changeable_features; /* NodeFeaturesPlugins */
	bool failed;              /* no memory, somewhere below */
};

/* The steps of a capture. All take their locks themselves. */
enum maui_draft_result maui_draft_read_nodes(struct maui_draft *draft);
enum maui_draft_result maui_draft_read_network(struct maui_draft *draft);
enum maui_draft_result maui_draft_read_queue(struct maui_draft *draft);
enum maui_draft_result maui_draft_build(struct maui_draft *draft, const struct maui_config *config,
					struct maui_err *err);
enum maui_draft_result maui_draft_read_reservations(struct maui_draft *draft);
enum maui_draft_result maui_draft_read_active(struct maui_draft *draft);

/* Whom the partitions admit, in this order. The first, without any lock, looks whether accounts
 * have changed. The second copies the rules of part_list, which is there, if anything has: under
 * conf and part READ. The third copies what rules that were copied need of slurmdbd's accounts, and
 * gives the snapshot, which has its partitions, what is kept: -1 without memory. */
void maui_draft_check_associations(struct maui_draft *draft);
void maui_draft_read_admission(struct maui_draft *draft);
int maui_draft_add_admission(struct maui_draft *draft);
/* Frees what is kept. No capture may run. */
void maui_draft_forget_admission(void);

/* Adds the switches to the snapshot. -1 without memory. */
int maui_draft_add_switches(const struct maui_draft *draft);
/* The leaf switch of the node with this id; MAUI_NO_SWITCH. */
uint32_t maui_draft_leaf(uint32_t id);

/* Reads a node's gres (gres_list of its record) into the draft. Nodes with equal gres share one
 * list. */
void maui_draft_read_gres(struct maui_draft *draft, maui_compat_list_t list,
			  struct maui_draft_node *ret);

/* Adds the gres that a job holds to rows of amounts; row i is the node at places[i] among all
 * nodes of the job. */
void maui_cluster_hold_gres(const struct maui_cluster *cluster, const job_record_t *job_ptr,
			    const uint32_t *places, uint32_t count, int64_t *rows);

/* Licences of one job: notes the licences that it asks for; returns what it holds as a vector
 * (NULL: nothing known). */
void maui_draft_want_licenses(struct maui_draft *draft, const job_record_t *job_ptr);
const int64_t *maui_draft_hold_licenses(struct maui_draft *draft, const job_record_t *job_ptr);

/* The licences that a reservation keeps, of those that jobs ask for (NULL: none). Under node
 * READ. */
const int64_t *maui_draft_keep_licenses(struct maui_draft *draft, maui_compat_list_t list);

/* The processors that a reservation of cores has on one node (index of the node table). Under node
 * READ. */
int64_t maui_draft_share_procs(bitstr_t *cores, int64_t index);

/* Whether two core reservations have a node in common. */
bool maui_draft_shares_meet(const struct maui_draft_share *one, const struct maui_draft_share *two);

/* A stack of the draft's shares on which this one may lie, or a new one. */
uint32_t maui_draft_stack(const struct maui_draft *draft, const struct maui_draft_share *share);

/* Lists the core reservations of which a job has cores on the node with that index; the job's
 * cores there begin at job_from of its own bitmap. Returns how many; the cluster owns the list.
 * Under node READ. */
uint32_t maui_draft_hold_shares(struct maui_draft *draft, const job_resources_t *res,
				int64_t job_from, int64_t cores, int64_t index,
				const struct maui_share **ret_list);

/* Counts each licence that a job asks for. Under conf and node READ. */
void maui_draft_count_licenses(struct maui_draft *draft);

#endif
