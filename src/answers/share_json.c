/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share_json.c - who used what share, as JSON */

#include "answers/share_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/object.h"
#include "answers/own_creds.h"
#include "base/limits.h"
#include "explain/shares.h"

enum {
	MOST_CELLS = 1000000,      /* rows x windows of one answer */
	FORECAST_STEPS = 10000000, /* forecasts are made as long as they are cheap */
};

static void put_double(struct maui_object *o, const char *key, double value)
{
	maui_object_put(o, key, json_object_new_double(value));
}

static json_object *rounded_list(const double *values, size_t count)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < count; i++) {
		if (!maui_list_append(list, maui_json_decimal(values[i], "%.4f"))) {
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

/* ---- windows ---- */

/* Windows that count, as columns: windows of one age are one. */
struct columns {
	const struct maui_shares *shares;
	size_t count; /* the oldest age + 1 */
};

static struct columns columns_of(const struct maui_shares *shares)
{
	struct columns c = { shares, 1 };

	for (size_t i = 0; i < shares->window_count; i++)
		if (shares->age[i] >= (int64_t)c.count)
			c.count = (size_t)shares->age[i] + 1;
	return c;
}

static json_object *used_by_age(const struct columns *c, const double *used)
{
	double *sums = calloc(c->count, sizeof(*sums));
	json_object *list;

	if (!sums)
		return NULL;
	for (size_t i = 0; i < c->shares->window_count; i++)
		if (c->shares->age[i] >= 0)
			sums[c->shares->age[i]] += used[i];
	list = rounded_list(sums, c->count);
	free(sums);
	return list;
}

static json_object *window_to_json(const struct maui_document *p, const struct columns *c,
				   int64_t age)
{
	struct maui_object o = maui_object_make();
	int64_t interval_s = p->plan->config->fs_interval_s;
	int64_t start_s = p->plan->now_s - p->plan->now_s % interval_s - age * interval_s;
	double total = 0, weight = 1;

	for (int64_t i = 0; i < age; i++)
		weight *= p->plan->config->fs_decay;
	for (size_t i = 0; i < c->shares->window_count; i++)
		if (c->shares->age[i] == age)
			total += p->usage->windows[i]->total;
	maui_object_put_number(&o, "start", start_s);
	maui_object_put_number(&o, "end", start_s + interval_s);
	put_double(&o, "weight", weight);
	maui_object_put_rounded(&o, "total", total);
	return maui_object_finish(&o);
}

static json_object *windows_to_json(const struct maui_document *p, const struct columns *c)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < c->count; i++) {
		json_object *one = window_to_json(p, c, (int64_t)i);

		if (!one || json_object_array_add(list, one) != 0) {
			json_object_put(one);
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

/* ---- parameters ---- */

static void put_weights(struct maui_object *o, const struct maui_config *config)
{
	const struct maui_priority_config *weights = maui_config_priority(config, NULL);
	struct maui_object w = maui_object_make();

	put_double(&w, "component", weights->component_weight[MAUI_COMP_FS]);
	put_double(&w, "cap", weights->component_cap[MAUI_COMP_FS]);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		put_double(&w, maui_cred_name((enum maui_cred_kind)k),
			   weights->weight[MAUI_FACTOR_FSUSER + k]);
	maui_object_put(o, "weights", maui_object_finish(&w));
}

static void put_parameters(struct maui_object *o, const struct maui_config *config)
{
	static const char *const policies[] = {
		[MAUI_FS_NONE] = "NONE",
		[MAUI_FS_DEDICATEDPS] = "DEDICATEDPS",
		[MAUI_FS_DEDICATEDPES] = "DEDICATEDPES",
		[MAUI_FS_UTILIZEDPS] = "UTILIZEDPS",
	};

	maui_object_put_text(o, "policy", policies[config->fs_policy.metric]);
	maui_object_put(o, "ratio", json_object_new_boolean(config->fs_policy.ratio));
	maui_object_put_number(o, "interval", config->fs_interval_s);
	maui_object_put_number(o, "depth", config->fs_depth);
	put_double(o, "decay", config->fs_decay);
	put_weights(o, config);
	maui_object_put(o, "partition_weights",
			json_object_new_boolean(config->partition_count > 0));
}

/* ---- credentials ---- */

static void put_target(struct maui_object *o, const struct maui_fs_target *target)
{
	static const struct {
		const char *kind, *suffix;
	} kinds[] = {
		[MAUI_FS_TARGET] = { "target", "" },
		[MAUI_FS_TARGET_FLOOR] = { "floor", "+" },
		[MAUI_FS_TARGET_CEILING] = { "ceiling", "-" },
		[MAUI_FS_CAP_ABSOLUTE] = { "absolute_cap", "^" },
		[MAUI_FS_CAP_RELATIVE] = { "relative_cap", "%" },
	};
	struct maui_object t;

	if (target->kind == MAUI_FS_TARGET_NONE) {
		maui_object_put_null(o, "target");
		return;
	}
	t = maui_object_make();
	maui_object_put_text(&t, "kind", kinds[target->kind].kind);
	maui_object_put_text(&t, "suffix", kinds[target->kind].suffix);
	put_double(&t, "value", target->value);
	maui_object_put(o, "target", maui_object_finish(&t));
}

/* Only of a target that keeps usage back, or that usage has not reached. */
static void put_forecast(struct maui_object *o, const struct maui_document *p,
			 const struct maui_shares *shares, const struct maui_fs_share *row)
{
	bool above = maui_share_is_above(shares, row);
	enum maui_fs_target_kind kind = row->target.kind;
	struct maui_object f;

	if (kind == MAUI_FS_TARGET_NONE || p->plan->config->fs_policy.metric == MAUI_FS_NONE ||
	    (above ? kind == MAUI_FS_TARGET_FLOOR :
		     kind != MAUI_FS_TARGET_FLOOR && kind != MAUI_FS_TARGET)) {
		maui_object_put_null(o, "forecast");
		return;
	}
	f = maui_object_make();
	maui_object_put(&f, "above", json_object_new_boolean(above));
	maui_object_put_time(&f, "at_present_rate",
			     maui_share_forecast(shares, p->usage, p->plan, row, row->rate));
	maui_object_put_time(&f, "running_nothing",
			     maui_share_forecast(shares, p->usage, p->plan, row, 0));
	maui_object_put(o, "forecast", maui_object_finish(&f));
}

static json_object *row_to_json(const struct maui_document *p, const struct columns *c,
				const struct maui_fs_share *row, bool forecast)
{
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "kind", maui_cred_name(row->kind));
	maui_object_put_text(&o, "name", row->name);
	put_target(&o, &row->target);
	maui_object_put(&o, "used", used_by_age(c, row->used));
	maui_object_put_rounded(&o, "effective", row->sum);
	maui_object_put_rounded(&o, "percent", row->percent);
	maui_object_put_rounded(&o, "rate", row->rate);
	maui_object_put_rounded(&o, "delta", row->delta);
	put_double(&o, "weight", row->weight);
	maui_object_put_rounded(&o, "points", row->points);
	maui_object_put(&o, "off_target", json_object_new_boolean(row->off));
	maui_object_put(&o, "held", json_object_new_boolean(row->held));
	if (forecast)
		put_forecast(&o, p, c->shares, row);
	return maui_object_finish(&o);
}

static json_object *rows_to_json(const struct maui_document *p, const struct columns *c)
{
	const struct maui_shares *shares = c->shares;
	double depth = (double)p->plan->config->fs_depth;
	bool forecast =
		(double)shares->count * 2 * depth * (depth + (double)c->count) < FORECAST_STEPS;
	json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < shares->count; i++) {
		json_object *one = row_to_json(p, c, &shares->list[i], forecast);

		if (!one || json_object_array_add(list, one) != 0) {
			json_object_put(one);
			json_object_put(list);
			return NULL;
		}
	}
	return list;
}

/* ---- the answer ---- */

static json_object *answer(const struct maui_document *p, const struct maui_shares *shares)
{
	struct columns c = columns_of(shares);
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->plan->now_s);
	put_parameters(&o, p->plan->config);
	maui_object_put(&o, "windows", windows_to_json(p, &c));
	maui_object_put_rounded(&o, "total", shares->total);
	maui_object_put_rounded(&o, "rate", shares->total_rate);
	maui_object_put(&o, "credentials", rows_to_json(p, &c));
	maui_object_put(&o, "hidden", json_object_new_boolean(shares->hidden > 0));
	maui_object_put_number(&o, "left_out", (int64_t)shares->left_out);
	return maui_object_finish(&o);
}

/* An account's name is lower case in slurmctld. The caller frees *ret; NULL: no name is asked for,
 * so the answer has everybody's usage. -1 without memory. */
static int copy_wanted_name(const struct maui_share_args *args, enum maui_cred_kind kind,
			    char **ret)
{
	*ret = NULL;
	if (!args->name)
		return 0;
	*ret = strdup(args->name);
	if (*ret && kind == MAUI_CRED_ACCOUNT)
		maui_cred_fold_account(*ret);
	return *ret ? 0 : -1;
}

static int check_found(const struct maui_shares *shares, const struct maui_share_filter *filter,
		       struct maui_query_error *error)
{
	if (!filter->name || shares->count > 0)
		return 0;
	if (shares->hidden > 0)
		return maui_query_fail(error, MAUI_QUERY_DENIED,
				       "PrivateData=usage hides the usage of '%.64s'",
				       filter->name);
	return maui_query_fail(error, MAUI_QUERY_NOT_FOUND,
			       "%s '%.64s' used nothing in the fairshare windows, and maui.cfg has "
			       "no target of that name",
			       filter->kind == MAUI_CRED_COUNT ? "credential" :
								 maui_cred_name(filter->kind),
			       filter->name);
}

static json_object *find_shares(const struct maui_document *p, struct maui_share_filter *filter,
				struct maui_query_error *error)
{
	struct maui_shares shares;
	json_object *result = NULL;

	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	if (maui_shares_list(p->usage, p->plan, filter, &shares))
		return NULL;
	if (check_found(&shares, filter, error) == 0)
		result = answer(p, &shares);
	maui_shares_finish(&shares);
	return result;
}

static bool shows_usage(enum maui_cred_kind kind, const char *name, void *own)
{
	return maui_own_creds_shows(own, kind, name);
}

static json_object *share(const struct maui_document *p, const struct maui_share_args *args,
			  size_t most, uid_t uid, struct maui_query_error *error)
{
	struct maui_own_creds own;
	struct maui_share_filter filter = { .kind = MAUI_CRED_COUNT,
					    .shows = shows_usage,
					    .arg = &own };
	json_object *result;
	char *name;

	if (args->kind) {
		filter.kind = maui_cred_parse(args->kind);
		if (filter.kind == MAUI_CRED_COUNT) {
			maui_query_fail(error, MAUI_QUERY_BAD, "'%.64s' is no kind of credential",
					args->kind);
			return NULL;
		}
	}
	if (!p->plan || !p->usage) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	if (copy_wanted_name(args, filter.kind, &name))
		return NULL;
	if (maui_own_creds_find_usage(p, uid, &own)) {
		free(name);
		return NULL;
	}
	filter.name = name;
	filter.add = args->own && filter.kind != MAUI_CRED_COUNT;
	filter.most = MOST_CELLS / (p->usage->count + 1);
	if (most < filter.most)
		filter.most = most;
	result = find_shares(p, &filter, error);
	maui_own_creds_finish(&own);
	free(name);
	return result;
}

json_object *maui_share_json(const struct maui_document *p, const struct maui_share_args *args,
			     uid_t uid, struct maui_query_error *error)
{
	return share(p, args, SIZE_MAX, uid, error);
}

json_object *maui_share_json_largest(const struct maui_document *p, size_t most, uid_t uid)
{
	const struct maui_share_args all = { 0 };
	struct maui_query_error error;

	return share(p, &all, most, uid, &error);
}
