/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bulk.h - memory for much at once, which is the kernel's again as soon as it is given back
 *
 * From malloc() it would stay with the process, which has other tenants: a thread's own heap keeps
 * the most it ever had. What is small comes from malloc() all the same. Whoever gives it back has
 * to know its size.
 */
#ifndef MAUI_BASE_BULK_H
#define MAUI_BASE_BULK_H

#include <stddef.h>

/* Not zeroed, aligned for any type; NULL without memory. */
void *maui_bulk_alloc(size_t size);
void maui_bulk_free(void *at, size_t size); /* NULL is fine */

/* maui_array_grow() of such memory, to be freed with *alloc * size. */
void *maui_bulk_grow(void *array, size_t count, size_t *alloc, size_t size);

#endif
