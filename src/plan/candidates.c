/* SPDX-License-Identifier: GPL-2.0-or-later */
/* candidates.c - the nodes that could take tasks of an entry, with how many
 *
 * A search for a start now looks only at nodes with free processors.
 *
 * Rules: BF-15.
 */

#include "plan/placing.h"
#include "plan/private.h"

#include <string.h>

#include "base/array.h"
#include "base/search.h"

struct maui_candidate *maui_plan_candidate(struct maui_planner *p, uint32_t index)
{
	struct maui_candidate *grown =
		maui_array_grow(p->candidates.list, index, &p->candidates.alloc, sizeof(*grown));

	if (!grown) {
		p->failed = true;
		return NULL;
	}
	p->candidates.list = grown;
	return &grown[index];
}

int64_t maui_plan_free_procs(const struct maui_planner *p, uint32_t node)
{
	return maui_timeline_procs(&p->timeline, node, p->now,
				   maui_when_add(p->now, p->backfill.window->length_s),
				   p->backfill.who);
}

int64_t maui_plan_window_procs(const struct maui_planner *p, uint32_t node)
{
	return p->backfill.procs ? p->backfill.procs[node] : maui_plan_free_procs(p, node);
}

/* How many of the tasks fit on the node inside the backfill window: a node gives no more processors
 * than are free there during the whole window. */
static int64_t in_window(const struct maui_planner *p, const struct maui_shape *shape,
			 uint32_t node, int64_t tasks)
{
	int64_t have = maui_plan_window_procs(p, node);

	while (tasks > 0) {
		if (maui_shape_amount(shape, p->timeline.class_of[node], tasks,
				      MAUI_AMOUNT_PROCS) <= have)
			return tasks;
		tasks = shape->fixed || shape->fills_nodes ? 0 : tasks - 1;
		if (tasks > have / shape->request->procs_per_task)
			tasks = have / shape->request->procs_per_task;
		if (tasks < shape->least)
			tasks = 0;
	}
	return 0;
}

int maui_plan_make_closed(struct maui_planner *p)
{
	if (!p->closed)
		p->closed = maui_arena_alloc(&p->arena, p->snapshot->node_count + 1u);
	p->failed |= !p->closed;
	return p->closed ? 0 : -1;
}

bool maui_plan_is_closed(const struct maui_planner *p, uint32_t node)
{
	return p->closed && p->closed[node];
}

void maui_plan_add_candidate(struct maui_planner *p, uint32_t node, int64_t tasks, bool required,
			     struct maui_plan_sums *sums)
{
	struct maui_candidate *candidate = maui_plan_candidate(p, sums->count);

	if (!candidate)
		return;
	*candidate = (struct maui_candidate){ .node = node, .required = required, .tasks = tasks };
	sums->count++;
	sums->tasks += tasks;
	sums->required += required;
}

int64_t maui_plan_idle_at(const struct maui_planner *p, uint32_t node, int64_t when)
{
	const struct maui_timeline *t = &p->timeline;

	return maui_line_step(t, &t->lines[node], maui_timeline_step_at(t, node, when))
		->free[MAUI_AMOUNT_PROCS];
}

/* Sets the members by which candidates are ordered, except the node. */
static void set_order(struct maui_planner *p, const struct maui_plan_entry *e,
		      const struct maui_shape *shape, struct maui_candidate *c,
		      struct maui_span span)
{
	int policy = maui_alloc_order_of(shape, e->rules->node_allocation);

	if (policy == MAUI_ALLOC_LASTAVAILABLE)
		c->until_s = maui_fit_until(&p->timeline, shape, c->node, span.from, 1);
	if (policy == MAUI_ALLOC_LEAST_LOADED)
		c->idle = maui_plan_idle_at(p, c->node, span.from);
	if (shape->access)
		c->affinity = maui_timeline_affinity(&p->timeline, c->node, shape->access, span);
}

/* Adds a copy of the last candidate, for another node. */
static void add_copy(struct maui_planner *p, uint32_t node, struct maui_plan_sums *sums)
{
	struct maui_candidate *candidate = maui_plan_candidate(p, sums->count);

	if (!candidate)
		return;
	*candidate = candidate[-1];
	candidate->node = node;
	sums->count++;
	sums->tasks += sums->last_tasks;
}

/* Adjacent nodes mostly differ in their index only. */
static bool is_like_last(const struct maui_planner *p, const struct maui_shape *shape,
			 uint32_t node, const struct maui_plan_sums *sums)
{
	return sums->last != MAUI_PLAN_NONE && maui_timeline_same(&p->timeline, sums->last, node) &&
	       maui_shape_is_uniform(shape);
}

void maui_plan_collect_node(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_shape *shape, uint32_t node, struct maui_span span,
			    struct maui_plan_sums *sums)
{
	uint32_t count = sums->count;
	int64_t tasks;

	if (maui_plan_is_closed(p, node))
		return;
	if (is_like_last(p, shape, node, sums)) {
		if (sums->last_tasks > 0)
			add_copy(p, node, sums);
		return;
	}
	tasks = maui_fit_tasks(&p->timeline, shape, node, span.from, span.until);
	if (tasks > 0 && p->backfill.window)
		tasks = in_window(p, shape, node, tasks);
	sums->last = node;
	sums->last_tasks = tasks;
	if (tasks > 0)
		maui_plan_add_candidate(p, node, tasks, maui_shape_requires(shape, node), sums);
	/* now, while the node's steps are in the processor's cache */
	if (sums->order_set && sums->count > count)
		set_order(p, e, shape, &p->candidates.list[count], span);
}

/* Sets these members of the i-th candidate, those before it being set. */
static void set_order_after(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_shape *shape, uint32_t i, struct maui_span span)
{
	struct maui_candidate *c = &p->candidates.list[i];

	if (i > 0 && maui_timeline_same(&p->timeline, c[-1].node, c->node)) {
		c->until_s = c[-1].until_s;
		c->idle = c[-1].idle;
		c->affinity = c[-1].affinity;
	} else {
		set_order(p, e, shape, c, span);
	}
}

void maui_plan_order_candidates(struct maui_planner *p, const struct maui_plan_entry *e,
				const struct maui_shape *shape, struct maui_span span,
				uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		set_order_after(p, e, shape, i, span);
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

void maui_plan_collect_shared(struct maui_planner *p, const struct maui_plan_entry *e,
			      const struct maui_shape *shape, struct maui_span span,
			      struct maui_plan_sums *sums)
{
	const struct maui_plan_pool *pool = &p->pools.list[e->pool];
	const int64_t *needed_from_s = NULL;

	for (uint32_t i = 0; i < pool->node_count; i++) {
		uint32_t node = pool->nodes[i];
		int64_t tasks = maui_fit_tasks(&p->timeline, shape, node, span.from, span.until);

		if (tasks == 0 && !needed_from_s)
			needed_from_s = find_needed(p, e);
		if (tasks == 0 && needed_from_s[node] >= span.until)
			tasks = maui_fit_tasks_shared(&p->timeline, shape, node, span);
		if (tasks > 0)
			maui_plan_add_candidate(p, node, tasks, maui_shape_requires(shape, node),
						sums);
	}
}

void maui_plan_collect_open(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_shape *shape, struct maui_span span,
			    struct maui_plan_sums *sums)
{
	struct maui_plan_pool *pool = &p->pools.list[e->pool];
	uint32_t kept = 0;

	for (uint32_t i = 0; p->backfill.nodes && i < p->backfill.node_count; i++)
		if (is_open(p, p->backfill.nodes[i]))
			maui_plan_collect_node(p, e, shape, p->backfill.nodes[i], span, sums);
	if (p->backfill.nodes)
		return;
	for (uint32_t i = 0; i < pool->open_count; i++) {
		uint32_t node = pool->open[i];

		if (!is_open(p, node))
			continue;
		pool->open[kept++] = node;
		maui_plan_collect_node(p, e, shape, node, span, sums);
	}
	pool->open_count = kept;
}
