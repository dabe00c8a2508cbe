/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares.h - usage against fairshare targets: its effect on priority, and how long that lasts
 *
 * In: the fairshare windows as a value, the configuration and the running jobs of a finished plan.
 * Out: one row for each credential, and forecasts. Pure functions; nothing is computed before a
 * question is asked.
 *
 * Rules: CMD-26, CMD-27.
 */
#ifndef MAUI_EXPLAIN_SHARES_H
#define MAUI_EXPLAIN_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "plan/finished.h"
#include "state/usage_view.h"

struct maui_fs_share {
	enum maui_cred_kind kind;
	const char *name;
	const double *used; /* in each window of the view */
	double sum;         /* effective usage: each window by its weight */
	double percent;     /* of the total */
	double rate;        /* what running jobs add each second: processors, or PE */
	struct maui_fs_target target;
	double delta;  /* the FS value: fairshare.h */
	double weight; /* points of priority for each unit of `delta`: FSWEIGHT x FSUSERWEIGHT */
	double points; /* what it does to a job's priority before FSCAP */
	bool off;      /* clearly off its target, as diagnose -f marks it */
	bool held;     /* a cap keeps jobs from starting */
};

/* Which credentials are wanted. */
struct maui_share_filter {
	enum maui_cred_kind kind; /* MAUI_CRED_COUNT: all kinds */
	const char *name;         /* NULL: all names */
	bool add;                 /* a row for `name` even when nothing is known of it */
	/* whether the asker may see it; NULL: everything */
	bool (*shows)(enum maui_cred_kind kind, const char *name, void *arg);
	void *arg;
	size_t most; /* rows; those with the largest usage are kept */
};

struct maui_shares {
	struct maui_fs_share *list; /* by kind and name */
	size_t count;
	size_t hidden, left_out; /* by `shows`, and by `most` */
	/* of each window of the view */
	int64_t *age;    /* n; -1: it does not count */
	double *weights; /* FSDECAY^n, or 0 */
	size_t window_count;
	double total, total_rate;
	struct maui_arena arena;
};

/* -1 without memory. The names of the rows belong to the view, the plan and the filter. */
int maui_shares_list(const struct maui_usage_view *view, const struct maui_plan *plan,
		     const struct maui_share_filter *filter, struct maui_shares *ret);
void maui_shares_finish(struct maui_shares *shares);

/* When the credential is at its target again (a cap: when jobs may start again), if its own jobs
 * use `own_rate` and all others go on as now. MAUI_NEVER: not within FSDEPTH windows. now: it is
 * there already. Without a target MAUI_NEVER. */
int64_t maui_share_forecast(const struct maui_shares *shares, const struct maui_usage_view *view,
			    const struct maui_plan *plan, const struct maui_fs_share *share,
			    double own_rate);
/* Whether usage is above its target (below: it must rise). */
bool maui_share_is_above(const struct maui_shares *shares, const struct maui_fs_share *share);

#endif
