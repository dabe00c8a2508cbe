/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bulk.h - large pieces of memory, which return to the kernel as soon as they are freed
 *
 * Freed memory from malloc() would stay with slurmctld's process, because the heap of a thread
 * keeps the most that it ever had. Small pieces still come from malloc(). The caller has to know
 * the size when it frees.
 */
#ifndef MAUI_BASE_BULK_H
#define MAUI_BASE_BULK_H

#include <stdbool.h>
#include <stddef.h>

/* Aligned for any type; NULL without memory. */
void *maui_bulk_alloc(size_t size);
/* Whether a new piece of this size is zeroed: what the kernel gives is. */
bool maui_bulk_is_zeroed(size_t size);
void maui_bulk_free(void *at, size_t size); /* NULL is fine */

/* maui_array_grow() for such memory; free it with *alloc * size. */
void *maui_bulk_grow(void *array, size_t count, size_t *alloc, size_t size);

#endif
