/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_seal.c - sorts nodes by id, makes node classes and pools, looks at the network
 *
 * A pool is a set of partitions connected by nodes: what happens in one pool does not touch the
 * nodes of another.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "model/snapshot_private.h"

static int by_id(const void *a, const void *b)
{
	const struct maui_node *one = a, *two = b;

	return (one->id > two->id) - (one->id < two->id);
}

static int sort_nodes(struct maui_snapshot *s, struct maui_err *err)
{
	bool sorted = true;

	for (uint32_t i = 1; i < s->node_count && sorted; i++)
		sorted = s->nodes[i - 1].id < s->nodes[i].id;
	if (!sorted)
		qsort(s->nodes, s->node_count, sizeof(*s->nodes), by_id);
	for (uint32_t i = 1; i < s->node_count; i++)
		if (s->nodes[i - 1].id == s->nodes[i].id)
			return maui_err_set(err, "nodes %s and %s have the same id %" PRIu32,
					    s->nodes[i - 1].name, s->nodes[i].name, s->nodes[i].id);
	for (uint32_t i = 0; i < s->node_count; i++) /* the arrays are our own copies */
		if (s->nodes[i].partition_count > 1)
			qsort((uint32_t *)s->nodes[i].partitions, s->nodes[i].partition_count,
			      sizeof(uint32_t), maui_sort_by_u32);
	return 0;
}

/* The key of a node class: what its nodes have in common. */
static void put_class(struct maui_strbuf *key, const struct maui_node *n, size_t amounts)
{
	maui_strbuf_clear(key);
	maui_strbuf_add(key, (const char *)n->have, amounts * sizeof(*n->have));
	maui_strbuf_add(key, (const char *)&n->unit, sizeof(n->unit));
	maui_strbuf_add(key, (const char *)&n->partition_count, sizeof(n->partition_count));
	if (n->partition_count > 0)
		maui_strbuf_add(key, (const char *)n->partitions,
				n->partition_count * sizeof(*n->partitions));
	if (n->features)
		maui_strbuf_add(key, n->features, strlen(n->features) + 1);
}

static int make_classes(struct maui_snapshot *s)
{
	struct maui_hashtable table = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < s->node_count && rc == 0; i++) {
		int64_t index = -1;

		put_class(&s->store->key, &s->nodes[i], s->amount_count);
		if (!s->store->key.failed &&
		    MAUI_SNAPSHOT_GROW(s, classes, class_count, classes) == 0)
			index = maui_snapshot_intern(s->store, &table, s->class_count);
		if (index < 0) {
			rc = -1;
			break;
		}
		if (index == s->class_count)
			s->classes[s->class_count++] = (struct maui_node_class){ .sample = i };
		s->nodes[i].class_index = (uint32_t)index;
		s->classes[index].count++;
	}
	maui_hashtable_finish(&table);
	return rc;
}

static uint32_t root_of(uint32_t *parent, uint32_t p)
{
	while (parent[p] != p)
		p = parent[p] = parent[parent[p]];
	return p;
}

/* Unites the partitions of each node class into pools. Pools are numbered in the order of nodes,
 * and pools without nodes by the rank of the partition's name, so that the order of filling does
 * not matter. */
static int make_pools(struct maui_snapshot *s)
{
	uint32_t *parent = calloc(s->partition_count + 1u, sizeof(*parent));
	uint32_t count = 0;

	if (!parent)
		return -1;
	for (uint32_t p = 0; p < s->partition_count; p++) {
		parent[p] = p;
		s->partitions[p].pool = UINT32_MAX;
	}
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *n = &s->nodes[s->classes[c].sample];

		for (uint32_t i = 1; i < n->partition_count; i++)
			parent[root_of(parent, n->partitions[i])] =
				root_of(parent, n->partitions[0]);
	}
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *n = &s->nodes[s->classes[c].sample];
		uint32_t root = n->partition_count ? root_of(parent, n->partitions[0]) : UINT32_MAX;

		if (root != UINT32_MAX && s->partitions[root].pool == UINT32_MAX)
			s->partitions[root].pool = count++;
	}
	for (uint32_t p = 0; p < s->partition_count; p++) {
		uint32_t root = root_of(parent, p);

		/* the partition has no nodes, so no job can start there */
		if (s->partitions[root].pool == UINT32_MAX)
			s->partitions[root].pool = count++;
		s->partitions[p].pool = s->partitions[root].pool;
	}
	free(parent);
	return 0;
}

/* For each partition the most that one of its nodes has. */
static int find_most(struct maui_snapshot *s)
{
	unsigned amounts = s->amount_count;
	int64_t *most = maui_arena_alloc(&s->store->arena,
					 (s->partition_count + 1u) * amounts * sizeof(*most));

	if (!most)
		return -1;
	for (uint32_t p = 0; p < s->partition_count; p++)
		s->partitions[p].most = &most[(size_t)p * amounts];
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *n = &s->nodes[s->classes[c].sample];

		for (uint32_t i = 0; i < n->partition_count; i++)
			for (unsigned d = 0; d < amounts; d++) {
				int64_t *at = &most[(size_t)n->partitions[i] * amounts + d];

				*at = n->have[d] > *at ? n->have[d] : *at;
			}
	}
	return 0;
}

static uint32_t top_of(const struct maui_snapshot *s, uint32_t at)
{
	while (s->switches[at].parent != MAUI_NO_SWITCH)
		at = s->switches[at].parent;
	return at;
}

static bool is_one_network(const struct maui_snapshot *s)
{
	uint32_t top = MAUI_NO_SWITCH;

	for (uint32_t i = 0; s->switch_count > 0 && i < s->node_count; i++) {
		uint32_t leaf = s->nodes[i].leaf;

		if (leaf == MAUI_NO_SWITCH || (i > 0 && top_of(s, leaf) != top))
			return false;
		top = top_of(s, leaf);
	}
	return true;
}

int maui_snapshot_seal(struct maui_snapshot *s, struct maui_err *err)
{
	if (s->sealed)
		return maui_err_set(err, "the snapshot is sealed already");
	if (sort_nodes(s, err))
		return -1;
	if (make_classes(s) || make_pools(s) || find_most(s))
		return maui_err_no_memory(err);
	s->one_network = is_one_network(s);
	s->sealed = true;
	return 0;
}

static bool has_lower_id(const void *element, const void *id)
{
	return ((const struct maui_node *)element)->id < *(const uint32_t *)id;
}

int64_t maui_snapshot_find_node(const struct maui_snapshot *s, uint32_t id)
{
	size_t at;

	if (id < s->node_count && s->nodes[id].id == id) /* ids mostly have no gaps */
		return id;
	at = maui_lower_bound(s->nodes, s->node_count, sizeof(*s->nodes), has_lower_id, &id);
	return at < s->node_count && s->nodes[at].id == id ? (int64_t)at : -1;
}

int64_t maui_snapshot_find_partition(const struct maui_snapshot *s, const char *name)
{
	for (uint32_t i = 0; name && i < s->partition_count; i++)
		if (strcmp(s->partitions[i].name, name) == 0)
			return i;
	return -1;
}
