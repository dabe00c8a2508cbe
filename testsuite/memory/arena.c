/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.c - an arena whose every piece is a block of malloc(), so that each can fail
 *
 * In place of src/base/arena.c, by its contract. Each piece has a guard behind it, which a write
 * beyond its end destroys.
 */

#include "base/arena.h"

#include "alloc.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char guard[] = { 'g', 'u', 'a', 'r', 'd', '\xa5', '\x5a', '!' };

/* Libraries that have the core in them call these, too. */
#pragma GCC visibility push(default)

struct maui_arena_block {
	struct maui_arena_block *next;
	size_t size;
	alignas(max_align_t) char data[];
};

void *maui_arena_alloc(struct maui_arena *arena, size_t size)
{
	struct maui_arena_block *block;

	alloc_of_arena(true);
	block = size <= SIZE_MAX / 2 ? calloc(1, sizeof(*block) + size + sizeof(guard)) : NULL;
	alloc_of_arena(false);
	arena->failed |= !block;
	if (!block)
		return NULL;
	block->next = arena->blocks;
	block->size = size;
	memcpy(block->data + size, guard, sizeof(guard));
	arena->blocks = block;
	return block->data;
}

void maui_arena_clear(struct maui_arena *arena)
{
	maui_arena_finish(arena);
}

void maui_arena_finish(struct maui_arena *arena)
{
	arena->failed = false;
	while (arena->blocks) {
		struct maui_arena_block *next = arena->blocks->next;

		if (memcmp(arena->blocks->data + arena->blocks->size, guard, sizeof(guard)) != 0) {
			fprintf(stderr, "a piece of %zu bytes was written beyond its end\n",
				arena->blocks->size);
			abort();
		}
		free(arena->blocks);
		arena->blocks = next;
	}
}

#pragma GCC visibility pop
