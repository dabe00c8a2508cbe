/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.c - knows which memory is slurm-maui's, in place of the C library's malloc()
 *
 * A process that dies gives all its memory back; here its blocks are freed. A process that ends
 * frees all of them itself, or leaks. With a sanitizer, which has its own malloc(), nothing is
 * known.
 */

#include "world.h"

#include <errno.h>
#include <stdlib.h>

static bool inside;

bool world_memory_enter(void)
{
	bool before = inside;

	inside = true;
	return before;
}

bool world_memory_out(void)
{
	bool before = inside;

	inside = false;
	return before;
}

void world_memory_leave(bool before)
{
	inside = before;
}

static const char *library_from, *library_to;
static unsigned calls_before, failing;

void world_memory_library(const char *from, const char *to)
{
	library_from = from;
	library_to = to;
}

void world_memory_fail(unsigned after, unsigned count)
{
	calls_before = after;
	failing = count;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

void world_memory_begin(void)
{
}
void world_memory_drop(void)
{
}
size_t world_memory_used(void)
{
	return 0;
}

#else

/* Before each block; the block has the alignment of the header. */
struct header {
	struct header *next, *before; /* of slurm-maui's blocks; NULL: it is not */
	void *start;                  /* of the piece of the C library's */
	size_t size;
};

static struct header blocks = { .next = &blocks, .before = &blocks };
static size_t used;

void *__libc_malloc(size_t size);
void __libc_free(void *block);

static void *add_header(char *piece, size_t skipped, size_t size)
{
	struct header *header = (struct header *)(piece + skipped) - 1;

	*header = (struct header){ .start = piece, .size = size };
	if (inside) {
		header->next = blocks.next;
		header->before = &blocks;
		header->next->before = header->before->next = header;
		used += size;
	}
	return header + 1;
}

static void *allocate(size_t size, size_t alignment)
{
	size_t room = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
	char *piece;
	size_t skipped;

	if (size > SIZE_MAX / 4 || !(piece = __libc_malloc(size + room + alignment))) {
		errno = ENOMEM;
		return NULL;
	}
	skipped = room + alignment - ((uintptr_t)piece + room) % alignment;
	if (alignment <= 16)
		skipped = room;
	return add_header(piece, skipped, size);
}

/* Whether this call finds no memory. Slurm's own xmalloc() would end slurmctld, so only calls of
 * the library itself fail; `caller` is where the call returns to. */
static bool fails(const char *caller)
{
	if (failing == 0 || !inside || caller < library_from || caller >= library_to)
		return false;
	if (calls_before > 0) {
		calls_before--;
		return false;
	}
	failing--;
	errno = ENOMEM;
	world.starved++;
	return true;
}

#define FAILS() fails(__builtin_return_address(0))

void *malloc(size_t size)
{
	return FAILS() ? NULL : allocate(size, 16);
}

void free(void *block)
{
	struct header *header;

	if (!block)
		return;
	header = (struct header *)block - 1;
	if (header->next) {
		header->next->before = header->before;
		header->before->next = header->next;
		used -= header->size;
	}
	__libc_free(header->start);
}

void *calloc(size_t count, size_t size)
{
	size_t all;
	void *block;

	if (FAILS() || __builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	block = allocate(all, 16);
	return block ? memset(block, 0, all) : NULL;
}

static void *resize(void *block, size_t size)
{
	const struct header *header;
	bool before = inside;
	void *moved;

	if (!block)
		return allocate(size, 16);
	header = (struct header *)block - 1;
	inside = header->next != NULL;
	moved = allocate(size, 16);
	inside = before;
	if (!moved)
		return NULL;
	memcpy(moved, block, size < header->size ? size : header->size);
	free(block);
	return moved;
}

void *realloc(void *block, size_t size)
{
	return FAILS() ? NULL : resize(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
	size_t all;

	if (FAILS() || __builtin_mul_overflow(count, size, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return resize(block, all);
}

char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = FAILS() ? NULL : allocate(size, 16);

	return copy ? memcpy(copy, text, size) : NULL;
}

int posix_memalign(void **ret, size_t alignment, size_t size)
{
	*ret = allocate(size, alignment);
	return *ret ? 0 : ENOMEM;
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return allocate(size, alignment);
}

void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
	return allocate(size, alignment);
}

size_t world_memory_used(void)
{
	return used;
}

void world_memory_begin(void)
{
	for (const struct header *left = blocks.next; left != &blocks; left = left->next)
		fprintf(stderr, "world: %zu bytes: %.*s\n", left->size,
			(int)strnlen((const char *)(left + 1), left->size < 60 ? left->size : 60),
			(const char *)(left + 1));
	if (used != 0)
		world_fault("slurm-maui ended and left %zu bytes of memory", used);
}

void world_memory_drop(void)
{
	while (blocks.next != &blocks)
		free(blocks.next + 1);
}

#endif
