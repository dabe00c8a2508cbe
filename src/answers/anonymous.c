/* SPDX-License-Identifier: GPL-2.0-or-later */
/* anonymous.c - replaces what PrivateData hides by numbers */

#include "answers/anonymous.h"

#include <string.h>

#include "answers/anonymous_private.h"
#include "answers/config.h"
#include "base/hash.h"
#include "config/shown_lines.h"
#include "plan/finished.h"

/* A name and the number that stands for it. */
struct alias {
	int kind;                  /* enum maui_cred_kind, or MAUI_HIDING_RSV */
	const char *name, *number; /* NULL: no number yet */
	bool known;                /* the user's own jobs have the name, so it may be shown */
};

/* ---- names ---- */

static bool is_alias_of(const void *value, const void *key)
{
	const struct alias *one = value, *two = key;

	return one->kind == two->kind && strcmp(one->name, two->name) == 0;
}

static struct alias *find_alias(struct maui_hiding *h, int kind, const char *name)
{
	const struct alias key = { .kind = kind, .name = name };
	uint64_t hash = maui_hash_text(name, (uint64_t)kind);
	struct alias *alias = maui_hashtable_find(&h->aliases, hash, is_alias_of, &key);

	if (alias)
		return alias;
	alias = maui_arena_alloc(h->arena, sizeof(*alias));
	if (alias && maui_hashtable_add(&h->aliases, hash, alias) == 0) {
		*alias = key;
		return alias;
	}
	h->failed = true;
	return NULL;
}

static void add_name(struct maui_hiding *h, int kind, const char *name)
{
	struct alias *alias = name ? find_alias(h, kind, name) : NULL;

	if (alias)
		alias->known = true;
}

const char *maui_hiding_number(struct maui_hiding *h, int kind, const char *name)
{
	struct alias *alias = name ? find_alias(h, kind, name) : NULL;

	if (!alias)
		return NULL;
	h->any = true;
	if (alias->number)
		return alias->number;
	alias->number = maui_arena_printf(h->arena, kind == MAUI_HIDING_RSV ? "hidden.%u" : "#%u",
					  ++h->last[kind]);
	h->failed |= !alias->number;
	return alias->number;
}

const char *maui_hiding_name(struct maui_hiding *h, int kind, const char *name)
{
	const struct alias *alias =
		name && kind != MAUI_CRED_CLASS ? find_alias(h, kind, name) : NULL;

	return !alias || alias->known ? name : maui_hiding_number(h, kind, name);
}

/* ---- jobs ---- */

/* Room for the credentials of visible jobs at their old indices, and for anonymous ones behind. */
static int make_creds(struct maui_hiding *h)
{
	uint32_t count = h->s->cred_count;

	h->s->creds = maui_arena_alloc(h->arena, (2u * count + 1) * sizeof(*h->s->creds));
	h->s->cred_count = 2 * count;
	return h->s->creds ? 0 : -1;
}

static void show_creds(struct maui_hiding *h, uint32_t index)
{
	h->s->creds[index] = h->p->plan->snapshot->creds[index];
	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		add_name(h, k, h->s->creds[index].cred[k]);
}

static uint32_t hide_creds(struct maui_hiding *h, uint32_t index)
{
	const struct maui_credentials *from = &h->p->plan->snapshot->creds[index];
	uint32_t at = h->p->plan->snapshot->cred_count + index;

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		h->s->creds[at].cred[k] = k == MAUI_CRED_CLASS ?
						  from->cred[k] :
						  maui_hiding_number(h, k, from->cred[k]);
	return at;
}

static uint64_t hidden_id(const struct maui_hiding *h, uint32_t index)
{
	return MAUI_ANONYMOUS_JOB + h->p->plan->snapshot->active_count + index;
}

/* The job keeps the place in the queue that it has now, by the number that orders it. */
static int give_priority(struct maui_hiding *h, struct maui_idle *idle, uint32_t index)
{
	struct maui_row *rows = maui_arena_alloc(h->arena, idle->row_count * sizeof(*rows));

	for (uint32_t i = 0; rows && i < idle->row_count; i++) {
		rows[i] = idle->rows[i];
		rows[i].priority = h->p->plan->decisions.verdicts[index].published;
	}
	idle->rows = rows;
	idle->priority_given = true;
	idle->job.system_priority = idle->job.system_priority_relative = 0;
	return rows ? 0 : -1;
}

/* The number of tasks stays, the numbers of tasks and jobs go. Of tasks that run nobody can tell
 * any more that they belong to the array, so those that wait share what %N leaves now. */
static void hide_conditions(const struct maui_hiding *h, struct maui_saved_waiting *waiting)
{
	static const struct maui_dependency unknown = { .kind = MAUI_DEPENDENCY_OTHER };
	struct maui_job_conditions *c = &waiting->conditions;

	for (uint32_t i = 0; i < h->s->active_count && c->run_max > 1; i++)
		c->run_max -= h->plan->running[i].array_job == waiting->array_job;
	if (c->dependency_count > 0)
		c->dependencies = &unknown;
	c->dependency_count = c->dependency_count > 0;
	c->tasks = NULL;
	c->task_count = 0;
	waiting->array_job = 0;
	waiting->array_task = waiting->first_task = waiting->last_task = MAUI_NO_TASK;
}

static int hide_idle(struct maui_hiding *h, struct maui_idle *idle, uint32_t index)
{
	struct maui_saved_waiting *waiting = (struct maui_saved_waiting *)h->plan->waiting;

	hide_conditions(h, &waiting[idle - h->s->idle]);
	if (give_priority(h, idle, index))
		return -1;
	for (uint32_t i = 0; i < idle->row_count; i++)
		((struct maui_row *)idle->rows)[i].creds = hide_creds(h, idle->rows[i].creds);
	idle->id = hidden_id(h, index);
	return 0;
}

static int take_idle(struct maui_hiding *h)
{
	for (uint32_t i = 0; i < h->s->idle_count; i++) {
		struct maui_idle *idle = &h->s->idle[i];

		if (!maui_document_shows_idle(h->p, h->idle_of[i], h->uid)) {
			if (hide_idle(h, idle, h->idle_of[i]))
				return -1;
			continue;
		}
		for (uint32_t r = 0; r < idle->row_count; r++)
			show_creds(h, idle->rows[r].creds);
		/* lines that make the priority of another's job may be hidden */
		if (h->lines && h->p->idle[h->idle_of[i]].uid != h->uid &&
		    give_priority(h, idle, h->idle_of[i]))
			return -1;
	}
	return 0;
}

static int take_active(struct maui_hiding *h)
{
	struct maui_hashtable rows = { 0 };
	const struct maui_document *p = h->p;
	struct maui_saved_running *running = (struct maui_saved_running *)h->plan->running;
	int rc = maui_document_index_jobs(p, &rows);

	for (uint32_t i = 0; i < h->s->active_count && rc == 0; i++) {
		struct maui_active *active = &h->s->active[i];
		const struct maui_document_rsv *row =
			maui_hashtable_find_id(&rows, (uint32_t)active->id);

		if (row ? maui_document_shows(p, row, h->uid) : !p->privacy.hide_jobs) {
			show_creds(h, active->creds);
			continue;
		}
		active->creds = hide_creds(h, active->creds);
		active->id = MAUI_ANONYMOUS_JOB + i;
		running[i] = (struct maui_saved_running){ .array_task = MAUI_NO_TASK };
	}
	maui_hashtable_finish(&rows);
	return rc;
}

/* Job reservations name jobs by the ids that these have now. */
static void take_job_rsvs(struct maui_hiding *h)
{
	const struct maui_decisions *d = &h->p->plan->decisions;
	struct maui_saved_job_rsv *list = (struct maui_saved_job_rsv *)h->plan->job_rsvs;
	uint32_t i = 0;

	/* both lists have the same order; the plan's may have more */
	for (uint32_t k = 0; k < d->reservation_count && i < h->plan->job_rsv_count; k++) {
		uint32_t job = d->reservations[k].job;

		if (h->p->plan->snapshot->idle[job].id != list[i].job)
			continue;
		if (!maui_document_shows_idle(h->p, job, h->uid))
			list[i].job = hidden_id(h, job);
		i++;
	}
}

/* ---- fairshare windows ---- */

static int take_window(struct maui_hiding *h, const struct maui_usage_view_window *from,
		       struct maui_usage_view_window *to)
{
	struct maui_usage_view_entry *entries =
		maui_arena_alloc(h->arena, (from->count + 1) * sizeof(*entries));

	for (size_t i = 0; entries && i < from->count; i++) {
		entries[i] = from->entries[i];
		entries[i].name = maui_hiding_name(h, (int)entries[i].kind, entries[i].name);
	}
	*to = (struct maui_usage_view_window){ .start_s = from->start_s,
					       .interval_s = from->interval_s,
					       .total = from->total,
					       .entries = entries,
					       .count = from->count };
	return entries ? 0 : -1;
}

static int take_usage(struct maui_hiding *h)
{
	const struct maui_usage_view *from = h->plan->usage;
	struct maui_usage_view *view = maui_arena_alloc(h->arena, sizeof(*view));
	struct maui_usage_view_window *windows;

	if (!from)
		return 0;
	windows = maui_arena_alloc(h->arena, (from->count + 1) * sizeof(*windows));
	if (!view || !windows)
		return -1;
	view->windows = maui_arena_alloc(h->arena, (from->count + 1) * sizeof(*view->windows));
	view->count = from->count;
	for (size_t i = 0; view->windows && i < from->count; i++) {
		view->windows[i] = &windows[i];
		if (take_window(h, from->windows[i], &windows[i]))
			return -1;
	}
	h->plan->usage = view;
	return view->windows ? 0 : -1;
}

/* ---- maui.cfg ---- */

static bool shows_line(const struct maui_setting *setting, void *hiding)
{
	struct maui_hiding *h = hiding;

	if (maui_config_shows(&h->own, setting))
		return true;
	/* lines of other programs plan nothing */
	h->any |= setting->param->family != MAUI_FAMILY_OTHER;
	h->lines |= setting->param->family != MAUI_FAMILY_OTHER &&
		    setting->param->family != MAUI_FAMILY_SR;
	return false;
}

static int take_config(struct maui_hiding *h)
{
	struct maui_strbuf text = { 0 };
	char *copy = NULL;

	if (maui_config_shown_lines(h->p->plan->config, shows_line, h, &text) == 0)
		copy = maui_arena_strdup(h->arena, text.text ? text.text : "");
	h->plan->config_text = copy;
	h->plan->config_length = text.length;
	maui_strbuf_finish(&text);
	return copy ? 0 : -1;
}

int maui_anonymous(const struct maui_document *p, uid_t uid, const uint32_t *idle_of,
		   struct maui_saved_plan *plan, struct maui_snapshot *snapshot,
		   struct maui_arena *arena)
{
	struct maui_hiding h = {
		.p = p, .uid = uid, .idle_of = idle_of, .plan = plan, .s = snapshot, .arena = arena
	};
	int rc = maui_own_creds_find(p, uid, &h.own) || take_config(&h) || make_creds(&h) ? -1 : 0;

	add_name(&h, MAUI_CRED_USER, maui_document_user_name(p, uid));
	if (rc == 0)
		rc = take_idle(&h) || take_active(&h) ? -1 : 0;
	if (rc == 0)
		take_job_rsvs(&h);
	if (rc == 0 && p->privacy.hide_rsvs)
		rc = maui_hiding_rsvs(&h);
	if (rc == 0 && !maui_document_shows_usage(p, uid))
		rc = take_usage(&h);
	maui_hashtable_finish(&h.aliases);
	maui_own_creds_finish(&h.own);
	return rc || h.failed ? -1 : h.any;
}
