/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster.h - copies slurmctld's tables into a snapshot (model/snapshot.h)
 *
 * There are two steps. Each takes locks and gives them back every few milliseconds (hold.h).
 * maui_cluster_capture()   nodes, partitions, gres, licences, reservations; seals the snapshot;
 * then active jobs, as records that the caller completes
 * maui_eligible_capture()  waiting jobs (eligible.h)
 * Requests enter the snapshot as they are read. The caller gets active and idle jobs, adds their
 * credentials and queue times, and puts them into the snapshot.
 *
 * Processors are Slurm's CPUs as SelectTypeParameters gives them out: whole cores on nodes of
 * several threads, in multiples of the node's `unit`. A node's id is its index in slurmctld's node
 * table, and is valid while maui_cluster_is_current() is true.
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

/* PreemptType. */
enum maui_cluster_preemption {
	MAUI_CLUSTER_PREEMPTS_NOT, /* Maui's preemption */
	MAUI_CLUSTER_PREEMPTS_BY_QOS,
	MAUI_CLUSTER_PREEMPTS_BY_PARTITION,
};

/* How select and slurm.conf count, at the moment of the capture. */
struct maui_cluster_rules {
	bool linear; /* select/linear: whole nodes to every job */
	/* CR_CORE, CR_SOCKET: a job's CPUs are rounded up to whole cores or sockets. Under CR_CPU
	 * they are not, but a core still has one job only, so nodes have a `unit` */
	bool cores;
	bool memory;            /* memory is consumed: CR_*_MEMORY */
	bool one_task_per_core; /* CR_ONE_TASK_PER_CORE */
	bool switches_optional; /* TopologyParam=TopoOptional */
	bool blocks;            /* topology/block: it alone decides how a job's nodes lie */
	uint32_t block_size;    /* the nodes by which it counts blocks; 0: not known */
	bool fewest_nodes;      /* JOBNODEMATCHPOLICY: of a range of nodes not all that are free */
	uint64_t def_mem;       /* DefMemPerCPU or DefMemPerNode as in slurm_conf.def_mem_per_cpu */
	enum maui_cluster_preemption preemption;
	bool youngest_first, reclaims_licenses; /* PreemptParameters */
};

struct maui_mirrors;

/* A Slurm reservation; of a repeating one the next instance. */
struct maui_cluster_reservation {
	const char *name;
	/* index of its claim in the snapshot; -1: no nodes, over, or a year away */
	int64_t claim;
	int64_t start_s, end_s;
	bool maint, overlap, flex, any_nodes;
	bool floats;           /* TIME_FLOAT: always in the future, admits no job */
	uint32_t global_claim; /* number of its claim on licences, see maui_request; 0: none */
};

struct maui_cluster {
	struct maui_snapshot *snapshot; /* owned; the caller may take it and set NULL */
	struct maui_arena arena;        /* of all below */
	struct maui_cluster_rules rules;
	const char **amounts; /* names of the dimensions: "procs", "mem", "disk", "gres/gpu",
				     "gres/gpu:a100", "license/matlab", "cpus/PARTITION" (its
				     MaxCPUsPerNode, and its jobs a core: cap_amount) */
	unsigned amount_count;
	/* of each node, by its index in the snapshot, a number of cores, then a bit for each that some
	 * job holds which shares its cores (OverSubscribe); NULL: none */
	uint64_t **shared_cores;
	struct maui_cluster_reservation *reservations;
	uint32_t reservation_count;
	/* Jobs that hold resources: running, configuring, suspended, and completing ones. The
	 * caller fills in creds, preemptee, and the credentials, queue time and other policy
	 * fields of job; job.walltime_s is 0 without a limit. */
	struct maui_active *active;
	uint32_t *active_users;  /* user ids of them */
	bool *active_completing; /* the job only completes: no limit counts it */
	uint32_t active_count;
	int64_t now_s;
	uint64_t table; /* see maui_cluster_is_current() */
	struct maui_hold_times reads;
};

/* For one thread at a time. Takes READ locks itself; call without any. `config` for NODECFG;
 * `mirrors`: our own Slurm reservations, which are left out (NULL: none). `ret`: a zeroed struct,
 * or one that maui_cluster_finish() left. -1 with err: no memory, or inconsistent tables. */
int maui_cluster_capture(const struct maui_config *config, const struct maui_mirrors *mirrors,
			 struct maui_cluster *ret, struct maui_captured_jobs *ret_jobs,
			 struct maui_err *err);
void maui_cluster_finish(struct maui_cluster *cluster);
/* Frees what captures keep for each other, the network. No capture may run. */
void maui_cluster_forget(void);

/* Reads what a job that has started since the capture holds, and until when: id, start_s, end_s,
 * pieces and procs of *ret; the rest is 0. Memory is the cluster's. 1: read; 0: it cannot be read,
 * because the job or the table is gone, or because Slurm reserves certain cores; -1: no memory.
 * Takes READ locks itself. */
int maui_cluster_read_started(struct maui_cluster *cluster, uint32_t job_id,
			      struct maui_active *ret);

/* Whether indices of nodes still mean the same nodes: no reconfigure and no change of the node
 * table since. Under node READ or WRITE. */
bool maui_cluster_is_current(uint64_t table);
uint64_t maui_cluster_table(void); /* the number of the tables as they are now */
/* Called by sched_p_reconfig(), under all locks: the tables may have changed. */
void maui_cluster_table_changed(void);

/* Dimension of a gres ("gpu"; type NULL: of any type; typed gres of a node count in both) or of a
 * licence ("matlab", or "matlab@server"; only licences that a job in the queue asks for). -1: not
 * modelled. */
int maui_cluster_gres(const struct maui_cluster *cluster, const char *name, const char *type);
int maui_cluster_license(const struct maui_cluster *cluster, const char *name);

/* Finds a reservation by name; NULL: none. The second function returns its claim; -1. */
const struct maui_cluster_reservation *maui_cluster_reservation(const struct maui_cluster *cluster,
								const char *name);
int64_t maui_cluster_claim(const struct maui_cluster *cluster, const char *reservation);

/* Whether a running or suspended job keeps its cores: scontrol suspend gives them to other jobs,
 * the turns of gang scheduling do not. Under conf and job READ. */
struct job_record;
bool maui_cluster_holds_cores(const struct job_record *job_ptr);

#endif
