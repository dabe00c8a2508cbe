/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - adds up jobs that have started and ended */

#include "state/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "state/usage.h"

int64_t maui_grid_procs(int step)
{
	return INT64_C(1) << 2 * step;
}

int64_t maui_grid_time(int step)
{
	return INT64_C(900) << 2 * step;
}

struct row_key {
	enum maui_cred_kind kind;
	const char *name;
};

static bool has_key(const void *value, const void *key)
{
	const struct maui_statistics_row *row = value;
	const struct row_key *wanted = key;

	return row->kind == wanted->kind && strcmp(row->name, wanted->name) == 0;
}

static struct maui_statistics_row *find_row(const struct maui_statistics *statistics,
					    enum maui_cred_kind kind, const char *name)
{
	const struct row_key key = { kind, name };

	return maui_hashtable_find(&statistics->rows, maui_hash_text(name, (uint64_t)kind), has_key,
				   &key);
}

struct maui_statistics_row *maui_statistics_row(struct maui_statistics *statistics,
						enum maui_cred_kind kind, const char *name)
{
	struct maui_statistics_row *row = find_row(statistics, kind, name);
	size_t size;

	if (row)
		return row;
	size = strlen(name) + 1;
	row = calloc(1, sizeof(*row) + size);
	if (!row)
		return NULL;
	row->kind = kind;
	row->name = memcpy(row + 1, name, size);
	if (maui_hashtable_add(&statistics->rows, maui_hash_text(name, (uint64_t)kind), row)) {
		free(row);
		return NULL;
	}
	return row;
}

static bool has_partition(const void *value, const void *partition)
{
	return strcmp(((const struct maui_estimate_errors *)value)->partition, partition) == 0;
}

struct maui_estimate_errors *maui_statistics_errors(struct maui_statistics *statistics,
						    const char *partition)
{
	uint64_t hash = maui_hash_text(partition, 0);
	struct maui_estimate_errors *errors =
		maui_hashtable_find(&statistics->errors, hash, has_partition, partition);
	size_t size = strlen(partition) + 1;

	if (errors)
		return errors;
	errors = calloc(1, sizeof(*errors) + size);
	if (!errors)
		return NULL;
	errors->partition = memcpy(errors + 1, partition, size);
	if (maui_hashtable_add(&statistics->errors, hash, errors)) {
		free(errors);
		return NULL;
	}
	return errors;
}

int maui_statistics_add_error(struct maui_statistics *statistics, const char *partition,
			      const struct maui_expected *expected, int64_t start_s)
{
	struct maui_estimate_errors *errors;

	if (expected->of[MAUI_ESTIMATE_FIRST].start_s == 0)
		return 0;
	errors = maui_statistics_errors(statistics, partition);
	if (!errors)
		return -1;
	for (int k = 0; k < MAUI_ESTIMATE_KINDS; k++)
		maui_estimate_errors_add(errors, (enum maui_estimate_kind)k, &expected->of[k],
					 start_s);
	statistics->version++;
	return 0;
}

static void free_all(struct maui_hashtable *table)
{
	void *value;

	for (size_t at = 0; (value = maui_hashtable_next(table, &at));)
		free(value);
	maui_hashtable_finish(table);
}

void maui_statistics_finish(struct maui_statistics *statistics)
{
	free_all(&statistics->rows);
	free_all(&statistics->errors);
	*statistics = (struct maui_statistics){ 0 };
}

void maui_statistics_reset(struct maui_statistics *statistics, int64_t now_s)
{
	uint64_t version = statistics->version;

	maui_statistics_finish(statistics);
	statistics->since_s = now_s;
	statistics->version = version + 1;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

static void add_to(struct maui_figures *figures, const struct maui_ended_job *job)
{
	double *value = figures->value;
	double used_ps = job->procs * job->ran_s;

	value[MAUI_FIGURE_JOBS]++;
	value[MAUI_FIGURE_USED_PS] += used_ps;
	if (job->backfilled) {
		value[MAUI_FIGURE_BACKFILLED]++;
		value[MAUI_FIGURE_BACKFILLED_PS] += used_ps;
	}
	value[MAUI_FIGURE_QUEUE_TIME] += job->queue_s;
	value[MAUI_FIGURE_MAX_QUEUE_TIME] = larger(value[MAUI_FIGURE_MAX_QUEUE_TIME], job->queue_s);
	value[MAUI_FIGURE_XFACTOR] += job->xfactor;
	value[MAUI_FIGURE_MAX_XFACTOR] = larger(value[MAUI_FIGURE_MAX_XFACTOR], job->xfactor);
	value[MAUI_FIGURE_BYPASS] += job->bypass;
	value[MAUI_FIGURE_MAX_BYPASS] = larger(value[MAUI_FIGURE_MAX_BYPASS], job->bypass);
	if (job->limit_s <= 0)
		return;
	value[MAUI_FIGURE_REQUESTED_PS] += job->procs * job->limit_s;
	value[MAUI_FIGURE_LIMITED]++;
	value[MAUI_FIGURE_ACCURACY] += job->ran_s < job->limit_s ? job->ran_s / job->limit_s : 1;
}

/* A job without a limit belongs to the longest ones. */
static struct maui_figures *cell_of(struct maui_statistics *statistics,
				    const struct maui_ended_job *job)
{
	int procs = 0, time = job->limit_s > 0 ? 0 : MAUI_GRID_TIMES - 1;

	while (procs < MAUI_GRID_PROCS - 1 && job->procs > (double)maui_grid_procs(procs))
		procs++;
	while (time < MAUI_GRID_TIMES - 1 && job->limit_s > (double)maui_grid_time(time))
		time++;
	return &statistics->grid[procs][time];
}

/* The rows of a job's credentials, NULL where it has none. -1 without memory: of some. */
static int find_rows(struct maui_statistics *statistics, const char *const *cred, unsigned known,
		     struct maui_statistics_row **ret)
{
	const char *user = cred[MAUI_CRED_USER];
	const char *claiming = known >> MAUI_CRED_USER & 1 ? user : MAUI_USAGE_OTHERS;
	struct maui_statistics_row *claimant =
		user && *user ? maui_statistics_row(statistics, MAUI_CRED_USER, claiming) : NULL;
	bool claims = claimant || !user || !*user; /* or it would be [others] that is charged */
	int rc = claims ? 0 : -1;

	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const char *name = cred[k];

		ret[k] = NULL;
		if (!name || !*name || !claims)
			continue;
		if (maui_cred_is_claimed((enum maui_cred_kind)k) && !(known >> k & 1))
			name = maui_usage_claimed_name(
				name, find_row(statistics, (enum maui_cred_kind)k, name),
				claimant ? &claimant->claims : NULL, statistics->rows.used,
				MAUI_STATISTICS_MAX_NAMES);
		ret[k] = maui_statistics_row(statistics, (enum maui_cred_kind)k, name);
		if (!ret[k])
			rc = -1;
	}
	return rc;
}

int maui_statistics_add(struct maui_statistics *statistics, const struct maui_ended_job *job)
{
	struct maui_statistics_row *rows[MAUI_CRED_COUNT];
	int rc = find_rows(statistics, job->cred, job->known, rows);

	statistics->version++;
	add_to(&statistics->total, job);
	add_to(cell_of(statistics, job), job);
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		if (rows[k])
			add_to(&rows[k]->figures, job);
	return rc;
}

int maui_statistics_add_waits(struct maui_statistics *statistics,
			      const struct maui_started_job *job)
{
	struct maui_statistics_row *rows[MAUI_CRED_COUNT];
	int rc = find_rows(statistics, job->cred, job->known, rows);

	statistics->version++;
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		for (int wait = 0; rows[k] && wait < MAUI_WAITS; wait++)
			maui_waits_add(&rows[k]->waits, (enum maui_wait)wait, job->waited_s[wait]);
	return rc;
}

/* ---- views ---- */

static int by_name(const void *a, const void *b)
{
	const struct maui_statistics_row *x = a, *y = b;

	return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

static int copy_rows(const struct maui_statistics *statistics, struct maui_statistics_view *view)
{
	const struct maui_statistics_row *row;

	view->rows =
		maui_arena_alloc(&view->arena, (statistics->rows.used + 1) * sizeof(*view->rows));
	if (!view->rows)
		return -1;
	for (size_t at = 0; (row = maui_hashtable_next(&statistics->rows, &at)); view->count++) {
		view->rows[view->count] = *row;
		view->rows[view->count].name = maui_arena_strdup(&view->arena, row->name);
		if (!view->rows[view->count].name)
			return -1;
	}
	qsort(view->rows, view->count, sizeof(*view->rows), by_name);
	return 0;
}

static int by_partition(const void *a, const void *b)
{
	const struct maui_estimate_errors *x = a, *y = b;

	return strcmp(x->partition, y->partition);
}

static int copy_errors(const struct maui_statistics *statistics, struct maui_statistics_view *view)
{
	const struct maui_estimate_errors *from;

	view->errors = maui_arena_alloc(&view->arena,
					(statistics->errors.used + 1) * sizeof(*view->errors));
	if (!view->errors)
		return -1;
	for (size_t at = 0; (from = maui_hashtable_next(&statistics->errors, &at));) {
		struct maui_estimate_errors *to = &view->errors[view->error_count++];

		*to = *from;
		to->partition = maui_arena_strdup(&view->arena, from->partition);
		if (!to->partition)
			return -1;
	}
	qsort(view->errors, view->error_count, sizeof(*view->errors), by_partition);
	return 0;
}

struct maui_statistics_view *maui_statistics_view_create(const struct maui_statistics *statistics,
							 struct maui_statistics_view *last)
{
	struct maui_statistics_view *view;

	if (last && last->figures.version == statistics->version &&
	    last->figures.since_s == statistics->since_s)
		return maui_statistics_view_ref(last);
	view = calloc(1, sizeof(*view));
	if (!view)
		return NULL;
	view->refs = 1;
	view->figures = *statistics;
	view->figures.rows = view->figures.errors = (struct maui_hashtable){ 0 };
	if (copy_rows(statistics, view) == 0 && copy_errors(statistics, view) == 0)
		return view;
	maui_statistics_view_unref(view);
	return NULL;
}

struct maui_statistics_view *maui_statistics_view_ref(struct maui_statistics_view *view)
{
	if (view)
		__atomic_add_fetch(&view->refs, 1, __ATOMIC_RELAXED);
	return view;
}

void maui_statistics_view_unref(struct maui_statistics_view *view)
{
	if (!view || __atomic_sub_fetch(&view->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_arena_finish(&view->arena);
	free(view);
}
