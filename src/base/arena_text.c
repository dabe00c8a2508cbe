/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena_text.c - lists and texts in an arena, whatever gives its memory */

#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void *maui_arena_alloc_list(struct maui_arena *arena, size_t count, size_t size)
{
	if (size == 0 || count < SIZE_MAX / 2 / size)
		return maui_arena_alloc(arena, (count + 1) * size);
	arena->failed = true;
	return NULL;
}

char *maui_arena_strdup(struct maui_arena *arena, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;
	char *copy = text ? maui_arena_alloc(arena, size) : NULL;

	return copy ? memcpy(copy, text, size) : NULL;
}

char *maui_arena_vprintf(struct maui_arena *arena, const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text = length < 0 ? NULL : maui_arena_alloc(arena, (size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, fmt, args);
	return text;
}

char *maui_arena_printf(struct maui_arena *arena, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	text = maui_arena_vprintf(arena, fmt, args);
	va_end(args);
	return text;
}
