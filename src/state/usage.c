/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - windows of usage: a sorted array of hash tables, at most three quarters full */

#include "state/usage.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/limits.h"

void maui_usage_window_finish(struct maui_usage_window *window)
{
	for (size_t i = 0; i < window->slot_count; i++)
		free(window->slots[i].name);
	free(window->slots);
	*window = (struct maui_usage_window){ 0 };
}

void maui_usage_finish(struct maui_usage *usage)
{
	for (size_t i = 0; i < usage->count; i++)
		maui_usage_window_finish(&usage->windows[i]);
	free(usage->windows);
	*usage = (struct maui_usage){ 0 };
}

struct maui_usage_window *maui_usage_window(struct maui_usage *usage, int64_t start_s,
					    int64_t interval_s)
{
	struct maui_usage_window *grown;
	size_t at = 0;

	while (at < usage->count && usage->windows[at].start_s > start_s)
		at++;
	if (at < usage->count && usage->windows[at].start_s == start_s) {
		if (usage->windows[at].interval_s < interval_s)
			usage->windows[at].interval_s = interval_s;
		return &usage->windows[at];
	}
	grown = maui_array_grow(usage->windows, usage->count, &usage->alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	usage->windows = grown;
	memmove(grown + at + 1, grown + at, (usage->count - at) * sizeof(*grown));
	grown[at] = (struct maui_usage_window){ .start_s = start_s, .interval_s = interval_s };
	usage->count++;
	return &grown[at];
}

void maui_usage_remove(struct maui_usage *usage, size_t index)
{
	maui_usage_window_finish(&usage->windows[index]);
	usage->count--;
	memmove(usage->windows + index, usage->windows + index + 1,
		(usage->count - index) * sizeof(*usage->windows));
}

/* The slot of a name, or the free one where it belongs. */
static struct maui_usage_entry *find_slot(struct maui_usage_entry *slots, size_t slot_count,
					  enum maui_cred_kind kind, const char *name)
{
	size_t i = (size_t)maui_hash_text(name, (uint64_t)kind) & (slot_count - 1);

	while (slots[i].name && (slots[i].kind != kind || strcmp(slots[i].name, name) != 0))
		i = (i + 1) & (slot_count - 1);
	return &slots[i];
}

static int grow_slots(struct maui_usage_window *window)
{
	size_t wider = window->slot_count ? window->slot_count * 2 : 16;
	struct maui_usage_entry *slots;

	if (window->used * 4 < window->slot_count * 3)
		return 0;
	slots = calloc(wider, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < window->slot_count; i++)
		if (window->slots[i].name)
			*find_slot(slots, wider, window->slots[i].kind, window->slots[i].name) =
				window->slots[i];
	free(window->slots);
	window->slots = slots;
	window->slot_count = wider;
	return 0;
}

int maui_usage_add(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		   double value)
{
	struct maui_usage_entry *slot;

	if (grow_slots(window))
		return -1;
	slot = find_slot(window->slots, window->slot_count, kind, name);
	if (!slot->name) {
		slot->name = strdup(name);
		if (!slot->name)
			return -1;
		slot->kind = kind;
		window->used++;
	}
	slot->value += value;
	window->dirty = true;
	return 0;
}

static bool knows(const struct maui_usage_window *window, enum maui_cred_kind kind,
		  const char *name)
{
	return window->slot_count && find_slot(window->slots, window->slot_count, kind, name)->name;
}

double maui_usage_get(const struct maui_usage_window *window, enum maui_cred_kind kind,
		      const char *name)
{
	if (window->slot_count == 0)
		return 0;
	return find_slot(window->slots, window->slot_count, kind, name)->value;
}

int maui_usage_charge(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		      double value)
{
	if (window->used >= MAUI_FS_MAX_NAMES && !knows(window, kind, name))
		name = MAUI_USAGE_OTHERS;
	return maui_usage_add(window, kind, name, value);
}
