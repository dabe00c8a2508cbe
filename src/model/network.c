/* SPDX-License-Identifier: GPL-2.0-or-later */
/* network.c - the switches of a network, from the addresses of its nodes */

#include "model/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

/* ---- switches ---- */

/* Switches of different parents are different ones, so a switch is always below its parent. */
static bool is_same(const void *value, const void *key)
{
	const struct maui_network_switch *one = value, *other = key;

	return one->level == other->level && one->parent == other->parent &&
	       strcmp(one->name, other->name) == 0;
}

/* The switch with this name, level and parent, added at the first call. NULL without memory. */
static struct maui_network_switch *find_switch(struct maui_network *network, const char *name,
					       struct maui_network_switch *parent, uint32_t level)
{
	const struct maui_network_switch key = { .name = name, .parent = parent, .level = level };
	uint64_t hash = maui_hash_mix(maui_hash_text(name, level), (uintptr_t)parent);
	struct maui_network_switch *s = maui_hashtable_find(&network->by_name, hash, is_same, &key);
	struct maui_network_switch **grown;

	if (s)
		return s;
	grown = maui_array_grow(network->list, network->count, &network->alloc, sizeof(*grown));
	if (!grown)
		return NULL;
	network->list = grown;
	s = maui_arena_alloc(&network->arena, sizeof(*s));
	if (!s)
		return NULL;
	*s = key;
	s->name = maui_arena_strdup(&network->arena, name);
	if (!s->name || maui_hashtable_add(&network->by_name, hash, s))
		return NULL;
	return network->list[network->count++] = s;
}

/* ---- addresses ---- */

bool maui_network_cut_node(char *address, const char *node)
{
	size_t length = strlen(address), tail = strlen(node);

	if (length <= tail + 1 || strcmp(address + length - tail, node) != 0 ||
	    address[length - tail - 1] != '.')
		return false;
	address[length - tail - 1] = '\0';
	return true;
}

static unsigned count_dots(const char *text)
{
	unsigned count = 0;

	for (; *text; text++)
		count += *text == '.';
	return count;
}

enum maui_address_result maui_network_add_path(struct maui_network *network, char *path,
					       unsigned levels,
					       struct maui_network_switch **ret_leaf)
{
	struct maui_network_switch *at = NULL;

	*ret_leaf = NULL;
	if (levels > 1 && count_dots(path) != levels - 1)
		return MAUI_ADDRESS_AMBIGUOUS;
	while (levels-- > 0) {
		char *dot = levels > 0 ? strchr(path, '.') : NULL;

		if (dot)
			*dot = '\0';
		if (*path && !(at = find_switch(network, path, at, levels)))
			return MAUI_ADDRESS_NO_MEMORY;
		if (*path && levels == 0)
			*ret_leaf = at;
		if (dot)
			path = dot + 1;
	}
	return MAUI_ADDRESS_READ;
}

struct maui_network_switch *maui_network_add_block(struct maui_network *network, const char *name)
{
	struct maui_network_switch *all;

	if (!name)
		return find_switch(network, "no block", NULL, 0);
	all = find_switch(network, "blocks", NULL, 1);
	return all ? find_switch(network, name, all, 0) : NULL;
}

/* ---- the list ---- */

static int by_level(const void *a, const void *b)
{
	const struct maui_network_switch *const *one = a, *const *two = b;

	if ((*one)->level != (*two)->level)
		return (*one)->level < (*two)->level ? -1 : 1;
	return strcmp((*one)->name, (*two)->name);
}

/* A parent has a higher level than its switches, so it comes behind them. */
int maui_network_sort(struct maui_network *network)
{
	network->switches = maui_arena_alloc(&network->arena,
					     (network->count + 1u) * sizeof(*network->switches));
	if (!network->switches)
		return -1;
	if (network->count > 1)
		qsort(network->list, network->count, sizeof(*network->list), by_level);
	for (uint32_t i = 0; i < network->count; i++)
		network->list[i]->index = i;
	for (uint32_t i = 0; i < network->count; i++) {
		const struct maui_network_switch *s = network->list[i];

		network->switches[i] = (struct maui_switch){
			.name = s->name, .parent = s->parent ? s->parent->index : MAUI_NO_SWITCH
		};
	}
	return 0;
}

void maui_network_finish(struct maui_network *network)
{
	maui_arena_finish(&network->arena);
	maui_hashtable_finish(&network->by_name);
	free(network->list);
	*network = (struct maui_network){ 0 };
}
