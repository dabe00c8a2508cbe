/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.h - the jobs of a simulation, out of a workload trace or of accounting records */
#ifndef MAUI_SIM_TRACE_H
#define MAUI_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/cred.h"
#include "model/reason.h"

struct maui_sim_job {
	uint64_t number;                   /* what the source calls it */
	const char *cred[MAUI_CRED_COUNT]; /* NULL: none */
	int64_t submit_s, run_s;
	int64_t limit_s; /* >= run_s: longer runs are cut, as Slurm does */
	int64_t procs;
	uint32_t nodes;                   /* asked for; 0: none */
	int64_t mem_node_mb, mem_proc_mb; /* memory asked for a node, a processor; 0: none */
	const char *gres;                 /* "gpu=2,...", a node; NULL: none */
	bool whole_nodes;

	/* results */
	bool paused;        /* the last cycle kept it from accruing queue time */
	int64_t start_s;    /* -1: did not start */
	int64_t reserved_s; /* start of its first reservation; -1: it never had one */
	uint32_t nodes_used;
	enum maui_reason waited; /* why it did not start when it was first considered */
	const char *limit;       /* the limit that it was, in words; NULL: none */
	bool backfilled;
};

struct maui_sim_trace {
	struct maui_sim_job *jobs; /* by submit time, of equal ones as in the source */
	size_t count, alloc;
	int64_t epoch_s;         /* its second 0, since the epoch */
	int64_t max_procs;       /* of the machine, as the source says; 0: it does not */
	uint64_t lines;          /* with a job on them, good or not */
	uint64_t junk;           /* lines that could not be read */
	uint64_t dropped;        /* jobs that never ran, or are larger than the machine */
	struct maui_arena arena; /* texts */
};

/* What is wrong with one line; called for the first of them only, all are counted. */
typedef void (*maui_sim_complain_fn)(void *data, const char *path, uint64_t line, const char *what);

struct maui_sim_complaints {
	maui_sim_complain_fn tell;
	void *data;
};

/* Standard Workload Format, version 2; gzipped or not. Field by field: job number, submit time,
 * wait, run time, processors, -, -, processors asked for, time asked for, -, status, user, group,
 * -, queue, ... Comments begin with ';'; of the header MaxProcs (else MaxNodes) and UnixStartTime
 * are taken. A job without run time or processors never ran: dropped. Credentials are named
 * u<user>, g<group> and q<queue>. */
int maui_swf_read(struct maui_sim_trace *trace, const char *path,
		  const struct maui_sim_complaints *complaints, struct maui_err *err);

/* `sacct -P` (see sacct.c for the fields). */
int maui_sacct_read(struct maui_sim_trace *trace, const char *path,
		    const struct maui_sim_complaints *complaints, struct maui_err *err);

/* Adds a copy; -1 without memory. */
int maui_sim_trace_add(struct maui_sim_trace *trace, const struct maui_sim_job *job);
/* By submit time, stable. -1 without memory. */
int maui_sim_trace_sort(struct maui_sim_trace *trace);
void maui_sim_trace_finish(struct maui_sim_trace *trace);

/* Reports a line that is skipped. */
void maui_sim_trace_junk(struct maui_sim_trace *trace, const char *path, uint64_t line,
			 const char *what, const struct maui_sim_complaints *complaints);

#endif
