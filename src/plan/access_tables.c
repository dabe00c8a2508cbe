/* SPDX-License-Identifier: GPL-2.0-or-later */
/* access_tables.c - stores each access table once, and reduces it to what matters now
 *
 * Users can cause any number of tables, by naming other reservations or other instances in each of
 * their jobs. Backfill uses a table only for a job that begins now: the instances that matter are
 * those that the job may use now, and those that follow them without a gap. Tables that agree in
 * these instances share their windows.
 */

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "plan/private.h"

/* A stored table. The table is the first member, so its address is this one's. */
struct stored_table {
	struct maui_access_table table;
	const struct maui_access_table *now, *one; /* NULL: not computed yet */
	const struct own_nodes *own_nodes;         /* of the pools computed so far */
};

/* The nodes of a pool on which a job with the table might begin now. */
struct own_nodes {
	const struct own_nodes *next;
	uint32_t *nodes;
	uint32_t count, pool;
};

struct maui_plan_tables {
	const struct maui_rsv_instance **list; /* instances that have nodes, by start time */
	uint32_t count;
	uint32_t *marks, mark; /* of each node: `mark` of the last search that found it */
};

static int by_start(const void *a, const void *b)
{
	const struct maui_rsv_instance *one = *(const struct maui_rsv_instance *const *)a;
	const struct maui_rsv_instance *two = *(const struct maui_rsv_instance *const *)b;

	if (one->start_s != two->start_s)
		return one->start_s < two->start_s ? -1 : 1;
	return (one > two) - (one < two);
}

int maui_plan_tables_begin(struct maui_planner *p)
{
	struct maui_plan_tables *t = maui_arena_alloc(&p->arena, sizeof(*t));
	size_t room = (size_t)p->out->instance_count + 1;

	p->reservations.tables = t;
	if (!t)
		return -1;
	t->list = maui_arena_alloc(&p->arena, room * sizeof(*t->list));
	t->marks = maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) * sizeof(*t->marks));
	if (!t->list || !t->marks)
		return -1;
	for (uint32_t i = 0; i < p->out->instance_count; i++)
		if (p->out->instances[i].place_count > 0)
			t->list[t->count++] = &p->out->instances[i];
	if (t->count > 1)
		qsort(t->list, t->count, sizeof(struct maui_rsv_instance *), by_start);
	return 0;
}

/* ---- the store ---- */

static uint64_t hash_of(const struct maui_access_table *table)
{
	uint64_t hash = maui_hash_mix(table->only, table->count);

	for (uint32_t i = 0; i < table->count; i++) {
		const struct maui_access *entry = &table->list[i];

		hash = maui_hash_mix(hash, (uint64_t)entry->rsv << 1 | entry->own);
		hash = maui_hash_mix(hash, (uint64_t)entry->overlap_s);
		for (uint32_t s = 0; entry->starts && s < entry->start_count; s++)
			hash = maui_hash_mix(hash, (uint64_t)entry->starts[s]);
	}
	return hash;
}

static bool same_starts(const struct maui_access *a, const struct maui_access *b)
{
	if (!a->starts || !b->starts)
		return a->starts == b->starts;
	return a->start_count == b->start_count &&
	       memcmp(a->starts, b->starts, a->start_count * sizeof(*a->starts)) == 0;
}

static bool same_shorter(const struct maui_access *a, const struct maui_access *b)
{
	if (a->shorter_count != b->shorter_count)
		return false;
	for (uint32_t i = 0; i < a->shorter_count; i++)
		if (a->shorter[i].overlap_s != b->shorter[i].overlap_s ||
		    a->shorter[i].affinity != b->shorter[i].affinity)
			return false;
	return true;
}

static bool same_table(const void *value, const void *key)
{
	const struct maui_access_table *a = &((const struct stored_table *)value)->table, *b = key;

	if (a->count != b->count || a->only != b->only)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->list[i].rsv != b->list[i].rsv ||
		    a->list[i].affinity != b->list[i].affinity ||
		    a->list[i].own != b->list[i].own ||
		    a->list[i].overlap_s != b->list[i].overlap_s ||
		    !same_shorter(&a->list[i], &b->list[i]) ||
		    !same_starts(&a->list[i], &b->list[i]))
			return false;
	return true;
}

const struct maui_access_table *maui_plan_table_keep(struct maui_planner *p,
						     const struct maui_access_table *table)
{
	struct maui_hashtable *contents = &p->reservations.contents;
	uint64_t hash = hash_of(table);
	struct stored_table *stored_table;

	if (table->count == 0 && !table->only)
		return NULL;
	stored_table = maui_hashtable_find(contents, hash, same_table, table);
	if (stored_table)
		return &stored_table->table;
	stored_table = maui_arena_alloc(&p->arena, sizeof(*stored_table));
	if (stored_table)
		*stored_table = (struct stored_table){ .table = *table };
	if (!stored_table || maui_hashtable_add(contents, hash, stored_table)) {
		p->failed = true;
		return NULL;
	}
	return &stored_table->table;
}

/* ---- tables reduced to what matters now ---- */

static bool is_own(const struct maui_access_table *table, const struct maui_rsv_instance *instance)
{
	const struct maui_access *entry = maui_access_find(table, instance->rsv);

	return entry && maui_access_is_home(entry, instance->start_s);
}

/* Until when an own reservation of the table has an instance without a gap, on any node. */
static int64_t reach_of(const struct maui_planner *p, const struct maui_access_table *table)
{
	const struct maui_plan_tables *t = p->reservations.tables;
	int64_t reach = p->now;

	for (uint32_t i = 0; i < t->count && t->list[i]->start_s <= reach; i++)
		if (t->list[i]->end_s > reach && is_own(table, t->list[i]))
			reach = t->list[i]->end_s;
	return reach;
}

static bool has_begun(const struct maui_planner *p, const struct maui_rsv_instance *instance)
{
	return instance->start_s <= p->now && instance->end_s > p->now;
}

/* The instance with most nodes among the table's own reservations now; NULL: none is in force. */
static const struct maui_rsv_instance *widest(const struct maui_planner *p,
					      const struct maui_access_table *table)
{
	const struct maui_plan_tables *t = p->reservations.tables;
	const struct maui_rsv_instance *best = NULL;

	for (uint32_t i = 0; i < t->count && t->list[i]->start_s <= p->now; i++)
		if (has_begun(p, t->list[i]) && is_own(table, t->list[i]) &&
		    (!best || t->list[i]->place_count > best->place_count))
			best = t->list[i];
	return best;
}

/* A copy whose list may be changed. NULL without memory. */
static struct maui_access *copy_list(struct maui_planner *p, const struct maui_access_table *table)
{
	size_t size = table->count * sizeof(*table->list);
	struct maui_access *list = maui_arena_alloc(&p->arena, size + 1);

	if (list && size > 0)
		memcpy(list, table->list, size);
	return list;
}

static const struct maui_access_table *make_now(struct maui_planner *p,
						const struct maui_access_table *table)
{
	struct maui_access_table now = *table;
	struct maui_access *list = copy_list(p, table);
	int64_t reach = reach_of(p, table);

	if (!list)
		return table;
	now.list = list;
	for (uint32_t i = 0; i < now.count; i++) /* starts ascend */
		while (list[i].starts && list[i].start_count > 0 &&
		       list[i].starts[list[i].start_count - 1] > reach)
			list[i].start_count--;
	return maui_plan_table_keep(p, &now);
}

const struct maui_access_table *maui_plan_table_now(struct maui_planner *p,
						    const struct maui_access_table *table)
{
	struct stored_table *stored_table = (struct stored_table *)table;

	if (!table || !table->only)
		return table;
	if (!stored_table->now)
		stored_table->now = make_now(p, table);
	return stored_table->now;
}

static const struct maui_access_table *make_one(struct maui_planner *p,
						const struct maui_access_table *table)
{
	const struct maui_rsv_instance *own = widest(p, table);
	struct maui_access_table one = *table;
	struct maui_access *list = own ? copy_list(p, table) : NULL;

	if (!list)
		return table;
	one.list = list;
	for (uint32_t i = 0; i < one.count; i++) {
		list[i].own &= list[i].rsv == own->rsv;
		if (!list[i].own)
			list[i].starts = NULL;
	}
	return maui_plan_table_keep(p, &one);
}

const struct maui_access_table *maui_plan_table_one(struct maui_planner *p,
						    const struct maui_access_table *table)
{
	struct stored_table *stored_table = (struct stored_table *)table;

	if (!stored_table->one)
		stored_table->one = make_one(p, table);
	return stored_table->one;
}

/* ---- the nodes of a table's own reservations ---- */

static bool is_in_pool(const struct maui_planner *p, uint32_t node, uint32_t pool)
{
	const struct maui_node *n = &p->snapshot->nodes[node];

	return n->partition_count > 0 && p->snapshot->partitions[n->partitions[0]].pool == pool;
}

/* Marks the nodes that the table's own reservations have now. Returns how many. All other nodes
 * have another mark. */
static uint32_t mark_nodes(struct maui_planner *p, const struct maui_access_table *table,
			   uint32_t pool)
{
	struct maui_plan_tables *t = p->reservations.tables;
	uint32_t count = 0;

	t->mark++;
	for (uint32_t i = 0; i < t->count && t->list[i]->start_s <= p->now; i++) {
		const struct maui_rsv_instance *instance = t->list[i];

		if (!has_begun(p, instance) || !is_own(table, instance))
			continue;
		for (uint32_t n = 0; n < instance->place_count; n++) {
			uint32_t node = instance->places[n].node;

			if (t->marks[node] == t->mark || !is_in_pool(p, node, pool))
				continue;
			t->marks[node] = t->mark;
			count++;
		}
	}
	return count;
}

/* NULL without memory. */
static const struct own_nodes *find_own_nodes(struct maui_planner *p,
					      struct stored_table *stored_table, uint32_t pool)
{
	const struct maui_plan_tables *t = p->reservations.tables;
	uint32_t count = mark_nodes(p, &stored_table->table, pool);
	struct own_nodes *own_nodes = maui_arena_alloc(&p->arena, sizeof(*own_nodes));
	uint32_t *nodes = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*nodes));

	if (!own_nodes || !nodes)
		return NULL;
	*own_nodes =
		(struct own_nodes){ .next = stored_table->own_nodes, .nodes = nodes, .pool = pool };
	for (uint32_t node = 0; own_nodes->count < count; node++)
		if (t->marks[node] == t->mark)
			nodes[own_nodes->count++] = node;
	return stored_table->own_nodes = own_nodes;
}

const uint32_t *maui_plan_table_nodes(struct maui_planner *p, const struct maui_access_table *table,
				      uint32_t pool, uint32_t *ret_count)
{
	struct stored_table *stored_table = (struct stored_table *)table;
	const struct own_nodes *own_nodes = stored_table->own_nodes;

	*ret_count = 0;
	while (own_nodes && own_nodes->pool != pool)
		own_nodes = own_nodes->next;
	if (!own_nodes) {
		own_nodes = find_own_nodes(p, stored_table, pool);
		if (!own_nodes)
			return NULL;
	}
	*ret_count = own_nodes->count;
	return own_nodes->nodes;
}
