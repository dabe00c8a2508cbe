/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.c - decayed sums over windows, deltas from targets (Maui manual 6.3) */

#include "policy/fairshare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

int64_t maui_fairshare_window_start(int64_t now_s, int64_t interval_s)
{
	return now_s - now_s % interval_s;
}

int64_t maui_fairshare_age(const struct maui_config *config, const struct maui_usage_window *window,
			   int64_t now_s)
{
	int64_t interval = config->fs_interval_s, behind, age;

	if (window->start_s > now_s)
		return -1; /* the clock was set back: the window counts again at its time */
	behind = maui_fairshare_window_start(now_s, interval) + interval -
		 (window->start_s + window->interval_s);
	/* a long window of an older FSINTERVAL may end behind the current one: it is current */
	age = behind > 0 ? behind / interval : 0;
	return age < config->fs_depth ? age : -1;
}

/* Charges [from, to), which lies in the window from start_s on, to every credential of the job. */
static int charge_window(struct maui_usage *usage, const struct maui_config *config,
			 const char *const *cred, unsigned known, double rate, int64_t start_s,
			 int64_t from_s, int64_t to_s)
{
	struct maui_usage_window *window = maui_usage_window(usage, start_s, config->fs_interval_s);
	double value;

	if (!window)
		return -1;
	if (from_s < window->charges_from_s)
		from_s = window->charges_from_s;
	if (from_s >= to_s)
		return 0;
	value = rate * (double)(to_s - from_s);
	if (maui_usage_charge(window, cred, known | maui_config_named(config, cred), value))
		return -1;
	window->total += value;
	window->dirty = true;
	window->version++;
	return 0;
}

int maui_fairshare_charge(struct maui_usage *usage, const struct maui_config *config,
			  const char *const *cred, double rate, int64_t from_s, int64_t to_s)
{
	return maui_fairshare_charge_known(usage, config, cred, MAUI_CRED_IDS, rate, from_s, to_s);
}

int maui_fairshare_charge_known(struct maui_usage *usage, const struct maui_config *config,
				const char *const *cred, unsigned known, double rate,
				int64_t from_s, int64_t to_s)
{
	int64_t interval = config->fs_interval_s;
	int64_t oldest =
		maui_fairshare_window_start(to_s, interval) - (config->fs_depth - 1) * interval;

	if (from_s < oldest)
		from_s = oldest;
	while (from_s < to_s) {
		int64_t start = maui_fairshare_window_start(from_s, interval);
		int64_t end = start + interval < to_s ? start + interval : to_s;

		if (charge_window(usage, config, cred, known, rate, start, from_s, end))
			return -1;
		from_s = end;
	}
	return 0;
}

size_t maui_fairshare_expire(struct maui_usage *usage, const struct maui_config *config,
			     int64_t now_s)
{
	size_t removed = 0;

	for (size_t i = usage->count; i-- > 0;)
		if (usage->windows[i].start_s <= now_s &&
		    maui_fairshare_age(config, &usage->windows[i], now_s) < 0) {
			maui_usage_remove(usage, i);
			removed++;
		}
	return removed;
}

/* FSDECAY^n, or 0 for a window that does not count. */
static double window_weight(const struct maui_config *config,
			    const struct maui_usage_window *window, int64_t now_s)
{
	int64_t age = maui_fairshare_age(config, window, now_s);

	return age < 0 ? 0 : pow(config->fs_decay, (double)age);
}

double maui_fairshare_usage(const struct maui_usage *usage, const struct maui_config *config,
			    int64_t now_s, enum maui_cred_kind kind, const char *name)
{
	double sum = 0;

	for (size_t i = 0; i < usage->count; i++)
		sum += maui_usage_get(&usage->windows[i], kind, name) *
		       window_weight(config, &usage->windows[i], now_s);
	return sum;
}

double maui_fairshare_total(const struct maui_usage *usage, const struct maui_config *config,
			    int64_t now_s)
{
	double sum = 0;

	for (size_t i = 0; i < usage->count; i++)
		sum += usage->windows[i].total * window_weight(config, &usage->windows[i], now_s);
	return sum;
}

double maui_fairshare_percent(double usage, double total)
{
	return total > 0 ? 100 * usage / total : 0;
}

double maui_fairshare_delta(const struct maui_config *config, struct maui_fs_target target,
			    double percent)
{
	double delta;

	if (config->fs_policy.metric == MAUI_FS_NONE || target.value <= 0)
		return 0;
	delta = config->fs_policy.ratio ? 1 - percent / target.value : target.value - percent;
	switch (target.kind) {
	case MAUI_FS_TARGET:
		return delta;
	case MAUI_FS_TARGET_FLOOR:
		return fmax(delta, 0);
	case MAUI_FS_TARGET_CEILING:
		return fmin(delta, 0);
	default:
		return 0; /* caps decide feasibility, not priority */
	}
}

bool maui_fairshare_blocked(const struct maui_config *config, struct maui_fs_target target,
			    double usage, double total)
{
	if (config->fs_policy.metric == MAUI_FS_NONE || target.value <= 0)
		return false;
	if (target.kind == MAUI_FS_CAP_ABSOLUTE)
		return usage >= target.value;
	if (target.kind == MAUI_FS_CAP_RELATIVE)
		return total > 0 && maui_fairshare_percent(usage, total) >= target.value;
	return false;
}

/* A window whose values are the decayed sums over all windows, and the resulting values for the
 * objects of maui.cfg: most jobs' credentials are among these, so their values need no search. */
struct maui_fs_table {
	struct maui_usage_window sums;
	struct maui_config *config;     /* the configuration with which the deltas were computed */
	double *delta[MAUI_CRED_COUNT]; /* by index in the configuration's list */
};

static int add_decayed(struct maui_usage_window *sums, const struct maui_usage_window *window,
		       double weight)
{
	const struct maui_usage_entry *entry;

	for (size_t at = 0; weight > 0 && (entry = maui_hashtable_next(&window->entries, &at));)
		if (maui_usage_add(sums, entry->kind, entry->name, entry->value * weight))
			return -1;
	sums->total += window->total * weight;
	return 0;
}

static int fill_deltas(struct maui_fs_table *table)
{
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const struct maui_creds *creds = &table->config->creds[k];

		table->delta[k] = calloc(creds->count + 1, sizeof(*table->delta[k]));
		if (!table->delta[k])
			return -1;
		for (size_t i = 0; i < creds->count; i++)
			table->delta[k][i] = maui_fairshare_delta(
				table->config, creds->list[i].fstarget,
				maui_fs_table_percent(table, (enum maui_cred_kind)k,
						      creds->list[i].name));
	}
	return 0;
}

struct maui_fs_table *maui_fs_table_create(const struct maui_usage *usage,
					   const struct maui_config *config, int64_t now_s)
{
	struct maui_fs_table *table = calloc(1, sizeof(*table));
	int rc = 0;

	if (!table)
		return NULL;
	/* keeps a reference, so that no other configuration gets the same address */
	table->config = maui_config_ref((struct maui_config *)config);
	for (size_t i = 0; i < usage->count && rc == 0; i++)
		rc = add_decayed(&table->sums, &usage->windows[i],
				 window_weight(config, &usage->windows[i], now_s));
	if (rc == 0)
		rc = fill_deltas(table);
	if (rc) {
		maui_fs_table_destroy(table);
		return NULL;
	}
	return table;
}

void maui_fs_table_destroy(struct maui_fs_table *table)
{
	if (!table)
		return;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		free(table->delta[k]);
	maui_config_unref(table->config);
	maui_usage_window_finish(&table->sums);
	free(table);
}

double maui_fs_table_delta(const struct maui_fs_table *table, const struct maui_config *config,
			   enum maui_cred_kind kind, const char *name,
			   const struct maui_cred_config *cred)
{
	const struct maui_creds *creds = &config->creds[kind];

	if (!table || table->sums.total <= 0 || !name || cred->fstarget.kind == MAUI_FS_TARGET_NONE)
		return 0;
	if (config == table->config && cred != &creds->unnamed)
		return table->delta[kind][cred - creds->list];
	return maui_fairshare_delta(config, cred->fstarget,
				    maui_fs_table_percent(table, kind, name));
}

double maui_fs_table_percent(const struct maui_fs_table *table, enum maui_cred_kind kind,
			     const char *name)
{
	if (!table || !name)
		return 0;
	return maui_fairshare_percent(maui_usage_get(&table->sums, kind, name), table->sums.total);
}

double maui_fs_table_usage(const struct maui_fs_table *table, enum maui_cred_kind kind,
			   const char *name)
{
	return table && name ? maui_usage_get(&table->sums, kind, name) : 0;
}

double maui_fs_table_total(const struct maui_fs_table *table)
{
	return table ? table->sums.total : 0;
}
