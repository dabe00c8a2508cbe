/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.h - a long list in ascending order of its keys, of which a search looks at little
 *
 * The items are in blocks of at most 64. A block knows the sum and the least of its items, so that
 * a search passes over whole blocks. An item is added or removed at the cost of one block, a search
 * looks at each block once. Two adjacent blocks have more than 32 items together.
 */
#ifndef MAUI_SIM_BLOCKS_H
#define MAUI_SIM_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_sim_item {
	int64_t key, procs, limit_s;
};

struct maui_sim_block {
	struct maui_sim_item *items;
	uint32_t count;
	int64_t first_key, procs; /* the sum */
	int64_t least_procs, least_limit_s;
};

struct maui_sim_blocks { /* a zeroed struct is empty */
	struct maui_sim_block *list;
	size_t count, alloc;
};

/* A place in the list, until the list changes. */
struct maui_sim_cursor {
	size_t block;
	uint32_t item;
};

/* Adds an item; if there is one with this key, adds to its processors. */
void maui_sim_blocks_add(struct maui_sim_blocks *blocks, const struct maui_sim_item *item);
/* The first item whose key is not less. It may be behind the last one. */
struct maui_sim_cursor maui_sim_blocks_from(const struct maui_sim_blocks *blocks, int64_t key);
/* Takes processors from the item there. One that has none left is removed: then the cursor is at
 * the item behind it. */
void maui_sim_blocks_remove(struct maui_sim_blocks *blocks, struct maui_sim_cursor *at,
			    int64_t procs);
/* The first item from the cursor on that has no more than these processors and this limit. Moves
 * the cursor there; NULL: none. */
const struct maui_sim_item *maui_sim_blocks_find(const struct maui_sim_blocks *blocks,
						 struct maui_sim_cursor *at, int64_t procs,
						 int64_t limit_s);
/* The first item up to which there are so many processors in sum, and the sum; NULL: there are
 * fewer. */
const struct maui_sim_item *maui_sim_blocks_reach(const struct maui_sim_blocks *blocks,
						  int64_t procs, int64_t *ret_sum);
void maui_sim_blocks_finish(struct maui_sim_blocks *blocks);

#endif
