/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - statistics and utilisation in the state file
 *
 *   "statistics": {"since": 1763740000, "capacity_ps": 0.0, "used_ps": 0.0, "total": [...],
 *    "grid": [{"procs": 0, "time": 1, "figures": [...]}, ...],
 *    "rows": [{"kind": "user", "name": "ann", "figures": [...]}, ...]},
 *   "utilisation": [{"start": 1763740200, "known": 600.0, "sums": [...]}, ...]
 *
 * Figures are in the order of enum maui_figure, sums in that of enum maui_load; what a shorter list
 * of an earlier release lacks is 0. An invalid element is left out.
 */

#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "state/store/private.h"

static double get_double(json_object *object, const char *key)
{
	json_object *value = NULL;
	double number;

	if (!json_object_object_get_ex(object, key, &value))
		return 0;
	number = json_object_get_double(value);
	return isfinite(number) && number > 0 ? number : 0;
}

/* false: some number is invalid. */
static bool read_numbers(json_object *list, double *values, size_t count)
{
	if (!json_object_is_type(list, json_type_array))
		return false;
	for (size_t i = 0; i < count && i < json_object_array_length(list); i++) {
		values[i] = json_object_get_double(json_object_array_get_idx(list, i));
		if (!isfinite(values[i]) || values[i] < 0)
			return false;
	}
	return true;
}

static bool read_figures(json_object *object, const char *key, struct maui_figures *ret)
{
	struct maui_figures figures = { 0 };

	if (!read_numbers(maui_store_get_list(object, key), figures.value, MAUI_FIGURE_COUNT))
		return false;
	*ret = figures;
	return true;
}

static void read_grid(json_object *root, struct maui_statistics *statistics)
{
	json_object *grid = maui_store_get_list(root, "grid");

	for (size_t i = 0; grid && i < json_object_array_length(grid); i++) {
		json_object *cell = json_object_array_get_idx(grid, i);
		int64_t procs = maui_store_get_int(cell, "procs");
		int64_t time = maui_store_get_int(cell, "time");

		if (procs >= 0 && procs < MAUI_GRID_PROCS && time >= 0 && time < MAUI_GRID_TIMES)
			read_figures(cell, "figures", &statistics->grid[procs][time]);
	}
}

static int read_rows(json_object *root, struct maui_statistics *statistics)
{
	json_object *rows = maui_store_get_list(root, "rows");

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		json_object *object = json_object_array_get_idx(rows, i);
		const char *kind = maui_store_get_text(object, "kind");
		const char *name = maui_store_get_text(object, "name");
		struct maui_statistics_row *row;
		struct maui_figures figures;

		if (!kind || !name || !*name || strlen(name) > MAUI_NAME_MAX ||
		    maui_cred_parse(kind) == MAUI_CRED_COUNT ||
		    !read_figures(object, "figures", &figures))
			continue;
		row = maui_statistics_row(statistics, maui_cred_parse(kind), name);
		if (!row)
			return -1;
		row->figures = figures;
	}
	return 0;
}

static void read_utilisation(json_object *root, struct maui_utilisation *utilisation)
{
	json_object *spans = maui_store_get_list(root, "utilisation");

	for (size_t i = 0; spans && i < json_object_array_length(spans); i++) {
		json_object *object = json_object_array_get_idx(spans, i);
		struct maui_utilisation_span span = {
			.start_s = maui_store_get_int(object, "start"),
			.known_s = get_double(object, "known"),
		};

		if (read_numbers(maui_store_get_list(object, "sums"), span.sum, MAUI_LOAD_COUNT))
			maui_utilisation_restore(utilisation, &span);
	}
}

int maui_store_read_statistics(json_object *root, struct maui_store *store)
{
	struct maui_statistics *statistics = &store->statistics;
	json_object *object = NULL;

	read_utilisation(root, &store->utilisation);
	if (!json_object_object_get_ex(root, "statistics", &object) ||
	    !json_object_is_type(object, json_type_object) ||
	    maui_store_get_int(object, "since") <= 0)
		return 0;
	statistics->since_s = maui_store_get_int(object, "since");
	statistics->capacity_ps = get_double(object, "capacity_ps");
	statistics->used_ps = get_double(object, "used_ps");
	read_figures(object, "total", &statistics->total);
	read_grid(object, statistics);
	return read_rows(object, statistics);
}

/* ---- writing ---- */

static void format_numbers(struct maui_strbuf *out, const double *values, size_t count)
{
	maui_strbuf_addf(out, "[");
	for (size_t i = 0; i < count; i++)
		maui_strbuf_addf(out, values[i] == (double)(int64_t)values[i] ? "%s%.0f" : "%s%.6f",
				 i ? ", " : "", values[i]);
	maui_strbuf_addf(out, "]");
}

static void format_grid(struct maui_strbuf *out, const struct maui_statistics *statistics)
{
	const char *comma = "";

	maui_strbuf_addf(out, ", \"grid\": [");
	for (int p = 0; p < MAUI_GRID_PROCS; p++)
		for (int t = 0; t < MAUI_GRID_TIMES; t++) {
			if (statistics->grid[p][t].value[MAUI_FIGURE_JOBS] <= 0)
				continue;
			maui_strbuf_addf(out,
					 "%s\n{\"procs\": %d, \"time\": %d, \"figures\": ", comma,
					 p, t);
			format_numbers(out, statistics->grid[p][t].value, MAUI_FIGURE_COUNT);
			maui_strbuf_addf(out, "}");
			comma = ",";
		}
	maui_strbuf_addf(out, "]");
}

static void format_rows(struct maui_strbuf *out, const struct maui_statistics *statistics)
{
	const struct maui_statistics_row *row;
	const char *comma = "";

	maui_strbuf_addf(out, ", \"rows\": [");
	for (size_t at = 0; (row = maui_hashtable_next(&statistics->rows, &at));) {
		maui_strbuf_addf(out, "%s\n{\"kind\": \"%s\", \"name\": ", comma,
				 maui_cred_name(row->kind));
		maui_store_put_text(out, row->name);
		maui_strbuf_addf(out, ", \"figures\": ");
		format_numbers(out, row->figures.value, MAUI_FIGURE_COUNT);
		maui_strbuf_addf(out, "}");
		comma = ",";
	}
	maui_strbuf_addf(out, "]");
}

static void format_utilisation(struct maui_strbuf *out, const struct maui_utilisation *utilisation)
{
	maui_strbuf_addf(out, ",\n\"utilisation\": [");
	for (uint32_t i = 0; i < utilisation->count; i++) {
		const struct maui_utilisation_span *span = &utilisation->spans[i];

		maui_strbuf_addf(out,
				 "%s\n{\"start\": %lld, \"known\": %.0f, \"sums\": ", i ? "," : "",
				 (long long)span->start_s, span->known_s);
		format_numbers(out, span->sum, MAUI_LOAD_COUNT);
		maui_strbuf_addf(out, "}");
	}
	maui_strbuf_addf(out, "]");
}

void maui_store_format_statistics(const struct maui_store *store, struct maui_strbuf *out)
{
	const struct maui_statistics *statistics =
		store->own_statistics ? store->own_statistics : &store->statistics;

	if (statistics->since_s > 0) {
		maui_strbuf_addf(out,
				 ",\n\"statistics\": {\"since\": %lld, \"capacity_ps\": %.0f, "
				 "\"used_ps\": %.0f, \"total\": ",
				 (long long)statistics->since_s, statistics->capacity_ps,
				 statistics->used_ps);
		format_numbers(out, statistics->total.value, MAUI_FIGURE_COUNT);
		format_grid(out, statistics);
		format_rows(out, statistics);
		maui_strbuf_addf(out, "}");
	}
	if (store->utilisation.count > 0)
		format_utilisation(out, &store->utilisation);
}
