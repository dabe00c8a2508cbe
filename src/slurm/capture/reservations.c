/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.c - reads Slurm's reservations as claims on nodes, cores and licences
 *
 * Our own mirrors are left out: the plan has their claims. Under the locks, bitmaps are copied,
 * and the cores of core reservations are counted for each node. The nodes of a bitmap are looked
 * up later, without locks.
 */

#include "slurm/capture/private.h"

#include "base/array.h"
#include "base/hashtable.h"
#include "slurm/capture/walk.h"
#include "slurm/mirror/mirror.h"
#include "slurm/capture/resv.h"

/* A copied reservation. */
struct read_resv {
	struct maui_cluster_reservation reservation;
	uint64_t id;
	bitstr_t *nodes;                   /* ours; NULL: none */
	bitstr_t *cores;                   /* ours; NULL: all of its nodes */
	int64_t *procs;                    /* of these, of each of the nodes */
	struct maui_global_claim licenses; /* amounts NULL: none that anybody wants */
};

/* slurmctld tests a floating reservation with its stored times and with boot time added, so for
 * slurmctld it began long ago. */
static void read_licenses(struct maui_draft *draft, const slurmctld_resv_t *resv_ptr,
			  struct read_resv *seen)
{
	const struct maui_cluster_reservation *r = &seen->reservation;
	bool floats = r->floats;

	seen->licenses = (struct maui_global_claim){
		.name = r->name,
		.start_s = floats ? 0 : r->start_s - (int64_t)resv_ptr->boot_time,
		.end_s = floats ? resv_ptr->end_time : r->end_s,
		.amounts = maui_draft_keep_licenses(draft, resv_ptr->license_list),
	};
}

/* Copies the bitmap of cores, and counts them for each node while the node table cannot change. */
static void read_cores(struct maui_draft *draft, const slurmctld_resv_t *resv_ptr,
		       struct read_resv *seen)
{
	int64_t end = bit_size(seen->nodes), bit = -1;
	size_t count = 0;

	if (!maui_resv_is_share(resv_ptr))
		return;
	seen->cores = bit_copy(resv_ptr->core_bitmap);
	seen->procs = calloc((size_t)bit_set_count(seen->nodes) + 1, sizeof(*seen->procs));
	draft->failed |= !seen->procs;
	while (seen->procs && (bit = maui_cluster_next_bit(seen->nodes, bit + 1, end)) >= 0)
		seen->procs[count++] = maui_draft_share_procs(seen->cores, bit);
}

static void read_reservation(struct maui_draft *draft, const slurmctld_resv_t *resv_ptr,
			     struct read_resv *seen)
{
	struct maui_cluster_reservation *ret = &seen->reservation;
	int64_t now_s = draft->cluster->now_s;

	ret->name = maui_arena_strdup(&draft->cluster->arena, resv_ptr->name ? resv_ptr->name : "");
	draft->failed |= !ret->name;
	ret->claim = -1;
	ret->maint = resv_ptr->flags & RESERVE_FLAG_MAINT;
	ret->overlap = resv_ptr->flags & RESERVE_FLAG_OVERLAP;
	ret->flex = resv_ptr->flags & RESERVE_FLAG_FLEX;
	ret->any_nodes = resv_ptr->flags & RESERVE_FLAG_ANY_NODES;
	ret->floats = resv_ptr->flags & RESERVE_FLAG_TIME_FLOAT;
	maui_resv_times(resv_ptr, now_s, &ret->start_s, &ret->end_s);
	read_licenses(draft, resv_ptr, seen);
	seen->id = resv_ptr->resv_id;
	if (resv_ptr->node_bitmap && ret->end_s > now_s && ret->end_s > ret->start_s &&
	    ret->start_s < now_s + MAUI_YEAR_S)
		seen->nodes = bit_copy(resv_ptr->node_bitmap);
	if (seen->nodes)
		read_cores(draft, resv_ptr, seen);
}

/* The reservations read so far, in the order of slurmctld's list. */
struct read_list {
	struct read_resv *list;
	uint32_t count;
	size_t alloc;
	struct maui_hashtable known; /* by id, our mirrors included */
};

/* Reads a reservation once, even when the list has changed since the last hold. A deleted one is
 * missing from this capture or the next; a new one is found. */
static int read_once(struct maui_draft *draft, const slurmctld_resv_t *resv_ptr,
		     struct read_list *ret)
{
	struct read_resv *grown;

	if (maui_hashtable_set_id(&ret->known, resv_ptr->resv_id, draft))
		return -1;
	if (maui_mirrors_have(draft->mirrors, resv_ptr->name, resv_ptr->resv_id))
		return 0;
	grown = maui_array_grow(ret->list, ret->count, &ret->alloc, sizeof(*grown));
	if (!grown)
		return -1;
	ret->list = grown;
	grown[ret->count] = (struct read_resv){ 0 };
	read_reservation(draft, resv_ptr, &grown[ret->count++]);
	return draft->failed ? -1 : 0;
}

/* Reads reservations that were not read yet, at least one, until the hold is over. The cost
 * depends on nodes and cores, so the clock is read after each. */
static enum maui_draft_result read_unread(struct maui_draft *draft, int64_t since,
					  struct read_list *ret, bool *ret_over)
{
	maui_compat_iterator_t iterator = list_iterator_create(resv_list);
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	const slurmctld_resv_t *resv_ptr = NULL;
	bool late = false;

	while (!late && result == MAUI_DRAFT_DONE && (resv_ptr = list_next(iterator))) {
		if (maui_hashtable_find_id(&ret->known, resv_ptr->resv_id))
			continue;
		if (read_once(draft, resv_ptr, ret))
			result = MAUI_DRAFT_NO_MEMORY;
		late = maui_monotonic_us() - since > MAUI_HOLD_MAX_US;
	}
	list_iterator_destroy(iterator);
	*ret_over = !late;
	return result;
}

/* Reads as many as fit into one short hold. */
static enum maui_draft_result read_some(struct maui_draft *draft, struct read_list *ret,
					bool *ret_over)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	int64_t since, held_us;

	*ret_over = true;
	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (!maui_cluster_is_current(draft->cluster->table))
		result = MAUI_DRAFT_CHANGED;
	else if (resv_list)
		result = read_unread(draft, since, ret, ret_over);
	held_us = maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	if (!*ret_over && result == MAUI_DRAFT_DONE)
		maui_hold_give_way(held_us);
	return result;
}

static enum maui_draft_result read_all(struct maui_draft *draft, struct read_list *ret)
{
	enum maui_draft_result result;
	bool over;

	do
		result = read_some(draft, ret, &over);
	while (result == MAUI_DRAFT_DONE && !over);
	return result;
}

/* Lists the reservation's nodes as indices, and its processors on each; returns how many. */
static uint32_t find_nodes(const struct maui_snapshot *s, const struct read_resv *seen,
			   uint32_t *nodes, int64_t *amounts)
{
	int64_t end = bit_size(seen->nodes), bit = -1;
	uint32_t count = 0;

	for (size_t i = 0; (bit = maui_cluster_next_bit(seen->nodes, bit + 1, end)) >= 0; i++) {
		int64_t node = maui_snapshot_find_node(s, (uint32_t)bit), have, *procs;

		if (node < 0)
			continue;
		if (seen->cores) {
			have = s->nodes[node].have[MAUI_AMOUNT_PROCS];
			procs = &amounts[(size_t)count * s->amount_count + MAUI_AMOUNT_PROCS];
			*procs = seen->procs[i] < have ? seen->procs[i] : have;
		}
		nodes[count++] = (uint32_t)node;
	}
	return count;
}

static int keep_licenses(struct maui_snapshot *s, struct read_resv *seen)
{
	int64_t index = -1;

	if (!seen->licenses.amounts)
		return 0;
	index = maui_snapshot_keep_global(s, &seen->licenses);
	seen->reservation.global_claim = (uint32_t)(index + 1);
	return index < 0 ? -1 : 0;
}

static void mark_mixed(struct maui_draft *draft, const struct maui_draft_share *share)
{
	struct maui_claim *claims = draft->cluster->snapshot->claims;

	for (uint32_t i = 0; i < draft->share_count; i++) {
		const struct maui_draft_share *other = &draft->shares[i];

		if (other->stack != share->stack && maui_draft_shares_meet(other, share) &&
		    bit_size(other->cores) == bit_size(share->cores) &&
		    bit_overlap_any(other->cores, share->cores))
			claims[other->claim].mixed = claims[share->claim].mixed = true;
	}
}

/* Adds a core reservation; the draft owns its bitmaps from now on. */
static int add_share(struct maui_draft *draft, struct read_resv *seen,
		     struct maui_draft_share *share)
{
	struct maui_draft_share *grown = maui_array_grow(draft->shares, draft->share_count,
							 &draft->share_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	draft->shares = grown;
	share->claim = (uint32_t)seen->reservation.claim;
	mark_mixed(draft, share);
	grown[draft->share_count++] = *share;
	seen->nodes = seen->cores = NULL;
	return 0;
}

static int add_claim(struct maui_draft *draft, struct read_resv *seen, uint32_t *nodes)
{
	struct maui_snapshot *s = draft->cluster->snapshot;
	struct maui_cluster_reservation *r = &seen->reservation;
	struct maui_claim claim = { .rsv = MAUI_CLAIM_FOREIGN,
				    .id = seen->id,
				    .name = r->name,
				    .start_s = r->start_s,
				    .end_s = r->end_s,
				    .nodes = nodes,
				    .flex = r->flex };
	struct maui_draft_share share = { .nodes = seen->nodes, .cores = seen->cores };
	int64_t *amounts = NULL;

	if (!seen->nodes)
		return 0;
	if (seen->cores) {
		amounts = calloc((size_t)bit_set_count(seen->nodes) + 1,
				 s->amount_count * sizeof(*amounts));
		if (!amounts)
			return -1;
		share.first = bit_ffs(seen->nodes);
		share.last = bit_fls(seen->nodes);
		claim.stack = share.stack = maui_draft_stack(draft, &share);
		claim.amounts = amounts;
	}
	claim.node_count = find_nodes(s, seen, nodes, amounts);
	if (claim.node_count > 0)
		r->claim = maui_snapshot_add_claim(s, &claim);
	free(amounts);
	if (claim.node_count > 0 && r->claim < 0)
		return -1;
	return seen->cores && r->claim >= 0 ? add_share(draft, seen, &share) : 0;
}

/* A maintenance reservation keeps its nodes for its jobs. A node in maintenance without such a
 * reservation is closed to all jobs. */
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
		int64_t n =
			draft->nodes[i].maint ? maui_snapshot_find_node(s, draft->nodes[i].id) : -1;

		if (n >= 0 && !covered[n]) {
			s->nodes[n].usable_from_s = MAUI_NEVER;
			s->nodes[n].state = MAUI_REASON_NODE_STATE;
		}
	}
	free(covered);
	return 0;
}

static enum maui_draft_result add_all(struct maui_draft *draft, struct read_resv *seen,
				      uint32_t count)
{
	struct maui_cluster *cluster = draft->cluster;
	uint32_t *nodes = malloc((cluster->snapshot->node_count + 1u) * sizeof(*nodes));
	int failed = !nodes;

	cluster->reservations =
		maui_arena_alloc(&cluster->arena, (count + 1u) * sizeof(*cluster->reservations));
	failed |= !cluster->reservations;
	for (uint32_t i = 0; i < count && !failed; i++) {
		failed = add_claim(draft, &seen[i], nodes) ||
			 keep_licenses(cluster->snapshot, &seen[i]);
		cluster->reservations[cluster->reservation_count++] = seen[i].reservation;
	}
	free(nodes);
	if (failed || draft->failed || check_maintenance(draft))
		return MAUI_DRAFT_NO_MEMORY;
	return MAUI_DRAFT_DONE;
}

enum maui_draft_result maui_draft_read_reservations(struct maui_draft *draft)
{
	struct read_list seen = { 0 };
	enum maui_draft_result result = read_all(draft, &seen);

	if (result == MAUI_DRAFT_DONE)
		result = add_all(draft, seen.list, seen.count);
	for (uint32_t i = 0; i < seen.count; i++) {
		FREE_NULL_BITMAP(seen.list[i].nodes);
		FREE_NULL_BITMAP(seen.list[i].cores);
		free(seen.list[i].procs);
	}
	free(seen.list);
	maui_hashtable_finish(&seen.known);
	return result;
}
