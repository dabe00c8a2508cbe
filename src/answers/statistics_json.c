/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics_json.c - the answer for showstats */

#include "answers/statistics_json.h"

#include <stdlib.h>
#include <string.h>

#include "answers/gres_json.h"
#include "answers/object.h"
#include "answers/own_creds.h"
#include "answers/queue_sums.h"
#include "base/hash.h"
#include "base/hashtable.h"
#include "plan/finished.h"
#include "state/statistics.h"
#include "state/utilisation.h"

static void put_figures(struct maui_object *o, const struct maui_figures *figures)
{
	static const char *const keys[MAUI_FIGURE_COUNT] = {
		[MAUI_FIGURE_JOBS] = "jobs",
		[MAUI_FIGURE_BACKFILLED] = "backfilled",
		[MAUI_FIGURE_USED_PS] = "used",
		[MAUI_FIGURE_BACKFILLED_PS] = "backfilled_used",
		[MAUI_FIGURE_REQUESTED_PS] = "requested",
		[MAUI_FIGURE_QUEUE_TIME] = "queue_time",
		[MAUI_FIGURE_MAX_QUEUE_TIME] = "max_queue_time",
		[MAUI_FIGURE_XFACTOR] = "xfactor",
		[MAUI_FIGURE_MAX_XFACTOR] = "max_xfactor",
		[MAUI_FIGURE_BYPASS] = "bypass",
		[MAUI_FIGURE_MAX_BYPASS] = "max_bypass",
		[MAUI_FIGURE_ACCURACY] = "accuracy",
		[MAUI_FIGURE_LIMITED] = "limited_jobs",
	};

	for (int i = 0; i < MAUI_FIGURE_COUNT; i++)
		maui_object_put_rounded(o, keys[i], figures->value[i]);
}

/* ---- credentials ---- */

/* Figures of ended jobs, and what runs now. */
struct row {
	const char *name;
	struct maui_figures figures;
	uint32_t jobs;
	double procs, remaining_ps;
};

struct rows {
	struct maui_arena arena;
	struct maui_hashtable table;
	struct row **list; /* by name */
	size_t count;
	bool failed;
};

static bool is_named(const void *value, const void *key)
{
	return strcmp(((const struct row *)value)->name, key) == 0;
}

static struct row *get_row(struct rows *rows, const char *name)
{
	uint64_t hash = maui_hash_text(name, 0);
	struct row *row = maui_hashtable_find(&rows->table, hash, is_named, name);

	if (row)
		return row;
	row = maui_arena_alloc(&rows->arena, sizeof(*row));
	if (!row || maui_hashtable_add(&rows->table, hash, row)) {
		rows->failed = true;
		return NULL;
	}
	row->name = name;
	return row;
}

static double remaining_ps(const struct maui_plan *plan, const struct maui_active *active)
{
	return active->end_s > plan->now_s && active->end_s != MAUI_NEVER ?
		       (double)active->procs * (double)(active->end_s - plan->now_s) :
		       0;
}

/* Whether the asker may see running jobs with these credentials (PrivateData=jobs). */
static bool shows_active(const struct maui_own_creds *own, const char *const *cred)
{
	const struct maui_document *p = own->document;
	const char *user = cred[MAUI_CRED_USER];

	if (!p->hide_jobs || maui_document_sees_all(p, own->uid))
		return true;
	return (own->user && user && strcmp(own->user, user) == 0) ||
	       maui_document_coordinates(p, cred[MAUI_CRED_ACCOUNT], own->uid);
}

static void add_active(struct rows *rows, const struct maui_own_creds *own,
		       enum maui_cred_kind kind)
{
	const struct maui_plan *plan = own->document->plan;
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t i = 0; i < s->active_count && !rows->failed; i++) {
		const struct maui_active *active = &s->active[i];
		const char *name = s->creds[active->creds].cred[kind];
		struct row *row;

		if (active->completing || !name || !*name ||
		    !shows_active(own, s->creds[active->creds].cred))
			continue;
		row = get_row(rows, name);
		if (!row)
			return;
		row->jobs++;
		row->procs += active->suspended ? 0 : (double)active->procs;
		row->remaining_ps += remaining_ps(plan, active);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct row *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* The rows of one kind that the asker may see. */
static void make_rows(struct rows *rows, const struct maui_own_creds *own, enum maui_cred_kind kind,
		      size_t *ret_hidden)
{
	const struct maui_statistics_view *view = own->document->statistics;
	struct row *row;

	*ret_hidden = 0;
	for (size_t i = 0; i < view->count && !rows->failed; i++) {
		row = view->rows[i].kind == kind ? get_row(rows, view->rows[i].name) : NULL;
		if (row)
			row->figures = view->rows[i].figures;
	}
	add_active(rows, own, kind);
	rows->list = maui_arena_alloc(&rows->arena, (rows->table.used + 1) * sizeof(*rows->list));
	rows->failed |= !rows->list;
	for (size_t at = 0; rows->list && (row = maui_hashtable_next(&rows->table, &at));) {
		if (maui_own_creds_shows(own, kind, row->name))
			rows->list[rows->count++] = row;
		else
			(*ret_hidden)++;
	}
	if (rows->list)
		qsort(rows->list, rows->count, sizeof(*rows->list), by_name);
}

static json_object *row_to_json(const struct maui_plan *plan, enum maui_cred_kind kind,
				const struct row *row)
{
	const struct maui_fs_target *target =
		&maui_config_cred(plan->config, kind, row->name)->fstarget;
	struct maui_object o = maui_object_make();

	maui_object_put_text(&o, "kind", maui_cred_name(kind));
	maui_object_put_text(&o, "name", row->name);
	maui_object_put_number(&o, "active_jobs", row->jobs);
	maui_object_put_rounded(&o, "active_procs", row->procs);
	maui_object_put_rounded(&o, "active_remaining", row->remaining_ps);
	put_figures(&o, &row->figures);
	if (target->kind == MAUI_FS_TARGET_NONE)
		maui_object_put_null(&o, "target");
	else
		maui_object_put_rounded(&o, "target", target->value);
	return maui_object_finish(&o);
}

static void put_credentials(struct maui_object *o, const struct maui_document *p, uid_t uid,
			    enum maui_cred_kind kind)
{
	json_object *list = json_object_new_array();
	struct rows rows = { 0 };
	struct maui_own_creds own;
	size_t hidden = 0;

	if (maui_own_creds_find_usage(p, uid, &own) == 0)
		make_rows(&rows, &own, kind, &hidden);
	else
		o->failed = true;
	maui_own_creds_finish(&own);
	o->failed |= rows.failed;
	for (size_t i = 0; !o->failed && i < rows.count; i++)
		maui_object_append(o, list, row_to_json(p->plan, kind, rows.list[i]));
	maui_object_put(o, "credentials", list);
	maui_object_put(o, "hidden", json_object_new_boolean(hidden > 0));
	maui_hashtable_finish(&rows.table);
	maui_arena_finish(&rows.arena);
}

/* ---- the whole ---- */

static json_object *cell_to_json(const struct maui_statistics *s, int procs, int time)
{
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "procs", maui_grid_procs(procs));
	maui_object_put_number(&o, "limit", maui_grid_time(time));
	put_figures(&o, &s->grid[procs][time]);
	return maui_object_finish(&o);
}

static void put_grid(struct maui_object *o, const struct maui_statistics *s)
{
	json_object *list = json_object_new_array();

	for (int p = 0; p < MAUI_GRID_PROCS; p++)
		for (int t = 0; t < MAUI_GRID_TIMES; t++)
			maui_object_append(o, list, cell_to_json(s, p, t));
	maui_object_put(o, "grid", list);
}

static json_object *span_to_json(const struct maui_utilisation_span *span)
{
	static const char *const keys[MAUI_LOAD_COUNT] = {
		[MAUI_LOAD_PROCS] = "procs",
		[MAUI_LOAD_DOWN] = "down",
		[MAUI_LOAD_USED] = "used",
		[MAUI_LOAD_RESERVED] = "reserved",
		[MAUI_LOAD_IDLE] = "idle",
		[MAUI_LOAD_RUNNING] = "running_jobs",
		[MAUI_LOAD_WAITING] = "waiting_jobs",
	};
	struct maui_object o = maui_object_make();

	maui_object_put_number(&o, "start", span->start_s);
	maui_object_put_number(&o, "duration", MAUI_UTILISATION_SPAN_S);
	maui_object_put_rounded(&o, "known", span->known_s);
	for (int i = 0; i < MAUI_LOAD_COUNT; i++)
		maui_object_put_rounded(&o, keys[i], span->sum[i] / span->known_s);
	return maui_object_finish(&o);
}

static void put_utilisation(struct maui_object *o, const struct maui_utilisation *utilisation)
{
	json_object *list = json_object_new_array();

	for (uint32_t i = 0; utilisation && i < utilisation->count; i++)
		maui_object_append(o, list, span_to_json(&utilisation->spans[i]));
	maui_object_put(o, "utilisation", list);
}

/* The queue as far as the asker may see it. Each task of an array is a job. */
static void put_now(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	const struct maui_queue_sums sums = maui_queue_sums(p, uid);
	const struct maui_queue_sum *of = sums.states;
	int64_t eligible = of[MAUI_QUEUE_RESERVED].jobs + of[MAUI_QUEUE_ELIGIBLE].jobs;

	maui_object_put_number(o, "active_jobs",
			       of[MAUI_QUEUE_RUNNING].jobs + of[MAUI_QUEUE_STARTING].jobs +
				       of[MAUI_QUEUE_SUSPENDED].jobs);
	maui_object_put_rounded(
		o, "active_procs",
		(double)(of[MAUI_QUEUE_RUNNING].procs + of[MAUI_QUEUE_STARTING].procs));
	maui_object_put_rounded(o, "procs", p->plan->snapshot->totals.procs);
	maui_gres_put_all(o, p, uid);
	maui_object_put_number(o, "eligible_jobs", eligible);
	maui_object_put_number(o, "waiting_jobs", eligible + of[MAUI_QUEUE_BLOCKED].jobs);
}

json_object *maui_statistics_json(const struct maui_document *p, const char *kind, uid_t uid,
				  struct maui_query_error *error)
{
	enum maui_cred_kind wanted = kind ? maui_cred_parse(kind) : MAUI_CRED_COUNT;
	struct maui_object o, total;

	if (kind && wanted == MAUI_CRED_COUNT) {
		maui_query_fail(error, MAUI_QUERY_BAD, "'%.64s' is no kind of credential", kind);
		return NULL;
	}
	if (!p->plan || !p->statistics) {
		maui_query_fail(error, MAUI_QUERY_UNAVAILABLE,
				"no cycle has finished yet, try again");
		return NULL;
	}
	o = maui_object_make();
	total = maui_object_make();
	maui_object_put_text(&o, "cluster", p->cluster);
	maui_object_put_number(&o, "time", p->plan->now_s);
	maui_object_put_number(&o, "since", p->statistics->figures.since_s);
	maui_object_put_rounded(&o, "capacity", p->capacity_ps);
	maui_object_put_rounded(&o, "dedicated", p->used_ps);
	put_now(&o, p, uid);
	put_figures(&total, &p->statistics->figures.total);
	maui_object_put(&o, "total", maui_object_finish(&total));
	if (kind) {
		put_credentials(&o, p, uid, wanted);
	} else {
		put_grid(&o, &p->statistics->figures);
		put_utilisation(&o, p->utilisation);
	}
	if (o.failed)
		maui_query_fail(error, MAUI_QUERY_ERROR, "out of memory");
	return maui_object_finish(&o);
}
