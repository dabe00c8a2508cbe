/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill.h - which jobs start in the backfill windows (BF-4 to BF-8)
 *
 * The pass visits the windows one after the other, widest first. In each window the policy goes
 * through the jobs that fit in processors and seconds. The host decides whether there are nodes for
 * a job, and starts it.
 *
 * Reservations may give jobs different windows: a view is a list of windows, and each job has one
 * view. The pass visits the widest windows of all views together, then the second widest, and so
 * on; all jobs stay in one order.
 *
 *   FIRSTFIT  each job that fits, in the order of priority
 *   BESTFIT   repeatedly the job with the largest metric that fits
 *   GREEDY    the set of jobs with the largest sum of metrics, within BACKFILLMAXSCHEDULES attempts
 *   PREEMPT   as FIRSTFIT in the order of BFPRIORITYPOLICY; the started jobs are preemptible
 *   NONE      no job
 *
 * Rules: BF-5, BF-6, BF-7, PRE-3.
 */
#ifndef MAUI_POLICY_BACKFILL_H
#define MAUI_POLICY_BACKFILL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decision.h"

struct maui_bf_rules {
	int policy, metric, order; /* config/planning.h */
	int64_t depth;             /* candidates of a window; <= 0: all */
	int64_t max_schedules;     /* attempts of GREEDY in a window; <= 0: one */
	bool chunking;             /* FIRSTFIT only: processors are being collected ... */
	int64_t chunk_size;        /* ... for jobs of at least this many processors */
	uint64_t seed;             /* for RANDOM: equal seeds give equal orders */
};

/* A job, in priority order. */
struct maui_bf_job {
	int64_t procs;
	int64_t limit_s;     /* MAUI_NEVER: none */
	int64_t limit_min_s; /* --time-min: the limit may be cut to this; 0: it may not */
	double nodes, pe;    /* for metrics */
	uint64_t id;         /* for RANDOM */
	uint32_t view;       /* the view whose windows the job gets */
	bool barred;         /* no candidate: started, has a job reservation, NOBF, ... */
	bool chunked;        /* result: kept out by chunking only */
};

/* Windows, widest first. */
struct maui_bf_view {
	const struct maui_window *windows;
	uint32_t count;
};

struct maui_bf_host {
	void *data;
	/* The pass enters a window of the view. Returns how many of its processors are free. */
	int64_t (*enter)(void *data, uint32_t view, const struct maui_window *window);
	/* Starts a job in the window of its view for at most limit_s. True: the job runs, and
	 * *ret_free processors of the window are free. False: no nodes, or a limit forbids it. */
	bool (*start)(void *data, uint32_t job, int64_t limit_s, int64_t *ret_free);
};

/* One pass. Started jobs are barred afterwards. -1 without memory. */
int maui_backfill_run(const struct maui_bf_rules *rules, const struct maui_bf_view *views,
		      uint32_t view_count, struct maui_bf_job *jobs, uint32_t job_count,
		      const struct maui_bf_host *host);

#endif
