/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idmap.h - a table from 32-bit ids (jobs, users, groups) to pointers
 *
 * Owns its slots, not what they point to. A zeroed struct is an empty one. Thread safety: none.
 */
#ifndef MAUI_BASE_IDMAP_H
#define MAUI_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_idmap {
	struct maui_idmap_slot {
		uint32_t id;
		void *value; /* NULL: free */
	} * slots;
	size_t slot_count, used;
};

void maui_idmap_finish(struct maui_idmap *map);
/* NULL: no such id. */
void *maui_idmap_get(const struct maui_idmap *map, uint32_t id);
/* Sets, or replaces. value must not be NULL. -1 without memory. */
int maui_idmap_set(struct maui_idmap *map, uint32_t id, void *value);

/* Walks all values and drops those for which `keep` says false (it may free the value). Without
 * memory nothing is dropped beyond what `keep` was asked for: -1, and the map is unchanged, so
 * `keep` is only called when memory is there. */
typedef bool (*maui_idmap_keep_fn)(uint32_t id, void *value, void *arg);
int maui_idmap_sweep(struct maui_idmap *map, maui_idmap_keep_fn keep, void *arg);

#endif
