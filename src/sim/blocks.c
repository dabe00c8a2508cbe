/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocks.c - blocks of items, and what a search may pass over */

#include "sim/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "base/search.h"

enum { BLOCK = 64, FEW = BLOCK / 2 };

static void sum_up(struct maui_sim_block *block)
{
	block->first_key = block->items[0].key;
	block->procs = 0;
	block->least_procs = block->least_limit_s = INT64_MAX;
	for (uint32_t i = 0; i < block->count; i++) {
		const struct maui_sim_item *item = &block->items[i];

		block->procs += item->procs;
		if (item->procs < block->least_procs)
			block->least_procs = item->procs;
		if (item->limit_s < block->least_limit_s)
			block->least_limit_s = item->limit_s;
	}
}

/* Makes an empty block at this place. */
static struct maui_sim_block *open_block(struct maui_sim_blocks *blocks, size_t at)
{
	struct maui_sim_block *block;

	blocks->list = maui_need_more(blocks->list, blocks->count, &blocks->alloc, sizeof(*block));
	block = &blocks->list[at];
	memmove(block + 1, block, (blocks->count++ - at) * sizeof(*block));
	*block = (struct maui_sim_block){ .items = maui_need_list(BLOCK, sizeof(*block->items)) };
	return block;
}

static void close_block(struct maui_sim_blocks *blocks, size_t at)
{
	struct maui_sim_block *block = &blocks->list[at];

	free(block->items);
	memmove(block, block + 1, (--blocks->count - at) * sizeof(*block));
}

static bool begins_by(const void *block, const void *key)
{
	return ((const struct maui_sim_block *)block)->first_key <= *(const int64_t *)key;
}

/* The last block that begins at the key or before it, or the first one. */
static size_t find_block(const struct maui_sim_blocks *blocks, int64_t key)
{
	size_t behind = maui_lower_bound(blocks->list, blocks->count, sizeof(*blocks->list),
					 begins_by, &key);

	return behind > 0 ? behind - 1 : 0;
}

struct maui_sim_cursor maui_sim_blocks_from(const struct maui_sim_blocks *blocks, int64_t key)
{
	struct maui_sim_cursor at = { find_block(blocks, key), 0 };
	const struct maui_sim_block *block;

	if (blocks->count == 0)
		return at;
	block = &blocks->list[at.block];
	while (at.item < block->count && block->items[at.item].key < key)
		at.item++;
	return at;
}

/* Makes room in a full block. A list that grows at its end leaves full blocks behind. */
static void split(struct maui_sim_blocks *blocks, size_t at, bool at_end)
{
	uint32_t kept = at_end ? BLOCK : BLOCK / 2;
	struct maui_sim_block *behind = open_block(blocks, at + 1), *block = behind - 1;

	behind->count = BLOCK - kept;
	memcpy(behind->items, block->items + kept, behind->count * sizeof(*behind->items));
	block->count = kept;
	if (behind->count == 0)
		return;
	sum_up(block);
	sum_up(behind);
}

void maui_sim_blocks_add(struct maui_sim_blocks *blocks, const struct maui_sim_item *item)
{
	struct maui_sim_cursor at = { 0, 0 };
	struct maui_sim_block *block;

	if (blocks->count == 0)
		open_block(blocks, 0);
	else
		at = maui_sim_blocks_from(blocks, item->key);
	block = &blocks->list[at.block];
	if (at.item < block->count && block->items[at.item].key == item->key) {
		block->items[at.item].procs += item->procs;
		sum_up(block);
		return;
	}
	if (block->count == BLOCK) {
		split(blocks, at.block, at.block + 1 == blocks->count && at.item == BLOCK);
		block = &blocks->list[at.block];
		if (at.item > block->count || block->count == BLOCK) {
			at.item -= block->count;
			block++;
		}
	}
	memmove(&block->items[at.item + 1], &block->items[at.item],
		(block->count++ - at.item) * sizeof(*item));
	block->items[at.item] = *item;
	sum_up(block);
}

/* Joins a block and the one behind it, if both together have few items. */
static bool merge(struct maui_sim_blocks *blocks, size_t at)
{
	struct maui_sim_block *block = &blocks->list[at], *behind = block + 1;

	if (at + 1 >= blocks->count || block->count + behind->count > FEW)
		return false;
	memcpy(block->items + block->count, behind->items, behind->count * sizeof(*behind->items));
	block->count += behind->count;
	close_block(blocks, at + 1);
	sum_up(block);
	return true;
}

void maui_sim_blocks_remove(struct maui_sim_blocks *blocks, struct maui_sim_cursor *at,
			    int64_t procs)
{
	struct maui_sim_block *block = &blocks->list[at->block];
	struct maui_sim_item *item = &block->items[at->item];
	uint32_t before = at->block > 0 ? block[-1].count : 0;

	item->procs -= procs;
	if (item->procs == 0)
		memmove(item, item + 1, (--block->count - at->item) * sizeof(*item));
	if (block->count == 0) {
		close_block(blocks, at->block);
		at->item = 0;
		return;
	}
	sum_up(block);
	merge(blocks, at->block);
	if (at->block > 0 && merge(blocks, at->block - 1)) {
		at->block--;
		at->item += before;
	}
}

const struct maui_sim_item *maui_sim_blocks_find(const struct maui_sim_blocks *blocks,
						 struct maui_sim_cursor *at, int64_t procs,
						 int64_t limit_s)
{
	for (; at->block < blocks->count; at->block++, at->item = 0) {
		const struct maui_sim_block *block = &blocks->list[at->block];

		if (block->least_procs > procs || block->least_limit_s > limit_s)
			continue;
		for (; at->item < block->count; at->item++) {
			const struct maui_sim_item *item = &block->items[at->item];

			if (item->procs <= procs && item->limit_s <= limit_s)
				return item;
		}
	}
	return NULL;
}

const struct maui_sim_item *maui_sim_blocks_reach(const struct maui_sim_blocks *blocks,
						  int64_t procs, int64_t *ret_sum)
{
	size_t at = 0;
	int64_t sum = 0;

	for (; at < blocks->count && sum + blocks->list[at].procs < procs; at++)
		sum += blocks->list[at].procs;
	for (uint32_t i = 0; at < blocks->count && i < blocks->list[at].count; i++) {
		sum += blocks->list[at].items[i].procs;
		*ret_sum = sum;
		if (sum >= procs)
			return &blocks->list[at].items[i];
	}
	return NULL;
}

void maui_sim_blocks_finish(struct maui_sim_blocks *blocks)
{
	while (blocks->count > 0)
		close_block(blocks, blocks->count - 1);
	free(blocks->list);
	*blocks = (struct maui_sim_blocks){ 0 };
}
