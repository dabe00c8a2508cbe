/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.h - why a job waits, until when, and what would help: functions of a finished plan
 *
 * Goes in: a finished plan, which never changes. Comes out: an answer about one job at a time. Each
 * thread needs an explainer of its own; any number of explainers may read one plan at the same
 * time. Nothing is computed before a question is asked.
 *
 * A reservation is named as the reason only if the job would start earlier without it. That is so
 * in three cases: the job fits now if reservations are ignored, and does not fit now if other jobs
 * are ignored; a shorter time limit would let it start now; there is no moment at which it fits. A
 * job that only has to wait for the end of other jobs waits for resources.
 */
#ifndef MAUI_EXPLAIN_EXPLAIN_H
#define MAUI_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "explain/blocking_reservation.h"
#include "model/conditions.h"
#include "model/reason.h"
#include "plan/finished.h"

/* squeue's reason names the blocking reservation for this many waiting jobs of a partition. Jobs
 * behind these show "Priority". */
enum { MAUI_EXPLAIN_FIRST_JOBS = 100 };
/* A text names this many other jobs, and counts the rest. */
enum { MAUI_EXPLAIN_NAMED_JOBS = 5 };

/* The nodes that a job could use, counted by reason. */
struct maui_node_reasons {
	/* each node counts for the first reason that applies; NONE: nodes that are free for the
	 * job */
	uint32_t counts[MAUI_REASON_COUNT];
	uint32_t wanted; /* nodes that the job needs at least */
	/* its tasks, how many of them the free nodes take, and processors of a task */
	int64_t tasks, room;
	uint32_t procs_per_task;
	/* what most of the busy nodes lack, unless it is processors: "memory", "gpu"; NULL */
	const char *scarce;
	int64_t scarce_needed; /* amount of `scarce` that the job needs on each node */
	/* what the nodes lack that count as NODE_OTHER; NULL: not known */
	const char *missing_gres;
	/* names of reservations that keep nodes from the job, "a, b"; NULL: none, or hidden */
	const char *reserved_by;
	/* the job starts when reservations end, not when other jobs end */
	bool reservations_decide;
	bool whole; /* the job requests whole nodes */
	/* free nodes may be enough and not serve: they have to be neighbours, on so many leaf
	 * switches (0: any number), in one node set, on one of several networks */
	bool bound, contiguous, in_set;
	bool asks_slurm; /* Slurm chooses the nodes: the free ones may not serve the job */
	uint32_t switches_max;
	const char *features; /* features that the job requests and some nodes lack; NULL */
};

/* A licence that a job waits for. */
struct maui_licence_shortage {
	const char *name; /* NULL: not known */
	int64_t needed, free;
	const char *reserved_by; /* a Slurm reservation that keeps some; NULL: none; "": hidden */
};

/* What the moment of a start rests on. */
enum maui_start_basis {
	MAUI_START_UNKNOWN,
	MAUI_START_NOW,
	MAUI_START_RESERVATION, /* its job reservation */
	/* a projection: the jobs that use up its limits, and the jobs ahead, run to their limits */
	MAUI_START_LIMIT,
	MAUI_START_PROJECTION, /* the jobs ahead start in order and run to their limits */
	MAUI_START_FIT,        /* the first room; jobs ahead without an estimate may take it */
};

struct maui_start_time {
	int64_t when_s; /* MAUI_NEVER: unknown */
	enum maui_start_basis basis;
};

/* What the caller knows of a waiting job in addition to the plan, mostly from slurmctld. */
struct maui_slurm_facts {
	struct maui_job_conditions conditions;
	bool held_by_user, requeued;
	const char *no_starts; /* why no job is started at present; NULL: jobs are */
	/* of an array of which as many tasks run as may (%N): when the first of them ends by its
	 * limit; MAUI_NEVER: not known */
	int64_t next_task_s;
	/* the first jobs of `going` of the explanation that may be named, as squeue names them; NULL
	 * behind the last one */
	const char *going[MAUI_EXPLAIN_NAMED_JOBS];
};

/* The active jobs that go for a job: the plan preempts them, or they are leaving its nodes. */
struct maui_going_jobs {
	const uint32_t *list; /* indices of the snapshot's active jobs */
	uint32_t count;
	int64_t until_s; /* the end of the longest grace time; 0: none has one */
};

struct maui_explanation {
	const struct maui_verdict *verdict; /* contains the reasons that the cycle recorded */
	const char *partition;
	uint32_t ahead; /* jobs that wait for the same resources and are ahead of this one */
	bool behind;    /* some of these jobs can start some day */
	bool looked;    /* the members that follow are set */
	const struct maui_blocking_reservation *blocking; /* NULL: none blocks it */
	const struct maui_node_reasons *nodes;            /* NULL: nodes are not the reason */
	const struct maui_licence_shortage *licence;      /* NULL: none */
	/* the longest time limit with which the job would start now, in whole minutes as Slurm keeps
	 * limits; 0: none */
	int64_t longest_s;
	/* reservations leave the job no moment to start */
	bool kept_out;
	struct maui_start_time start; /* set by maui_explain_job() only, like `going` */
	struct maui_going_jobs going;
	int64_t start_by_s; /* the job's (model/snapshot.h); 0: it has no deadline */
	uint32_t tasks; /* the caller may set it: so many tasks of an array wait, and the start is
			   that of the first one */
	/* the text gives moments in local time relative to this one; 0: the text gives no
	 * moments */
	int64_t now_s;
	const struct maui_slurm_facts *facts; /* set by the caller; NULL: not known */
	bool start_apart; /* the text leaves the expected start to maui_explain_outlook() */
	bool too_late;    /* the text begins with that the start is after the deadline */
	bool exact;       /* time limits are not rounded down for a text that seldom changes */
	bool asks_slurm;  /* of the job's request: what fits starts only if Slurm finds a place */
};

/* Whether slurmctld cancels the job before it starts at that moment, for its deadline. */
static inline bool maui_explain_is_too_late(const struct maui_explanation *e, int64_t start_s)
{
	return e->start_by_s > 0 && start_s != MAUI_NEVER && start_s > e->start_by_s;
}

struct maui_explainer;
struct maui_explained_job;

/* The caller must keep the plan as long as the explainer. NULL without memory. */
struct maui_explainer *maui_explainer_create(const struct maui_plan *plan);
void maui_explainer_destroy(struct maui_explainer *x); /* NULL is fine */
/* PrivateData=reservations: from now on answers name only reservations that the job asks for. */
void maui_explainer_hide_reservations(struct maui_explainer *x);
/* PrivateData=partitions: and only partitions that the job asks for. */
void maui_explainer_hide_partitions(struct maui_explainer *x);

/* What the cycle recorded of the job, without any search: `verdict`, `partition`, `kept_out`,
 * `start_by_s`. */
struct maui_explanation maui_explain_recorded(const struct maui_plan *plan, uint32_t job);
/* What a cycle publishes for squeue. The first jobs of a partition get the blocking reservation and
 * the counts of nodes, the others only what the verdict has. `ret` is valid until the next
 * question. -1 without memory. */
int maui_explain_short(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret);
/* When the job starts, for every command: the `start` of the complete explanation alone. The
 * cycle's estimate, or the first room for a job that waits for resources only. -1 without
 * memory. */
int maui_explain_start(struct maui_explainer *x, uint32_t job, struct maui_start_time *ret);
/* How many empty nodes the job needs at least, of the largest ones that serve it. */
int maui_explain_least_nodes(struct maui_explainer *x, uint32_t job, uint32_t *ret);
/* Whether the other job is among those that `ahead` counts. */
bool maui_explain_is_ahead(const struct maui_explainer *x, uint32_t other, uint32_t job);
/* Of each node of the snapshot: whether it could serve the job if it were up and nobody used it.
 * -1 without memory. */
int maui_explain_serving_nodes(struct maui_explainer *x, uint32_t job, bool *ret);
/* The job, for the questions that follow, until one about another job. NULL without memory. */
const struct maui_explained_job *maui_explain_about(struct maui_explainer *x, uint32_t job);
/* Whether reservations leave it room on the node, which could serve it, from that moment on for its
 * whole time limit, without other jobs. MAUI_NEVER: from the last moment on at which they change.
 * -1 without memory. */
int maui_explain_has_remainder(struct maui_explainer *x, const struct maui_explained_job *a,
			       uint32_t node, int64_t when_s);
/* The complete explanation, for any job. */
int maui_explain_job(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret);

#endif
