/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - figures of jobs that have started and ended, by credential and by size, since a
 * moment
 *
 * In: such jobs, one at a time (cycle/job_statistics.h). Out: sums that only grow, until they are
 * reset. state/store keeps them over a restart. Accounts and QOS that jobs claim are bounded as in
 * state/usage.h: further ones share the name [others].
 *
 * Thread safety: the figures none, a view may be read by any thread.
 *
 * Rules: CMD-28, CMD-67, CMD-69.
 */
#ifndef MAUI_STATE_STATISTICS_H
#define MAUI_STATE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hashtable.h"
#include "model/cred.h"
#include "state/estimate_errors.h"
#include "state/waits.h"

/* Sums and maxima over jobs; times in seconds. The order is that of the state file. */
enum maui_figure {
	MAUI_FIGURE_JOBS,
	MAUI_FIGURE_BACKFILLED,    /* jobs that started while a better one waited */
	MAUI_FIGURE_USED_PS,       /* processor-seconds */
	MAUI_FIGURE_BACKFILLED_PS, /* those of backfilled jobs */
	MAUI_FIGURE_REQUESTED_PS,  /* processors x time limit */
	MAUI_FIGURE_QUEUE_TIME,    /* effective */
	MAUI_FIGURE_MAX_QUEUE_TIME,
	MAUI_FIGURE_XFACTOR, /* 1 + queue time / time limit */
	MAUI_FIGURE_MAX_XFACTOR,
	MAUI_FIGURE_BYPASS,
	MAUI_FIGURE_MAX_BYPASS,
	MAUI_FIGURE_ACCURACY, /* run time / time limit, 1 at most */
	MAUI_FIGURE_LIMITED,  /* jobs with a time limit */
	MAUI_FIGURE_COUNT
};

struct maui_figures {
	double value[MAUI_FIGURE_COUNT];
};

/* Jobs by processors and time limit: up to 1, 4, 16 ... processors, up to 15 minutes, 1 hour, 4
 * hours ...; the last of each has all larger ones. */
enum { MAUI_GRID_PROCS = 8, MAUI_GRID_TIMES = 6 };
int64_t maui_grid_procs(int step);
int64_t maui_grid_time(int step);

struct maui_statistics_row {
	struct maui_figures figures;
	struct maui_waits waits; /* of jobs that started, running ones included */
	enum maui_cred_kind kind;
	uint32_t claims; /* of a user: names that this user's jobs were the first to have */
	const char *name;
};

struct maui_statistics {
	int64_t since_s; /* jobs that ended at this moment or later count; 0: not begun */
	/* processor-seconds of usable nodes, and those that jobs used, since then */
	double capacity_ps, used_ps;
	struct maui_figures total;
	struct maui_figures grid[MAUI_GRID_PROCS][MAUI_GRID_TIMES];
	struct maui_hashtable rows;   /* struct maui_statistics_row, by kind and name */
	struct maui_hashtable errors; /* struct maui_estimate_errors, by partition */
	uint64_t version;             /* how often the figures changed */
};

/* One job that ended. */
struct maui_ended_job {
	const char *const *cred; /* of each kind; NULL or "": none */
	double procs, ran_s, queue_s;
	double limit_s; /* 0: none */
	double xfactor;
	double bypass;
	int backfilled;
	unsigned known; /* which credentials are no claims: as in maui_usage_charge() */
};

/* Forgets everything; jobs that end from now on count. */
void maui_statistics_reset(struct maui_statistics *statistics, int64_t now_s);
void maui_statistics_finish(struct maui_statistics *statistics);
/* -1 without memory: some of the job's figures may be missing. */
int maui_statistics_add(struct maui_statistics *statistics, const struct maui_ended_job *job);
/* A job started that had waited so long. -1 without memory: some of the figures may be missing. */
struct maui_started_job {
	const char *const *cred;
	unsigned known; /* as of an ended job */
	int64_t waited_s[MAUI_WAITS];
};
int maui_statistics_add_waits(struct maui_statistics *statistics,
			      const struct maui_started_job *job);
/* How far the start of a job in the partition came from what was expected. -1 without memory. */
int maui_statistics_add_error(struct maui_statistics *statistics, const char *partition,
			      const struct maui_expected *expected, int64_t start_s);
/* The errors of estimates in a partition, none if it is new. NULL without memory. */
struct maui_estimate_errors *maui_statistics_errors(struct maui_statistics *statistics,
						    const char *partition);
/* The row of a credential, zero if it is new. NULL without memory. */
struct maui_statistics_row *maui_statistics_row(struct maui_statistics *statistics,
						enum maui_cred_kind kind, const char *name);

/* A copy that never changes. */
struct maui_statistics_view {
	struct maui_statistics figures; /* `rows` and `errors` are empty */
	struct maui_statistics_row *rows;
	struct maui_estimate_errors *errors; /* by partition */
	size_t count, error_count;
	struct maui_arena arena;
	unsigned refs; /* atomic */
};

/* `last`, with one more reference, if its figures are still right; NULL: none. NULL without
 * memory. */
struct maui_statistics_view *maui_statistics_view_create(const struct maui_statistics *statistics,
							 struct maui_statistics_view *last);
void maui_statistics_view_unref(struct maui_statistics_view *view); /* NULL is fine */
struct maui_statistics_view *maui_statistics_view_ref(struct maui_statistics_view *view);

#endif
