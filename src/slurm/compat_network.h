/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat_network.h - the network of the nodes: what differs between releases of Slurm
 *
 * Part of slurm/compat.h, which includes it.
 */

#ifndef MAUI_SLURM_COMPAT_NETWORK_H
#define MAUI_SLURM_COMPAT_NETWORK_H

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Where a node stands. */
struct maui_compat_place {
	char *address; /* "core.leaf.node1" under topology/tree, "block.node1" under topology/block;
			  NULL: no switch reaches it, no block has it. xfree() */
	bool in_block;
	unsigned levels; /* of topology/tree: names of switches in the address, some empty */
};

/* Under node READ. */
static inline struct maui_compat_place maui_compat_place(const char *node)
{
	struct maui_compat_place place = { 0 };
	char *pattern = NULL;
	int rc;

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(23, 11, 0)
	/* a switch all of whose nodes are unknown has no bitmap, which topology/tree would read */
	for (int i = 0; i < switch_record_cnt; i++)
		if (!switch_record_table[i].node_bitmap)
			return place;
	rc = slurm_topo_get_node_addr((char *)node, &place.address, &pattern);
#else
	rc = topology_g_get_node_addr((char *)node, &place.address, &pattern);
#endif
	place.in_block = rc == SLURM_SUCCESS && xstrcmp(pattern, "block.node") == 0;
	for (const char *at = rc == SLURM_SUCCESS ? pattern : NULL;
	     at && strncmp(at, "switch.", 7) == 0; at += 7)
		place.levels++;
	if (!place.in_block && place.levels == 0)
		xfree(place.address);
	xfree(pattern);
	return place;
}

/* Mixes into a hash what an update of the node (Topology=), or its power saving, changes of its
 * place in the network. Before 25.05 only topology.conf does. Under node READ. */
static inline uint64_t maui_compat_hash_place(uint64_t hash, const node_record_t *node_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	(void)node_ptr;
	return hash;
#else
	hash = maui_hash_text(node_ptr->topology_str ? node_ptr->topology_str : "", hash);
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 11, 0)
	/* kept while the node is elsewhere: an update may take it out of every network */
	hash = maui_hash_mix(hash, node_ptr->topology_orig_str != NULL);
#endif
	return hash;
#endif
}

/* The number of nodes by which topology/block counts the blocks of a job: the first of BlockSizes,
 * or the size of the smallest block. `block`: the name of any block. 0: not known. Slurm keeps it
 * to itself, but prints it; before 24.11 it has no BlockSizes to print. Under node READ. */
static inline uint32_t maui_compat_block_size(char *block)
{
	static const char name[] = " BlockSize=";
	dynamic_plugin_data_t *network = NULL;
	const char *found;
	uint32_t size = 0;
	char *text = NULL;

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)block;
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 5, 0)
	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, &network) != SLURM_SUCCESS || !network)
		return 0;
	topology_g_topology_print(network, block, &text);
	topology_g_topology_free(network);
#elif SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(25, 11, 0)
	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, NULL, &network) != SLURM_SUCCESS || !network)
		return 0;
	topology_g_topology_print(network, NULL, block, &text);
	topology_g_topology_free(network);
#else
	if (topology_g_get(TOPO_DATA_TOPOLOGY_PTR, NULL, &network) != SLURM_SUCCESS || !network)
		return 0;
	topology_g_topoinfo_print(network, NULL, block, &text);
	topology_g_topoinfo_free(network);
#endif
	(void)network;
	found = text ? strstr(text, name) : NULL;
	if (found)
		size = (uint32_t)strtoul(found + strlen(name), NULL, 10);
	xfree(text);
	return size;
}

/* The nodes that each segment of a job has in one block; 0: no segments. */
static inline uint32_t maui_compat_segment(const job_record_t *job_ptr)
{
#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(24, 11, 0)
	(void)job_ptr;
	return 0;
#else
	return job_ptr->details->segment_size;
#endif
}

#endif /* MAUI_SLURM_COMPAT_NETWORK_H */
