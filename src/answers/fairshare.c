/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - answers "fairshare": who used what share */

#include "answers/fairshare.h"

#include <string.h>

#include "answers/answer.h"
#include "answers/own_creds.h"
#include "explain/shares.h"
#include "policy/fairshare.h"

enum {
	MOST_CELLS = 1000000,      /* rows x windows of one answer */
	FORECAST_STEPS = 10000000, /* forecasts are made as long as they are cheap */
};

struct view {
	const struct maui_question *q;
	const struct maui_config *config;
	const struct maui_usage_view *usage;
	const struct maui_shares *shares;
	size_t window_count; /* of the answer: windows of one age are one */
	bool forecasts, failed;
};

static void *allocate(struct view *v, size_t count, size_t size)
{
	void *list = maui_question_alloc(v->q, count, size);

	v->failed |= !list;
	return list;
}

/* ---- windows ---- */

/* The oldest age that counts + 1. */
static size_t count_windows(const struct maui_shares *shares)
{
	size_t count = 1;

	for (size_t i = 0; i < shares->window_count; i++)
		if (shares->age[i] >= (int64_t)count)
			count = (size_t)shares->age[i] + 1;
	return count;
}

static double total_of(const struct view *v, int64_t age)
{
	double total = 0;

	for (size_t i = 0; i < v->shares->window_count; i++)
		if (v->shares->age[i] == age)
			total += v->usage->windows[i]->total;
	return total;
}

static const struct maui_fairshare_window *list_windows(struct view *v)
{
	struct maui_fairshare_window *list = allocate(v, v->window_count, sizeof(*list));
	int64_t interval_s = v->config->fs_interval_s, now_s = v->q->document->plan->now_s;
	int64_t start_s = maui_fairshare_window_start(now_s, interval_s);
	double weight = 1;

	for (size_t i = 0; list && i < v->window_count; i++) {
		list[i] = (struct maui_fairshare_window){
			.start = start_s,
			.end = start_s + interval_s,
			.weight = weight,
			.total = total_of(v, (int64_t)i),
		};
		start_s -= interval_s;
		weight *= v->config->fs_decay;
	}
	return list;
}

static const double *used_by_age(struct view *v, const double *used)
{
	double *sums = allocate(v, v->window_count, sizeof(*sums));

	for (size_t i = 0; sums && i < v->shares->window_count; i++)
		if (v->shares->age[i] >= 0)
			sums[v->shares->age[i]] += used[i];
	return sums;
}

/* ---- credentials ---- */

/* NULL: none. */
static const struct maui_fairshare_target *target_of(struct view *v,
						     const struct maui_fs_target *target)
{
	struct maui_fairshare_target *ret;

	if (target->kind == MAUI_FS_TARGET_NONE)
		return NULL;
	ret = allocate(v, 1, sizeof(*ret));
	if (ret)
		*ret = (struct maui_fairshare_target){
			.kind = maui_fs_target_words[target->kind].word,
			.suffix = maui_fs_target_words[target->kind].suffix,
			.value = target->value,
		};
	return ret;
}

/* Only of a target that keeps usage back, or that usage has not reached: else NULL. */
static const struct maui_fairshare_forecast *forecast_of(struct view *v,
							 const struct maui_fs_share *share)
{
	const struct maui_plan *plan = v->q->document->plan;
	bool above = maui_share_is_above(v->shares, share);
	enum maui_fs_target_kind kind = share->target.kind;
	struct maui_fairshare_forecast *ret;

	if (kind == MAUI_FS_TARGET_NONE || v->config->fs_policy.metric == MAUI_FS_NONE ||
	    (above ? kind == MAUI_FS_TARGET_FLOOR :
		     kind != MAUI_FS_TARGET_FLOOR && kind != MAUI_FS_TARGET))
		return NULL;
	ret = allocate(v, 1, sizeof(*ret));
	if (ret)
		*ret = (struct maui_fairshare_forecast){
			.above = above,
			.at_present_rate =
				maui_share_forecast(v->shares, v->usage, plan, share, share->rate),
			.running_nothing = maui_share_forecast(v->shares, v->usage, plan, share, 0),
		};
	return ret;
}

/* NULL: forecasts of so many credentials would take too long. */
static const struct maui_fairshare_outlook *outlook_of(struct view *v,
						       const struct maui_fs_share *share)
{
	struct maui_fairshare_outlook *ret = v->forecasts ? allocate(v, 1, sizeof(*ret)) : NULL;

	if (ret)
		ret->forecast = forecast_of(v, share);
	return ret;
}

static const struct maui_fairshare_credential *list_credentials(struct view *v)
{
	struct maui_fairshare_credential *list = allocate(v, v->shares->count, sizeof(*list));

	for (size_t i = 0; list && i < v->shares->count && !v->failed; i++) {
		const struct maui_fs_share *share = &v->shares->list[i];

		list[i] = (struct maui_fairshare_credential){
			.kind = maui_cred_name(share->kind),
			.name = share->name,
			.target = target_of(v, &share->target),
			.used = used_by_age(v, share->used),
			.used_count = v->window_count,
			.effective = share->sum,
			.percent = share->percent,
			.rate = share->rate,
			.delta = share->delta,
			.weight = share->weight,
			.points = share->points,
			.off_target = share->off,
			.held = share->held,
			.outlook = outlook_of(v, share),
		};
	}
	return list;
}

/* ---- the answer ---- */

static const struct maui_fairshare_weights *weights_of(struct view *v)
{
	const struct maui_priority_config *config = maui_config_priority(v->config, NULL);
	struct maui_fairshare_weights *ret = allocate(v, 1, sizeof(*ret));

	if (ret)
		*ret = (struct maui_fairshare_weights){
			.component = config->component_weight[MAUI_COMP_FS],
			.cap = config->component_cap[MAUI_COMP_FS],
			.user = config->weight[MAUI_FACTOR_FSUSER],
			.group = config->weight[MAUI_FACTOR_FSGROUP],
			.account = config->weight[MAUI_FACTOR_FSACCOUNT],
			.qos = config->weight[MAUI_FACTOR_FSQOS],
			.class = config->weight[MAUI_FACTOR_FSCLASS],
		};
	return ret;
}

static const struct maui_fairshare *answer(const struct maui_question *q,
					   const struct maui_shares *shares)
{
	const struct maui_plan *plan = q->document->plan;
	const struct maui_config *config = plan->config;
	struct view v = { .q = q,
			  .config = config,
			  .usage = q->document->usage,
			  .shares = shares,
			  .window_count = count_windows(shares) };
	double depth = (double)config->fs_depth;
	struct maui_fairshare *ret = allocate(&v, 1, sizeof(*ret));

	v.forecasts = (double)shares->count * 2 * depth * (depth + (double)v.window_count) <
		      FORECAST_STEPS;
	if (ret)
		*ret = (struct maui_fairshare){
			.cluster = q->document->cluster,
			.time = plan->now_s,
			.policy = maui_question_word(q, "FSPOLICY", (int)config->fs_policy.metric),
			.ratio = config->fs_policy.ratio,
			.interval = config->fs_interval_s,
			.depth = config->fs_depth,
			.decay = config->fs_decay,
			.weights = weights_of(&v),
			.partition_weights = config->partition_count > 0,
			.windows = list_windows(&v),
			.windows_count = v.window_count,
			.total = shares->total,
			.rate = shares->total_rate,
			.credentials = list_credentials(&v),
			.credentials_count = shares->count,
			.hidden = shares->hidden > 0,
			.left_out = (int64_t)shares->left_out,
		};
	return v.failed || !ret->policy ? NULL : ret;
}

/* ---- which credentials ---- */

/* An account's name is lower case in slurmctld. *ret NULL: no name is asked for, and everybody's
 * usage is meant. -1 without memory, with the error. */
static int find_wanted_name(const struct maui_question *q, const struct maui_fairshare_args *args,
			    enum maui_cred_kind kind, const char **ret)
{
	char *folded;

	*ret = args->name;
	if (!args->name || kind != MAUI_CRED_ACCOUNT)
		return 0;
	*ret = folded = maui_arena_strdup(q->arena, args->name);
	if (!folded) {
		maui_question_no_memory(q);
		return -1;
	}
	maui_cred_fold_account(folded);
	return 0;
}

static bool is_found(const struct maui_question *q, const struct maui_shares *shares,
		     const struct maui_share_filter *filter)
{
	if (!filter->name || shares->count > 0)
		return true;
	if (shares->hidden > 0)
		maui_question_fail(q, MAUI_QUERY_DENIED,
				   "PrivateData=usage hides the usage of '%.64s'", filter->name);
	else
		maui_question_fail(q, MAUI_QUERY_NOT_FOUND,
				   "%s '%.64s' used nothing in the fairshare windows, and maui.cfg "
				   "has no target of that name",
				   filter->kind == MAUI_CRED_COUNT ? "credential" :
								     maui_cred_name(filter->kind),
				   filter->name);
	return false;
}

static bool shows_usage(enum maui_cred_kind kind, const char *name, void *own)
{
	return maui_own_creds_shows(own, kind, name);
}

/* What the user may see of it. */
static const struct maui_fairshare *find_shares(const struct maui_question *q,
						const struct maui_share_filter *wanted)
{
	const struct maui_document *p = q->document;
	const struct maui_fairshare *ret = NULL;
	struct maui_share_filter filter = *wanted;
	struct maui_own_creds own;
	struct maui_shares shares;

	if (maui_own_creds_find_usage(p, q->uid, &own))
		return maui_question_no_memory(q);
	filter.shows = shows_usage;
	filter.arg = &own;
	if (maui_shares_list(p->usage, p->plan, &filter, &shares)) {
		maui_question_no_memory(q);
	} else {
		if (is_found(q, &shares, &filter))
			ret = answer(q, &shares);
		maui_shares_finish(&shares);
	}
	maui_own_creds_finish(&own);
	return ret;
}

static const struct maui_fairshare *fairshare(const struct maui_question *q,
					      const struct maui_fairshare_args *args, size_t most)
{
	const struct maui_document *p = q->document;
	struct maui_share_filter filter = { .kind = MAUI_CRED_COUNT };

	if (args->kind) {
		filter.kind = maui_question_cred_kind(q, args->kind);
		if (filter.kind == MAUI_CRED_COUNT)
			return NULL;
	}
	if (!maui_question_has_usage(q))
		return NULL;
	if (find_wanted_name(q, args, filter.kind, &filter.name))
		return NULL;
	filter.add = args->own && filter.kind != MAUI_CRED_COUNT;
	filter.most = MOST_CELLS / (p->usage->count + 1);
	if (most < filter.most)
		filter.most = most;
	return find_shares(q, &filter);
}

/* In and out: verbs/fairshare.h. NULL with the error: no such credential; PrivateData=usage hides
 * it; no plan yet; no memory. */
const void *maui_answer_fairshare(const struct maui_question *q, const void *args)
{
	return fairshare(q, args, SIZE_MAX);
}

const struct maui_fairshare *maui_fairshare_largest(const struct maui_question *q, size_t most)
{
	const struct maui_fairshare_args all = { 0 };

	return fairshare(q, &all, most);
}
