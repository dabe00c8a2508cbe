/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gres.c - generic resources that a job requests on each node */

#include "model/gres.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* One of the list, NAME[:TYPE][:COUNT]: its dimension, that of its name, and the count. */
static int read_item(const struct maui_snapshot *s, const char *item, size_t length,
		     unsigned *ret_typed, unsigned *ret_name, int64_t *ret_count,
		     struct maui_err *err)
{
	size_t named = take_count(item, length, ret_count);
	const char *colon = memchr(item, ':', named);

	*ret_typed = find(s, item, named);
	*ret_name = colon ? find(s, item, (size_t)(colon - item)) : *ret_typed;
	if (named == 0 || !*ret_typed || !*ret_name)
		return maui_err_set(err, "no node has the generic resource '%.*s'",
				    named < 64 ? (int)named : 64, item);
	return 0;
}

int maui_gres_add(const struct maui_snapshot *s, const char *text, int64_t *per_node,
		  struct maui_err *err)
{
	int64_t counts[s->amount_count];
	unsigned names[s->amount_count], typed, name;

	memset(counts, 0, sizeof(counts));
	if (!text || strcasecmp(text, "none") == 0)
		return 0;
	while (*text) {
		size_t length = strcspn(text, ",");
		int64_t count;

		if (read_item(s, text, length, &typed, &name, &count, err))
			return -1;
		counts[typed] = count;
		names[typed] = name;
		text += length;
		if (*text == ',' && !*++text)
			return maui_err_set(err, "the list of generic resources ends with a comma");
	}
	for (unsigned d = 0; d < s->amount_count; d++) {
		per_node[d] += counts[d];
		if (counts[d] > 0 && names[d] != d)
			per_node[names[d]] += counts[d];
	}
	return 0;
}

struct maui_gres_share maui_gres_deal(uint64_t count, uint64_t most, uint64_t tasks,
				      uint32_t nodes_min, uint32_t nodes_max)
{
	struct maui_gres_share ret = { .nodes_min = nodes_min };
	uint64_t nodes = nodes_min;

	if (tasks > 1 && count % tasks == 0 && count / tasks <= most) {
		ret.by_task = count / tasks;
		return ret;
	}
	if (most > 0 && count / most + (count % most != 0) > nodes)
		nodes = count / most + (count % most != 0);
	if (nodes_max && nodes > nodes_max)
		nodes = nodes_max;
	if (nodes > UINT32_MAX)
		nodes = UINT32_MAX;
	if (nodes > nodes_min)
		ret.nodes_min = (uint32_t)nodes;
	if (nodes == 0)
		nodes = 1;
	ret.by_node = count / nodes + (count % nodes != 0);
	return ret;
}

void maui_gres_deal_all(const struct maui_snapshot *s, uint32_t partition, const int64_t *counts,
			struct maui_request *request, int64_t *per_node, int64_t *per_task)
{
	const int64_t *most = s->partitions[partition].most;

	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count; d++) {
		struct maui_gres_share share;

		if (counts[d] == 0)
			continue;
		share = maui_gres_deal((uint64_t)counts[d], (uint64_t)most[d], request->tasks,
				       request->nodes_min, request->nodes_max);
		request->nodes_min = share.nodes_min;
		request->gres_dealt = true;
		per_node[d] += (int64_t)share.by_node;
		per_task[d] += (int64_t)share.by_task;
	}
}
