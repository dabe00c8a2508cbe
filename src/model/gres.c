/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - generic resources that a job requests on each node */

#include "model/gres.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000000 };

static bool is_cap(const struct maui_snapshot *s, unsigned dimension)
{
	for (uint32_t i = 0; i < s->partition_count; i++)
		if (s->partitions[i].cap_amount == dimension)
			return true;
	return false;
}

const char *maui_gres_name(const struct maui_snapshot *s, unsigned dimension)
{
	if (dimension < MAUI_AMOUNT_FIXED || dimension >= s->amount_count || !s->amount_names ||
	    (s->global && s->global[dimension] > 0) || is_cap(s, dimension))
		return NULL;
	return s->amount_names[dimension];
}

/* The dimension with this name. 0: none. */
static unsigned find(const struct maui_snapshot *s, const char *name, size_t length)
{
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++) {
		const char *known = maui_gres_name(s, d);

		if (known && strncmp(known, name, length) == 0 && !known[length])
			return d;
	}
	return 0;
}

/* The count behind the last colon, which is at the returned length; without one it is 1. */
static size_t take_count(const char *item, size_t length, int64_t *ret)
{
	size_t digits = 0;
	long long count;

	*ret = 1;
	while (digits < length && isdigit((unsigned char)item[length - 1 - digits]))
		digits++;
	if (digits == 0 || digits == length || item[length - 1 - digits] != ':')
		return length;
	count = strtoll(item + length - digits, NULL, 10);
	*ret = count > MOST ? MOST : count;
	return length - digits - 1;
}

/* One of the list: NAME[:TYPE][:COUNT]. */
static int add_item(const struct maui_snapshot *s, const char *item, size_t length,
		    int64_t *per_node, struct maui_err *err)
{
	int64_t count;
	size_t named = take_count(item, length, &count);
	const char *colon = memchr(item, ':', named);
	unsigned typed = find(s, item, named);
	unsigned name = colon ? find(s, item, (size_t)(colon - item)) : typed;

	if (named == 0 || !typed || !name)
		return maui_err_set(err, "no node has the generic resource '%.*s'",
				    named < 64 ? (int)named : 64, item);
	per_node[typed] += count;
	if (name != typed)
		per_node[name] += count;
	return 0;
}

int maui_gres_add(const struct maui_snapshot *s, const char *text, int64_t *per_node,
		  struct maui_err *err)
{
	if (!text)
		return 0;
	while (*text) {
		size_t length = strcspn(text, ",");

		if (add_item(s, text, length, per_node, err))
			return -1;
		text += length;
		if (*text == ',' && !*++text)
			return maui_err_set(err, "the list of generic resources ends with a comma");
	}
	return 0;
}

int maui_gres_add_total(const struct maui_snapshot *s, const char *text, uint64_t tasks,
			uint32_t nodes, int64_t *per_node, int64_t *per_task, struct maui_err *err)
{
	int64_t total[s->amount_count];

	memset(total, 0, sizeof(total));
	if (maui_gres_add(s, text, total, err))
		return -1;
	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++) {
		if (tasks > 1 && (uint64_t)total[d] % tasks == 0)
			per_task[d] += total[d] / (int64_t)tasks;
		else
			per_node[d] += total[d] / nodes + (total[d] % nodes != 0);
	}
	return 0;
}
