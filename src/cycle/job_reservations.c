/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_reservations.c - converts maui_reservation to maui_store_job_rsv to maui_job_reservation */

#include "cycle/job_reservations.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static int64_t find_partition(const struct maui_snapshot *s, const char *name)
{
	for (uint32_t i = 0; name && i < s->partition_count; i++)
		if (strcmp(s->partitions[i].name, name) == 0)
			return i;
	return -1;
}

/* False: a node or the partition no longer exists, or there is no memory. */
static bool restore_one(const struct maui_store_job_rsv *kept, const struct maui_snapshot *s,
			struct maui_arena *arena, struct maui_job_reservation *ret)
{
	struct maui_place *places =
		maui_arena_alloc(arena, (kept->place_count + 1u) * sizeof(*places));
	int64_t partition = find_partition(s, kept->partition);

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

int maui_job_reservations_restore(const struct maui_store *kept,
				  const struct maui_snapshot *snapshot, struct maui_arena *arena,
				  struct maui_job_reservation **ret, size_t *ret_count)
{
	*ret_count = 0;
	*ret = maui_arena_alloc(arena, (kept->job_rsv_count + 1) * sizeof(**ret));
	if (!*ret)
		return -1;
	for (size_t i = 0; i < kept->job_rsv_count; i++)
		if (restore_one(&kept->job_rsvs[i], snapshot, arena, &(*ret)[*ret_count]))
			++*ret_count;
	return 0;
}

static void keep_one(const struct maui_reservation *r, const struct maui_snapshot *s,
		     const struct maui_waiting *waiting, struct maui_store *ret)
{
	struct maui_store_job_rsv job_rsv = {
		.job_id = waiting->job_id,
		.submit_s = waiting->submit_s,
		.partition = (char *)s->partitions[s->idle[r->job].rows[r->row].partition].name,
		.start_s = r->start_s,
		.preempting = r->preempting,
		.places = calloc(r->place_count + 1u, sizeof(*job_rsv.places)),
		.place_count = r->place_count,
	};

	if (!job_rsv.places)
		return;
	for (uint32_t i = 0; i < r->place_count; i++) {
		const struct maui_node *node = &s->nodes[r->places[i].node];

		job_rsv.places[i] = (struct maui_store_place){
			.node = node->id,
			.tasks = r->places[i].tasks,
			.name = maui_hash_text(node->name, 0),
		};
	}
	maui_store_add_job_rsv(ret, &job_rsv);
	free(job_rsv.places);
}

void maui_job_reservations_keep(const struct maui_decisions *decisions,
				const struct maui_snapshot *snapshot,
				const struct maui_waiting *waiting, struct maui_store *ret)
{
	for (uint32_t i = 0; i < decisions->reservation_count; i++) {
		const struct maui_reservation *r = &decisions->reservations[i];

		keep_one(r, snapshot, &waiting[r->job], ret);
	}
}
