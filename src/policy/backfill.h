/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill.h - which jobs go into the gaps (Maui manual 8.2; rulings g.3 - g.6, k.8 - k.10)
 *
 * Windows are visited one after the other, widest first; in each the policy goes through the jobs
 * that fit it, counted in processors and seconds. Whether a job really finds nodes there is asked
 * of the host, who also does the starting.
 *
 * Jobs that reservations treat differently see different windows: they form views, each with its
 * own. Then the widest windows of all views are visited together, then the second widest, and so
 * on; all jobs stay in one order.
 *
 *   FIRSTFIT  priority order: each that fits
 *   BESTFIT   again and again the one with the largest metric that fits
 *   GREEDY    the set with the largest sum of metrics, within BACKFILLMAXSCHEDULES attempts
 *   PREEMPT   as FIRSTFIT in the order of BFPRIORITYPOLICY; those started are preemptible
 *   NONE      nobody
 */
#ifndef MAUI_POLICY_BACKFILL_H
#define MAUI_POLICY_BACKFILL_H

#include <stdbool.h>
#include <stdint.h>

#include "model/decision.h"

struct maui_bf_rules {
	int policy, metric, order; /* config/planning.h */
	int64_t depth;             /* candidates a window; <= 0: all */
	int64_t max_schedules;     /* GREEDY's attempts a window; <= 0: one */
	bool chunking;             /* processors are being collected, FIRSTFIT only, */
	int64_t chunk_size;        /* for jobs of at least so many */
	uint64_t seed;             /* of RANDOM: the same one, the same order */
};

/* A job, in priority order. */
struct maui_bf_job {
	int64_t procs;
	int64_t limit_s;     /* MAUI_NEVER: none */
	int64_t limit_min_s; /* it may be cut to this; 0: it may not */
	double nodes, pe;    /* for metrics */
	uint64_t id;         /* for RANDOM */
	uint32_t view;       /* whose windows it sees */
	bool barred;         /* not to be looked at: started, has a reservation, NOBF, ... */
	bool chunked;        /* result: kept out by chunking only */
};

/* Windows, widest first. */
struct maui_bf_view {
	const struct maui_window *windows;
	uint32_t count;
};

struct maui_bf_host {
	void *data;
	/* A window of the view is entered: how many of its processors are still free? */
	int64_t (*enter)(void *data, uint32_t view, const struct maui_window *window);
	/* Starts a job in its view's window for at most limit_s. True: it runs, and *ret_free
	 * processors are left there. False: no nodes, or a limit forbids it. */
	bool (*start)(void *data, uint32_t job, int64_t limit_s, int64_t *ret_free);
};

/* One pass. Jobs that were started are barred afterwards. -1 without memory. */
int maui_backfill_run(const struct maui_bf_rules *rules, const struct maui_bf_view *views,
		      uint32_t view_count, struct maui_bf_job *jobs, uint32_t job_count,
		      const struct maui_bf_host *host);

#endif
