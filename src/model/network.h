/* SPDX-License-Identifier: GPL-2.0-or-later */
/* network.h - the switches of a network, from the addresses of its nodes
 *
 * In: for each node, the names of its switches from the top to the leaf and the node's own name,
 * joined by dots: "core.aggregation.leaf.node1". Names may contain dots, too. Out: a list of
 * switches, each before its parent, as maui_snapshot_set_switches() takes it.
 *
 * A zeroed struct is an empty network. Thread safety: none.
 *
 * Rules: BF-22, BF-25.
 */
#ifndef MAUI_MODEL_NETWORK_H
#define MAUI_MODEL_NETWORK_H

#include "base/arena.h"
#include "base/hashtable.h"
#include "model/snapshot.h"

struct maui_network_switch {
	const char *name;
	struct maui_network_switch *parent; /* NULL: none */
	uint32_t level;                     /* 0: a leaf */
	uint32_t index;                     /* in the list, after maui_network_sort() */
};

struct maui_network {
	struct maui_arena arena;
	struct maui_hashtable by_name;
	struct maui_network_switch **list;
	uint32_t count;
	size_t alloc;
	struct maui_switch *switches; /* `count` of them, after maui_network_sort() */
};

enum maui_address_result {
	MAUI_ADDRESS_READ,
	MAUI_ADDRESS_AMBIGUOUS, /* which dots separate names is not known */
	MAUI_ADDRESS_NO_MEMORY,
};

/* Takes ".node" from the end of an address. False: the address does not end so. */
bool maui_network_cut_node(char *address, const char *node);

/* Adds the switches of a path that has `levels` names, from the top to the leaf; names of levels
 * that the node does not have are empty. Cuts the path into its names. *ret_leaf: the leaf switch;
 * NULL: none reaches the node. */
enum maui_address_result maui_network_add_path(struct maui_network *network, char *path,
					       unsigned levels,
					       struct maui_network_switch **ret_leaf);

/* The leaf switch that stands for a block, below one switch above all blocks. NULL: for the nodes
 * without a block, a network of their own. Returns NULL without memory. */
struct maui_network_switch *maui_network_add_block(struct maui_network *network, const char *name);

/* Makes `switches`. Add nothing afterwards. -1 without memory. */
int maui_network_sort(struct maui_network *network);

void maui_network_finish(struct maui_network *network);

#endif
