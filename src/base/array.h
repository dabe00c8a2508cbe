/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - grows a plain array by one element */
#ifndef MAUI_BASE_ARRAY_H
#define MAUI_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for element number `count` (from 0) of an array of `alloc` elements of `size` bytes.
 * Returns the array, moved or not, with *alloc updated; NULL without memory (the old one is kept).
 *   struct x *grown = maui_array_grow(a->list, a->count, &a->alloc, sizeof(*grown)); */
void *maui_array_grow(void *array, size_t count, size_t *alloc, size_t size);

/* The number of elements that the grown array would have room for; `alloc` when that is enough;
 * 0: too many. */
size_t maui_array_room(size_t count, size_t alloc);

#endif
