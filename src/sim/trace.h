/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.h - the jobs of a simulation, from a workload trace or accounting records */
#ifndef MAUI_SIM_TRACE_H
#define MAUI_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/cred.h"
#include "model/reason.h"

struct maui_expected;
struct maui_idle;
struct maui_job_conditions;

/* What the source says of a job's time limit. */
enum maui_sim_limit {
	MAUI_SIM_LIMIT_NAMED,     /* limit_s */
	MAUI_SIM_LIMIT_NONE,      /* UNLIMITED */
	MAUI_SIM_LIMIT_UNKNOWN,   /* nothing, which counts as NONE */
	MAUI_SIM_LIMIT_PARTITION, /* the job named none, and got its partition's */
};

struct maui_sim_job {
	uint64_t number;                   /* number in the source */
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	int64_t submit_s, run_s;
	/* what it is planned with, once the partition is known (settle() of maui-sim.c): >= run_s of a job
	 * with a limit. NAMED and NONE remain then */
	int64_t limit_s;
	enum maui_sim_limit limit_kind;
	int64_t procs;
	uint32_t nodes; /* requested; 0: none */
	/* requested memory for each node, each processor; 0: none */
	int64_t mem_node_mb, mem_proc_mb;
	const char *gres; /* "gpu=2,..." for each node; NULL: none */
	bool whole_nodes;
	/* of a saved plan (sim/saved.h): index + 1 of the snapshot's idle or active jobs; what it
	 * asks for when it waits again after it was preempted; it ran when the plan was saved */
	uint32_t saved_idle, saved_active;
	const struct maui_idle *again;
	bool ran_before;
	/* a component of a het job, as in struct maui_idle; het_id 0: none */
	uint64_t het_id;
	uint32_t het_offset, het_count;
	uint32_t array_job, array_task; /* 0: not of an array; MAUI_NO_TASK: task not known */
	const struct maui_job_conditions *conditions; /* NULL: none */
	enum maui_reason left_out;                    /* why it is not simulated; NONE: it is */
	bool refused;    /* its partition is down, or does not take a job of this size */
	bool part;       /* while a trace is read: one of several executions of the job */
	bool superseded; /* likewise: another row has the job */

	/* results */
	bool paused;        /* the last plan kept the job from accruing queue time */
	int64_t start_s;    /* -1: the job did not start */
	int64_t reserved_s; /* start of the first job reservation; -1: none */
	int64_t procs_used; /* 0: those that it requests */
	uint32_t nodes_used;
	const uint32_t *places;         /* indices of these nodes; NULL: not wanted */
	enum maui_reason waited;        /* why the job did not start when it was first considered */
	const char *limit;              /* text of the limit that blocked the job; NULL: none */
	struct maui_expected *expected; /* NULL: no start was estimated, or none is wanted */
	bool backfilled;
};

/* The processors that the job holds, or requests while it does not run. */
static inline int64_t maui_sim_job_procs(const struct maui_sim_job *job)
{
	return job->procs_used ? job->procs_used : job->procs;
}

/* Jobs that PrivateData hides have numbers from here on (answers/anonymous.h). */
#define MAUI_SIM_NO_NUMBER (UINT64_C(1) << 33)

struct maui_sim_trace {
	struct maui_sim_job *jobs; /* by submit time; equal times in the order of the source */
	size_t count, alloc;
	/* of a stream (sim/stream.h): jobs[0] has this index in the trace, jobs before it have
	 * ended and are gone; `held` jobs are there. `count` are expected, until all are read */
	bool streamed;
	size_t first, held;
	int64_t from_s, until_s; /* of a saved plan: what counts; until_s 0: none */
	int64_t epoch_s;         /* second 0 of the trace, since the epoch */
	int64_t max_procs;       /* processors of the machine, from the source; 0: unknown */
	uint64_t lines;          /* lines with a job, readable or not */
	uint64_t junk;           /* unreadable lines */
	uint64_t dropped;        /* jobs that never ran, or are larger than the machine */
	uint64_t reruns;         /* rows of jobs that were requeued, before their last run */
	uint64_t parts;          /* lines that are a part of another job's execution */
	uint64_t early;          /* jobs that started before their submit time */
	struct maui_arena arena; /* texts */
};

/* The job with this index in the trace, which is not gone. */
static inline struct maui_sim_job *maui_sim_trace_job(const struct maui_sim_trace *trace,
						      size_t index)
{
	return &trace->jobs[index - trace->first];
}

/* How many jobs of the trace have been read. */
static inline size_t maui_sim_trace_end(const struct maui_sim_trace *trace)
{
	return trace->streamed ? trace->first + trace->held : trace->count;
}

/* Gets what is wrong with a line. Called for the first ones only; all are counted. */
typedef void (*maui_sim_complain_fn)(void *data, const char *path, uint64_t line, const char *what);

struct maui_sim_complaints {
	maui_sim_complain_fn complain;
	void *data;
};

/* Reads the output of `sacct -P` (fields: see sacct.c). */
int maui_sacct_read(struct maui_sim_trace *trace, const char *path,
		    const struct maui_sim_complaints *complaints, struct maui_err *err);

/* Adds a copy of the job. */
void maui_sim_trace_add(struct maui_sim_trace *trace, const struct maui_sim_job *job);
/* Sorts by submit time, stable. */
void maui_sim_trace_sort(struct maui_sim_trace *trace);
void maui_sim_trace_finish(struct maui_sim_trace *trace);

/* "17", "17_3"; "-": PrivateData hides it. Returns buf. */
enum { MAUI_SIM_LABEL_SIZE = 32 };
const char *maui_sim_job_label(const struct maui_sim_job *job, char *buf);

/* Removes the jobs that are marked as superseded; how many they were. */
size_t maui_sim_trace_drop_superseded(struct maui_sim_trace *trace);

/* Counts and reports a skipped line; a job that started before its submit time, which counts. */
void maui_sim_trace_junk(struct maui_sim_trace *trace, const char *path, uint64_t line,
			 const char *what, const struct maui_sim_complaints *complaints);
void maui_sim_trace_early(struct maui_sim_trace *trace, const char *path, uint64_t line,
			  const struct maui_sim_complaints *complaints);

#endif
