/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape_bounds.c - the most and the least that a job gets, before its nodes are known */

#include "timeline/shape_private.h"

#include <stdlib.h>

/* ---- the most ---- */

uint32_t maui_shape_most_nodes(const struct maui_shape *shape, uint32_t count)
{
	/* -N1-4 without -n gets four nodes, and a task on each */
	int64_t most = shape->request->nodes_max ? shape->request->nodes_max : shape->tasks;

	return most < count ? (uint32_t)most : count;
}

void maui_shape_most_add(const struct maui_shape *shape, uint32_t node,
			 struct maui_shape_most *most)
{
	const struct maui_node *n = &shape->snapshot->nodes[node];
	int64_t one = maui_shape_allocated(shape->request, n, 1),
		a_task = maui_shape_task_procs(shape->request, n->unit),
		full = maui_shape_allocated(shape->request, n, shape->least);

	most->full = full > most->full ? full : most->full;
	most->one = one > most->one ? one : most->one;
	most->a_task = a_task > most->a_task ? a_task : most->a_task;
	most->unit = n->unit > most->unit ? n->unit : most->unit;
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count; d++) {
		int64_t have = maui_shape_all_of(n, d);

		most->have[d] = have > most->have[d] ? have : most->have[d];
	}
}

static int64_t most_procs(const struct maui_shape *shape, const struct maui_shape_most *most,
			  uint32_t nodes)
{
	/* one task on each node but one, which has all others: no division of tasks takes more */
	int64_t others = nodes - 1, rest = (shape->tasks - others) * most->a_task + most->unit - 1;

	if (shape->request->whole_nodes)
		return nodes * most->one;
	/* of a range of nodes each has as many tasks, whatever the number of nodes */
	if (shape->fixed && !shape->request->nodes_max && nodes * shape->least > shape->tasks)
		nodes = (uint32_t)((shape->tasks + shape->least - 1) / shape->least);
	if (shape->fixed)
		return nodes * most->full;
	return others * most->one + (rest > most->one ? rest : most->one);
}

void maui_shape_most_given(const struct maui_shape *shape, const struct maui_shape_most *most,
			   uint32_t nodes, int64_t *ret)
{
	const struct maui_request *r = shape->request;
	int64_t procs = most_procs(shape, most, nodes);
	int64_t tasks = shape->tasks > nodes ? shape->tasks : nodes;

	ret[MAUI_AMOUNT_PROCS] = procs;
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count; d++) {
		ret[d] = nodes * maui_shape_asked(r->per_node, d) +
			 tasks * maui_shape_asked(r->per_task, d) +
			 procs * maui_shape_asked(r->per_proc, d);
		if (maui_shape_gets_all(shape, d))
			ret[d] = nodes * most->have[d];
	}
}

static int64_t fewest_nodes(const struct maui_shape *shape, int64_t most)
{
	int64_t nodes = most > 0 ? (shape->tasks + most - 1) / most : 0;

	return nodes > 0 && nodes < shape->nodes_min ? shape->nodes_min : nodes;
}

static int64_t most_needed(const struct maui_shape *shape)
{
	int64_t most = 0;

	for (uint32_t c = 0; c < shape->snapshot->class_count; c++)
		most = shape->needs[c].most > most ? shape->needs[c].most : most;
	return most;
}

int64_t maui_shape_fewest_nodes(const struct maui_shape *shape)
{
	return fewest_nodes(shape, most_needed(shape));
}

/* ---- the least ---- */

int maui_shape_supply_make(const struct maui_snapshot *s, struct maui_arena *arena,
			   struct maui_shape_supply *ret)
{
	ret->counts = maui_arena_alloc(arena, (s->class_count + 1u) * sizeof(*ret->counts));
	ret->parts = maui_arena_alloc(arena, (s->class_count + 1u) * sizeof(*ret->parts));
	return ret->counts && ret->parts ? 0 : -1;
}

void maui_shape_supply_all(const struct maui_shape *shape, struct maui_shape_supply *ret)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;

	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_need *need = &shape->needs[c];

		ret->counts[c] = need->most > 0 ? s->classes[c].count - need->excluded : 0;
	}
	for (uint32_t i = 0; i < r->required_count; i++) {
		uint32_t *count = &ret->counts[s->nodes[r->required[i]].class_index];

		*count -= *count > 0;
	}
	ret->most = most_needed(shape);
}

int64_t maui_shape_supply_fewest(const struct maui_shape *shape,
				 const struct maui_shape_supply *supply)
{
	return fewest_nodes(shape, supply->most);
}

/* What Slurm gives a job on a node beyond its request. */
static int64_t added_on(const struct maui_shape *shape, const struct maui_node *node, unsigned d)
{
	const struct maui_request *r = shape->request;

	if (maui_shape_gets_all(shape, d))
		return maui_shape_all_of(node, d);
	return r->whole_nodes && d > MAUI_AMOUNT_PROCS ?
		       node->have[MAUI_AMOUNT_PROCS] * maui_shape_asked(r->per_proc, d) :
		       0;
}

static int by_each(const void *a, const void *b)
{
	const struct maui_supply_part *one = a, *other = b;

	return (one->each > other->each) - (one->each < other->each);
}

double maui_shape_least(const struct maui_shape *shape, const struct maui_shape_supply *supply,
			int64_t nodes, unsigned d)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;
	int64_t left = nodes - r->required_count;
	uint32_t count = 0;
	double sum = 0;

	for (uint32_t i = 0; i < r->required_count; i++)
		sum += (double)added_on(shape, &s->nodes[r->required[i]], d);
	for (uint32_t c = 0; c < s->class_count && left > 0; c++)
		if (supply->counts[c] > 0)
			supply->parts[count++] = (struct maui_supply_part){
				added_on(shape, maui_shape_sample(shape, c), d), supply->counts[c]
			};
	if (count > 1)
		qsort(supply->parts, count, sizeof(*supply->parts), by_each);
	for (uint32_t i = 0; i < count && left > 0; i++) {
		const struct maui_supply_part *part = &supply->parts[i];
		int64_t taken = left < part->count ? left : part->count;

		sum += (double)taken * (double)part->each;
		left -= taken;
	}
	return sum;
}
