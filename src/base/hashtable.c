/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hashtable.c - open addressing, at most three quarters full */

#include "base/hashtable.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { SMALLEST = 64 };

void maui_hashtable_finish(struct maui_hashtable *table)
{
	free(table->slots);
	*table = (struct maui_hashtable){ 0 };
}

void maui_hashtable_clear(struct maui_hashtable *table)
{
	if (table->used > 0)
		memset(table->slots, 0, table->slot_count * sizeof(*table->slots));
	table->used = 0;
}

/* The slot of the value, or the free slot where it belongs; without `same` always the free slot. */
static struct maui_hashtable_slot *find_slot(const struct maui_hashtable *table, uint64_t hash,
					     maui_hashtable_same_fn same, const void *key)
{
	size_t mask = table->slot_count - 1, i = (size_t)hash & mask;

	for (; table->slots[i].value; i = (i + 1) & mask)
		if (table->slots[i].hash == hash && same && same(table->slots[i].value, key))
			break;
	return &table->slots[i];
}

void *maui_hashtable_find(const struct maui_hashtable *table, uint64_t hash,
			  maui_hashtable_same_fn same, const void *key)
{
	return table->slot_count ? find_slot(table, hash, same, key)->value : NULL;
}

static int grow(struct maui_hashtable *table)
{
	struct maui_hashtable wider = { .used = table->used };

	if (table->slot_count && table->used * 4 < table->slot_count * 3)
		return 0;
	wider.slot_count = table->slot_count ? table->slot_count * 2 : SMALLEST;
	wider.slots = calloc(wider.slot_count, sizeof(*wider.slots));
	if (!wider.slots)
		return -1;
	for (size_t i = 0; i < table->slot_count; i++)
		if (table->slots[i].value)
			*find_slot(&wider, table->slots[i].hash, NULL, NULL) = table->slots[i];
	free(table->slots);
	*table = wider;
	return 0;
}

int maui_hashtable_add(struct maui_hashtable *table, uint64_t hash, void *value)
{
	if (grow(table))
		return -1;
	*find_slot(table, hash, NULL, NULL) = (struct maui_hashtable_slot){ hash, value };
	table->used++;
	return 0;
}

/* Equal hashes mean equal ids, because maui_hash_mix() of 32 bits is reversible. */
static bool is_any(const void *value, const void *key)
{
	(void)value, (void)key;
	return true;
}

void *maui_hashtable_find_id(const struct maui_hashtable *table, uint32_t id)
{
	return maui_hashtable_find(table, maui_hash_mix(0, id), is_any, NULL);
}

int maui_hashtable_set_id(struct maui_hashtable *table, uint32_t id, void *value)
{
	uint64_t hash = maui_hash_mix(0, id);

	if (!maui_hashtable_find_id(table, id))
		return maui_hashtable_add(table, hash, value);
	find_slot(table, hash, is_any, NULL)->value = value;
	return 0;
}

void *maui_hashtable_next(const struct maui_hashtable *table, size_t *at)
{
	while (*at < table->slot_count)
		if (table->slots[(*at)++].value)
			return table->slots[*at - 1].value;
	return NULL;
}

int maui_hashtable_sweep(struct maui_hashtable *table, maui_hashtable_keep_fn keep, void *arg)
{
	struct maui_hashtable kept = { .slot_count = table->slot_count };

	if (table->slot_count == 0)
		return 0;
	kept.slots = calloc(kept.slot_count, sizeof(*kept.slots));
	if (!kept.slots)
		return -1;
	for (size_t i = 0; i < table->slot_count; i++) {
		const struct maui_hashtable_slot *slot = &table->slots[i];

		if (slot->value && keep(slot->value, arg)) {
			*find_slot(&kept, slot->hash, NULL, NULL) = *slot;
			kept.used++;
		}
	}
	free(table->slots);
	*table = kept;
	return 0;
}
