/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shares.c - one row for each credential that used something, has a target, or runs jobs */

#include "explain/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "policy/fairshare.h"
#include "policy/priority.h"

enum { OFF_POINTS = 5 }; /* usage differs by more percent points from a plain target */

struct listing {
	const struct maui_usage_view *view;
	const struct maui_plan *plan;
	const struct maui_share_filter *filter;
	struct maui_shares *shares;
	struct maui_hashtable rows; /* struct maui_fs_share, by kind and name */
	bool failed;
};

struct row_key {
	enum maui_cred_kind kind;
	const char *name;
};

static bool has_key(const void *value, const void *key)
{
	const struct maui_fs_share *row = value;
	const struct row_key *wanted = key;

	return row->kind == wanted->kind && strcmp(row->name, wanted->name) == 0;
}

static struct maui_fs_share *find_row(const struct listing *l, enum maui_cred_kind kind,
				      const char *name)
{
	const struct row_key key = { kind, name };

	return maui_hashtable_find(&l->rows, maui_hash_text(name, (uint64_t)kind), has_key, &key);
}

static bool is_wanted(const struct maui_share_filter *filter, enum maui_cred_kind kind,
		      const char *name)
{
	return (filter->kind == MAUI_CRED_COUNT || filter->kind == kind) &&
	       (!filter->name || strcmp(filter->name, name) == 0);
}

/* The row of a credential that is wanted, made when it is new; NULL: not wanted. */
static struct maui_fs_share *add_row(struct listing *l, enum maui_cred_kind kind, const char *name)
{
	struct maui_fs_share *row;

	if (!name || !*name || !is_wanted(l->filter, kind, name))
		return NULL;
	row = find_row(l, kind, name);
	if (row)
		return row;
	row = maui_arena_alloc(&l->shares->arena, sizeof(*row));
	if (!row || maui_hashtable_add(&l->rows, maui_hash_text(name, (uint64_t)kind), row)) {
		l->failed = true;
		return NULL;
	}
	row->kind = kind;
	row->name = name;
	return row;
}

static void weigh_windows(struct listing *l)
{
	const struct maui_config *config = l->plan->config;
	struct maui_shares *shares = l->shares;

	shares->window_count = l->view->count;
	shares->age = maui_arena_alloc(&shares->arena, (l->view->count + 1) * sizeof(*shares->age));
	shares->weights =
		maui_arena_alloc(&shares->arena, (l->view->count + 1) * sizeof(*shares->weights));
	l->failed |= !shares->age || !shares->weights;
	for (size_t i = 0; !l->failed && i < l->view->count; i++) {
		const struct maui_usage_view_window *window = l->view->windows[i];
		const struct maui_usage_window times = { .start_s = window->start_s,
							 .interval_s = window->interval_s };

		shares->age[i] = maui_fairshare_age(config, &times, l->plan->now_s);
		if (shares->age[i] >= 0)
			shares->weights[i] = pow(config->fs_decay, (double)shares->age[i]);
		shares->total += window->total * shares->weights[i];
	}
}

static void add_used(struct listing *l)
{
	for (size_t i = 0; !l->failed && i < l->view->count; i++) {
		const struct maui_usage_view_window *window = l->view->windows[i];

		for (size_t e = 0; l->shares->weights[i] > 0 && e < window->count; e++) {
			const struct maui_usage_view_entry *entry = &window->entries[e];
			struct maui_fs_share *row = add_row(l, entry->kind, entry->name);

			if (row)
				row->sum += entry->value * l->shares->weights[i];
		}
	}
}

/* Credentials of maui.cfg with a target have a row though nobody used anything. */
static void add_configured(struct listing *l)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const struct maui_creds *creds = &l->plan->config->creds[k];

		for (size_t i = 0; i < creds->count; i++)
			if ((creds->list[i].fstarget.kind != MAUI_FS_TARGET_NONE ||
			     creds->list[i].fscap.kind != MAUI_FS_TARGET_NONE) &&
			    strcmp(creds->list[i].name, "DEFAULT") != 0)
				add_row(l, (enum maui_cred_kind)k, creds->list[i].name);
	}
	if (l->filter->add && l->filter->name)
		add_row(l, l->filter->kind, l->filter->name);
}

/* What a job adds to the windows each second. */
static double rate_of(const struct maui_plan *plan, const struct maui_active *active)
{
	if (plan->config->fs_policy.metric == MAUI_FS_NONE || active->suspended ||
	    active->completing)
		return 0;
	if (plan->config->fs_policy.metric == MAUI_FS_DEDICATEDPES)
		return maui_priority_pe(&active->job, &plan->snapshot->totals);
	return (double)active->procs;
}

static void add_rates(struct listing *l)
{
	const struct maui_snapshot *s = l->plan->snapshot;

	for (uint32_t i = 0; i < s->active_count; i++) {
		const char *const *cred = s->creds[s->active[i].creds].cred;
		double rate = rate_of(l->plan, &s->active[i]);

		l->shares->total_rate += rate;
		for (int k = 0; k < MAUI_CRED_COUNT && !l->failed; k++) {
			struct maui_fs_share *row = add_row(l, (enum maui_cred_kind)k, cred[k]);

			if (row)
				row->rate += rate;
		}
	}
}

static bool is_off(const struct maui_fs_share *row)
{
	double off = row->percent - row->target.value;

	switch (row->target.kind) {
	case MAUI_FS_TARGET:
		return fabs(off) > OFF_POINTS;
	case MAUI_FS_TARGET_FLOOR:
		return off < 0;
	case MAUI_FS_TARGET_CEILING:
		return off > 0;
	default:
		return row->held;
	}
}

static void rate_row(const struct listing *l, struct maui_fs_share *row)
{
	const struct maui_config *config = l->plan->config;
	const struct maui_priority_config *weights =
		maui_config_priority(config, row->kind == MAUI_CRED_CLASS ? row->name : NULL);
	const struct maui_cred_config *cred = maui_config_cred(config, row->kind, row->name);
	double cap = weights->cap[MAUI_FACTOR_FSUSER + (int)row->kind];

	row->target = cred->fstarget;
	row->percent = maui_fairshare_percent(row->sum, l->shares->total);
	if (l->shares->total > 0)
		row->delta = maui_fairshare_delta(config, row->target, row->percent);
	row->weight = weights->component_weight[MAUI_COMP_FS] *
		      weights->weight[MAUI_FACTOR_FSUSER + (int)row->kind];
	row->points = row->weight * (cap > 0 ? fmin(row->delta, cap) : row->delta);
	row->held = maui_fairshare_blocked(config, row->target, row->sum, l->shares->total) ||
		    maui_fairshare_blocked(config, cred->fscap, row->sum, l->shares->total);
	row->off = config->fs_policy.metric != MAUI_FS_NONE && is_off(row);
}

static int by_usage(const void *a, const void *b)
{
	const struct maui_fs_share *x = a, *y = b;

	return x->sum > y->sum ? -1 : x->sum < y->sum;
}

static int by_name(const void *a, const void *b)
{
	const struct maui_fs_share *x = a, *y = b;

	return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

/* The rows that the asker may see, as a list. */
static void list_rows(struct listing *l)
{
	const struct maui_share_filter *filter = l->filter;
	struct maui_shares *shares = l->shares;
	const struct maui_fs_share *row;

	shares->list = maui_arena_alloc(&shares->arena, (l->rows.used + 1) * sizeof(*shares->list));
	if (!shares->list) {
		l->failed = true;
		return;
	}
	for (size_t at = 0; (row = maui_hashtable_next(&l->rows, &at));) {
		if (filter->shows && !filter->shows(row->kind, row->name, filter->arg))
			shares->hidden++;
		else
			shares->list[shares->count++] = *row;
	}
	if (shares->count > filter->most) {
		qsort(shares->list, shares->count, sizeof(*shares->list), by_usage);
		shares->left_out = shares->count - filter->most;
		shares->count = filter->most;
	}
	qsort(shares->list, shares->count, sizeof(*shares->list), by_name);
	for (size_t i = 0; i < shares->count; i++)
		rate_row(l, &shares->list[i]);
}

/* The use of the listed rows in each window. */
static void fill_windows(struct listing *l)
{
	struct maui_shares *shares = l->shares;
	double *cells = maui_arena_alloc(&shares->arena,
					 (shares->count * l->view->count + 1) * sizeof(*cells));

	maui_hashtable_clear(&l->rows);
	l->failed |= !cells;
	for (size_t i = 0; cells && i < shares->count; i++) {
		struct maui_fs_share *row = &shares->list[i];

		row->used = cells + i * l->view->count;
		l->failed |=
			maui_hashtable_add(&l->rows, maui_hash_text(row->name, (uint64_t)row->kind),
					   row) != 0;
	}
	for (size_t i = 0; !l->failed && i < l->view->count; i++) {
		const struct maui_usage_view_window *window = l->view->windows[i];

		for (size_t e = 0; e < window->count; e++) {
			const struct maui_fs_share *row =
				find_row(l, window->entries[e].kind, window->entries[e].name);

			if (row)
				cells[(size_t)(row - shares->list) * l->view->count + i] +=
					window->entries[e].value;
		}
	}
}

int maui_shares_list(const struct maui_usage_view *view, const struct maui_plan *plan,
		     const struct maui_share_filter *filter, struct maui_shares *ret)
{
	struct listing l = { .view = view, .plan = plan, .filter = filter, .shares = ret };

	*ret = (struct maui_shares){ 0 };
	weigh_windows(&l);
	add_used(&l);
	add_configured(&l);
	add_rates(&l);
	if (!l.failed)
		list_rows(&l);
	if (!l.failed)
		fill_windows(&l);
	maui_hashtable_finish(&l.rows);
	if (!l.failed)
		return 0;
	maui_shares_finish(ret);
	return -1;
}

void maui_shares_finish(struct maui_shares *shares)
{
	maui_arena_finish(&shares->arena);
	*shares = (struct maui_shares){ 0 };
}
