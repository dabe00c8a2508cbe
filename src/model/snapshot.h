/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot.h - the cluster at one moment, as a plan sees it: nodes, active jobs, idle jobs
 *
 * src/slurm fills it from slurmctld's records; the simulator and tests fill it, too. Names and
 * vectors are copied into the snapshot's arena, so a snapshot has no pointer into other memory.
 * Every object has a stable number (`id`) that its owner chooses, and an index here. The only limit
 * is memory.
 *
 * Order of filling: amounts, switches, partitions, nodes; maui_snapshot_seal(), which sorts nodes
 * by id and groups identical ones into node classes; then requests, credentials, claims, jobs in
 * any order. The order in which objects are added does not influence a plan.
 *
 * Resources are vectors of amounts with one number for each dimension: processors first, then
 * memory and disk, then the dimensions that the owner names (gres, licences). A pool of identical
 * processors, as in workload traces, is one node with all of them and one dimension.
 *
 * Processors are counted as the resource manager gives them out: on nodes with several threads a
 * core in multiples of `unit`. `have` does not contain cores and memory that are set aside for the
 * system.
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
	const char *name; /* the partition's name is the class of its jobs */
	uint32_t tier;    /* ranks before priority, higher first */
	/* set by seal: partitions that share nodes are in one pool; pools are numbered by their
	 * lowest node */
	uint32_t pool;
	const int64_t *most; /* set by seal: of each amount, the most that one of its nodes has */
	double job_factor;   /* class priority of jobs whose class has none; 0: not set */
	/* Index of a dimension that caps the processors that the partition gives on a node: its jobs
	 * take as many of it as they are given processors, together at most what a node has (a
	 * multiple of the node's unit; more than it has processors where jobs share these). 0: none.
	 * Pieces of active jobs contain it in their amounts. */
	uint32_t cap_amount;
	/* Slurm gives its jobs the nodes with the most idle processors (LLN=YES, CR_LLN), and does
	 * not look at switches for them */
	bool least_loaded;
	/* for questions about a hypothetical job: Default=YES, DefaultTime and MaxTime
	 * of slurm.conf; 0: none */
	bool is_default;
	int64_t default_limit_s, max_limit_s;
	bool down; /* it starts no jobs */
	/* likewise, what slurmctld adds to a job that does not say otherwise: each job gets whole
	 * nodes; nodes of one user; a job that names no memory gets all memory of its nodes, or so
	 * many MB of each node or for each processor (0: none) */
	bool whole_nodes, sole_user, all_memory;
	int64_t mem_per_node, mem_per_cpu;
	bool memory_uncounted; /* jobs consume no memory: nodes need only have it */
};

#define MAUI_NO_SWITCH UINT32_MAX

/* A switch of the network (topology.conf). Leaf switches have nodes, the others have switches. */
struct maui_switch {
	const char *name;
	uint32_t parent; /* index, higher than the switch's own; MAUI_NO_SWITCH: none */
};

struct maui_node {
	/* stable; position in the node table: the order of FIRSTAVAILABLE and CONTIGUOUS */
	uint32_t id;
	const char *name;
	const int64_t *have;        /* amounts that all jobs together may use */
	const uint32_t *partitions; /* indices */
	uint32_t partition_count;
	const char *features;   /* "a,b"; NULL: none */
	uint32_t unit;          /* processors are given out in multiples of this; >= 1 */
	uint32_t weight;        /* Slurm's: lower first */
	double speed, priority; /* FASTEST, MAXBALANCE; NODECFG PRIORITY */
	double load;            /* number of busy processors: CPULOAD */
	bool asleep;            /* powered down, or in the cloud: chosen last */
	bool drained;           /* an administrator keeps jobs away; it is not down */
	int64_t usable_from_s;  /* <= now: usable; MAUI_NEVER: down, drained, ... */
	enum maui_reason state; /* why the node is not usable, for explanations */
	/* why it is down or drained, as the administrator or Slurm wrote it; NULL: none. May
	 * contain anything */
	const char *note;
	uint32_t leaf;        /* index of its leaf switch; MAUI_NO_SWITCH: none */
	uint32_t class_index; /* set by seal */
};

static inline bool maui_node_is_in(const struct maui_node *node, uint32_t partition)
{
	for (uint32_t i = 0; i < node->partition_count; i++)
		if (node->partitions[i] == partition)
			return true;
	return false;
}

/* Processors that a job gets which asks for `procs` of the node. */
static inline int64_t maui_node_procs_given(const struct maui_node *node, int64_t procs)
{
	return node->unit > 1 ? (procs + node->unit - 1) / node->unit * node->unit : procs;
}

/* A node class: nodes with the same amounts, features, partitions and unit. */
struct maui_node_class {
	uint32_t sample; /* index of one of them */
	uint32_t count;
};

/* What a job requests. Equal requests are stored once, and a plan tries each of them once. */
struct maui_request {
	uint32_t nodes_min;      /* >= 1 */
	uint32_t nodes_max;      /* 0: any number */
	uint64_t tasks;          /* in all; 0: one on each node */
	uint32_t procs_per_task; /* >= 1 */
	/* threads of each core that tasks use, on nodes whose `unit` is larger; the task gets the
	 * rest of the core, too. 0: all threads */
	uint32_t threads_used;
	uint32_t tasks_per_node_min, tasks_per_node_max; /* 0: any number */
	/* vectors of the snapshot's dimensions; NULL: nothing */
	const int64_t *per_node; /* on each node, once: --mem, --tmp, --mincpus, --gres */
	const int64_t *per_task; /* for each task in addition: --gres by task */
	const int64_t *per_proc; /* for each processor given: --mem-per-cpu */
	/* what it asks for as a whole (--gpus): per_node or per_task has the share of it that a plan
	 * deals to each; on another number of nodes the shares would be others */
	const int64_t *per_job;
	/* must be configured on each node, free or not, and is not consumed: --tmp and --mem where
	 * nothing counts them */
	const int64_t *least;
	const int64_t *global; /* cluster-wide amounts: licences */
	uint32_t global_claim; /* the global claim that is for this request: index + 1; 0: none */
	bool whole_nodes;      /* no other job on its nodes; it gets all their processors */
	bool all_memory;       /* it gets all memory of its nodes: --mem=0 */
	/* its processors may be those of other jobs, too (OverSubscribe): it may start where none are
	 * free */
	bool shares_procs;
	bool contiguous;
	bool spread; /* on as many nodes as it may have (--spread-job) */
	/* at most so many leaf switches (--switches), for as long as the job waits for them; 0: any
	 * number */
	uint32_t switches_max;
	/* its nodes come in groups of so many, each on one leaf switch (--segment); 0: they do not */
	uint32_t segment;
	bool sole_user;   /* only jobs of the same user on its nodes */
	bool nodes_named; /* the user named the number of nodes (EXACTNODE) */
	/* What stands here is not all that Slurm looks at, so the amounts are the least that the job
	 * could need. Its start gives Slurm every node on which the plan lets the job run, and Slurm
	 * chooses. */
	bool asks_slurm;
	/* The request with the least that such a start needs, where the amounts here are the shares
	 * that its job reservation keeps: index + 1; 0: it is this one. Not in a saved plan. */
	uint32_t least_request;
	const char *features;                /* "a&b|c", "[a|b]": see features.h; NULL: none */
	const uint32_t *required, *excluded; /* indices of nodes, ascending */
	uint32_t required_count, excluded_count;
	const uint32_t *claims; /* claims that the job may use: indices, ascending */
	uint32_t claim_count;
	bool only_claims; /* it may use nothing outside these claims */
	/* Slurm's claims with amounts keep nothing from it, because it names a reservation */
	bool passes_shares;
};

/* A job's credentials in one partition. */
struct maui_credentials {
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	uint32_t user;                     /* >= 1; equal for equal users */
};

#define MAUI_CLAIM_FOREIGN UINT32_MAX

/* What a reservation keeps for the jobs that it admits, during a span. */
struct maui_claim {
	uint64_t id;
	const char *name;
	int64_t start_s, end_s;
	/* the span including adjoining instances of the reservation, which TIMELIMIT treats as one;
	 * run_end_s 0: no adjoining instance */
	int64_t run_start_s, run_end_s;
	const uint32_t *nodes; /* indices */
	uint32_t node_count;
	/* index of its reservation, as in access tables (model/access.h); FOREIGN: a Slurm
	 * reservation, which requests name in `claims` */
	uint32_t rsv;
	/* amounts kept on each node: node_count vectors, in the nodes' order; NULL: the whole
	 * nodes. FOREIGN: these are certain processors, so a job whose span overlaps the claim
	 * gets none of them before the claim begins, either */
	const int64_t *amounts;
	/* FOREIGN with amounts: claims with the same number (other than 0) share processors. On a
	 * node that two of them have, the claim with more processors has all processors of the
	 * other one */
	uint32_t stack;
	/* some of its processors also belong to a claim with another number */
	bool mixed;
	bool flex; /* FOREIGN: its jobs may have other nodes as well (FLEX) */
	/* the last known instance of a reservation that comes back every period (RSV-39); the
	 * longest time between two of its instances */
	bool repeats;
	int64_t gap_s;
};

/* What a Slurm reservation keeps of the cluster's amounts: its licences. As slurmctld counts, a job
 * whose span overlaps the reservation gets none of them at any moment. What jobs of the reservation
 * hold comes out of the amounts for all jobs, and does not lessen what is kept. */
struct maui_global_claim {
	const char *name;
	int64_t start_s, end_s;
	const int64_t *amounts;
};

/* What an active job holds on one node, until its end. */
struct maui_piece {
	uint32_t node;
	const int64_t *amounts;
	int64_t resumes; /* processors that a suspended job takes again when it resumes */
	const struct maui_share *shares; /* which of its processors belong to claims */
	uint32_t share_count;
};

/* The processors that a job holds of a Slurm claim with amounts. */
struct maui_share {
	uint32_t claim;
	int64_t procs;
};

/* Slurm's own preemption: jobs of one kind may preempt jobs of another kind. Slurm says what a kind
 * is: a QOS or a partition. */
enum maui_preempts {
	MAUI_PREEMPTS_LOWER = 1 << 0, /* jobs of lower priority than the preemptor's */
	MAUI_PREEMPTS_EQUAL = 1 << 1,
	MAUI_PREEMPTS_HIGHER = 1 << 2,
};

struct maui_preemption_rule {
	uint32_t preemptor, preemptee; /* kinds */
	unsigned whom;                 /* enum maui_preempts */
};

/* How a job goes when another one preempts it. */
enum maui_going {
	MAUI_GOING_BY_POLICY, /* as PREEMPTPOLICY says */
	MAUI_GOING_NEVER,     /* it stays */
	MAUI_GOING_ENDED,     /* requeued or cancelled: all that it holds is given back */
	MAUI_GOING_SUSPENDED, /* its processors are given back */
};

struct maui_active {
	uint64_t id;
	uint32_t creds;
	/* end_s: by its limit; a job over its limit is expected to end within a second */
	int64_t start_s, end_s;
	const struct maui_piece *pieces;
	uint32_t piece_count;
	struct maui_job job; /* for limits and run priority: elapsed_s and credentials are set by
				the plan */
	bool no_limit;       /* end_s is an assumption of the plan: SYSTEMDEFAULTJOBWALLTIME */
	/* its pieces contain what it still holds, that is memory; end_s is as if it resumed now */
	bool suspended;
	bool resumable;        /* we suspended it, so the plan decides when it resumes ... */
	int64_t resume_from_s; /* ... and not before: other jobs have its cores; 0: they have not */
	/* it holds its nodes until they are clean, and counts against no limit (THR-3) */
	bool completing;
	const int64_t *global; /* cluster-wide amounts that it holds; NULL: none */
	bool sole_user;
	bool preemptee;          /* it may be preempted with any QOS */
	uint32_t given_priority; /* run priority set by another plugin; 0: the plan computes it */
	enum maui_going going;
	/* With Slurm's own preemption: the id of its het job's leader, whose `going` is that of all
	 * components, the others' NEVER; 0: no het job. Its kind; its priority as Slurm compares
	 * it; the jobs that cost least go first */
	uint64_t het_id;
	uint32_t kind, slurm_priority, cost;
	bool keeps_licenses; /* what it holds of the cluster's amounts makes no room */
	bool warned;         /* Slurm has signalled it to end: end_s is the end of its grace time */
	int64_t procs;       /* of all pieces, and more where it shares them with other jobs */
	/* What the job requested. Access lists use it, and the job may have been given more. 0:
	 * unknown; then one task for each processor given. */
	int64_t asked_tasks, asked_procs;
	const char *advres; /* reservation that it names; NULL: none (model/access.h) */
};

/* What runjob asks of the plan, for one cycle (CMD-52). */
enum maui_run {
	MAUI_RUN_FIRST = 1 << 0,    /* ahead of all other jobs; also after an expedited requeue */
	MAUI_RUN_FORCE = 1 << 1,    /* past throttling policies and fairshare caps */
	MAUI_RUN_ANYWHERE = 1 << 2, /* all our reservations admit the job */
};

/* One partition a job may run in. */
struct maui_row {
	uint32_t partition, creds;
	/* what the job requests there, when that is not its `request`: index + 1; else 0 */
	uint32_t own_request;
	uint32_t kind; /* with Slurm's own preemption */
	uint32_t qos;  /* which of the QOS that it names it has there; for its start */
	/* as in struct maui_idle, for this partition alone: Slurm has refused it there, or another
	 * partition has its turn until then */
	bool refused;
	int64_t busy_until_s;
	double priority; /* when it is given */
};

/* A plan reads the members before `submit_s` in the order of the queue, which is another one than
 * that of the jobs: they are close together, so that fewer lines of memory are fetched. */
struct maui_idle {
	uint64_t id;
	const struct maui_row *rows; /* partitions in the user's order */
	uint32_t row_count;          /* >= 1 */
	uint32_t request;            /* in the partitions that have none of their own */
	uint32_t copies;             /* tasks of an array that may run now; >= 1 */
	unsigned run;                /* enum maui_run; 0: nobody asked */
	int64_t limit_s;             /* MAUI_NEVER: none */
	int64_t limit_min_s;         /* --time-min: the shortest limit; 0: the limit is fixed */
	int64_t procs; /* the number that windows, limits and metrics use: of the first row */
	/* Slurm has just found no nodes for it among all on which it might run. The job does not
	 * start now; a job reservation of it begins then at the earliest. 0: it is not so */
	int64_t busy_until_s;
	int64_t queue_since_s; /* start of its queue time (policy/accrual.h) */
	/* its rows have a priority from another plugin or an administrator */
	bool priority_given;
	/* it runs in a reservation of the resource manager's only: first in the queue */
	bool in_reservation;
	bool no_reservation;      /* it gets no job reservation under any policy */
	bool refused;             /* Slurm has just refused it: do not start it now */
	enum maui_reason blocked; /* why it is not eligible; NONE: it is eligible */
	const char *advres;       /* the same as in struct maui_active */
	/* A component of a het job: the leader's id, the place among the components, and of the
	 * leader how many they are. 0: no het job */
	uint64_t het_id;
	uint32_t het_offset, het_count;
	int64_t submit_s; /* the earlier first among jobs of equal priority, */
	uint64_t order;   /* then the lower order (array and task), then the lower id */
	int64_t nice;
	struct maui_job job;     /* for priority and limits; the plan sets credentials, queue
					time and fairshare */
	int64_t blocked_until_s; /* when it may be eligible; 0: not known */
	/* to end before its --deadline: slurmctld cancels an eligible job that has not started
	 * then; 0: it has no deadline. The plan does not look at it, explanations do */
	int64_t start_by_s;
	/* nodes on which it preempts no job: Slurm would not start it there even then; indices,
	 * ascending */
	const uint32_t *spared;
	uint32_t spared_count;
};

struct maui_snapshot {
	uint64_t serial;       /* unique among the snapshots of this process */
	unsigned refs;         /* maui_snapshot_ref() */
	unsigned amount_count; /* >= 1 */
	const char *
		/* of each dimension, for explanations; NULL, or an element NULL: not known */
		*amount_names;
	struct maui_totals totals; /* as configured, for PE */
	struct maui_partition *partitions;
	struct maui_node *nodes;
	struct maui_node_class *classes;
	struct maui_request *requests;
	struct maui_credentials *creds;
	struct maui_claim *claims;
	struct maui_active *active;
	struct maui_idle *idle;
	struct maui_switch *switches;
	uint32_t partition_count, node_count, class_count, request_count, cred_count, claim_count;
	uint32_t switch_count; /* 0: nothing is known of a network */
	/* every node has a leaf switch, and all switches are connected: no choice of nodes can be
	 * impossible for the network */
	bool one_network;
	/* only jobs that ask for switches are placed by them (TopologyParam=TopoOptional) */
	bool switches_optional;
	uint32_t active_count, idle_count;
	/* cluster-wide amounts that jobs may use: licences; NULL: not modelled */
	const int64_t *global;
	struct maui_global_claim *global_claims; /* what reservations keep of them */
	uint32_t global_claim_count;
	/* of each amount: 1 if a job that gets whole nodes (maui_request.whole_nodes) gets all of it
	 * there; NULL: no amount. Processors are not meant: it gets them in any case */
	const int64_t *with_whole_nodes;
	/* the resource manager distributes tasks over the nodes that it gets, and may use fewer
	 * nodes, as select/cons_tres does: policy/alloc/alloc.h */
	bool shares_tasks;
	/* Slurm's own preemption, in place of Maui's: who may preempt whom, by preemptor, then
	 * preemptee */
	bool slurm_preempts;
	const struct maui_preemption_rule *preemption_rules;
	uint32_t preemption_rule_count;
	/* whom the partitions admit; NULL: no partition has a rule, or it is not known */
	struct maui_admission *admission;
	bool sealed;
	struct maui_snapshot_store *store; /* owns the memory of all members */
};

/* Makes an empty snapshot with this many dimensions (>= 1). NULL without memory. */
struct maui_snapshot *maui_snapshot_create(unsigned amount_count);
/* Takes a reference, as a finished plan does. Each reference needs a destroy(); the last one frees
 * the memory. Any thread may call both. */
struct maui_snapshot *maui_snapshot_ref(struct maui_snapshot *snapshot);
void maui_snapshot_destroy(struct maui_snapshot *snapshot); /* NULL is fine */

/* Sets the users' name of a dimension: "gpu", the name of a licence. -1 without memory. */
int maui_snapshot_name_amount(struct maui_snapshot *s, unsigned dimension, const char *name);

/* Each adds a deep copy and returns its index. -1 without memory, for an index that does not exist,
 * or out of order (see above). */
int64_t maui_snapshot_add_partition(struct maui_snapshot *s,
				    const struct maui_partition *partition);
int64_t maui_snapshot_add_node(struct maui_snapshot *s, const struct maui_node *node);

/* Sets the switches, before nodes are added: a copy of the list and its names. -1 without memory,
 * or when a parent does not stand behind its switch. */
int maui_snapshot_set_switches(struct maui_snapshot *s, const struct maui_switch *list,
			       uint32_t count);

/* Sets the cluster-wide amounts: a copy of the vector. -1 without memory. */
int maui_snapshot_set_global(struct maui_snapshot *s, const int64_t *amounts);
/* Sets what comes with whole nodes, likewise. */
int maui_snapshot_set_with_whole_nodes(struct maui_snapshot *s, const int64_t *amounts);

/* Sets whom the partitions admit, which nobody changes any more: takes a reference. -1 when it is
 * set, is not for as many partitions as there are, or is out of order. */
int maui_snapshot_set_admission(struct maui_snapshot *s, struct maui_admission *admission);

/* Sets the rules of Slurm's own preemption: a copy of the list, which is sorted. -1 without memory,
 * or out of order. */
int maui_snapshot_set_preemption(struct maui_snapshot *s, const struct maui_preemption_rule *list,
				 uint32_t count);
/* Whom of the preemptees a job of this kind may preempt: enum maui_preempts; 0: nobody. */
unsigned maui_snapshot_preempts(const struct maui_snapshot *s, uint32_t preemptor,
				uint32_t preemptee);

/* Adds a global claim: a copy. Call it before adding requests. Returns its index; -1 without
 * memory. */
int64_t maui_snapshot_keep_global(struct maui_snapshot *s, const struct maui_global_claim *claim);

/* Sorts nodes, makes node classes and pools. Fails if two nodes have the same id. */
int maui_snapshot_seal(struct maui_snapshot *s, struct maui_err *err);

/* Index of the node with this id; -1: none. */
int64_t maui_snapshot_find_node(const struct maui_snapshot *s, uint32_t id);
/* Index of the partition of this name (NULL: none); -1: none. */
int64_t maui_snapshot_find_partition(const struct maui_snapshot *s, const char *name);

/* What the job requests in the partition of a row: the index of the request. */
static inline uint32_t maui_idle_request(const struct maui_idle *idle, uint32_t row)
{
	uint32_t own = idle->rows[row].own_request;

	return own > 0 ? own - 1 : idle->request;
}

/* Sets it, for one row. */
void maui_snapshot_set_request(struct maui_snapshot *s, uint32_t job, uint32_t row,
			       uint32_t request);

/* Sets whether and until when the job does not start in the partition of a row. */
void maui_snapshot_set_row(const struct maui_idle *idle, uint32_t row, bool refused,
			   int64_t busy_until_s);

/* Sets the nodes on which an idle job preempts no job: a copy of the list. -1 without memory. */
int maui_snapshot_spare(struct maui_snapshot *s, uint32_t job, const uint32_t *nodes,
			uint32_t count);

/* The index of an equal request, or of a new copy. -1 without memory. */
int64_t maui_snapshot_request(struct maui_snapshot *s, const struct maui_request *request);

/* Changes a copy of a request; -1: it fails. */
typedef int maui_request_change_fn(void *data, struct maui_request *request);

/* The index of a request like another one, changed together with the least that its start needs
 * (`least_request`). -1: the change failed, or no memory. */
int64_t maui_snapshot_change_request(struct maui_snapshot *s, uint32_t request,
				     maui_request_change_fn *change, void *data);
/* cred: MAUI_CRED_COUNT names. */
int64_t maui_snapshot_creds(struct maui_snapshot *s, const char *const *cred);

int64_t maui_snapshot_add_claim(struct maui_snapshot *s, const struct maui_claim *claim);
int64_t maui_snapshot_add_active(struct maui_snapshot *s, const struct maui_active *active);
int64_t maui_snapshot_add_idle(struct maui_snapshot *s, const struct maui_idle *idle);

struct maui_start;

/* How many tasks a request has. */
static inline int64_t maui_request_task_count(const struct maui_request *request)
{
	return (int64_t)(request->tasks ? request->tasks : request->nodes_min);
}

/* Adds a planned start as an active job. The plan's part (credentials, end, pieces, licences,
 * requested size, reservation, sole use) is filled in; the caller sets the rest (id, start_s, job
 * ...), and the pieces of a start for which Slurm chose the nodes. Returns as
 * maui_snapshot_add_active(). */
int64_t maui_snapshot_launch(struct maui_snapshot *s, const struct maui_start *start,
			     struct maui_active *active);

/* For the simulator, which uses one snapshot for a whole trace. drop_active(): the last active job
 * moves to the place of the removed one. drop_idle(): removes the idle jobs with these ascending
 * indices; the others keep their order. Memory that they point to stays until the snapshot is
 * freed. */
void maui_snapshot_drop_active(struct maui_snapshot *s, uint32_t index);
void maui_snapshot_drop_idle(struct maui_snapshot *s, const uint32_t *indices, uint32_t count);

/* A copy of a vector in the snapshot's memory. NULL if the vector is NULL, or without memory. */
const int64_t *maui_snapshot_amounts(struct maui_snapshot *s, const int64_t *amounts);

#endif
