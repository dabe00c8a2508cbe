/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steps.h - lists of elements that are each in force from one moment to the next
 *
 * An element has any size, and begins with an int64_t: the moment from which it is in force. The
 * moments ascend, and the first element is in force before its moment, too.
 */
#ifndef MAUI_BASE_STEPS_H
#define MAUI_BASE_STEPS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/search.h"

static inline int64_t maui_steps_moment(const void *list, size_t size, uint32_t index)
{
	return *(const int64_t *)(const void *)((const char *)list + index * size);
}

static inline bool maui_steps_begins_by(const void *element, const void *when)
{
	return *(const int64_t *)element <= *(const int64_t *)when;
}

/* The index of the element in force at `when`. The list is not empty. */
static inline uint32_t maui_steps_find(const void *list, uint32_t count, size_t size, int64_t when)
{
	size_t after = maui_lower_bound(list, count, size, maui_steps_begins_by, &when);

	return after > 0 ? (uint32_t)after - 1 : 0;
}

/* Makes an element begin at `when`, by copying element `at`, which is in force then. Returns its
 * index. The caller has reserved the room. */
static inline uint32_t maui_steps_cut(void *list, uint32_t *count, size_t size, uint32_t at,
				      int64_t when)
{
	char *step = (char *)list + at * size;

	if (maui_steps_moment(list, size, at) == when)
		return at;
	memmove(step + size, step, (*count - at) * size);
	*(int64_t *)(void *)(step + size) = when;
	(*count)++;
	return at + 1;
}

#endif
