/* SPDX-License-Identifier: GPL-2.0-or-later */
/* network.c - reads the switches of the network and the leaf switch of each node
 *
 * In: the topology address of each node, which is "core.aggregation.leaf.node1" under topology/tree
 * and "node1" without switches. Out: the switches, each before its parent (model/network.h).
 * Addresses are read only after the node table or a node's place may have changed, a few
 * milliseconds at a time; they say nothing about states. A node on several leaf switches has an
 * address that names them together ("s[1-2]"): they count as a switch of their own. Where dots in
 * the names of switches make an address ambiguous, there is no network.
 *
 * Under topology/block, where the address is "block.node1", blocks are leaf switches below one
 * switch. Nodes without a block, which Slurm does not mix with others, are a network of their own.
 *
 * Rules: BF-22, BF-25.
 */

#include "slurm/capture/private.h"

#include "model/network.h"

/* The network of the node table with number `table` and of the nodes' places with this hash; of the
 * agent, as all captures are. */
static struct {
	uint64_t table, places;
	bool read;
	struct maui_network list;
	struct maui_network_switch **leaf_of; /* by node id; NULL: none */
	bool blocks;
	uint32_t block_size;
} network;

static bool said_ambiguous;

static void forget(void)
{
	maui_network_finish(&network.list);
	free(network.leaf_of);
	memset(&network, 0, sizeof(network));
}

static enum maui_address_result read_block(char *path, uint32_t id)
{
	if (!network.blocks)
		network.block_size = maui_compat_block_size(path);
	network.blocks = true;
	network.leaf_of[id] = maui_network_add_block(&network.list, path);
	return network.leaf_of[id] ? MAUI_ADDRESS_READ : MAUI_ADDRESS_NO_MEMORY;
}

static enum maui_address_result read_place(const char *node, uint32_t id)
{
	struct maui_compat_place place = maui_compat_place(node);
	enum maui_address_result result = MAUI_ADDRESS_READ;

	if (place.address && maui_network_cut_node(place.address, node))
		result = place.in_block ? read_block(place.address, id) :
					  maui_network_add_path(&network.list, place.address,
								place.levels, &network.leaf_of[id]);
	xfree(place.address);
	return result;
}

/* Reads addresses from the i-th node of the draft on, as many as fit into one short hold. */
static enum maui_draft_result read_some(struct maui_draft *draft, uint32_t *i, bool *ret_ambiguous)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK, .node = READ_LOCK };
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	unsigned done = 0;
	int64_t since, held_us;

	lock_slurmctld(locks);
	since = maui_monotonic_us();
	if (!maui_cluster_is_current(draft->cluster->table))
		result = MAUI_DRAFT_CHANGED;
	while (result == MAUI_DRAFT_DONE && !*ret_ambiguous && *i < draft->node_count) {
		const struct maui_draft_node *node = &draft->nodes[(*i)++];
		enum maui_address_result found = read_place(node->name, node->id);

		*ret_ambiguous = found == MAUI_ADDRESS_AMBIGUOUS;
		if (found == MAUI_ADDRESS_NO_MEMORY)
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
	for (uint32_t i = 0; network.blocks && i < draft->node_count; i++) {
		struct maui_network_switch **leaf = &network.leaf_of[draft->nodes[i].id];

		if (!*leaf && !(*leaf = maui_network_add_block(&network.list, NULL)))
			return -1;
	}
	return 0;
}

/* Leaves no network, and says so once. */
static void drop_ambiguous(struct maui_draft *draft)
{
	maui_network_finish(&network.list);
	memset(network.leaf_of, 0, draft->node_room * sizeof(*network.leaf_of));
	if (!said_ambiguous)
		error("slurm-maui: topology.conf: the name of a switch contains a dot, so the "
		      "switches of a node cannot be told apart; jobs are planned without switches: "
		      "rename the switches without dots and run scontrol reconfigure");
	said_ambiguous = true;
}

static enum maui_draft_result read_network(struct maui_draft *draft)
{
	enum maui_draft_result result = MAUI_DRAFT_DONE;
	bool ambiguous = false;

	forget();
	network.table = draft->cluster->table;
	network.places = draft->places;
	network.leaf_of = calloc(draft->node_room, sizeof(*network.leaf_of));
	if (!network.leaf_of)
		return MAUI_DRAFT_NO_MEMORY;
	for (uint32_t i = 0; result == MAUI_DRAFT_DONE && !ambiguous && i < draft->node_count;)
		result = read_some(draft, &i, &ambiguous);
	if (result == MAUI_DRAFT_DONE && ambiguous)
		drop_ambiguous(draft);
	else if (result == MAUI_DRAFT_DONE)
		said_ambiguous = false;
	if (result == MAUI_DRAFT_DONE && (read_rest(draft) || maui_network_sort(&network.list)))
		result = MAUI_DRAFT_NO_MEMORY;
	network.read = result == MAUI_DRAFT_DONE;
	return result;
}

enum maui_draft_result maui_draft_read_network(struct maui_draft *draft)
{
	enum maui_draft_result result = MAUI_DRAFT_DONE;

	if (!network.read || network.table != draft->cluster->table ||
	    network.places != draft->places)
		result = read_network(draft);
	draft->cluster->rules.blocks = network.blocks;
	draft->cluster->rules.block_size = network.block_size;
	return result;
}

int maui_draft_add_switches(const struct maui_draft *draft)
{
	return maui_snapshot_set_switches(draft->cluster->snapshot, network.list.switches,
					  network.list.count);
}

uint32_t maui_draft_leaf(uint32_t id)
{
	return network.leaf_of[id] ? network.leaf_of[id]->index : MAUI_NO_SWITCH;
}

void maui_cluster_forget(void)
{
	forget();
	maui_draft_forget_admission();
}
