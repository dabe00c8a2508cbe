/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.c - room for one more element in a plain array */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_ALLOC 16

void *maui_array_grow(void *array, size_t count, size_t *alloc, size_t size)
{
	size_t wanted = *alloc ? *alloc : FIRST_ALLOC;
	void *grown;

	if (array && count < *alloc)
		return array;
	while (wanted <= count) {
		if (wanted > SIZE_MAX / 2)
			return NULL;
		wanted *= 2;
	}
	grown = reallocarray(array, wanted, size);
	if (grown)
		*alloc = wanted;
	return grown;
}
