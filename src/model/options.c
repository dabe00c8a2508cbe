/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - a request out of options and the rules of a partition */

#include "model/options.h"

#include <string.h>

#include "model/gres.h"

/* Vectors while they are filled. */
struct vectors {
	int64_t *per_node, *per_task, *per_proc, *least;
};

static int make_vectors(const struct maui_snapshot *s, struct maui_arena *arena,
			struct vectors *ret)
{
	int64_t *all = maui_arena_alloc(arena, 4 * s->amount_count * sizeof(*all));

	if (!all)
		return -1;
	memset(all, 0, 4 * s->amount_count * sizeof(*all));
	*ret = (struct vectors){ .per_node = all,
				 .per_task = all + s->amount_count,
				 .per_proc = all + 2 * s->amount_count,
				 .least = all + 3 * s->amount_count };
	return 0;
}

/* NULL for a vector of zeros, so that equal requests are equal. */
static const int64_t *or_none(const struct maui_snapshot *s, const int64_t *amounts)
{
	for (unsigned d = 0; d < s->amount_count; d++)
		if (amounts[d] != 0)
			return amounts;
	return NULL;
}

static void set_memory(const struct maui_snapshot *s, const struct maui_partition *rules,
		       const struct maui_job_options *options, const struct vectors *v,
		       struct maui_request *r)
{
	bool named = options->memory_named;

	if (s->amount_count <= MAUI_AMOUNT_MEM)
		return;
	if (rules->memory_uncounted) {
		v->least[MAUI_AMOUNT_MEM] = options->mem;
		return;
	}
	v->per_node[MAUI_AMOUNT_MEM] = named ? options->mem : rules->mem_per_node;
	v->per_proc[MAUI_AMOUNT_MEM] = named ? options->mem_per_cpu : rules->mem_per_cpu;
	r->all_memory = named ? options->mem == 0 && options->mem_per_cpu == 0 : rules->all_memory;
}

int maui_options_request(const struct maui_snapshot *s, uint32_t partition,
			 const struct maui_job_options *options, struct maui_arena *arena,
			 struct maui_request *ret)
{
	const struct maui_partition *rules = &s->partitions[partition];
	struct vectors v;

	*ret = (struct maui_request){
		.nodes_min = options->nodes > 0 ? (uint32_t)options->nodes : 1,
		.nodes_max =
			(uint32_t)(options->nodes_max > 0 ? options->nodes_max : options->nodes),
		.tasks = (uint64_t)options->tasks,
		.procs_per_task = options->cpus_per_task > 0 ? (uint32_t)options->cpus_per_task : 1,
		.whole_nodes = options->whole_nodes || rules->whole_nodes,
		.sole_user = rules->sole_user,
		.nodes_named = options->nodes > 0,
		.claims = options->claim,
		.claim_count = options->claim != NULL,
		.only_claims = options->claim && !s->claims[*options->claim].flex,
		.passes_shares = options->claim != NULL,
		.features = options->features && *options->features ? options->features : NULL,
	};
	if (make_vectors(s, arena, &v))
		return -1;
	for (unsigned d = 0; options->gres && d < s->amount_count; d++)
		v.per_node[d] = options->gres[d];
	if (options->gpus && maui_gres_deal_all(s, partition, options->gpus, options->least, ret,
						v.per_node, v.per_task))
		return -1;
	set_memory(s, rules, options, &v, ret);
	ret->per_node = or_none(s, v.per_node);
	ret->per_task = or_none(s, v.per_task);
	ret->per_proc = or_none(s, v.per_proc);
	ret->least = or_none(s, v.least);
	return 0;
}

bool maui_options_find_claim(const struct maui_snapshot *s, const char *name, uint32_t *ret)
{
	for (uint32_t i = 0; i < s->claim_count; i++)
		if (s->claims[i].rsv == MAUI_CLAIM_FOREIGN &&
		    strcmp(s->claims[i].name, name) == 0) {
			*ret = i;
			return true;
		}
	return false;
}
