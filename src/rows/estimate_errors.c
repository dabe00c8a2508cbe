/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.c - rows of state/estimate_errors.h */

#include "rows/estimate_errors.h"

struct rows {
	struct maui_statistics_estimate *list;
	size_t count;
};

/* `partition` NULL: all. */
static void add_rows(struct rows *rows, const char *partition,
		     const struct maui_estimate_errors *errors)
{
	for (int k = 0; k < MAUI_ESTIMATE_KINDS; k++)
		for (int ahead = 0; ahead < MAUI_AHEAD_STEPS; ahead++) {
			const struct maui_error_counts *counts = &errors->counts[k][ahead];
			uint64_t jobs = maui_error_counts_jobs(counts);

			if (jobs == 0)
				continue;
			rows->list[rows->count++] = (struct maui_statistics_estimate){
				.partition = partition,
				.estimate = maui_estimate_kind_names[k],
				.ahead = maui_ahead_limit(ahead),
				.jobs = (int64_t)jobs,
				.p10 = maui_error_counts_quantile(counts, 0.1),
				.p50 = maui_error_counts_quantile(counts, 0.5),
				.p90 = maui_error_counts_quantile(counts, 0.9),
			};
		}
}

static void sum_all(const struct maui_statistics_view *view, struct maui_estimate_errors *ret)
{
	for (size_t i = 0; i < view->error_count; i++)
		for (int k = 0; k < MAUI_ESTIMATE_KINDS; k++)
			for (int ahead = 0; ahead < MAUI_AHEAD_STEPS; ahead++)
				maui_error_counts_add(&ret->counts[k][ahead],
						      &view->errors[i].counts[k][ahead]);
}

int maui_estimate_error_rows(struct maui_arena *arena, const struct maui_statistics_view *view,
			     const struct maui_statistics_estimate **ret, size_t *ret_count)
{
	enum { OF_ONE = MAUI_ESTIMATE_KINDS * MAUI_AHEAD_STEPS };
	struct maui_estimate_errors *all = maui_arena_alloc(arena, sizeof(*all));
	struct rows rows = { .list = maui_arena_alloc_list(arena, (view->error_count + 1) * OF_ONE,
							   sizeof(*rows.list)) };

	if (!all || !rows.list)
		return -1;
	sum_all(view, all);
	add_rows(&rows, NULL, all);
	for (size_t i = 0; i < view->error_count; i++)
		add_rows(&rows, view->errors[i].partition, &view->errors[i]);
	*ret = rows.list;
	*ret_count = rows.count;
	return 0;
}
