/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sort.h - comparisons for qsort() and bsearch(), and lists without repetition */
#ifndef MAUI_BASE_SORT_H
#define MAUI_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending. */
int maui_sort_by_u32(const void *a, const void *b);
int maui_sort_by_u64(const void *a, const void *b);
int maui_sort_by_i64(const void *a, const void *b);
int maui_sort_by_text(const void *a, const void *b); /* of a list of texts, by strcmp() */

/* Sorts the list and removes duplicates. Returns how many numbers remain. */
size_t maui_sort_unique_u64(uint64_t *list, size_t count);

#endif
