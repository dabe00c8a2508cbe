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

bool maui_gres_is_type_of(const char *type, const char *name)
{
	size_t length = strlen(name);

	return strncmp(type, name, length) == 0 && type[length] == ':';
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

/* What a list asks for of one dimension. */
struct asked {
	int64_t count;
	unsigned name; /* the dimension of the name without the type */
};

/* The last item of a dimension counts. */
static int read_list(const struct maui_snapshot *s, const char *text, struct asked *ret,
		     struct maui_err *err)
{
	while (*text) {
		size_t length = strcspn(text, ",");
		struct asked item;
		unsigned typed;

		if (read_item(s, text, length, &typed, &item.name, &item.count, err))
			return -1;
		ret[typed] = item;
		text += length;
		if (*text == ',' && !*++text)
			return maui_err_set(err, "the list of generic resources ends with a comma");
	}
	return 0;
}

int maui_gres_add(const struct maui_snapshot *s, const char *text, int64_t *per_node,
		  struct maui_err *err)
{
	struct asked *asked;
	int rc;

	if (!text || strcasecmp(text, "none") == 0)
		return 0;
	asked = calloc(s->amount_count, sizeof(*asked));
	rc = asked ? read_list(s, text, asked, err) : maui_err_no_memory(err);
	for (unsigned d = 0; d < s->amount_count && rc == 0; d++) {
		per_node[d] += asked[d].count;
		if (asked[d].count > 0 && asked[d].name != d)
			per_node[asked[d].name] += asked[d].count;
	}
	free(asked);
	return rc;
}

/* What a node can give to one job. */
static uint64_t most_of(const struct maui_snapshot *s, const struct maui_node *node,
			unsigned dimension, struct maui_gres_along along)
{
	uint64_t most = (uint64_t)node->have[dimension], limit;

	if (along.procs > 0) {
		limit = (uint64_t)node->have[MAUI_AMOUNT_PROCS] / along.procs;
		most = limit < most ? limit : most;
	}
	if (along.memory > 0 && s->amount_count > MAUI_AMOUNT_MEM) {
		limit = (uint64_t)node->have[MAUI_AMOUNT_MEM] / along.memory;
		most = limit < most ? limit : most;
	}
	return most;
}

static int by_most(const void *a, const void *b)
{
	const struct maui_gres_step *one = a, *two = b;

	return (one->each < two->each) - (one->each > two->each);
}

int maui_gres_supply(const struct maui_snapshot *s, uint32_t partition, unsigned dimension,
		     struct maui_gres_along along, struct maui_arena *arena,
		     struct maui_gres_supply *ret)
{
	struct maui_gres_step *steps =
		maui_arena_alloc(arena, (s->class_count + 1u) * sizeof(*steps));
	uint32_t listed = 0, count = 0;

	if (!steps)
		return -1;
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *node = &s->nodes[s->classes[c].sample];
		uint64_t most = most_of(s, node, dimension, along);

		if (most > 0 && maui_node_is_in(node, partition))
			steps[listed++] = (struct maui_gres_step){ most, s->classes[c].count };
	}
	qsort(steps, listed, sizeof(*steps), by_most);
	for (uint32_t i = 0; i < listed; i++) {
		if (count > 0 && steps[count - 1].each == steps[i].each)
			steps[count - 1].nodes += steps[i].nodes;
		else
			steps[count++] = steps[i];
	}
	*ret = (struct maui_gres_supply){ steps, count };
	return 0;
}

static uint64_t ratio_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

/* How many of the largest nodes have the count together; 0: all have too little. */
static uint64_t fewest_nodes(const struct maui_gres_supply *supply, uint64_t count)
{
	uint64_t nodes = 0, wanted;

	for (uint32_t i = 0; i < supply->count; i++) {
		wanted = ratio_up(count, supply->steps[i].each);
		if (wanted <= supply->steps[i].nodes)
			return nodes + wanted;
		nodes += supply->steps[i].nodes;
		count -= supply->steps[i].nodes * supply->steps[i].each;
	}
	return 0;
}

/* Whether all tasks can take equal shares: of nodes that are alike no share is left over. */
static bool deals_by_task(const struct maui_gres_supply *supply, uint64_t count, uint64_t tasks)
{
	return count > 0 && tasks > 1 && count % tasks == 0 && supply->count == 1 &&
	       supply->steps[0].each % (count / tasks) == 0;
}

/* Whether so many nodes at most, which are alike, leave no choice. */
static bool must_be_even(const struct maui_gres_supply *supply, uint64_t count, uint32_t nodes_max)
{
	return count <= 1 || nodes_max == 1 ||
	       (nodes_max > 0 && supply->count == 1 && count == nodes_max * supply->steps[0].each);
}

struct maui_gres_share maui_gres_deal(uint64_t count, const struct maui_gres_supply *supply,
				      uint64_t tasks, uint32_t nodes_min, uint32_t nodes_max)
{
	struct maui_gres_share ret = { .nodes_min = nodes_min };
	uint64_t nodes = fewest_nodes(supply, count);
	bool can_be = nodes > 0 && (nodes_max == 0 || nodes <= nodes_max);

	if (deals_by_task(supply, count, tasks)) {
		ret.by_task = count / tasks;
		ret.uneven = !must_be_even(supply, count, nodes_max);
		return ret;
	}
	/* too much for the partition: not so many nodes can give their share of it */
	if (nodes == 0 && supply->count > 0)
		nodes = ratio_up(count, supply->steps[0].each);
	if (nodes < nodes_min)
		nodes = nodes_min;
	if (nodes_max && nodes > nodes_max)
		nodes = nodes_max;
	if (nodes > UINT32_MAX)
		nodes = UINT32_MAX;
	if (nodes > nodes_min)
		ret.nodes_min = (uint32_t)nodes;
	if (nodes == 0)
		nodes = 1;
	ret.by_node = ratio_up(count, nodes);
	/* a single node has to have all of them */
	ret.inexact = can_be && nodes_max != 1 && supply->count > 1 && ret.by_node > 1;
	if (ret.inexact)
		ret.by_node = 1;
	ret.uneven = can_be && ret.by_node > 1 && !must_be_even(supply, count, nodes_max);
	return ret;
}

struct maui_gres_share maui_gres_use_share(struct maui_gres_share share, bool least,
					   struct maui_request *request)
{
	request->nodes_min = share.nodes_min;
	request->asks_slurm |= share.inexact || share.uneven;
	if (least && share.uneven) {
		share.by_node = 1;
		share.by_task = 0;
	}
	return share;
}

int maui_gres_deal_all(const struct maui_snapshot *s, uint32_t partition, const int64_t *counts,
		       bool least, struct maui_request *request, int64_t *per_node,
		       int64_t *per_task)
{
	struct maui_arena arena = { 0 };
	int result = 0;

	for (unsigned d = MAUI_AMOUNT_FIXED; d < s->amount_count && result == 0; d++) {
		struct maui_gres_supply supply;
		struct maui_gres_share share;

		if (counts[d] == 0)
			continue;
		result = maui_gres_supply(s, partition, d, (struct maui_gres_along){ 0 }, &arena,
					  &supply);
		if (result)
			break;
		share = maui_gres_use_share(maui_gres_deal((uint64_t)counts[d], &supply,
							   request->tasks, request->nodes_min,
							   request->nodes_max),
					    least, request);
		request->per_job = counts;
		per_node[d] += (int64_t)share.by_node;
		per_task[d] += (int64_t)share.by_task;
	}
	maui_arena_finish(&arena);
	return result;
}
