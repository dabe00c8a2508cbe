/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.c - radix sort by bytes, from the lowest: each pass is stable, so the last decides first */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = sizeof(uint64_t), VALUES = 256 };

static unsigned byte_of(uint64_t value, unsigned byte)
{
	return (unsigned)(value >> (8 * byte)) & (VALUES - 1);
}

/* How often each value of each byte occurs. */
static void count_bytes(const uint64_t *list, size_t count, size_t counts[BYTES][VALUES])
{
	memset(counts, 0, sizeof(size_t) * BYTES * VALUES);
	for (size_t i = 0; i < count; i++)
		for (unsigned byte = 0; byte < BYTES; byte++)
			counts[byte][byte_of(list[i], byte)]++;
}

/* One pass. False, with nothing done, when all have the same byte there. */
static bool move(const uint64_t *from, uint64_t *to, size_t count, unsigned byte, size_t *counts)
{
	size_t at = 0;

	if (counts[byte_of(from[0], byte)] == count)
		return false;
	for (unsigned value = 0; value < VALUES; value++) {
		size_t next = at + counts[value];

		counts[value] = at; /* from now on: where the next of this value goes */
		at = next;
	}
	for (size_t i = 0; i < count; i++)
		to[counts[byte_of(from[i], byte)]++] = from[i];
	return true;
}

int maui_sort_u64(uint64_t *list, size_t count)
{
	size_t counts[BYTES][VALUES];
	uint64_t *spare, *from = list, *to;

	if (count < 2)
		return 0;
	spare = to = reallocarray(NULL, count, sizeof(*spare));
	if (!spare)
		return -1;
	count_bytes(list, count, counts);
	for (unsigned byte = 0; byte < BYTES; byte++)
		if (move(from, to, count, byte, counts[byte])) {
			uint64_t *other = from;

			from = to;
			to = other;
		}
	if (from != list)
		memcpy(list, from, count * sizeof(*list));
	free(spare);
	return 0;
}

int maui_sort_unique_u64(uint64_t *list, size_t *count)
{
	size_t kept = 0;

	if (maui_sort_u64(list, *count))
		return -1;
	for (size_t i = 0; i < *count; i++)
		if (i == 0 || list[i] != list[kept - 1])
			list[kept++] = list[i];
	*count = kept;
	return 0;
}

int maui_sort_by_u32(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}
