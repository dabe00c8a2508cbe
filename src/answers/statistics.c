/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.c - answers "statistics": figures of jobs that have ended
 *
 * In: the published document with its statistics, its record of the last day, and the finished plan
 * with the jobs that run now. Out: the whole and the grid of sizes, or one row for each credential
 * of a kind.
 *
 * Rules: CMD-28, CMD-29.
 */

#include "answers/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answers/gres.h"
#include "answers/own_creds.h"
#include "answers/queue_sums.h"
#include "base/hash.h"
#include "base/hashtable.h"
#include "plan/finished.h"
#include "rows/estimate_errors.h"
#include "state/statistics.h"
#include "state/utilisation.h"
#include "verbs/statistics.h"

static struct maui_statistics_figures figures_of(const struct maui_figures *figures)
{
	const double *value = figures->value;

	return (struct maui_statistics_figures){
		.jobs = value[MAUI_FIGURE_JOBS],
		.backfilled = value[MAUI_FIGURE_BACKFILLED],
		.used = value[MAUI_FIGURE_USED_PS],
		.backfilled_used = value[MAUI_FIGURE_BACKFILLED_PS],
		.requested = value[MAUI_FIGURE_REQUESTED_PS],
		.queue_time = value[MAUI_FIGURE_QUEUE_TIME],
		.max_queue_time = value[MAUI_FIGURE_MAX_QUEUE_TIME],
		.xfactor = value[MAUI_FIGURE_XFACTOR],
		.max_xfactor = value[MAUI_FIGURE_MAX_XFACTOR],
		.bypass = value[MAUI_FIGURE_BYPASS],
		.max_bypass = value[MAUI_FIGURE_MAX_BYPASS],
		.accuracy = value[MAUI_FIGURE_ACCURACY],
		.limited_jobs = value[MAUI_FIGURE_LIMITED],
	};
}

/* ---- credentials ---- */

/* Figures of ended jobs, and what runs now. */
struct row {
	struct maui_statistics_credential credential;
	struct maui_statistics_figures figures;
};

struct rows {
	const struct maui_question *question;
	const struct maui_own_creds *own;
	enum maui_cred_kind kind;
	struct maui_hashtable table; /* struct row, by name */
	bool failed;
};

static bool is_named(const void *value, const void *key)
{
	return strcmp(((const struct row *)value)->credential.name, key) == 0;
}

/* FSTARGET. NAN: none. */
static double target_of(const struct rows *rows, const char *name)
{
	const struct maui_config *config = rows->question->document->plan->config;
	const struct maui_fs_target *target = &maui_config_cred(config, rows->kind, name)->fstarget;

	return target->kind == MAUI_FS_TARGET_NONE ? NAN : target->value;
}

/* NULL without memory. */
static struct row *get_row(struct rows *rows, const char *name)
{
	uint64_t hash = maui_hash_text(name, 0);
	struct row *row = maui_hashtable_find(&rows->table, hash, is_named, name);

	if (row)
		return row;
	row = maui_question_alloc(rows->question, 1, sizeof(*row));
	if (!row || maui_hashtable_add(&rows->table, hash, row)) {
		rows->failed = true;
		return NULL;
	}
	row->credential = (struct maui_statistics_credential){
		.kind = maui_cred_name(rows->kind),
		.name = name,
		.figures = &row->figures,
		.target = target_of(rows, name),
	};
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

	if (!p->privacy.hide_jobs || maui_document_sees_all(p, own->uid))
		return true;
	return (own->user && user && strcmp(own->user, user) == 0) ||
	       maui_document_coordinates(p, cred[MAUI_CRED_ACCOUNT], own->uid);
}

static void add_active(struct rows *rows)
{
	const struct maui_plan *plan = rows->question->document->plan;
	const struct maui_snapshot *s = plan->snapshot;

	for (uint32_t i = 0; i < s->active_count && !rows->failed; i++) {
		const struct maui_active *active = &s->active[i];
		const char *name = s->creds[active->creds].cred[rows->kind];
		struct row *row;

		if (active->completing || !name || !*name ||
		    !shows_active(rows->own, s->creds[active->creds].cred))
			continue;
		row = get_row(rows, name);
		if (!row)
			return;
		row->credential.active_jobs++;
		row->credential.active_procs += active->suspended ? 0 : (double)active->procs;
		row->credential.active_remaining += remaining_ps(plan, active);
	}
}

static void add_ended(struct rows *rows)
{
	const struct maui_statistics_view *view = rows->question->document->statistics;

	for (size_t i = 0; i < view->count && !rows->failed; i++) {
		struct row *row =
			view->rows[i].kind == rows->kind ? get_row(rows, view->rows[i].name) : NULL;

		if (row)
			row->figures = figures_of(&view->rows[i].figures);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct maui_statistics_credential *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The rows that the asker may see. */
static void list_rows(struct rows *rows, struct maui_statistics_kind *ret)
{
	struct maui_statistics_credential *list =
		maui_question_alloc(rows->question, rows->table.used, sizeof(*list));
	struct row *row;

	rows->failed |= !list;
	for (size_t at = 0; list && (row = maui_hashtable_next(&rows->table, &at));) {
		if (maui_own_creds_shows(rows->own, rows->kind, row->credential.name))
			list[ret->credentials_count++] = row->credential;
		else
			ret->hidden = true;
	}
	if (list)
		qsort(list, ret->credentials_count, sizeof(*list), by_name);
	ret->credentials = list;
}

/* NULL without memory. */
static const struct maui_statistics_kind *by_kind(const struct maui_question *q,
						  enum maui_cred_kind kind)
{
	struct maui_statistics_kind *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct maui_own_creds own;
	struct rows rows = { .question = q, .own = &own, .kind = kind };

	rows.failed = maui_own_creds_find_usage(q->document, q->uid, &own) != 0 || !ret;
	if (!rows.failed) {
		add_ended(&rows);
		add_active(&rows);
		list_rows(&rows, ret);
	}
	maui_own_creds_finish(&own);
	maui_hashtable_finish(&rows.table);
	if (!rows.failed)
		return ret;
	maui_question_no_memory(q);
	return NULL;
}

/* ---- the whole ---- */

static int list_grid(const struct maui_question *q, struct maui_statistics_whole *ret)
{
	const struct maui_statistics *s = &q->document->statistics->figures;
	const size_t count = (size_t)MAUI_GRID_PROCS * MAUI_GRID_TIMES;
	struct maui_statistics_figures *figures = maui_question_alloc(q, count, sizeof(*figures));
	struct maui_statistics_cell *list = maui_question_alloc(q, count, sizeof(*list));

	for (size_t i = 0; figures && list && i < count; i++) {
		int procs = (int)(i / MAUI_GRID_TIMES), time = (int)(i % MAUI_GRID_TIMES);

		figures[i] = figures_of(&s->grid[procs][time]);
		list[i] = (struct maui_statistics_cell){
			.procs = maui_grid_procs(procs),
			.limit = maui_grid_time(time),
			.figures = &figures[i],
		};
	}
	ret->grid = list;
	ret->grid_count = count;
	return figures && list ? 0 : -1;
}

static struct maui_statistics_span mean_of(const struct maui_utilisation_span *span)
{
	double known_s = span->known_s;

	return (struct maui_statistics_span){
		.start = span->start_s,
		.duration = MAUI_UTILISATION_SPAN_S,
		.known = known_s,
		.procs = span->sum[MAUI_LOAD_PROCS] / known_s,
		.down = span->sum[MAUI_LOAD_DOWN] / known_s,
		.used = span->sum[MAUI_LOAD_USED] / known_s,
		.reserved = span->sum[MAUI_LOAD_RESERVED] / known_s,
		.idle = span->sum[MAUI_LOAD_IDLE] / known_s,
		.running_jobs = span->sum[MAUI_LOAD_RUNNING] / known_s,
		.waiting_jobs = span->sum[MAUI_LOAD_WAITING] / known_s,
	};
}

static int list_utilisation(const struct maui_question *q, struct maui_statistics_whole *ret)
{
	const struct maui_utilisation *utilisation = q->document->utilisation;
	size_t count = utilisation ? utilisation->count : 0;
	struct maui_statistics_span *list = maui_question_alloc(q, count, sizeof(*list));

	for (size_t i = 0; list && i < count; i++)
		list[i] = mean_of(&utilisation->spans[i]);
	ret->utilisation = list;
	ret->utilisation_count = count;
	return list ? 0 : -1;
}

/* NULL without memory. */
static const struct maui_statistics_whole *whole(const struct maui_question *q)
{
	struct maui_statistics_whole *ret = maui_question_alloc(q, 1, sizeof(*ret));

	if (ret && list_grid(q, ret) == 0 && list_utilisation(q, ret) == 0 &&
	    maui_estimate_error_rows(q->arena, q->document->statistics, &ret->estimates,
				     &ret->estimates_count) == 0)
		return ret;
	return NULL;
}

/* ---- the answer ---- */

/* The queue as far as the asker may see it. Each task of an array is a job. */
static void set_now(const struct maui_question *q, struct maui_statistics_answer *ret)
{
	const struct maui_queue_sums sums = maui_queue_sums(q->document, q->uid);
	const struct maui_queue_sum *of = sums.states;

	ret->active_jobs = of[MAUI_QUEUE_RUNNING].jobs + of[MAUI_QUEUE_STARTING].jobs +
			   of[MAUI_QUEUE_SUSPENDED].jobs;
	ret->active_procs = (double)(of[MAUI_QUEUE_RUNNING].procs + of[MAUI_QUEUE_STARTING].procs);
	ret->eligible_jobs = of[MAUI_QUEUE_RESERVED].jobs + of[MAUI_QUEUE_ELIGIBLE].jobs;
	ret->waiting_jobs = ret->eligible_jobs + of[MAUI_QUEUE_BLOCKED].jobs;
}

/* `kind` MAUI_CRED_COUNT: the whole. */
static const void *answer(const struct maui_question *q, enum maui_cred_kind kind)
{
	const struct maui_document *p = q->document;
	const struct maui_statistics *statistics = &p->statistics->figures;
	struct maui_statistics_answer *ret = maui_question_alloc(q, 1, sizeof(*ret));
	struct maui_statistics_figures *total = maui_question_alloc(q, 1, sizeof(*total));

	if (!ret || !total)
		return NULL;
	*total = figures_of(&statistics->total);
	*ret = (struct maui_statistics_answer){
		.cluster = p->cluster,
		.time = p->plan->now_s,
		.since = statistics->since_s,
		.capacity = p->capacity_ps,
		.dedicated = p->used_ps,
		.procs = p->plan->snapshot->totals.procs,
		.total = total,
		.by_kind = kind < MAUI_CRED_COUNT ? by_kind(q, kind) : NULL,
		.whole = kind < MAUI_CRED_COUNT ? NULL : whole(q),
	};
	set_now(q, ret);
	if (!ret->by_kind && !ret->whole)
		return NULL;
	return maui_gres_list_all(q, &ret->gres, &ret->gres_count) ? NULL : ret;
}

/* In: struct maui_statistics_args. Out: struct maui_statistics_answer; NULL with an error: no such
 * kind; nothing is known yet; no memory. */
const void *maui_answer_statistics(const struct maui_question *q, const void *args)
{
	const char *kind = ((const struct maui_statistics_args *)args)->kind;
	enum maui_cred_kind wanted = kind ? maui_question_cred_kind(q, kind) : MAUI_CRED_COUNT;

	if ((kind && wanted == MAUI_CRED_COUNT) || !maui_question_has_statistics(q))
		return NULL;
	return answer(q, wanted);
}
