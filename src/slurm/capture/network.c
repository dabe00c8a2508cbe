/* SPDX-License-Identifier: GPL-2.0-or-later */
/* network.c - reads the switches of the network and the leaf switch of each node
 *
 * In: the topology address of each node, which is "core.aggregation.leaf.node1" under topology/tree
 * and "node1" without switches. Out: the switches, each before its parent. Addresses are read only
 * after the node table may have changed, a few milliseconds at a time; they say nothing about
 * states. A node on several leaf switches has an address that names them together ("s[1-2]"): they
 * count as a switch of their own.
 *
 * Under topology/block, where the address is "block.node1", blocks are leaf switches below one
 * switch. Nodes without a block, which Slurm does not mix with others, are a network of their own.
 *
 * Rules: BF-22, BF-25.
 */

#include "slurm/capture/private.h"

#include "base/array.h"
#include "base/hash.h"
#include "base/hashtable.h"

struct known_switch {
	const char *name;
	struct known_switch *parent; /* NULL: none */
	uint32_t level;              /* 0: a leaf */
	uint32_t index;              /* in the list, once it is sorted */
};

/* The network of the node table with number `table`; of the agent, as all captures are. */
static struct {
	uint64_t table;
	bool read;
	struct maui_arena arena;
	struct maui_hashtable by_name;
	struct known_switch **list;
	uint32_t count;
	size_t alloc;
	struct known_switch **leaf_of;   /* by node id; NULL: none */
	struct known_switch *all_blocks; /* above the blocks; NULL: there are none */
	uint32_t block_size;
	struct maui_switch *switches;
} network;

static void forget(void)
{
	maui_arena_finish(&network.arena);
	maui_hashtable_finish(&network.by_name);
	free(network.list);
	free(network.leaf_of);
	memset(&network, 0, sizeof(network));
}

static bool is_same(const void *value, const void *key)
{
	const struct known_switch *one = value, *other = key;

	return one->level == other->level && strcmp(one->name, other->name) == 0;
}

/* The switch of this name and level, added at the first call. NULL without memory. */
static struct known_switch *find_switch(const char *name, struct known_switch *parent,
					uint32_t level)
{
	const struct known_switch key = { .name = name, .level = level };
	uint64_t hash = maui_hash_text(name, level);
	struct known_switch *s = maui_hashtable_find(&network.by_name, hash, is_same, &key);
	struct known_switch **grown;

	if (s)
		return s;
	grown = maui_array_grow(network.list, network.count, &network.alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	network.list = grown;
	s = maui_arena_alloc(&network.arena, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct known_switch){ .name = maui_arena_strdup(&network.arena, name),
				    .parent = parent,
				    .level = level };
	if (!s->name || maui_hashtable_add(&network.by_name, hash, s))
		return NULL;
	return network.list[network.count++] = s;
}

/* Reads an address from the top to the leaf; levels that the node does not have are empty. -1
 * without memory. */
static int read_address(char *address, const char *node, uint32_t id, struct known_switch *parent)
{
	size_t length = strlen(address), tail = strlen(node);
	uint32_t level = 0;
	char *at, *next;

	if (length <= tail + 1 || strcmp(address + length - tail, node) != 0 ||
	    address[length - tail - 1] != '.')
		return 0;
	address[length - tail - 1] = '\0';
	for (at = address; *at; at++)
		level += *at == '.';
	for (at = address; at; at = next) {
		next = strchr(at, '.');
		if (next)
			*next++ = '\0';
		if (*at && !(parent = find_switch(at, parent, level)))
			return -1;
		if (level == 0 && *at)
			network.leaf_of[id] = parent;
		level--;
	}
	return 0;
}

/* -1 without memory. */
static int read_block(char *address, const char *node, uint32_t id)
{
	if (!network.all_blocks) {
		char *block = xstrdup(address);

		block[strcspn(block, ".")] = '\0';
		network.block_size = maui_compat_block_size(block);
		xfree(block);
		network.all_blocks = find_switch("blocks", NULL, 1);
	}
	return network.all_blocks ? read_address(address, node, id, network.all_blocks) : -1;
}

/* -1 without memory. */
static int read_place(const char *node, uint32_t id)
{
	struct maui_compat_place place = maui_compat_place(node);
	int rc = 0;

	if (place.in_block)
		rc = read_block(place.address, node, id);
	else if (place.address)
		rc = read_address(place.address, node, id, NULL);
	xfree(place.address);
	return rc;
}

/* Reads addresses from the i-th node of the draft on, as many as fit into one short hold. */
static enum maui_draft_result read_some(struct maui_draft *draft, uint32_t *i)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	unsigned done = 0;
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_hold_clock_us();
	if (!maui_cluster_is_current(draft->cluster->table))
		result = MAUI_DRAFT_CHANGED;
	while (result == MAUI_DRAFT_DONE && *i < draft->node_count) {
		const struct maui_draft_node *node = &draft->nodes[(*i)++];

		if (read_place(node->name, node->id))
			result = MAUI_DRAFT_NO_MEMORY;
		if (maui_hold_is_over(since, ++done))
			break;
	}
	held_us = maui_hold_note(&draft->cluster->reads, since);
	unlock_slurmctld(locks);
	if (result == MAUI_DRAFT_DONE && *i < draft->node_count)
		maui_hold_give_way(held_us);
	return result;
}

/* The nodes without a block. -1 without memory. */
static int read_rest(const struct maui_draft *draft)
{
	for (uint32_t i = 0; network.all_blocks && i < draft->node_count; i++) {
		struct known_switch **leaf = &network.leaf_of[draft->nodes[i].id];

		if (!*leaf && !(*leaf = find_switch("no block", NULL, 0)))
			return -1;
	}
	return 0;
}

static int by_level(const void *a, const void *b)
{
	const struct known_switch *const *one = a, *const *two = b;

	if ((*one)->level != (*two)->level)
		return (*one)->level < (*two)->level ? -1 : 1;
	return strcmp((*one)->name, (*two)->name);
}

/* Puts each switch before its parent. */
static int sort_switches(void)
{
	network.switches =
		maui_arena_alloc(&network.arena, (network.count + 1u) * sizeof(*network.switches));
	if (!network.switches)
		return -1;
	if (network.count > 1)
		qsort(network.list, network.count, sizeof(*network.list), by_level);
	for (uint32_t i = 0; i < network.count; i++)
		network.list[i]->index = i;
	for (uint32_t i = 0; i < network.count; i++) {
		const struct known_switch *s = network.list[i];

		network.switches[i] = (struct maui_switch){ .name = s->name,
							    .parent = s->parent ? s->parent->index :
										  MAUI_NO_SWITCH };
	}
	return 0;
}

static enum maui_draft_result read_network(struct maui_draft *draft)
{
	enum maui_draft_result result = MAUI_DRAFT_DONE;

	forget();
	network.table = draft->cluster->table;
	network.leaf_of = calloc(draft->node_room, sizeof(*network.leaf_of));
	if (!network.leaf_of)
		return MAUI_DRAFT_NO_MEMORY;
	for (uint32_t i = 0; result == MAUI_DRAFT_DONE && i < draft->node_count;)
		result = read_some(draft, &i);
	if (result == MAUI_DRAFT_DONE && (read_rest(draft) || sort_switches()))
		result = MAUI_DRAFT_NO_MEMORY;
	network.read = result == MAUI_DRAFT_DONE;
	return result;
}

enum maui_draft_result maui_draft_read_network(struct maui_draft *draft)
{
	enum maui_draft_result result = MAUI_DRAFT_DONE;

	if (!network.read || network.table != draft->cluster->table)
		result = read_network(draft);
	draft->cluster->rules.blocks = network.all_blocks;
	draft->cluster->rules.block_size = network.block_size;
	return result;
}

int maui_draft_add_switches(const struct maui_draft *draft)
{
	return maui_snapshot_set_switches(draft->cluster->snapshot, network.switches,
					  network.count);
}

uint32_t maui_draft_leaf(uint32_t id)
{
	return network.leaf_of[id] ? network.leaf_of[id]->index : MAUI_NO_SWITCH;
}

void maui_cluster_forget(void)
{
	forget();
}
