/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.c - comparisons, and lists without repetition */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

int maui_sort_by_u32(const void *a, const void *b)
{
	const uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return (one > two) - (one < two);
}

int maui_sort_by_u64(const void *a, const void *b)
{
	const uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;

	return (one > two) - (one < two);
}

int maui_sort_by_i64(const void *a, const void *b)
{
	const int64_t one = *(const int64_t *)a, two = *(const int64_t *)b;

	return (one > two) - (one < two);
}

int maui_sort_by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

size_t maui_sort_unique_u64(uint64_t *list, size_t count)
{
	size_t kept = 0;

	if (count > 1)
		qsort(list, count, sizeof(*list), maui_sort_by_u64);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || list[i] != list[kept - 1])
			list[kept++] = list[i];
	return kept;
}
