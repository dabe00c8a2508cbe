/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - statistics as a record
 *
 *   "statistics": {"since": 1763740000, "capacity_ps": 0.0, "used_ps": 0.0, "total": [...],
 *    "grid": [{"procs": 0, "time": 1, "figures": [...]}, ...],
 *    "rows": [{"kind": "user", "name": "ann", "figures": [...],
 *     "waits": [...]}, ...],
 *    "estimate_errors": [{"partition": "batch", "estimate": "first", "ahead": 1, "error": 70,
 *     "jobs": 12}, ...]},
 *   "utilisation": [{"start": 1763740200, "known": 600.0, "sums": [...]}, ...]
 *
 * Figures are in the order of enum maui_figure, waits in that of state/waits.h, sums in that of
 * enum maui_load; what a shorter list of an earlier release lacks is 0. An invalid element is left
 * out.
 */

#include "state/store/private.h"

#include <math.h>
#include <string.h>

#include "base/limits.h"

/* The cells in which there are jobs. -1 without memory. */
static int pack_grid(const struct maui_statistics *statistics, struct maui_arena *arena,
		     struct maui_packed_statistics *ret)
{
	ret->grid = maui_arena_alloc(arena, sizeof(*ret->grid) * MAUI_GRID_PROCS * MAUI_GRID_TIMES);
	if (!ret->grid)
		return -1;
	for (int p = 0; p < MAUI_GRID_PROCS; p++)
		for (int t = 0; t < MAUI_GRID_TIMES; t++)
			if (statistics->grid[p][t].value[MAUI_FIGURE_JOBS] > 0)
				ret->grid[ret->grid_count++] =
					(struct maui_packed_cell){ p, t, statistics->grid[p][t] };
	return 0;
}

/* Each step in which there are jobs. */
static void pack_errors_of(const struct maui_estimate_errors *of,
			   struct maui_packed_statistics *ret)
{
	enum { STEPS = MAUI_AHEAD_STEPS * MAUI_ERROR_STEPS };

	for (int i = 0; i < MAUI_ESTIMATE_KINDS * STEPS; i++) {
		struct maui_packed_estimate_error error = {
			.partition = (char *)of->partition,
			.kind = (enum maui_estimate_kind)(i / STEPS),
			.ahead = i % STEPS / MAUI_ERROR_STEPS,
			.error = i % MAUI_ERROR_STEPS,
		};

		error.jobs = of->counts[error.kind][error.ahead].jobs[error.error];
		if (error.jobs == 0)
			continue;
		if (ret->errors)
			ret->errors[ret->error_count] = error;
		ret->error_count++;
	}
}

/* Counts them, then lists them. -1 without memory. */
static int pack_errors(const struct maui_statistics *statistics, struct maui_arena *arena,
		       struct maui_packed_statistics *ret)
{
	const struct maui_estimate_errors *of;

	for (size_t at = 0; (of = maui_hashtable_next(&statistics->errors, &at));)
		pack_errors_of(of, ret);
	ret->errors = maui_arena_alloc(arena, (ret->error_count + 1) * sizeof(*ret->errors));
	ret->error_count = 0;
	if (!ret->errors)
		return -1;
	for (size_t at = 0; (of = maui_hashtable_next(&statistics->errors, &at));)
		pack_errors_of(of, ret);
	return 0;
}

int maui_store_pack_statistics(const struct maui_statistics *statistics, struct maui_arena *arena,
			       struct maui_packed_statistics *ret)
{
	const struct maui_statistics_row *row;

	*ret = (struct maui_packed_statistics){ .since_s = statistics->since_s,
						.capacity_ps = statistics->capacity_ps,
						.used_ps = statistics->used_ps,
						.total = statistics->total };
	ret->rows = maui_arena_alloc(arena, (statistics->rows.used + 1) * sizeof(*ret->rows));
	if (!ret->rows || pack_grid(statistics, arena, ret) || pack_errors(statistics, arena, ret))
		return -1;
	for (size_t at = 0; (row = maui_hashtable_next(&statistics->rows, &at));)
		ret->rows[ret->row_count++] = *row;
	return 0;
}

static void unpack_grid(const struct maui_packed_statistics *packed, struct maui_statistics *ret)
{
	for (size_t i = 0; i < packed->grid_count; i++) {
		const struct maui_packed_cell *cell = &packed->grid[i];

		if (cell->procs >= 0 && cell->procs < MAUI_GRID_PROCS && cell->time >= 0 &&
		    cell->time < MAUI_GRID_TIMES)
			ret->grid[cell->procs][cell->time] = cell->figures;
	}
}

static int unpack_errors(const struct maui_packed_statistics *packed, struct maui_statistics *ret)
{
	for (size_t i = 0; i < packed->error_count; i++) {
		const struct maui_packed_estimate_error *from = &packed->errors[i];
		struct maui_estimate_errors *errors;

		if (from->ahead < 0 || from->ahead >= MAUI_AHEAD_STEPS || from->error < 0 ||
		    from->error >= MAUI_ERROR_STEPS || !*from->partition ||
		    strlen(from->partition) > MAUI_NAME_MAX)
			continue;
		errors = maui_statistics_errors(ret, from->partition);
		if (!errors)
			return -1;
		errors->counts[from->kind][from->ahead].jobs[from->error] = from->jobs;
	}
	return 0;
}

int maui_store_unpack_statistics(const struct maui_packed_statistics *packed,
				 struct maui_statistics *ret)
{
	if (packed->since_s <= 0)
		return 0;
	ret->since_s = packed->since_s;
	ret->capacity_ps = fmax(packed->capacity_ps, 0);
	ret->used_ps = fmax(packed->used_ps, 0);
	ret->total = packed->total;
	unpack_grid(packed, ret);
	for (size_t i = 0; i < packed->row_count; i++) {
		const struct maui_statistics_row *from = &packed->rows[i];
		struct maui_statistics_row *row;

		if (!*from->name || strlen(from->name) > MAUI_NAME_MAX)
			continue;
		row = maui_statistics_row(ret, from->kind, from->name);
		if (!row)
			return -1;
		row->figures = from->figures;
		row->waits = from->waits;
	}
	return unpack_errors(packed, ret);
}
