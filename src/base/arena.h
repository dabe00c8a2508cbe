/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena.h - memory that is freed all at once: what one scheduling cycle copies and computes
 *
 * Thread safety: none.
 */
#ifndef MAUI_BASE_ARENA_H
#define MAUI_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct maui_arena {
	struct maui_arena_block *blocks;
	/* something that was asked for is missing, since the arena was emptied: who leaves out what
	 * found no memory asks once, at the end */
	bool failed;
};

/* Memory that is zeroed and aligned for any type; NULL without memory. A zeroed arena is empty. */
void *maui_arena_alloc(struct maui_arena *arena, size_t size);
/* The same for a list of so many elements, and never for none. */
void *maui_arena_alloc_list(struct maui_arena *arena, size_t count, size_t size);
/* A copy of the text; NULL for NULL, and without memory. */
char *maui_arena_strdup(struct maui_arena *arena, const char *text);
/* A text of its own length; NULL without memory. */
char *maui_arena_printf(struct maui_arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *maui_arena_vprintf(struct maui_arena *arena, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));
/* Empties the arena, and keeps as much memory for the next use. */
void maui_arena_clear(struct maui_arena *arena);
void maui_arena_finish(struct maui_arena *arena);

#endif
