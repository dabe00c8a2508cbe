/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_private.h - for cluster*.c only: what was read under locks, on its way into a snapshot
 *
 * Under a lock things are only copied, into a draft; names are sorted, the snapshot is built and
 * sealed when no lock is held.
 */
#ifndef MAUI_SLURM_CLUSTER_PRIVATE_H
#define MAUI_SLURM_CLUSTER_PRIVATE_H

#include "slurm/compat.h"

#include "slurm/cluster.h"
#include "slurm/hold.h"

enum maui_draft_result {
	MAUI_DRAFT_DONE,
	MAUI_DRAFT_CHANGED,   /* the tables are others now: all over again */
	MAUI_DRAFT_NO_MEMORY,
	MAUI_DRAFT_FOREIGN,   /* records of another build (abi.h) */
};

/* A kind of gres, known by its place in the draft's list. */
struct maui_draft_gres {
	const char *name, *type; /* type NULL: of any type */
	unsigned amount;         /* its dimension, when they are given out */
};

struct maui_draft_count {
	int64_t gres; /* place in the list */
	int64_t count;
};

struct maui_draft_node {
	uint32_t id, unit, weight, partition_count, count_count;
	const char *name, *features;
	const uint32_t *partitions;
	const struct maui_draft_count *counts;
	int64_t procs, mem, disk, usable_from_s;
	double load;
	enum maui_reason state;
	bool asleep, maint;
};

struct maui_draft_partition {
	const char *name;
	uint32_t tier, cap_procs; /* MaxCPUsPerNode; 0: none */
	double job_factor;
	struct maui_cluster_partition rules;
	unsigned cap_amount;
};

struct maui_draft_license {
	const char *name;
	int64_t total;  /* that the cluster has; -1: there is no such licence */
	int64_t kept;   /* of those, by reservations that are on */
	unsigned amount;
};

struct maui_draft {
	struct maui_cluster *cluster;
	const struct maui_mirrors *mirrors; /* reservations of Slurm's that are ours; NULL: none */
	struct maui_arena arena; /* of names and lists */
	struct maui_draft_partition *partitions;
	struct maui_draft_node *nodes;
	struct maui_draft_gres *gres;
	struct maui_draft_license *licenses;
	int64_t kept_until_s; /* when the last of the reservations that keep licences ends */
	uint32_t *job_ids;
	struct maui_totals totals;
	uint32_t partition_count, node_count, gres_count, license_count;
	size_t node_room, gres_alloc, license_alloc, job_count;
	bool failed; /* no memory, somewhere below */
};

/* First set bit >= from and < end of a bitmap, quickly over gaps; -1. */
int64_t maui_cluster_next_bit(bitstr_t *bitmap, int64_t from, int64_t end);

/* The steps of a capture. All take their locks themselves. */
enum maui_draft_result maui_draft_read_nodes(struct maui_draft *draft);
enum maui_draft_result maui_draft_read_queue(struct maui_draft *draft);
enum maui_draft_result maui_draft_build(struct maui_draft *draft, const struct maui_config *config,
					struct maui_err *err);
enum maui_draft_result maui_draft_read_reservations(struct maui_draft *draft);
enum maui_draft_result maui_draft_read_active(struct maui_draft *draft);

/* Place of a kind of gres in the list, added when `add`; -1: not there, or no memory. An empty type
 * is none. */
int64_t maui_draft_gres(struct maui_draft *draft, const char *name, const char *type, bool add);

/* A node's gres (gres_list of its record) into the draft; like those before: the same list. */
void maui_draft_read_gres(struct maui_draft *draft, maui_compat_list_t list,
			  struct maui_draft_node *ret);

/* What a job holds of gres on its nodes, into rows of amounts; row i is of the node at
 * places[i] among all nodes that the job was given. */
void maui_draft_hold_gres(struct maui_draft *draft, const job_record_t *job_ptr,
			  const uint32_t *places, uint32_t count, int64_t *rows);

/* Licences of one job: its wishes noted; what it holds as a vector (NULL: nothing known). */
void maui_draft_want_licenses(struct maui_draft *draft, const job_record_t *job_ptr);
const int64_t *maui_draft_hold_licenses(struct maui_draft *draft, const job_record_t *job_ptr);

/* How many of each wanted licence there are, without those of reservations in force. Under conf and
 * node READ. */
void maui_draft_count_licenses(struct maui_draft *draft);

#endif
