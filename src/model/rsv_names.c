/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_names.c - which reservations a name may mean, without asking all of them */

#include "model/rsv_names.h"

#include <stdlib.h>
#include <string.h>

#include "model/mirror.h"
#include "model/rsv.h"

static int by_name(const void *a, const void *b)
{
	const struct maui_rsv_name *one = a, *two = b;

	return strcmp(one->name, two->name);
}

int maui_rsv_names_make(struct maui_rsv_names *ret, const char *const *names, size_t count)
{
	*ret = (struct maui_rsv_names){ .list = calloc(count + 1, sizeof(*ret->list)) };
	if (!ret->list)
		return -1;
	for (; ret->count < count; ret->count++)
		ret->list[ret->count] = (struct maui_rsv_name){ names[ret->count], ret->count };
	qsort(ret->list, count, sizeof(*ret->list), by_name);
	return 0;
}

void maui_rsv_names_finish(struct maui_rsv_names *names)
{
	free(names->list);
	*names = (struct maui_rsv_names){ 0 };
}

/* Where the first name is that is not before the `length` bytes and what follows them, '\0' or
 * '.'. */
static size_t first_from(const struct maui_rsv_names *names, const char *text, size_t length,
			 char next)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *name = names->list[middle].name;
		int order = strncmp(name, text, length);

		if (order < 0 || (order == 0 && (unsigned char)name[length] < (unsigned char)next))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t place_of(const struct maui_rsv_names *names, const char *text, size_t length)
{
	size_t at = first_from(names, text, length, '\0');

	if (at >= names->count || strncmp(names->list[at].name, text, length) != 0 ||
	    names->list[at].name[length])
		return -1;
	return (int64_t)names->list[at].place;
}

int64_t maui_rsv_names_place(const struct maui_rsv_names *names, const char *text)
{
	return place_of(names, text, strlen(text));
}

/* Ascending, each once. */
static size_t add(size_t *list, size_t count, int64_t place)
{
	size_t at = count;

	for (size_t i = 0; i < count; i++)
		if ((int64_t)list[i] == place)
			return count;
	if (place < 0)
		return count;
	for (; at > 0 && (int64_t)list[at - 1] > place; at--)
		list[at] = list[at - 1];
	list[at] = (size_t)place;
	return count + 1;
}

size_t maui_rsv_names_meant(const struct maui_rsv_names *names, const char *text,
			    size_t ret[MAUI_RSV_FORMS])
{
	const size_t prefix = strlen(MAUI_MIRROR_PREFIX);
	size_t count = 0;

	for (bool whole = true;; whole = false, text += prefix) {
		size_t length = strlen(text), digits = 0;

		while (digits < length && text[length - digits - 1] >= '0' &&
		       text[length - digits - 1] <= '9')
			digits++;
		count = add(ret, count, place_of(names, text, length));
		if (digits > 0 && digits < length && text[length - digits - 1] == '.')
			count = add(ret, count, place_of(names, text, length - digits - 1));
		if (!whole || strncmp(text, MAUI_MIRROR_PREFIX, prefix) != 0 || !text[prefix])
			return count;
	}
}

unsigned maui_rsv_names_numbered(const struct maui_rsv_names *names, const char *text,
				 size_t *ret_place)
{
	size_t length = strlen(text);
	unsigned found = 0;

	for (size_t i = first_from(names, text, length, '.'); i < names->count && found < 2; i++) {
		const char *name = names->list[i].name;

		if (strncmp(name, text, length) != 0 || name[length] != '.')
			break;
		if (!maui_rsv_is_numbered(text, name, strlen(name)))
			continue;
		if (found++ == 0)
			*ret_place = names->list[i].place;
	}
	return found;
}
