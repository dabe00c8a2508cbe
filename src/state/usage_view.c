/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage_view.c - copies of fairshare windows, shared by reference */

#include "state/usage_view.h"

#include <stdlib.h>

static void unref_window(struct maui_usage_view_window *window)
{
	if (!window || __atomic_sub_fetch(&window->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	maui_arena_finish(&window->arena);
	free(window);
}

static struct maui_usage_view_window *copy_window(const struct maui_usage_window *window)
{
	struct maui_usage_view_window *copy = calloc(1, sizeof(*copy));
	const struct maui_usage_entry *entry;
	struct maui_usage_view_entry *to;

	if (!copy)
		return NULL;
	copy->refs = 1;
	copy->start_s = window->start_s;
	copy->interval_s = window->interval_s;
	copy->total = window->total;
	copy->version = window->version;
	to = maui_arena_alloc(&copy->arena, (window->entries.used + 1) * sizeof(*to));
	copy->entries = to;
	for (size_t at = 0; to && (entry = maui_hashtable_next(&window->entries, &at)); to++) {
		to->name = maui_arena_strdup(&copy->arena, entry->name);
		if (!to->name)
			break;
		to->kind = entry->kind;
		to->value = entry->value;
		copy->count++;
	}
	if (copy->entries && copy->count == window->entries.used)
		return copy;
	unref_window(copy);
	return NULL;
}

/* The copy of `last` if it is right still, else a new one. */
static struct maui_usage_view_window *share_window(const struct maui_usage_window *window,
						   struct maui_usage_view *last)
{
	for (size_t i = 0; last && i < last->count; i++) {
		struct maui_usage_view_window *copy = last->windows[i];

		if (copy->start_s == window->start_s && copy->interval_s == window->interval_s &&
		    copy->version == window->version && copy->count == window->entries.used &&
		    copy->total == window->total) {
			__atomic_add_fetch(&copy->refs, 1, __ATOMIC_RELAXED);
			return copy;
		}
	}
	return copy_window(window);
}

static int same_windows(const struct maui_usage_view *a, const struct maui_usage_view *b)
{
	if (a->count != b->count)
		return 0;
	for (size_t i = 0; i < a->count; i++)
		if (a->windows[i] != b->windows[i])
			return 0;
	return 1;
}

struct maui_usage_view *maui_usage_view_create(const struct maui_usage *usage,
					       struct maui_usage_view *last)
{
	struct maui_usage_view *view = calloc(1, sizeof(*view));

	if (!view)
		return NULL;
	view->refs = 1;
	view->windows = calloc(usage->count + 1, sizeof(*view->windows));
	for (; view->windows && view->count < usage->count; view->count++) {
		view->windows[view->count] = share_window(&usage->windows[view->count], last);
		if (!view->windows[view->count])
			break;
	}
	if (!view->windows || view->count < usage->count) {
		maui_usage_view_unref(view);
		return NULL;
	}
	if (!last || !same_windows(view, last))
		return view;
	maui_usage_view_unref(view);
	return maui_usage_view_ref(last);
}

struct maui_usage_view *maui_usage_view_ref(struct maui_usage_view *view)
{
	if (view)
		__atomic_add_fetch(&view->refs, 1, __ATOMIC_RELAXED);
	return view;
}

void maui_usage_view_unref(struct maui_usage_view *view)
{
	if (!view || __atomic_sub_fetch(&view->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	for (size_t i = 0; i < view->count; i++)
		unref_window(view->windows[i]);
	free(view->windows);
	free(view);
}

static int restore_window(const struct maui_usage_view_window *from, struct maui_usage *ret)
{
	struct maui_usage_window *window = maui_usage_window(ret, from->start_s, from->interval_s);

	if (!window)
		return -1;
	for (size_t i = 0; i < from->count; i++)
		if (maui_usage_add(window, from->entries[i].kind, from->entries[i].name,
				   from->entries[i].value))
			return -1;
	window->total = from->total;
	return 0;
}

int maui_usage_restore(const struct maui_usage_view *view, struct maui_usage *ret)
{
	for (size_t i = 0; view && i < view->count; i++)
		if (restore_window(view->windows[i], ret))
			return -1;
	return 0;
}
