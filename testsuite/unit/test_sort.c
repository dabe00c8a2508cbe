/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sort.c - sorted lists without duplicates */
#include "base/sort.h"

#include <criterion/criterion.h>
#include <string.h>

Test(sort, one_of_equal_ones)
{
	uint64_t list[] = { 7, UINT64_MAX, 7, 0, 3, 0, UINT64_MAX };
	static const uint64_t expected[] = { 0, 3, 7, UINT64_MAX };
	size_t count = 7;

	count = maui_sort_unique_u64(list, count);
	cr_expect(count == 4 && memcmp(list, expected, sizeof(expected)) == 0);
	cr_expect(maui_sort_unique_u64(NULL, 0) == 0);
}
