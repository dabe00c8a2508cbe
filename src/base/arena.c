/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.c - a list of blocks, filled from the front one */

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/bulk.h"

/* ASan is to see each read of memory that was not handed out, or that was cleared: no block is used
 * again there. */
#ifdef MAUI_SANITIZE
#include <sanitizer/asan_interface.h>
enum { CLEAR_FREES = 1 };
#else
enum { CLEAR_FREES = 0 };
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/* The first block suits one job, the later ones a hundred thousand. */
enum { FIRST_BLOCK = 4 * 1024, LARGEST_BLOCK = 4 * 1024 * 1024 };

struct maui_arena_block {
	struct maui_arena_block *next;
	size_t used, size;
	size_t zeroed; /* all from here on is zeroed */
	alignas(max_align_t) char data[];
};

static void free_block(struct maui_arena_block *block)
{
	ASAN_UNPOISON_MEMORY_REGION(block->data, block->size);
	maui_bulk_free(block, sizeof(*block) + block->size);
}

static struct maui_arena_block *new_block(struct maui_arena *arena, size_t size)
{
	struct maui_arena_block *block = maui_bulk_alloc(sizeof(*block) + size);

	if (!block)
		return NULL;
	*block = (struct maui_arena_block){ .next = arena->blocks, .size = size };
	if (!maui_bulk_is_zeroed(sizeof(*block) + size))
		block->zeroed = size;
	arena->blocks = block;
	ASAN_POISON_MEMORY_REGION(block->data, size);
	return block;
}

void *maui_arena_alloc(struct maui_arena *arena, size_t size)
{
	struct maui_arena_block *block = arena->blocks;
	size_t rounded = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	void *at;

	if (rounded < size || rounded > SIZE_MAX - sizeof(*block)) {
		arena->failed = true;
		return NULL;
	}
	if (!block || block->size - block->used < rounded) {
		size_t next = block ? block->size * 2 : FIRST_BLOCK;

		if (next > LARGEST_BLOCK)
			next = LARGEST_BLOCK;
		block = new_block(arena, rounded > next ? rounded : next);
	}
	arena->failed |= !block;
	if (!block)
		return NULL;
	at = block->data + block->used;
	ASAN_UNPOISON_MEMORY_REGION(at, size);
	if (block->used < block->zeroed)
		memset(at, 0, size);
	block->used += rounded;
	if (block->zeroed < block->used)
		block->zeroed = block->used;
	return at;
}

/* Keeps one block as large as all blocks were. The next cycle would ask for as much again, and
 * the kernel would have to find and clear each page. Without memory the arena starts empty. */
void maui_arena_clear(struct maui_arena *arena)
{
	struct maui_arena_block *block = arena->blocks;
	size_t size = 0;

	arena->failed = false;
	if (CLEAR_FREES) {
		maui_arena_finish(arena);
		return;
	}
	if (block && !block->next) {
		block->used = 0; /* what was used is not zeroed any more */
		return;
	}
	for (; block; block = block->next)
		size += block->size;
	maui_arena_finish(arena);
	if (size > 0)
		new_block(arena, size);
}

void maui_arena_finish(struct maui_arena *arena)
{
	arena->failed = false;
	while (arena->blocks) {
		struct maui_arena_block *next = arena->blocks->next;

		free_block(arena->blocks);
		arena->blocks = next;
	}
}
