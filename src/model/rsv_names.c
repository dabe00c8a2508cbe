/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_names.c - which reservations a name may mean, found in a sorted list (RSV-16) */

#include "model/rsv_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
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

struct prefix {
	const char *text;
	size_t length;
};

static bool is_before(const void *element, const void *key)
{
	const struct prefix *prefix = key;

	return strncmp(((const struct maui_rsv_name *)element)->name, prefix->text,
		       prefix->length) < 0;
}

/* Index of the first name that is not less than the `length` bytes. */
static size_t lower_bound(const struct maui_rsv_names *names, const char *text, size_t length)
{
	const struct prefix prefix = { text, length };

	return maui_lower_bound(names->list, names->count, sizeof(*names->list), is_before,
				&prefix);
}

static int64_t place_of(const struct maui_rsv_names *names, const char *text, size_t length)
{
	size_t at = lower_bound(names, text, length);

	if (at >= names->count || strncmp(names->list[at].name, text, length) != 0 ||
	    names->list[at].name[length])
		return -1;
	return (int64_t)names->list[at].place;
}

int64_t maui_rsv_names_place(const struct maui_rsv_names *names, const char *text)
{
	return place_of(names, text, strlen(text));
}

/* Adds a place to an ascending list without duplicates; returns its length. */
static size_t add_place(size_t *list, size_t count, int64_t place)
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

/* Adds the reservation whose instance has this name: "biz.12" by its number. After the prefix of a
 * mirror, by its day or by 0. */
static size_t add_numbered(const struct maui_rsv_names *names, const char *text, bool mirror,
			   size_t *list, size_t count)
{
	const char *dot = strrchr(text, '.');
	int64_t number;

	if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")] != '\0')
		return count;
	number = strtoll(dot + 1, NULL, 10);
	if (maui_rsv_is_day(number) ? !mirror : mirror && number != 0)
		return count;
	return add_place(list, count, place_of(names, text, (size_t)(dot - text)));
}

size_t maui_rsv_names_meant(const struct maui_rsv_names *names, const char *text,
			    size_t ret[MAUI_RSV_FORMS])
{
	const size_t prefix = strlen(MAUI_MIRROR_PREFIX);
	size_t count = add_place(ret, 0, maui_rsv_names_place(names, text));

	count = add_numbered(names, text, false, ret, count);
	if (strncmp(text, MAUI_MIRROR_PREFIX, prefix) == 0)
		count = add_numbered(names, text + prefix, true, ret, count);
	return count;
}
