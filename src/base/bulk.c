/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bulk.c - large pieces of memory: mmap() from a quarter of a megabyte on, malloc() below */

#include "base/bulk.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"

enum { MAPPED = 256 * 1024 };

static bool is_mapped(size_t size)
{
	return size >= MAPPED;
}

void *maui_bulk_alloc(size_t size)
{
	void *at;

	if (!is_mapped(size))
		return malloc(size > 0 ? size : 1);
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return at == MAP_FAILED ? NULL : at;
}

void maui_bulk_free(void *at, size_t size)
{
	if (at && is_mapped(size))
		munmap(at, size);
	else
		free(at);
}

/* A larger piece, which may have moved; NULL without memory, then the old piece remains. */
static void *widen(void *at, size_t size, size_t wider)
{
	void *moved;

	if (at && is_mapped(size)) {
		moved = mremap(at, size, wider, MREMAP_MAYMOVE);
		return moved == MAP_FAILED ? NULL : moved;
	}
	if (!is_mapped(wider))
		return realloc(at, wider);
	moved = maui_bulk_alloc(wider);
	if (moved && at) {
		memcpy(moved, at, size);
		free(at);
	}
	return moved;
}

void *maui_bulk_grow(void *array, size_t count, size_t *alloc, size_t size)
{
	size_t room;
	void *grown;

	if (array && count < *alloc)
		return array;
	room = maui_array_room(count, *alloc);
	if (room == 0 || room > SIZE_MAX / size)
		return NULL;
	grown = widen(array, array ? *alloc * size : 0, room * size);
	if (grown)
		*alloc = room;
	return grown;
}
