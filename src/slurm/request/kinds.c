/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kinds.c - groups nodes by their features: a cluster has few kinds
 *
 * A constraint is matched with each kind instead of each node, because matching runs under locks,
 * and a user may write a long constraint.
 */

#include "slurm/compat.h"

#include "slurm/request/request.h"

#include "model/features.h"

struct class_kind {
	const char *features;
	uint32_t class_index;
};

static int by_features(const void *a, const void *b)
{
	const struct class_kind *one = a, *two = b;

	return strcmp(one->features, two->features);
}

int maui_request_kinds_make(struct maui_request_site *site)
{
	const struct maui_snapshot *s = site->cluster->snapshot;
	struct maui_request_kinds *kinds = &site->kinds;
	struct maui_arena *arena = &site->cluster->arena;
	struct class_kind *list = malloc((s->class_count + 1u) * sizeof(*list));

	*kinds = (struct maui_request_kinds){ .work_left = MAUI_REQUEST_WORK_OF_A_PASS };
	kinds->of_class = maui_arena_alloc(arena, (s->class_count + 1u) * sizeof(uint32_t));
	kinds->features = maui_arena_alloc(arena, (s->class_count + 1u) * sizeof(char *));
	kinds->counts = maui_arena_alloc(arena, (s->partition_count + 1u) * sizeof(*kinds->counts));
	if (!list || !kinds->of_class || !kinds->features || !kinds->counts) {
		free(list);
		return -1;
	}
	for (uint32_t c = 0; c < s->class_count; c++) {
		const char *features = s->nodes[s->classes[c].sample].features;

		list[c] = (struct class_kind){ features ? features : "", c };
	}
	qsort(list, s->class_count, sizeof(*list), by_features);
	for (uint32_t i = 0; i < s->class_count; i++) {
		if (i == 0 || strcmp(list[i].features, list[i - 1].features) != 0)
			kinds->features[kinds->count++] = list[i].features;
		kinds->of_class[list[i].class_index] = kinds->count - 1;
	}
	memset(kinds->counts, 0, (s->partition_count + 1u) * sizeof(*kinds->counts));
	free(list);
	return 0;
}

static bool is_idle(const struct maui_node *node)
{
	return bit_test(idle_node_bitmap, node->id) && bit_test(avail_node_bitmap, node->id);
}

static struct maui_request_kind_count *count_nodes(const struct maui_request_site *site,
						   uint32_t partition)
{
	const struct maui_snapshot *s = site->cluster->snapshot;
	struct maui_request_kind_count *counts;

	counts =
		maui_arena_alloc(&site->cluster->arena, (site->kinds.count + 1u) * sizeof(*counts));
	if (!counts)
		return NULL;
	memset(counts, 0, (site->kinds.count + 1u) * sizeof(*counts));
	for (uint32_t n = 0; n < s->node_count; n++) {
		const struct maui_node *node = &s->nodes[n];
		struct maui_request_kind_count *count =
			&counts[site->kinds.of_class[node->class_index]];

		if (!maui_node_is_in(node, partition))
			continue;
		count->idle += is_idle(node);
		count->in_service += bit_test(avail_node_bitmap, node->id);
	}
	return counts;
}

const struct maui_request_kind_count *maui_request_kinds_count(struct maui_request_site *site,
							       uint32_t partition)
{
	if (!site->kinds.counts[partition])
		site->kinds.counts[partition] = count_nodes(site, partition);
	return site->kinds.counts[partition];
}

bool maui_request_may_work(struct maui_request_site *site, uint64_t *left, uint64_t work)
{
	if (work > *left || (int64_t)work > site->kinds.work_left)
		return false;
	*left -= work;
	site->kinds.work_left -= (int64_t)work;
	return true;
}

bool maui_request_matches(const struct maui_request_site *site, const char *constraint,
			  bool *matches)
{
	bool any = false;

	for (uint32_t k = 0; k < site->kinds.count; k++) {
		matches[k] = maui_features_match(constraint, site->kinds.features[k]);
		any |= matches[k];
	}
	return any;
}
