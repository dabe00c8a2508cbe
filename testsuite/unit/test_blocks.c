/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_blocks.c - a list in blocks answers as a sorted list does, and keeps what blocks.h says
 *
 * Each run draws another seed; a failure names it.
 */
#include "sim/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "../seeds.h"
#include "rows.h"

enum { STEPS = 4000, MOST = 64, FEW = 32 };

static const struct shape {
	const char *name;
	uint64_t keys;       /* that are drawn from; 0: each new item is the last one */
	unsigned adds, less; /* of a hundred steps: additions in the first half, in the second */
	int64_t procs, limits;
} shapes[] = {
	{ "a queue: added at the end, taken anywhere", 0, 60, 20, 100, 1000 },
	{ "anywhere", 1 << 20, 60, 20, 100, 1000 },
	{ "few keys: processors of one item are added up", 300, 60, 20, 5, 1 },
	{ "only additions", 1 << 20, 100, 100, 1000, 10 },
	{ "only additions at the end", 0, 100, 100, 1000, 10 },
	{ "short", 1 << 20, 50, 50, 3, 3 },
};

/* What the list is compared with. */
struct plain {
	struct maui_sim_item items[STEPS];
	size_t count;
};

static struct plain plain;
static uint64_t seed;

static size_t find(int64_t key)
{
	size_t at = 0;

	while (at < plain.count && plain.items[at].key < key)
		at++;
	return at;
}

static void add(const struct maui_sim_item *item)
{
	size_t at = find(item->key);

	if (at < plain.count && plain.items[at].key == item->key) {
		plain.items[at].procs += item->procs;
		return;
	}
	memmove(&plain.items[at + 1], &plain.items[at], (plain.count - at) * sizeof(*item));
	plain.items[at] = *item;
	plain.count++;
}

static void take(size_t at, int64_t procs)
{
	plain.items[at].procs -= procs;
	if (plain.items[at].procs == 0)
		memmove(&plain.items[at], &plain.items[at + 1],
			(--plain.count - at) * sizeof(plain.items[0]));
}

static bool is_equal(const struct maui_sim_item *one, const struct maui_sim_item *other)
{
	return one->key == other->key && one->procs == other->procs &&
	       one->limit_s == other->limit_s;
}

/* The item at a cursor, which may be behind the last one of its block: then it is the next one. */
static const struct maui_sim_item *item_at(const struct maui_sim_blocks *blocks,
					   const struct maui_sim_cursor *at)
{
	if (at->block < blocks->count && at->item < blocks->list[at->block].count)
		return &blocks->list[at->block].items[at->item];
	return at->block + 1 < blocks->count ? blocks->list[at->block + 1].items : NULL;
}

static void check_item(const struct shape *shape, const struct maui_sim_item *got, size_t wanted,
		       const char *what)
{
	if (wanted == plain.count)
		cr_assert(got == NULL, "%s, seed %llu: %s", shape->name, (unsigned long long)seed,
			  what);
	else
		cr_assert(got && is_equal(got, &plain.items[wanted]), "%s, seed %llu: %s",
			  shape->name, (unsigned long long)seed, what);
}

/* The same items, and each block full enough and right about its items. */
static void check_blocks(const struct shape *shape, const struct maui_sim_blocks *blocks)
{
	size_t at = 0;

	for (size_t b = 0; b < blocks->count; b++) {
		const struct maui_sim_block *block = &blocks->list[b];
		int64_t procs = 0, least_procs = INT64_MAX, least_limit_s = INT64_MAX;

		cr_assert(block->count > 0 && block->count <= MOST);
		cr_assert(b == 0 || block->count + block[-1].count > FEW, "%s, seed %llu",
			  shape->name, (unsigned long long)seed);
		for (uint32_t i = 0; i < block->count; i++, at++) {
			const struct maui_sim_item *item = &block->items[i];

			cr_assert(at < plain.count && is_equal(item, &plain.items[at]),
				  "%s, seed %llu: item %zu", shape->name, (unsigned long long)seed,
				  at);
			procs += item->procs;
			least_procs = item->procs < least_procs ? item->procs : least_procs;
			least_limit_s =
				item->limit_s < least_limit_s ? item->limit_s : least_limit_s;
		}
		cr_assert(block->first_key == block->items[0].key && block->procs == procs &&
			  block->least_procs == least_procs &&
			  block->least_limit_s == least_limit_s);
	}
	cr_assert(at == plain.count, "%s, seed %llu: %zu of %zu items", shape->name,
		  (unsigned long long)seed, at, plain.count);
}

static int64_t draw(uint64_t most)
{
	return (int64_t)(seeds_random() % most);
}

static void check_from(const struct shape *shape, const struct maui_sim_blocks *blocks, int64_t key)
{
	struct maui_sim_cursor at = maui_sim_blocks_from(blocks, key);

	check_item(shape, item_at(blocks, &at), find(key), "from");
}

/* The first item from the key on with no more than these processors and this limit. */
static void check_find(const struct shape *shape, const struct maui_sim_blocks *blocks, int64_t key)
{
	int64_t procs = draw((uint64_t)shape->procs) + 1,
		limit_s = draw((uint64_t)shape->limits) + 1;
	struct maui_sim_cursor at = maui_sim_blocks_from(blocks, key);
	const struct maui_sim_item *found = maui_sim_blocks_find(blocks, &at, procs, limit_s);
	size_t wanted = find(key);

	while (wanted < plain.count &&
	       (plain.items[wanted].procs > procs || plain.items[wanted].limit_s > limit_s))
		wanted++;
	check_item(shape, found, wanted, "find");
	if (found)
		cr_assert(item_at(blocks, &at) == found, "the cursor is elsewhere");
}

static void check_reach(const struct shape *shape, const struct maui_sim_blocks *blocks)
{
	int64_t wanted = 1 + draw((uint64_t)shape->procs * (plain.count + 1)), sum = 0, got = 0;
	const struct maui_sim_item *item = maui_sim_blocks_reach(blocks, wanted, &got);
	size_t at = 0;

	while (at < plain.count && (sum += plain.items[at].procs) < wanted)
		at++;
	check_item(shape, item, at, "reach");
	if (item)
		cr_assert(got == sum, "%s: %lld is not %lld", shape->name, (long long)got,
			  (long long)sum);
}

static void remove_one(const struct shape *shape, struct maui_sim_blocks *blocks)
{
	size_t index = (size_t)draw(plain.count);
	const struct maui_sim_item item = plain.items[index];
	int64_t procs = draw(2) ? item.procs : 1 + draw((uint64_t)item.procs);
	struct maui_sim_cursor at = maui_sim_blocks_from(blocks, item.key);

	/* a cursor behind a block's last item is none to remove from */
	cr_assert(item_at(blocks, &at) == &blocks->list[at.block].items[at.item]);
	maui_sim_blocks_remove(blocks, &at, procs);
	take(index, procs);
	/* at the item that remains, or at the one behind the item that has gone */
	check_item(shape, item_at(blocks, &at), index, "the cursor after a removal");
}

TEST_ROWS(blocks, as_a_plain_list, shapes, shape)
{
	struct maui_sim_blocks blocks = { 0 };
	int64_t last = 0;

	seed = seeds_state = seeds_fresh();
	plain.count = 0;
	for (int step = 0; step < STEPS; step++) {
		unsigned adds = step < STEPS / 2 ? shape->adds : shape->less;

		if (plain.count == 0 || (unsigned)draw(100) < adds) {
			const struct maui_sim_item item = { shape->keys ? draw(shape->keys) :
									  last++,
							    1 + draw((uint64_t)shape->procs),
							    1 + draw((uint64_t)shape->limits) };

			maui_sim_blocks_add(&blocks, &item);
			add(&item);
		} else {
			remove_one(shape, &blocks);
		}
		check_from(shape, &blocks, draw(shape->keys ? shape->keys : (uint64_t)last + 2));
		check_find(shape, &blocks, draw(shape->keys ? shape->keys : (uint64_t)last + 2));
		check_reach(shape, &blocks);
		if (step % 16 == 0)
			check_blocks(shape, &blocks);
	}
	check_blocks(shape, &blocks);
	maui_sim_blocks_finish(&blocks);
	cr_assert(blocks.count == 0 && blocks.list == NULL);
}

Test(blocks, empty)
{
	struct maui_sim_blocks blocks = { 0 };
	struct maui_sim_cursor at = maui_sim_blocks_from(&blocks, 5);
	int64_t sum = 7;

	cr_assert(maui_sim_blocks_find(&blocks, &at, 10, 10) == NULL);
	cr_assert(maui_sim_blocks_reach(&blocks, 1, &sum) == NULL);
	maui_sim_blocks_finish(&blocks);
}
