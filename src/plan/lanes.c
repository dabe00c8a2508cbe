/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.c - a sorted array a lane, which mostly grows at its end and shrinks at its front */

#include "plan/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint32_t hash_of(const struct maui_lane_key *key)
{
	const unsigned char *bytes = (const unsigned char *)key;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < sizeof(*key); i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

static struct maui_lane *find(struct maui_lanes *lanes, const struct maui_lane_key *key)
{
	uint32_t hash = hash_of(key);
	struct maui_lane *first = maui_idmap_get(&lanes->table, hash), *lane;

	for (lane = first; lane; lane = (struct maui_lane *)lane->next)
		if (memcmp(&lane->key, key, sizeof(*key)) == 0)
			return lane;
	lane = maui_arena_alloc(&lanes->arena, sizeof(*lane));
	if (!lane)
		return NULL;
	memcpy(&lane->key, key, sizeof(*key));
	lane->next = first;
	return maui_idmap_set(&lanes->table, hash, lane) ? NULL : lane;
}

/* A lane gets its first job. */
static int open_lane(struct maui_lanes *lanes, struct maui_lane *lane)
{
	struct maui_lane **grown = maui_array_grow(lanes->list, lanes->count, &lanes->alloc,
						   sizeof(struct maui_lane *));

	if (!grown)
		return -1;
	lanes->list = grown;
	lane->place = (uint32_t)lanes->count;
	lanes->list[lanes->count++] = lane;
	return 0;
}

static void close_lane(struct maui_lanes *lanes, struct maui_lane *lane)
{
	struct maui_lane *last = lanes->list[--lanes->count];

	lanes->list[lane->place] = last;
	last->place = lane->place;
	free(lane->jobs);
	lane->jobs = NULL;
	lane->alloc = lane->first = lane->end = 0;
}

/* Makes room for one more at the end: what is free at the front is used first. */
static int make_room(struct maui_lane *lane)
{
	uint32_t *grown;

	if (lane->end == lane->alloc && lane->first > lane->alloc / 2) {
		memmove(lane->jobs, lane->jobs + lane->first,
			(lane->end - lane->first) * sizeof(*lane->jobs));
		lane->end -= lane->first;
		lane->first = 0;
	}
	grown = maui_array_grow(lane->jobs, lane->end, &lane->alloc, sizeof(*grown));
	if (!grown)
		return -1;
	lane->jobs = grown;
	return 0;
}

static bool before(const struct maui_idle *one, const struct maui_idle *two)
{
	return one->submit_s != two->submit_s ? one->submit_s < two->submit_s : one->id < two->id;
}

int maui_lanes_add(struct maui_lanes *lanes, const struct maui_snapshot *snapshot,
		   const struct maui_lane_key *key)
{
	const struct maui_idle *idle = snapshot->idle, *job = &idle[lanes->known];
	struct maui_lane *lane = find(lanes, key);
	uint32_t at;

	if (!lane || make_room(lane) || (lane->end == lane->first && open_lane(lanes, lane)))
		return -1;
	for (at = lane->end++; at > lane->first && before(job, &idle[lane->jobs[at - 1]]); at--)
		lane->jobs[at] = lane->jobs[at - 1];
	lane->jobs[at] = lanes->known++;
	return 0;
}

/* How many of the list are below `value`; *ret_there: whether it is among them itself. */
static uint32_t count_below(const uint32_t *list, uint32_t count, uint32_t value, bool *ret_there)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	*ret_there = low < count && list[low] == value;
	return low;
}

/* From the end to the front: those who go are mostly there, and what stays need not move. */
static void drop_from(struct maui_lane *lane, const uint32_t *indices, uint32_t count)
{
	uint32_t kept = lane->end;

	for (uint32_t i = lane->end; i-- > lane->first;) {
		bool gone;
		uint32_t below = count_below(indices, count, lane->jobs[i], &gone);

		if (!gone)
			lane->jobs[--kept] = lane->jobs[i] - below;
	}
	lane->first = kept;
}

void maui_lanes_drop(struct maui_lanes *lanes, const uint32_t *indices, uint32_t count)
{
	bool there;

	if (count == 0 || lanes->known == 0)
		return;
	for (size_t i = lanes->count; i-- > 0;) { /* the last one may come to the place of this */
		struct maui_lane *lane = lanes->list[i];

		drop_from(lane, indices, count);
		if (lane->first == lane->end)
			close_lane(lanes, lane);
	}
	lanes->known -= count_below(indices, count, lanes->known, &there);
}

void maui_lanes_finish(struct maui_lanes *lanes)
{
	for (size_t i = 0; i < lanes->count; i++)
		free(lanes->list[i]->jobs);
	free(lanes->list);
	maui_idmap_finish(&lanes->table);
	maui_arena_finish(&lanes->arena);
	*lanes = (struct maui_lanes){ 0 };
}
