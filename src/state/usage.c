/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - windows of usage: a sorted array of hash tables */

#include "state/usage.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/limits.h"

void maui_usage_window_finish(struct maui_usage_window *window)
{
	struct maui_usage_entry *entry;

	for (size_t at = 0; (entry = maui_hashtable_next(&window->entries, &at));)
		free(entry);
	maui_hashtable_finish(&window->entries);
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

void maui_usage_charge_on(struct maui_usage *usage, int64_t known_s, int64_t now_s)
{
	for (size_t i = 0; i < usage->count; i++) {
		struct maui_usage_window *window = &usage->windows[i];
		int64_t until_s = window->charged_until_s;

		window->charges_from_s = 0;
		if (until_s > known_s) /* `now_s`: the clock was set back */
			window->charges_from_s = until_s < now_s ? until_s : now_s;
		if (until_s > usage->charged_until_s)
			usage->charged_until_s = until_s;
	}
}

void maui_usage_charge_until(struct maui_usage *usage, int64_t now_s)
{
	bool is_back = now_s < usage->charged_until_s;

	for (size_t i = 0; is_back && i < usage->count; i++) {
		usage->windows[i].charges_from_s = 0;
		usage->windows[i].dirty = true;
	}
	usage->charged_until_s = now_s;
}

struct entry_key {
	enum maui_cred_kind kind;
	const char *name;
};

static bool has_key(const void *value, const void *key)
{
	const struct maui_usage_entry *entry = value;
	const struct entry_key *wanted = key;

	return entry->kind == wanted->kind && strcmp(entry->name, wanted->name) == 0;
}

static struct maui_usage_entry *find_entry(const struct maui_usage_window *window,
					   enum maui_cred_kind kind, const char *name)
{
	const struct entry_key key = { kind, name };

	return maui_hashtable_find(&window->entries, maui_hash_text(name, (uint64_t)kind), has_key,
				   &key);
}

static struct maui_usage_entry *add_entry(struct maui_usage_window *window,
					  enum maui_cred_kind kind, const char *name)
{
	size_t size = strlen(name) + 1;
	struct maui_usage_entry *entry = malloc(sizeof(*entry) + size);

	if (!entry)
		return NULL;
	*entry = (struct maui_usage_entry){ .kind = kind };
	memcpy(entry->name, name, size);
	if (maui_hashtable_add(&window->entries, maui_hash_text(name, (uint64_t)kind), entry)) {
		free(entry);
		return NULL;
	}
	return entry;
}

/* The entry of a credential, zero if it is new. NULL without memory. */
static struct maui_usage_entry *entry_of(struct maui_usage_window *window, enum maui_cred_kind kind,
					 const char *name)
{
	struct maui_usage_entry *entry = find_entry(window, kind, name);

	return entry ? entry : add_entry(window, kind, name);
}

int maui_usage_add(struct maui_usage_window *window, enum maui_cred_kind kind, const char *name,
		   double value)
{
	struct maui_usage_entry *entry = entry_of(window, kind, name);

	if (!entry)
		return -1;
	entry->value += value;
	window->dirty = true;
	window->version++;
	return 0;
}

double maui_usage_get(const struct maui_usage_window *window, enum maui_cred_kind kind,
		      const char *name)
{
	const struct maui_usage_entry *entry = find_entry(window, kind, name);

	return entry ? entry->value : 0;
}

const char *maui_usage_claimed_name(const char *name, bool known, uint32_t *claims, size_t used,
				    size_t most)
{
	if (known)
		return name;
	if (!claims || *claims >= MAUI_CLAIMS_OF_A_USER || used >= most)
		return MAUI_USAGE_OTHERS;
	++*claims;
	return name;
}

int maui_usage_charge(struct maui_usage_window *window, const char *const *cred, unsigned known,
		      double value)
{
	const char *user = cred[MAUI_CRED_USER];
	struct maui_usage_entry *claimant =
		user && *user ? entry_of(window, MAUI_CRED_USER,
					 known >> MAUI_CRED_USER & 1 ? user : MAUI_USAGE_OTHERS) :
				NULL;

	if (user && *user && !claimant)
		return -1;
	for (int k = 0; k < MAUI_CRED_COUNT; k++) {
		const char *name = cred[k];

		if (!name || !*name)
			continue;
		if (maui_cred_is_claimed((enum maui_cred_kind)k) && !(known >> k & 1))
			name = maui_usage_claimed_name(
				name, find_entry(window, (enum maui_cred_kind)k, name),
				claimant ? &claimant->claims : NULL, window->entries.used,
				MAUI_FS_MAX_NAMES);
		if (maui_usage_add(window, (enum maui_cred_kind)k, name, value))
			return -1;
	}
	return 0;
}
