/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.h - the binary searches of this project, in lists and among numbers
 *
 * bsearch() finds an element with exactly this key. maui_lower_bound() also says where a missing
 * element belongs, and finds the first of several equal ones. It is inline, so that the compiler
 * can inline the comparison, too.
 */
#ifndef MAUI_BASE_SEARCH_H
#define MAUI_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether an element lies before the key. */
typedef bool (*maui_before_fn)(const void *element, const void *key);

/* The index of the first element that does not lie before the key; `count` when all do. The list
 * is ascending; `size`: bytes of an element. */
static inline size_t maui_lower_bound(const void *list, size_t count, size_t size,
				      maui_before_fn is_before, const void *key)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before((const char *)list + middle * size, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether the number is one of those that are searched for. */
typedef bool (*maui_holds_fn)(void *data, int64_t number);

/* The last number of those for which `holds` is true, which come before all others: `low` is one of
 * them, and `high` is not. Neither is asked about. */
static inline int64_t maui_last_that_holds(int64_t low, int64_t high, maui_holds_fn holds,
					   void *data)
{
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (holds(data, middle))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* For lists of uint32_t. */
static inline bool maui_before_u32(const void *element, const void *key)
{
	return *(const uint32_t *)element < *(const uint32_t *)key;
}

#endif
