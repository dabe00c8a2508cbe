/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_resv.c - Slurm's reservations, as claims on whole nodes; without our mirrors, whose claims
 * are the plan's own
 *
 * Under the locks the bitmaps are only copied, which takes a fraction of a microsecond however many
 * nodes there are; what is in them is looked up later.
 */

#include "slurm/cluster_private.h"

#include "slurm/mirror.h"
#include "slurm/resv.h"

enum { HORIZON_S = 365 * 24 * 3600 };

/* One of them, copied. */
struct seen {
	struct maui_cluster_reservation reservation;
	uint64_t id;
	bitstr_t *nodes; /* ours; NULL: none */
};

static void read_reservation(struct maui_draft *draft, const slurmctld_resv_t *resv_ptr,
			     struct seen *seen)
{
	struct maui_cluster_reservation *ret = &seen->reservation;
	int64_t now_s = draft->cluster->now_s;

	ret->name = maui_arena_strdup(&draft->cluster->arena,
				      resv_ptr->name ? resv_ptr->name : "");
	draft->failed |= !ret->name;
	ret->claim = -1;
	ret->maint = resv_ptr->flags & RESERVE_FLAG_MAINT;
	ret->overlap = resv_ptr->flags & RESERVE_FLAG_OVERLAP;
	ret->flex = resv_ptr->flags & RESERVE_FLAG_FLEX;
	ret->any_nodes = resv_ptr->flags & RESERVE_FLAG_ANY_NODES;
	ret->floats = resv_ptr->flags & RESERVE_FLAG_TIME_FLOAT;
	ret->licenses = resv_ptr->license_list && list_count(resv_ptr->license_list) > 0;
	maui_resv_times(resv_ptr, now_s, &ret->start_s, &ret->end_s);
	seen->id = resv_ptr->resv_id;
	if (resv_ptr->node_bitmap && ret->end_s > now_s && ret->end_s > ret->start_s &&
	    ret->start_s < now_s + HORIZON_S)
		seen->nodes = bit_copy(resv_ptr->node_bitmap);
}

static enum maui_draft_result read_all(struct maui_draft *draft, struct seen **ret_seen,
				       uint32_t *ret_count)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	const slurmctld_resv_t *resv_ptr;
	maui_compat_iterator_t iterator;
	size_t room;
	int64_t since;

	lock_slurmctld(locks);
	since = maui_hold_clock_us();
	room = resv_list ? (size_t)list_count(resv_list) : 0;
	*ret_seen = calloc(room + 1, sizeof(**ret_seen));
	if (!maui_cluster_is_current(draft->cluster->table)) {
		result = MAUI_DRAFT_CHANGED;
	} else if (!*ret_seen) {
		result = MAUI_DRAFT_NO_MEMORY;
	} else if (room > 0) {
		iterator = list_iterator_create(resv_list);
		while (*ret_count < room && (resv_ptr = list_next(iterator)))
			if (!maui_mirror_is_ours(draft->mirrors, resv_ptr))
				read_reservation(draft, resv_ptr, &(*ret_seen)[(*ret_count)++]);
		list_iterator_destroy(iterator);
	}
	maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	return result;
}

/* Its nodes as indices; returns how many. */
static uint32_t find_nodes(const struct maui_snapshot *s, bitstr_t *bitmap, uint32_t *nodes)
{
	int64_t end = bit_size(bitmap), bit = -1;
	uint32_t count = 0;

	while ((bit = maui_cluster_next_bit(bitmap, bit + 1, end)) >= 0) {
		int64_t node = maui_snapshot_find_node(s, (uint32_t)bit);

		if (node >= 0)
			nodes[count++] = (uint32_t)node;
	}
	return count;
}

static int add_claim(struct maui_snapshot *s, struct seen *seen, uint32_t *nodes)
{
	struct maui_cluster_reservation *r = &seen->reservation;
	struct maui_claim claim = { .group = MAUI_CLAIM_FOREIGN, .id = seen->id, .name = r->name,
				    .start_s = r->start_s, .end_s = r->end_s, .nodes = nodes };

	if (!seen->nodes)
		return 0;
	claim.node_count = find_nodes(s, seen->nodes, nodes);
	if (claim.node_count == 0)
		return 0;
	r->claim = maui_snapshot_add_claim(s, &claim);
	return r->claim < 0 ? -1 : 0;
}

/* Nodes under maintenance are kept by the reservation that says so, and its jobs may use them. When
 * there is no such reservation any more, nobody may. */
static int check_maintenance(struct maui_draft *draft)
{
	struct maui_snapshot *s = draft->cluster->snapshot;
	bool *covered = calloc(s->node_count + 1u, sizeof(*covered));

	if (!covered)
		return -1;
	for (uint32_t i = 0; i < draft->cluster->reservation_count; i++) {
		const struct maui_cluster_reservation *r = &draft->cluster->reservations[i];

		if (r->claim < 0 || !r->maint || r->start_s > draft->cluster->now_s)
			continue;
		for (uint32_t n = 0; n < s->claims[r->claim].node_count; n++)
			covered[s->claims[r->claim].nodes[n]] = true;
	}
	for (uint32_t i = 0; i < draft->node_count; i++) {
		int64_t n = draft->nodes[i].maint ?
				    maui_snapshot_find_node(s, draft->nodes[i].id) : -1;

		if (n >= 0 && !covered[n]) {
			s->nodes[n].usable_from_s = MAUI_NEVER;
			s->nodes[n].state = MAUI_REASON_NODE_STATE;
		}
	}
	free(covered);
	return 0;
}

static enum maui_draft_result add_all(struct maui_draft *draft, struct seen *seen, uint32_t count)
{
	struct maui_cluster *cluster = draft->cluster;
	uint32_t *nodes = malloc((cluster->snapshot->node_count + 1u) * sizeof(*nodes));
	int failed = !nodes;

	cluster->reservations = maui_arena_alloc(&cluster->arena,
						 (count + 1u) * sizeof(*cluster->reservations));
	failed |= !cluster->reservations;
	for (uint32_t i = 0; i < count && !failed; i++) {
		failed = add_claim(cluster->snapshot, &seen[i], nodes);
		cluster->reservations[cluster->reservation_count++] = seen[i].reservation;
	}
	free(nodes);
	if (failed || draft->failed || check_maintenance(draft))
		return MAUI_DRAFT_NO_MEMORY;
	return MAUI_DRAFT_DONE;
}

enum maui_draft_result maui_draft_read_reservations(struct maui_draft *draft)
{
	struct seen *seen = NULL;
	uint32_t count = 0;
	enum maui_draft_result result = read_all(draft, &seen, &count);

	if (result == MAUI_DRAFT_DONE)
		result = add_all(draft, seen, count);
	for (uint32_t i = 0; i < count; i++)
		FREE_NULL_BITMAP(seen[i].nodes);
	free(seen);
	return result;
}
