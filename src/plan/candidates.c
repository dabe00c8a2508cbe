/* SPDX-License-Identifier: GPL-2.0-or-later */
/* candidates.c - the nodes that a search for a start now looks at: those with free processors
 *
 * Rules: BF-15.
 */

#include "plan/placing.h"
#include "plan/private.h"

#include <string.h>

#include "base/search.h"

struct maui_candidate *maui_plan_candidate(struct maui_planner *p, uint32_t index)
{
	struct maui_candidate *candidate = maui_candidates_at(&p->candidates, index);

	p->failed |= !candidate;
	return candidate;
}

int maui_plan_make_closed(struct maui_planner *p)
{
	if (!p->closed)
		p->closed = maui_arena_alloc(&p->arena, p->snapshot->node_count + 1u);
	return p->closed ? 0 : -1;
}

/* ---- nodes with free processors ---- */

/* Whether a node has free processors now. The lists of open nodes drop nodes that have none. */
static bool is_open(const struct maui_planner *p, uint32_t node)
{
	return maui_line_step(&p->timeline, &p->timeline.lines[node], 0)->free[MAUI_AMOUNT_PROCS] >
	       0;
}

void maui_plan_list_open_nodes(struct maui_planner *p)
{
	p->pools.reopen = false;
	for (uint32_t i = 0; i < p->pools.count; i++) {
		struct maui_plan_pool *pool = &p->pools.list[i];

		pool->open_count = 0;
		for (uint32_t n = 0; n < pool->node_count; n++)
			if (is_open(p, pool->nodes[n]))
				pool->open[pool->open_count++] = pool->nodes[n];
	}
}

void maui_plan_open_node(struct maui_planner *p, uint32_t node)
{
	const struct maui_node *n = &p->snapshot->nodes[node];
	struct maui_plan_pool *pool;
	size_t low;

	if (p->pools.reopen || n->partition_count == 0 || !is_open(p, node))
		return;
	pool = &p->pools.list[p->snapshot->partitions[n->partitions[0]].pool];
	low = maui_lower_bound(pool->open, pool->open_count, sizeof(*pool->open), maui_before_u32,
			       &node);
	if (low < pool->open_count && pool->open[low] == node)
		return;
	memmove(&pool->open[low + 1], &pool->open[low],
		(pool->open_count - low) * sizeof(*pool->open));
	pool->open[low] = node;
	pool->open_count++;
}

/* ---- nodes whose processors other jobs have, too ---- */

/* Nodes that a job has in this plan. */
struct kept {
	uint32_t request, partition;
	const struct maui_place *places;
	uint32_t place_count;
	int64_t from_s;
};

/* Notes from when on a job needs its nodes, if the entry would delay it: Slurm counts the jobs of a
 * core in each partition by itself. */
static void note_needed(struct maui_planner *p, const struct maui_plan_entry *e,
			const struct kept *kept)
{
	if (p->snapshot->requests[kept->request].shares_procs && kept->partition != e->partition)
		return;
	for (uint32_t i = 0; kept->places && i < kept->place_count; i++) {
		int64_t *first_s = &p->needed_from_s[kept->places[i].node];

		if (kept->from_s < *first_s)
			*first_s = kept->from_s;
	}
}

static void note_started(struct maui_planner *p, const struct maui_plan_entry *e)
{
	for (uint32_t i = 0; i < p->out->start_count; i++) {
		const struct maui_start *start = &p->out->starts[i];
		const struct maui_idle *idle = &p->snapshot->idle[start->job];

		if (!start->slurm_chooses)
			note_needed(p, e,
				    &(struct kept){ maui_idle_request(idle, start->row),
						    idle->rows[start->row].partition, start->places,
						    start->place_count, p->now });
	}
}

/* For each node: when it is needed by the first job that the entry would delay and that this plan
 * starts or keeps nodes for; MAUI_NEVER: none. Computed from the current decisions each time, so
 * that abandoned tries and job reservations leave no trace. */
static const int64_t *find_needed(struct maui_planner *p, const struct maui_plan_entry *e)
{
	for (uint32_t i = 0; i < p->snapshot->node_count; i++)
		p->needed_from_s[i] = MAUI_NEVER;
	note_started(p, e);
	for (uint32_t i = 0; i < p->out->reservation_count; i++) {
		const struct maui_plan_entry *o = p->reserved[i];
		const struct maui_reservation *r = &p->out->reservations[i];

		note_needed(p, e,
			    &(struct kept){ o->request, o->partition, r->places, r->place_count,
					    o->held_from_s });
	}
	for (uint32_t i = 0; i < p->held.count; i++) {
		const struct maui_plan_entry *o = p->held.list[i];

		if (o->state == MAUI_PLAN_HELD)
			note_needed(p, e,
				    &(struct kept){ o->request, o->partition, o->job_rsv->places,
						    o->job_rsv->place_count, o->held_from_s });
	}
	return p->needed_from_s;
}

void maui_plan_collect_shared(struct maui_plan_attempt *a)
{
	struct maui_planner *p = a->p;
	struct maui_search *s = &a->search;
	const int64_t *needed_from_s = NULL;

	for (uint32_t i = 0; i < s->node_count; i++) {
		uint32_t node = s->nodes[i];
		int64_t tasks =
			maui_fit_tasks(&p->timeline, s->shape, node, s->span.from, s->span.until);

		if (tasks == 0 && !needed_from_s)
			needed_from_s = find_needed(p, a->e);
		if (tasks == 0 && needed_from_s[node] >= s->span.until)
			tasks = maui_fit_tasks_shared(&p->timeline, s->shape, node, s->span);
		if (tasks > 0)
			maui_search_add(s, node, tasks, maui_shape_requires(s->shape, node));
	}
}

void maui_plan_collect_open(struct maui_plan_attempt *a)
{
	struct maui_planner *p = a->p;
	struct maui_plan_pool *pool = &p->pools.list[a->e->pool];

	for (uint32_t i = 0; p->backfill.nodes && i < p->backfill.node_count; i++)
		if (is_open(p, p->backfill.nodes[i]))
			maui_search_add_node(&a->search, p->backfill.nodes[i]);
	if (p->backfill.nodes)
		return;
	pool->open_count = maui_search_add_open(&a->search, pool->open, pool->open_count);
}
