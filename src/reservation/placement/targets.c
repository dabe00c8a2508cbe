/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.c - which nodes each reservation may use (HOSTLIST, NODEFEATURES, PARTITION; RSV-10)
 *
 * Reservations with the same hosts, features and partition share a set of nodes. Features and
 * partitions are compared once a node class, hosts once as long as the nodes are the same
 * (hosts.c).
 */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hashtable.h"
#include "base/text.h"
#include "model/features.h"
#include "reservation/placement/private.h"

struct maker {
	const struct maui_snapshot *s;
	struct maui_arena *arena;
	struct maui_standing_targets *targets;
	struct maui_standing_hosts *hosts;
	struct maui_hashtable table; /* sets by hash */
	bool *class_serves;
};

/* ---- the nodes of a set ---- */

static bool has_partition(const struct maui_snapshot *s, const struct maui_node *node,
			  const char *name)
{
	for (uint32_t i = 0; i < node->partition_count; i++)
		if (strcmp(s->partitions[node->partitions[i]].name, name) == 0)
			return true;
	return false;
}

static bool class_serves(const struct maker *m, const struct maui_node_set *set,
			 const struct maui_node *node)
{
	for (size_t i = 0; i < set->features->count; i++)
		if (!maui_features_match(set->features->list[i], node->features))
			return false;
	return !set->partition || has_partition(m->s, node, set->partition);
}

/* Fills a set that has no HOSTLIST. */
static int fill_wide(struct maker *m, struct maui_node_set *set)
{
	for (uint32_t c = 0; c < m->s->class_count; c++)
		if (m->class_serves[c])
			set->count += m->s->classes[c].count;
	set->nodes = maui_arena_alloc(m->arena, (set->count + 1u) * sizeof(*set->nodes));
	if (!set->nodes)
		return -1;
	set->count = 0;
	for (uint32_t n = 0; n < m->s->node_count; n++)
		if (m->class_serves[m->s->nodes[n].class_index])
			set->nodes[set->count++] = n;
	return 0;
}

static int fill_listed(struct maker *m, struct maui_node_set *set)
{
	const uint32_t *hosts;
	uint32_t count;

	if (maui_standing_match(m->hosts, m->s, set->hosts, &hosts, &count))
		return -1;
	set->none_exists = count == 0;
	set->nodes = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*set->nodes));
	if (!set->nodes)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		if (m->class_serves[m->s->nodes[hosts[i]].class_index])
			set->nodes[set->count++] = hosts[i];
	return 0;
}

static int fill_set(struct maker *m, struct maui_node_set *set)
{
	set->bits = maui_arena_alloc(m->arena, (m->s->node_count / 64 + 1) * sizeof(*set->bits));
	if (!set->bits)
		return -1;
	for (uint32_t c = 0; c < m->s->class_count; c++)
		m->class_serves[c] = class_serves(m, set, &m->s->nodes[m->s->classes[c].sample]);
	if (set->hosts ? fill_listed(m, set) : fill_wide(m, set))
		return -1;
	for (uint32_t i = 0; i < set->count; i++)
		set->bits[set->nodes[i] / 64] |= UINT64_C(1) << (set->nodes[i] % 64);
	return 0;
}

/* ---- one set for similar reservations ---- */

static bool equal_words(const struct maui_words *a, const struct maui_words *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->list[i], b->list[i]) != 0)
			return false;
	return true;
}

static uint64_t hash_of(const struct maui_node_set *set)
{
	uint64_t hash = maui_hash_text(set->hosts ? set->hosts : "", set->hosts != NULL);

	hash = maui_hash_text(set->partition ? set->partition : "", hash);
	for (size_t i = 0; i < set->features->count; i++)
		hash = maui_hash_text(set->features->list[i], hash);
	return hash;
}

static bool is_like(const void *value, const void *key)
{
	const struct maui_node_set *set = value, *like = key;

	return maui_same_text(set->hosts, like->hosts) &&
	       maui_same_text(set->partition, like->partition) &&
	       equal_words(set->features, like->features);
}

/* The set of a reservation, with or without regard to its HOSTLIST. NULL without memory. */
static const struct maui_node_set *set_for(struct maker *m, const struct maui_rsv *rsv, bool hosts)
{
	const struct maui_node_set like = { .hosts = hosts ? rsv->hosts : NULL,
					    .features = &rsv->features,
					    .partition = rsv->partition };
	uint64_t hash = hash_of(&like);
	struct maui_node_set *set = maui_hashtable_find(&m->table, hash, is_like, &like);

	if (set)
		return set;
	set = maui_arena_alloc(m->arena, sizeof(*set));
	if (!set)
		return NULL;
	*set = like;
	set->index = m->targets->set_count;
	if (fill_set(m, set) || maui_hashtable_add(&m->table, hash, set))
		return NULL;
	m->targets->set_count++;
	return set;
}

/* ---- targets ---- */

/* Whether the reservation needs the whole list: the empty hosts take no more tasks than
 * TASKCOUNT. */
static bool is_locked(const struct maui_snapshot *s, const struct maui_rsv *rsv,
		      const struct maui_node_set *list)
{
	int64_t capacity = 0;

	for (uint32_t i = 0; i < list->count && rsv->task_count > 0; i++) {
		capacity += maui_placement_capacity(s, rsv, list->nodes[i]);
		if (capacity > rsv->task_count)
			return false;
	}
	return true;
}

static int make_target(struct maker *m, const struct maui_rsv *rsv,
		       struct maui_standing_target *ret)
{
	ret->wide = set_for(m, rsv, false);
	if (!ret->wide)
		return -1;
	if (!rsv->hosts)
		return 0;
	ret->list = set_for(m, rsv, true);
	if (!ret->list)
		return -1;
	ret->locked = is_locked(m->s, rsv, ret->list);
	/* Hosts that exist may be too few. A list of none is a slip, and other nodes would be
	 * reserved for people who never asked for them. */
	if (ret->list->none_exists)
		ret->wide = ret->list;
	return 0;
}

static int make_targets(struct maker *m, const struct maui_rsv *const *list, uint32_t count)
{
	m->targets = maui_arena_alloc(m->arena, sizeof(*m->targets));
	m->class_serves =
		maui_arena_alloc(m->arena, (m->s->class_count + 1u) * sizeof(*m->class_serves));
	if (!m->targets || !m->class_serves)
		return -1;
	m->targets->list = maui_arena_alloc(m->arena, (count + 1u) * sizeof(*m->targets->list));
	if (!m->targets->list)
		return -1;
	for (uint32_t r = 0; r < count; r++)
		if (make_target(m, list[r], &m->targets->list[r]))
			return -1;
	return 0;
}

int maui_standing_targets_with(struct maui_standing_hosts *hosts, struct maui_snapshot *snapshot,
			       const struct maui_rsv *const *list, uint32_t count,
			       struct maui_arena *arena, struct maui_standing_targets **ret,
			       struct maui_err *err)
{
	struct maker m = { .s = snapshot, .arena = arena, .hosts = hosts };
	int rc;

	maui_standing_hosts_begin(hosts, snapshot);
	rc = make_targets(&m, list, count);
	maui_standing_hosts_end(hosts);
	maui_hashtable_finish(&m.table);
	if (rc)
		return maui_err_no_memory(err);
	*ret = m.targets;
	return 0;
}

int maui_standing_targets(struct maui_snapshot *snapshot, const struct maui_rsv *const *list,
			  uint32_t count, struct maui_arena *arena,
			  struct maui_standing_targets **ret, struct maui_err *err)
{
	struct maui_standing_hosts *hosts = maui_standing_hosts_create();
	int rc = hosts ? maui_standing_targets_with(hosts, snapshot, list, count, arena, ret, err) :
			 maui_err_no_memory(err);

	maui_standing_hosts_destroy(hosts);
	return rc;
}
