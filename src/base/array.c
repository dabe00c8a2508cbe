/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.c - grows a plain array by one element */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_ALLOC 16

size_t maui_array_room(size_t count, size_t alloc)
{
	size_t room = alloc ? alloc : FIRST_ALLOC;

	while (room <= count) {
		if (room > SIZE_MAX / 2)
			return 0;
		room *= 2;
	}
	return room;
}

void *maui_array_grow(void *array, size_t count, size_t *alloc, size_t size)
{
	size_t room;
	void *grown;

	if (array && count < *alloc)
		return array;
	room = maui_array_room(count, *alloc);
	grown = room > 0 ? reallocarray(array, room, size) : NULL;
	if (grown)
		*alloc = room;
	return grown;
}
