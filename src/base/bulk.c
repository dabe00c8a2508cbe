/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bulk.c - large pieces of memory: mmap() from a quarter of a megabyte on, malloc() below
 *
 * A cycle of a large cluster takes tens of megabytes and gives them back. In huge pages that costs
 * half of what it costs page by page (testsuite/bench/bench-arena).
 */

#include "base/bulk.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"

enum { MAPPED = 256 * 1024, HUGE_PAGE = 2 * 1024 * 1024 };

static bool is_mapped(size_t size)
{
	return size >= MAPPED;
}

bool maui_bulk_is_zeroed(size_t size)
{
	return is_mapped(size);
}

static void *map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Whole pages from `from` up to before `to`. */
static void unmap(uintptr_t from, uintptr_t to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	from = (from + page - 1) & ~(page - 1);
	to = (to + page - 1) & ~(page - 1);
	if (from < to)
		munmap((void *)from, to - from);
}

/* The kernel has huge pages only for memory that begins and ends with one. It may have none. */
static void *map_huge(size_t size)
{
	char *at = size <= SIZE_MAX - HUGE_PAGE ? map(size + HUGE_PAGE) : NULL;
	char *aligned = at + (HUGE_PAGE - (uintptr_t)at % HUGE_PAGE) % HUGE_PAGE;

	if (!at)
		return NULL;
	unmap((uintptr_t)at, (uintptr_t)aligned);
	unmap((uintptr_t)aligned + size, (uintptr_t)at + size + HUGE_PAGE);
	madvise(aligned, size, MADV_HUGEPAGE);
	return aligned;
}

void *maui_bulk_alloc(size_t size)
{
	if (!is_mapped(size))
		return malloc(size > 0 ? size : 1);
	return size >= HUGE_PAGE ? map_huge(size) : map(size);
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
