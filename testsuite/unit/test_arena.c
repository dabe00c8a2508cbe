/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_arena.c - memory that is freed all at once */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "rows.h"

struct sizes {
	const char *name;
	size_t first, step, count;
};

static const struct sizes sizes[] = {
	{ "nothing", 0, 0, 100 },
	{ "bytes", 1, 0, 10000 },
	{ "all small sizes", 0, 1, 2000 },
	{ "odd sizes", 7, 13, 2000 },
	{ "a page, what is left of it, a page", 4096, 0, 50 },
	{ "just over a block", 4097, 0, 50 },
	{ "a megabyte and more", 1024 * 1024 - 1, 1, 8 },
};

/* Memory is zeroed, aligned and not shared: each piece is filled with its own number and has it
 * at the end. */
TEST_ROWS(arena, alloc, sizes, row)
{
	static unsigned char *at[10000];
	struct maui_arena arena = { 0 };

	for (size_t i = 0; i < row->count; i++) {
		size_t size = row->first + i * row->step;

		at[i] = maui_arena_alloc(&arena, size);
		cr_assert(at[i] != NULL, "%s: %zu", row->name, size);
		cr_assert((uintptr_t)at[i] % alignof(max_align_t) == 0, "%s: %zu", row->name, size);
		for (size_t b = 0; b < size; b++)
			cr_assert(at[i][b] == 0, "%s: %zu", row->name, size);
		memset(at[i], (int)(i % 251) + 1, size);
	}
	for (size_t i = 0; i < row->count; i++)
		for (size_t b = 0; b < row->first + i * row->step; b++)
			cr_assert(at[i][b] == i % 251 + 1, "%s: number %zu", row->name, i);
	maui_arena_finish(&arena);
	cr_expect(arena.blocks == NULL);
}

static const size_t too_many[] = { SIZE_MAX,      SIZE_MAX - 1,  SIZE_MAX - 14,
				   SIZE_MAX - 15, SIZE_MAX - 31, SIZE_MAX / 2 };

/* A size that is too large is refused, and the present memory stays. */
TEST_ROWS(arena, no_memory, too_many, row)
{
	struct maui_arena arena = { 0 };
	char *text;

	cr_expect(maui_arena_alloc(&arena, *row) == NULL, "%zu", *row);
	text = maui_arena_strdup(&arena, "text");
	cr_assert(text != NULL);
	cr_expect(maui_arena_alloc(&arena, *row) == NULL, "%zu", *row);
	cr_expect_str_eq(text, "text");
	cr_expect(maui_arena_alloc(&arena, 1) != NULL);
	maui_arena_finish(&arena);
}

Test(arena, printf)
{
	struct maui_arena arena = { 0 };

	cr_expect_str_eq(maui_arena_printf(&arena, "%s:%d", "gpu", 4), "gpu:4");
	cr_expect(strlen(maui_arena_printf(&arena, "%10000d", 1)) == 10000);
	cr_expect_str_eq(maui_arena_printf(&arena, "%s", ""), "");
	maui_arena_finish(&arena);
}

Test(arena, strdup)
{
	struct maui_arena arena = { 0 };
	char original[] = "amy";
	char *copy = maui_arena_strdup(&arena, original), *empty = maui_arena_strdup(&arena, "");
	/* the NUL is in the next 16 bytes */
	char *aligned = maui_arena_strdup(&arena, "exactly sixteen!");

	memset(maui_arena_alloc(&arena, 16), 'y', 16);
	cr_expect_str_eq(aligned, "exactly sixteen!");
	original[0] = 'x';
	cr_expect_str_eq(copy, "amy");
	cr_expect_str_eq(empty, "");
	cr_expect(maui_arena_strdup(&arena, NULL) == NULL);
	maui_arena_finish(&arena);
}

/* Under ASan a cleared arena keeps nothing, so that a read of it is seen. */
#ifdef MAUI_SANITIZE
enum { KEEPS = 0 };
#else
enum { KEEPS = 1 };
#endif

/* Clearing leaves one block for everything: the same work again allocates nothing. */
Test(arena, clear)
{
	enum { LARGE = 3 * 1024 * 1024 };
	struct maui_arena arena = { 0 };
	struct maui_arena_block *kept;
	unsigned char *again;

	maui_arena_clear(&arena);
	cr_expect(arena.blocks == NULL, "clearing an empty one makes nothing");
	cr_assert(maui_arena_alloc(&arena, 1) && maui_arena_alloc(&arena, LARGE));
	kept = arena.blocks;
	memset(maui_arena_alloc(&arena, 1000), 0xee, 1000);
	cr_expect(arena.blocks != kept, "a smaller block stands in front");
	maui_arena_clear(&arena);
	kept = arena.blocks;
	again = maui_arena_alloc(&arena, LARGE);
	cr_assert(again != NULL && maui_arena_alloc(&arena, 1) && maui_arena_alloc(&arena, 1000));
	cr_expect(!KEEPS || arena.blocks == kept, "there is room for the same again");
	memset(again, 0xee, LARGE);
	maui_arena_clear(&arena);
	cr_expect(!KEEPS || arena.blocks == kept, "and it stays");
	again = maui_arena_alloc(&arena, LARGE);
	for (size_t b = 0; b < LARGE; b++)
		cr_assert(again[b] == 0, "byte %zu was not zeroed again", b);
	maui_arena_finish(&arena);
	maui_arena_finish(&arena);
	cr_expect(maui_arena_alloc(&arena, 1) != NULL, "usable after finish");
	maui_arena_finish(&arena);
}
