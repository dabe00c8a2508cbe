/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.h - memory that is given back all at once: what one iteration copies and computes
 *
 * Thread safety: none.
 */
#ifndef MAUI_BASE_ARENA_H
#define MAUI_BASE_ARENA_H

#include <stddef.h>

struct maui_arena {
	struct maui_arena_block *blocks;
};

/* Zeroed, aligned for any type; NULL without memory. A zeroed arena is an empty one. */
void *maui_arena_alloc(struct maui_arena *arena, size_t size);
/* A copy; NULL for NULL, and without memory. */
char *maui_arena_strdup(struct maui_arena *arena, const char *text);
/* Empties it and keeps as much memory for what comes next. */
void maui_arena_clear(struct maui_arena *arena);
void maui_arena_finish(struct maui_arena *arena);

#endif
