/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hashtable.h - the hash table of this project: pointers, found by a hash and a comparison
 *
 * The caller hashes its keys (base/hash.h) and compares them, so a key may be a name, an id or the
 * content of a structure. uthash, the usual library, compares keys as contiguous bytes, which most
 * of our keys are not. The table owns its slots, not the values. A zeroed struct is an empty table.
 *
 * Thread safety: none; several threads may read a table that no thread changes.
 */
#ifndef MAUI_BASE_HASHTABLE_H
#define MAUI_BASE_HASHTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_hashtable {
	struct maui_hashtable_slot {
		uint64_t hash;
		void *value; /* NULL: free */
	} * slots;
	size_t slot_count, used;
};

void maui_hashtable_finish(struct maui_hashtable *table);
/* Empties the table and keeps its slots. */
void maui_hashtable_clear(struct maui_hashtable *table);

/* The value with this hash for which `same` is true; NULL: none. */
typedef bool (*maui_hashtable_same_fn)(const void *value, const void *key);
void *maui_hashtable_find(const struct maui_hashtable *table, uint64_t hash,
			  maui_hashtable_same_fn same, const void *key);
/* Adds a value that is not NULL and not in the table. -1 without memory. */
int maui_hashtable_add(struct maui_hashtable *table, uint64_t hash, void *value);

/* The same for 32-bit ids of jobs, users and groups. maui_hashtable_set_id() replaces the value
 * of an id. */
void *maui_hashtable_find_id(const struct maui_hashtable *table, uint32_t id);
int maui_hashtable_set_id(struct maui_hashtable *table, uint32_t id, void *value);

/* All values, in no order: for (size_t at = 0; (value = maui_hashtable_next(table, &at));) */
void *maui_hashtable_next(const struct maui_hashtable *table, size_t *at);

/* Calls `keep` for each value, and removes the values for which it returns false; `keep` may
 * free them. -1 without memory: `keep` was not called, and nothing has changed. */
typedef bool (*maui_hashtable_keep_fn)(void *value, void *arg);
int maui_hashtable_sweep(struct maui_hashtable *table, maui_hashtable_keep_fn keep, void *arg);

#endif
