/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idmap.c - open addressing, at most three quarters full */

#include "base/idmap.h"

#include <stdlib.h>

enum { SMALLEST = 64 };

void maui_idmap_finish(struct maui_idmap *map)
{
	free(map->slots);
	*map = (struct maui_idmap){ 0 };
}

static struct maui_idmap_slot *find(struct maui_idmap_slot *slots, size_t count, uint32_t id)
{
	uint32_t hash = id * UINT32_C(2654435769); /* its high bits depend on all of the id's */
	size_t i = (hash ^ hash >> 16) & (count - 1);

	while (slots[i].value && slots[i].id != id)
		i = (i + 1) & (count - 1);
	return &slots[i];
}

void *maui_idmap_get(const struct maui_idmap *map, uint32_t id)
{
	return map->slot_count ? find(map->slots, map->slot_count, id)->value : NULL;
}

static int grow(struct maui_idmap *map)
{
	size_t wider = map->slot_count ? map->slot_count * 2 : SMALLEST;
	struct maui_idmap_slot *slots;

	if (map->slot_count && map->used * 4 < map->slot_count * 3)
		return 0;
	slots = calloc(wider, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].value)
			*find(slots, wider, map->slots[i].id) = map->slots[i];
	free(map->slots);
	map->slots = slots;
	map->slot_count = wider;
	return 0;
}

int maui_idmap_set(struct maui_idmap *map, uint32_t id, void *value)
{
	struct maui_idmap_slot *slot;

	if (grow(map))
		return -1;
	slot = find(map->slots, map->slot_count, id);
	if (!slot->value)
		map->used++;
	*slot = (struct maui_idmap_slot){ .id = id, .value = value };
	return 0;
}

int maui_idmap_sweep(struct maui_idmap *map, maui_idmap_keep_fn keep, void *arg)
{
	struct maui_idmap_slot *slots;
	size_t used = 0;

	if (map->slot_count == 0)
		return 0;
	slots = calloc(map->slot_count, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < map->slot_count; i++) {
		struct maui_idmap_slot *slot = &map->slots[i];

		if (slot->value && keep(slot->id, slot->value, arg)) {
			*find(slots, map->slot_count, slot->id) = *slot;
			used++;
		}
	}
	free(map->slots);
	map->slots = slots;
	map->used = used;
	return 0;
}
