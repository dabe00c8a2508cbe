/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecast.c - when a credential is at its fairshare target again
 *
 * Between two window boundaries the weights are constant, and usage of the credential and of all
 * grows by constant rates, so the distance from the target is a straight line. At a boundary each
 * window is one older. So each interval is looked at once, FSDEPTH of them.
 */

#include "explain/shares.h"

#include <math.h>

#include "policy/fairshare.h"

struct forecast {
	const struct maui_shares *shares;
	const struct maui_usage_view *view;
	const struct maui_plan *plan;
	const struct maui_fs_share *share;
	double own_rate, total_rate;
	bool down; /* usage must fall */
};

/* How far usage is above the target: below 0 under it. A line in both arguments. */
static double distance(const struct maui_fs_target *target, double used, double total)
{
	return target->kind == MAUI_FS_CAP_ABSOLUTE ? used - target->value :
						      used - target->value / 100 * total;
}

bool maui_share_is_above(const struct maui_shares *shares, const struct maui_fs_share *share)
{
	return share->held || distance(&share->target, share->sum, shares->total) > 0;
}

/* The j-th interval begins at a window boundary; the first one, 0, now. */
static int64_t interval_start(const struct forecast *f, int64_t j)
{
	int64_t interval_s = f->plan->config->fs_interval_s, now_s = f->plan->now_s;

	return j == 0 ? now_s : maui_fairshare_window_start(now_s, interval_s) + j * interval_s;
}

/* Usage, weighed as at the start of interval j, with what is used until then. */
static void sum_at(const struct forecast *f, int64_t j, double *ret_used, double *ret_total)
{
	const struct maui_config *config = f->plan->config;
	int64_t at_s = interval_start(f, j);

	*ret_used = *ret_total = 0;
	for (size_t i = 0; i < f->view->count; i++) {
		const struct maui_usage_view_window *window = f->view->windows[i];
		const struct maui_usage_window times = { .start_s = window->start_s,
							 .interval_s = window->interval_s };
		int64_t age = maui_fairshare_age(config, &times, at_s);
		double weight = age < 0 ? 0 : pow(config->fs_decay, (double)age);

		*ret_used += f->share->used[i] * weight;
		*ret_total += window->total * weight;
	}
	for (int64_t k = 0; k < j; k++) {
		double seconds = (double)(interval_start(f, k + 1) - interval_start(f, k));
		double weight =
			j - k < config->fs_depth ? pow(config->fs_decay, (double)(j - k)) : 0;

		*ret_used += f->own_rate * seconds * weight;
		*ret_total += f->total_rate * seconds * weight;
	}
}

/* A cap holds jobs as long as usage has reached it. */
static bool is_there(const struct forecast *f, double off, double total)
{
	if (!f->down)
		return off >= 0 && total > 0;
	return f->share->held ? off < 0 || total <= 0 : off <= 0;
}

int64_t maui_share_forecast(const struct maui_shares *shares, const struct maui_usage_view *view,
			    const struct maui_plan *plan, const struct maui_fs_share *share,
			    double own_rate)
{
	struct forecast f = { .shares = shares,
			      .view = view,
			      .plan = plan,
			      .share = share,
			      .own_rate = own_rate,
			      .total_rate = shares->total_rate - share->rate + own_rate,
			      .down = maui_share_is_above(shares, share) };
	double slope = distance(&share->target, own_rate, f.total_rate);

	if (share->target.kind == MAUI_FS_TARGET_NONE)
		return MAUI_NEVER;
	if (share->target.kind == MAUI_FS_CAP_ABSOLUTE)
		slope = own_rate;
	for (int64_t j = 0; j <= plan->config->fs_depth; j++) {
		int64_t from_s = interval_start(&f, j), to_s = interval_start(&f, j + 1);
		double used, total, off, wait = -1;

		sum_at(&f, j, &used, &total);
		off = distance(&share->target, used, total);
		if (is_there(&f, off, total))
			return from_s;
		if (f.down ? slope < 0 : slope > 0)
			/* a cap must be undershot: the second after it is reached, however rounded */
			wait = share->held ? floor(-off / slope + 1e-6) + 1 : ceil(-off / slope);
		if (wait >= 0 && wait < (double)(to_s - from_s))
			return from_s + (int64_t)wait;
	}
	return MAUI_NEVER;
}
