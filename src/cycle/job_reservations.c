/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_reservations.c - converts maui_reservation to maui_store_job_rsv to maui_job_reservation */

#include "cycle/job_reservations.h"

#include <string.h>

#include "base/hash.h"

/* False: a node or the partition no longer exists, or there is no memory. */
static bool restore_one(const struct maui_store_job_rsv *kept, const struct maui_snapshot *s,
			struct maui_arena *arena, struct maui_job_reservation *ret)
{
	struct maui_place *places =
		maui_arena_alloc(arena, (kept->place_count + 1u) * sizeof(*places));
	int64_t partition = maui_snapshot_find_partition(s, kept->partition);

	if (!places || partition < 0)
		return false;
	for (uint32_t i = 0; i < kept->place_count; i++) {
		int64_t node = maui_snapshot_find_node(s, kept->places[i].node);

		if (node < 0 || maui_hash_text(s->nodes[node].name, 0) != kept->places[i].name)
			return false;
		places[i] = (struct maui_place){ .node = (uint32_t)node,
						 .tasks = kept->places[i].tasks };
	}
	*ret = (struct maui_job_reservation){ .job = kept->job_id,
					      .partition = (uint32_t)partition,
					      .start_s = kept->start_s,
					      .places = places,
					      .place_count = kept->place_count,
					      .preempting = kept->preempting };
	return true;
}

int maui_job_reservations_restore(const struct maui_saved_job_rsvs *saved,
				  const struct maui_snapshot *snapshot, struct maui_arena *arena,
				  struct maui_job_reservation **ret, size_t *ret_count)
{
	*ret_count = 0;
	*ret = maui_arena_alloc(arena, (saved->count + 1) * sizeof(**ret));
	if (!*ret)
		return -1;
	for (size_t i = 0; i < saved->count; i++)
		if (restore_one(&saved->list[i], snapshot, arena, &(*ret)[*ret_count]))
			++*ret_count;
	return 0;
}

static int save_one(const struct maui_reservation *r, const struct maui_snapshot *s,
		    const struct maui_waiting *waiting, struct maui_arena *arena,
		    struct maui_store_job_rsv *ret)
{
	const struct maui_partition *partition =
		&s->partitions[s->idle[r->job].rows[r->row].partition];

	*ret = (struct maui_store_job_rsv){
		.job_id = waiting->job_id,
		.submit_s = waiting->submit_s,
		.partition = maui_arena_strdup(arena, partition->name),
		.start_s = r->start_s,
		.preempting = r->preempting,
		.places = maui_arena_alloc_list(arena, r->place_count, sizeof(*ret->places)),
		.place_count = r->place_count,
	};
	if (!ret->partition || !ret->places)
		return -1;
	for (uint32_t i = 0; i < r->place_count; i++) {
		const struct maui_node *node = &s->nodes[r->places[i].node];

		ret->places[i] = (struct maui_store_place){
			.node = node->id,
			.tasks = r->places[i].tasks,
			.name = maui_hash_text(node->name, 0),
		};
	}
	return 0;
}

struct maui_job_reservation *maui_job_reservations_of_plan(const struct maui_saved_plan *plan,
							   struct maui_arena *arena)
{
	struct maui_job_reservation *list =
		maui_arena_alloc_list(arena, plan->job_rsv_count, sizeof(*list));

	for (uint32_t i = 0; list && i < plan->job_rsv_count; i++) {
		const struct maui_saved_job_rsv *from = &plan->job_rsvs[i];
		struct maui_place *places =
			maui_arena_alloc_list(arena, from->place_count, sizeof(*places));

		if (!places)
			return NULL;
		for (uint32_t k = 0; k < from->place_count; k++)
			places[k] = (struct maui_place){ .node = from->places[k].node,
							 .tasks = (uint32_t)from->places[k].tasks };
		list[i] = (struct maui_job_reservation){ from->job,         from->partition,
							 from->start_s,     places,
							 from->place_count, from->preempting };
	}
	return list;
}

void maui_job_reservations_keep(const struct maui_decisions *decisions,
				const struct maui_snapshot *snapshot,
				const struct maui_waiting *waiting, struct maui_saved_job_rsvs *ret)
{
	maui_saved_job_rsvs_finish(ret);
	ret->list = maui_arena_alloc_list(&ret->arena, decisions->reservation_count,
					  sizeof(*ret->list));
	for (uint32_t i = 0; ret->list && i < decisions->reservation_count; i++) {
		const struct maui_reservation *r = &decisions->reservations[i];

		if (save_one(r, snapshot, &waiting[r->job], &ret->arena, &ret->list[ret->count]) ==
		    0)
			ret->count++;
	}
}

void maui_saved_job_rsvs_finish(struct maui_saved_job_rsvs *saved)
{
	maui_arena_finish(&saved->arena);
	*saved = (struct maui_saved_job_rsvs){ 0 };
}

void maui_saved_job_rsvs_drop(struct maui_saved_job_rsvs *saved, uint64_t job)
{
	size_t left = 0;

	for (size_t i = 0; i < saved->count; i++)
		if (saved->list[i].job_id != job)
			saved->list[left++] = saved->list[i];
	saved->count = left;
}

/* The first job reservation of a job is that of its first copy, and so on. */
static uint32_t copy_of(const struct maui_saved_job_rsvs *saved, size_t index)
{
	uint32_t copy = 0;

	for (size_t i = 0; i < index; i++)
		copy += saved->list[i].job_id == saved->list[index].job_id;
	return copy;
}

static bool has_started(const struct maui_saved_job_rsvs *saved, size_t index,
			const struct maui_started_copy *started, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (started[i].job == saved->list[index].job_id &&
		    started[i].copy == copy_of(saved, index))
			return true;
	return false;
}

void maui_saved_job_rsvs_drop_started(struct maui_saved_job_rsvs *saved,
				      const struct maui_started_copy *started, size_t count)
{
	size_t left = saved->count;

	/* from the last one on, so that those before it still say which copy it is for */
	for (size_t i = saved->count; i-- > 0;)
		if (has_started(saved, i, started, count))
			memmove(&saved->list[i], &saved->list[i + 1],
				(--left - i) * sizeof(*saved->list));
	saved->count = left;
}

void maui_saved_job_rsvs_to_store(const struct maui_saved_job_rsvs *saved, struct maui_store *store)
{
	store->job_rsvs = saved->list;
	store->job_rsv_count = saved->count;
}

static int copy_one(const struct maui_store_job_rsv *from, struct maui_arena *arena,
		    struct maui_store_job_rsv *ret)
{
	*ret = *from;
	ret->partition = maui_arena_strdup(arena, from->partition);
	ret->places = maui_arena_alloc_list(arena, from->place_count, sizeof(*ret->places));
	if (!ret->partition || !ret->places)
		return -1;
	memcpy(ret->places, from->places, from->place_count * sizeof(*ret->places));
	return 0;
}

int maui_saved_job_rsvs_from_store(struct maui_saved_job_rsvs *saved,
				   const struct maui_store *store)
{
	saved->list =
		maui_arena_alloc_list(&saved->arena, store->job_rsv_count, sizeof(*saved->list));
	if (!saved->list)
		return -1;
	for (; saved->count < store->job_rsv_count; saved->count++)
		if (copy_one(&store->job_rsvs[saved->count], &saved->arena,
			     &saved->list[saved->count]))
			return -1;
	return 0;
}
