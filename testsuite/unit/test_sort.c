/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sort.c - many numbers in ascending order */
#include "base/sort.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 42;

static uint64_t pick(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed ^ seed >> 29;
}

static int ascending(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;

	return (one > two) - (one < two);
}

/* Masks leave bytes that are alike in all, one of them, or none. */
Test(sort, like_qsort)
{
	static const uint64_t masks[] = {
		~UINT64_C(0), 0xff, 0xff00, UINT64_C(0xff) << 56, 0, UINT64_C(0xffffffff00000000),
		0x0f0f,       1
	};

	for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++)
		for (size_t count = 0; count < 3000; count = count * 3 + 1) {
			uint64_t *list = malloc(count * sizeof(*list) + 1);
			uint64_t *expected = malloc(count * sizeof(*list) + 1);

			cr_assert(list && expected);
			for (size_t i = 0; i < count; i++)
				expected[i] = list[i] = pick() & masks[m];
			qsort(expected, count, sizeof(*expected), ascending);
			cr_assert(maui_sort_u64(list, count) == 0);
			cr_expect(memcmp(list, expected, count * sizeof(*list)) == 0,
				  "mask %zu, %zu numbers", m, count);
			free(list);
			free(expected);
		}
}

Test(sort, edges)
{
	uint64_t list[] = { UINT64_MAX, 0, 1, UINT64_MAX - 1, UINT64_C(1) << 63, 0 };
	static const uint64_t expected[] = {
		0, 0, 1, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX
	};

	cr_assert(maui_sort_u64(list, 6) == 0);
	cr_expect(memcmp(list, expected, sizeof(list)) == 0);
	cr_expect(maui_sort_u64(list, 0) == 0);
	cr_expect(maui_sort_u64(list, 1) == 0 && list[0] == 0);
}

Test(sort, one_of_equal_ones)
{
	uint64_t list[] = { 7, UINT64_MAX, 7, 0, 3, 0, UINT64_MAX };
	static const uint64_t expected[] = { 0, 3, 7, UINT64_MAX };
	size_t count = 7, none = 0;

	cr_assert(maui_sort_unique_u64(list, &count) == 0);
	cr_expect(count == 4 && memcmp(list, expected, sizeof(expected)) == 0);
	cr_expect(maui_sort_unique_u64(NULL, &none) == 0 && none == 0);
}
