/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - slurmctld's tables copied out as model/snapshot.h has them
 *
 * Two steps, each under locks that are given back every few milliseconds (hold.h):
 *   maui_cluster_capture()  nodes, partitions, gres, licences, reservations; seals the snapshot;
 *                           then what runs, as records that the caller completes
 *   maui_eligible_capture() (eligible.h) what waits
 * Requests go into the snapshot as they are seen. Active and idle jobs are handed to the caller,
 * who knows their credentials and stamps, completes them and adds them to the snapshot.
 *
 * Processors are Slurm's CPUs, as SelectTypeParameters gives them out: with whole cores on nodes of
 * several threads in multiples of the node's `unit`. A node's id is its index in slurmctld's node
 * table, and is good for as long as maui_cluster_is_current() says so.
 */
#ifndef MAUI_SLURM_CAPTURE_CLUSTER_H
#define MAUI_SLURM_CAPTURE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "config/config.h"
#include "model/captured.h"
#include "model/snapshot.h"
#include "slurm/hold.h"

/* How select and slurm.conf count, at the moment of the capture. */
struct maui_cluster_rules {
	bool linear;            /* select/linear: whole nodes to every job */
	bool cores;             /* a job's CPUs are rounded up to whole cores, or sockets: CR_CORE,
			      CR_SOCKET. Under CR_CPU they are not, but a core still has one job
			      alone: nodes have a `unit` all the same */
	bool memory;            /* memory is consumed: CR_*_MEMORY */
	bool one_task_per_core; /* CR_ONE_TASK_PER_CORE */
	uint64_t def_mem;       /* DefMemPerCPU or DefMemPerNode as in slurm_conf.def_mem_per_cpu */
};

/* What a partition does to its jobs, beside struct maui_partition; same index. */
struct maui_cluster_partition {
	bool exclusive;      /* OverSubscribe=EXCLUSIVE: whole nodes to each of its jobs */
	bool exclusive_user; /* ExclusiveUser=YES: nodes to one user's jobs at a time */
	bool forced;         /* OverSubscribe=FORCE with several jobs a core: not modelled, what
				runs there may hold more than a node has; left to Slurm */
};

struct maui_mirrors;

/* A reservation of Slurm's (repeating ones: their next instance). */
struct maui_cluster_reservation {
	const char *name;
	int64_t claim; /* index of its claim in the snapshot; -1: no nodes, over, a year off */
	int64_t start_s, end_s;
	bool maint, overlap, flex, any_nodes;
	bool floats;           /* TIME_FLOAT: always ahead, no job gets in */
	uint32_t global_claim; /* number of what it keeps of licences, see maui_request; 0:
				  nothing */
};

struct maui_cluster {
	struct maui_snapshot *snapshot; /* owned, the caller may take it and leave NULL */
	struct maui_arena arena;        /* of all below */
	struct maui_cluster_rules rules;
	const char **amounts; /* names of the dimensions: "procs", "mem", "disk", "gres/gpu",
				     "gres/gpu:a100", "license/matlab", "cpus/PARTITION" (its
				     MaxCPUsPerNode: cap_amount) */
	unsigned amount_count;
	struct maui_cluster_partition *partitions; /* as many as the snapshot's */
	struct maui_cluster_reservation *reservations;
	uint32_t reservation_count;
	/* What holds resources: running, configuring, suspended jobs, and those whose nodes are not
	 * clean yet. All but creds, preemptee, and job's credentials, queue time and what else
	 * policies know; job.walltime_s is 0 without a limit. */
	struct maui_active *active;
	uint32_t *active_users;  /* user ids of them */
	bool *active_completing; /* only cleaning up: over for every limit */
	uint32_t active_count;
	int64_t now_s;
	uint64_t table; /* see maui_cluster_is_current() */
	struct maui_hold_times reads;
};

/* Takes READ locks itself; call without any. `config` for NODECFG; `mirrors`: reservations of
 * Slurm's that are ours and left out (NULL: none). A zeroed struct, or one that
 * maui_cluster_finish() left. -1 with err: no memory, or tables that make no sense. */
int maui_cluster_capture(const struct maui_config *config, const struct maui_mirrors *mirrors,
			 struct maui_cluster *ret, struct maui_captured_jobs *ret_jobs,
			 struct maui_err *err);
void maui_cluster_finish(struct maui_cluster *cluster);

/* Whether indices of nodes still mean the same nodes: no reconfigure, no change of the node table
 * since. Under node READ or WRITE. */
bool maui_cluster_is_current(uint64_t table);
uint64_t maui_cluster_table(void); /* the number for that, as it is now */
/* From sched_p_reconfig(), under all locks: tables may be others now. */
void maui_cluster_table_changed(void);

/* Dimension of a gres ("gpu"; type NULL: of any type; a node's typed ones count in both) or of a
 * licence ("matlab", or "matlab@server"; only those that a job in the queue wants); -1: there is
 * none: not modelled. */
int maui_cluster_gres(const struct maui_cluster *cluster, const char *name, const char *type);
int maui_cluster_license(const struct maui_cluster *cluster, const char *name);

/* Index of a partition in the snapshot by name; -1. */
int64_t maui_cluster_partition(const struct maui_cluster *cluster, const char *name);

/* By name; NULL: no such reservation. Its claim; -1. */
const struct maui_cluster_reservation *maui_cluster_reservation(const struct maui_cluster *cluster,
								const char *name);
int64_t maui_cluster_claim(const struct maui_cluster *cluster, const char *reservation);

/* Of slurmctld's record of a running or suspended job: scontrol suspend gives the cores to others,
 * gang scheduling's turns do not. Under conf and job READ. */
struct job_record;
bool maui_cluster_holds_cores(const struct job_record *job_ptr);

#endif
