/* SPDX-License-Identifier: GPL-2.0-or-later */
/* members.h - lists of members of a struct, for tests that change each byte of it */
#ifndef MAUI_TESTSUITE_MEMBERS_H
#define MAUI_TESTSUITE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>

struct member {
	const char *name;
	size_t offset, size;
};

/* For lists of MEMBER_OF(struct, member): an entry, and a comma. */
#define MEMBER_OF(type, member) { #member, offsetof(type, member), sizeof(((type *)0)->member) },

#define COUNT(list)             (sizeof(list) / sizeof(*(list)))

/* Whether the byte at the offset belongs to a member of the list. */
#define IS_IN(offset, list) is_in_members(offset, list, COUNT(list))

static inline bool is_in_members(size_t offset, const struct member *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (offset >= list[i].offset && offset < list[i].offset + list[i].size)
			return true;
	return false;
}

/* Changes of a byte: its lowest bit, its highest, and all. */
static const unsigned char byte_changes[] = { 0x01, 0x80, 0xff };

#endif
