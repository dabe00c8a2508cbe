/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waits.c - a table of distinct times, which becomes a sorted list */

#include "sim/waits.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/need.h"

enum { FIRST_SLOTS = 16 }; /* a power of two */

/* The slot of this time, or the free one that it gets. There is always a free one. */
static struct maui_sim_wait *find_slot(struct maui_sim_wait *slots, size_t count, int64_t wait_s)
{
	size_t at = (size_t)maui_hash_mix(0, (uint64_t)wait_s) & (count - 1);

	while (slots[at].jobs > 0 && slots[at].wait_s != wait_s)
		at = (at + 1) & (count - 1);
	return &slots[at];
}

/* Keeps a quarter of the slots free at least. */
static void make_room(struct maui_sim_waits *waits)
{
	size_t count = waits->slot_count ? 2 * waits->slot_count : FIRST_SLOTS;
	struct maui_sim_wait *slots;

	if (4 * (waits->used + 1) <= 3 * waits->slot_count)
		return;
	slots = maui_need_list(count, sizeof(*slots));
	for (size_t i = 0; i < waits->slot_count; i++)
		if (waits->slots[i].jobs > 0)
			*find_slot(slots, count, waits->slots[i].wait_s) = waits->slots[i];
	free(waits->slots);
	waits->slots = slots;
	waits->slot_count = count;
}

void maui_sim_waits_add(struct maui_sim_waits *waits, int64_t wait_s)
{
	struct maui_sim_wait *slot;

	make_room(waits);
	slot = find_slot(waits->slots, waits->slot_count, wait_s);
	waits->used += slot->jobs == 0;
	slot->wait_s = wait_s;
	slot->jobs++;
	waits->jobs++;
}

static int by_wait(const void *a, const void *b)
{
	const struct maui_sim_wait *one = a, *two = b;

	return (one->wait_s > two->wait_s) - (one->wait_s < two->wait_s);
}

void maui_sim_waits_sort(struct maui_sim_waits *waits)
{
	size_t kept = 0;

	for (size_t i = 0; i < waits->slot_count; i++)
		if (waits->slots[i].jobs > 0)
			waits->slots[kept++] = waits->slots[i];
	if (kept > 0)
		qsort(waits->slots, kept, sizeof(*waits->slots), by_wait);
}

int64_t maui_sim_waits_at(const struct maui_sim_waits *waits, uint64_t index)
{
	size_t at = 0;

	for (; index >= waits->slots[at].jobs; at++)
		index -= waits->slots[at].jobs;
	return waits->slots[at].wait_s;
}

void maui_sim_waits_finish(struct maui_sim_waits *waits)
{
	free(waits->slots);
	*waits = (struct maui_sim_waits){ 0 };
}
