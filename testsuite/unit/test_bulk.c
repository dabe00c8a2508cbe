/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_bulk.c - large memory returns to the kernel when it is freed */
#include "base/bulk.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

static const size_t sizes[] = {
	0,       1,       4096,    256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1,
	5000000, 2097151, 2097152, 2097153,        4194304,    4194305
};

TEST_ROWS(bulk, alloc, sizes, size)
{
	unsigned char *at = maui_bulk_alloc(*size);

	cr_assert(at != NULL, "%zu", *size);
	cr_expect((uintptr_t)at % alignof(max_align_t) == 0, "%zu", *size);
	for (size_t i = 0; i < *size && maui_bulk_is_zeroed(*size); i++)
		cr_assert(at[i] == 0, "%zu: byte %zu", *size, i);
	memset(at, 0xee, *size);
	maui_bulk_free(at, *size);
	maui_bulk_free(NULL, *size);
}

/* Of the whole process. */
static long mapped_pages(void)
{
	long pages = -1;
	FILE *statm = fopen("/proc/self/statm", "r");

	if (statm && fscanf(statm, "%ld", &pages) != 1)
		pages = -1;
	if (statm)
		fclose(statm);
	return pages;
}

/* Of memory that is mapped no page stays, whatever its alignment was. */
Test(bulk, unmaps)
{
	enum { PIECES = 50, FIRST = 1500000, STEP = 70001 };
	void *pieces[PIECES];
	long before;

	mapped_pages(); /* stdio's own memory */
	before = mapped_pages();
	for (size_t i = 0; i < PIECES; i++) {
		pieces[i] = maui_bulk_alloc(FIRST + i * STEP);
		cr_assert(pieces[i] != NULL);
	}
	for (size_t i = 0; i < PIECES; i++)
		maui_bulk_free(pieces[i], FIRST + i * STEP);
	cr_expect(mapped_pages() == before, "%ld, %ld", mapped_pages(), before);
}

/* All elements stay while the array grows from malloc()'s memory to its own pages. */
Test(bulk, grow)
{
	enum { COUNT = 200000 };
	size_t alloc = 0;
	uint64_t *list = NULL;

	for (size_t i = 0; i < COUNT; i++) {
		size_t before = alloc;
		uint64_t *grown = maui_bulk_grow(list, i, &alloc, sizeof(*list));

		cr_assert(grown != NULL && alloc > i, "%zu of %zu", i, alloc);
		cr_assert(i >= before || (grown == list && alloc == before), "%zu: had room", i);
		list = grown;
		list[i] = i * i;
	}
	for (uint64_t i = 0; i < COUNT; i++)
		cr_assert(list[i] == i * i, "element %zu", (size_t)i);
	maui_bulk_free(list, alloc * sizeof(*list));
}

/* The heap of malloc() hardly grows. In a process that has run for long malloc() would give
 * nothing back to the kernel. */
Test(bulk, leaves_nothing)
{
	enum { COUNT = 200000, LONG_RUN = 32 * 1024 * 1024 };
	struct mallinfo2 before, after;
	size_t alloc = 0;
	uint64_t *list = NULL;

	mallopt(M_MMAP_THRESHOLD, LONG_RUN);
	mallopt(M_TRIM_THRESHOLD, 2 * LONG_RUN);
	before = mallinfo2();
	for (size_t i = 0; i < COUNT; i++)
		list = maui_bulk_grow(list, i, &alloc, sizeof(*list));
	maui_bulk_free(list, alloc * sizeof(*list));
	after = mallinfo2();
	cr_expect(after.arena - before.arena <= 512 * 1024, "%zu KiB", after.arena / 1024);
	cr_expect(after.hblkhd == before.hblkhd);
}

static const size_t too_many[] = { SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 16, SIZE_MAX / 1024 };

/* A size that is too large is refused, and the present memory stays. */
TEST_ROWS(bulk, no_memory, too_many, count)
{
	size_t alloc = 0;
	uint64_t *list = maui_bulk_grow(NULL, 0, &alloc, sizeof(*list));
	size_t had = alloc;

	cr_assert(list != NULL);
	list[0] = 7;
	cr_expect(maui_bulk_grow(list, *count, &alloc, sizeof(*list)) == NULL, "%zu", *count);
	cr_expect(alloc == had && list[0] == 7, "%zu", *count);
	list = maui_bulk_grow(list, 100000, &alloc, sizeof(*list));
	had = alloc;
	cr_assert(list && list[0] == 7);
	cr_expect(maui_bulk_grow(list, *count, &alloc, sizeof(*list)) == NULL, "%zu", *count);
	cr_expect(alloc == had && list[0] == 7, "%zu, of pages", *count);
	maui_bulk_free(list, alloc * sizeof(*list));
}
