/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demands.c - what jobs count for in limits
 *
 * How many nodes a job gets, how many processors of whole nodes or cores, how much memory and how
 * many GPUs on all of them, is known when it is placed. Until then it counts what it asks for, or
 * the least that it could get, and each placement is judged once more.
 *
 * Rules: THR-19.
 */

#include <string.h>

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"
#include "policy/quantities.h"

struct maui_demand maui_plan_demand(const struct maui_snapshot *snapshot, int64_t now_s,
				    const struct maui_active *active, bool suspended,
				    int64_t *ret_end)
{
	struct maui_job job = active->job;
	struct maui_demand demand;

	*ret_end = suspended             ? MAUI_THROTTLE_NEVER :
		   active->end_s > now_s ? active->end_s :
					   now_s + 1;
	job.active = true;
	job.elapsed_s = maui_plan_elapsed_at(now_s, active);
	maui_demand_make(&job, maui_priority_pe(&job, &snapshot->totals), &demand);
	if (suspended) {
		job.procs = 0;
		maui_demand_suspend(&demand, maui_priority_pe(&job, &snapshot->totals));
	}
	return demand;
}

struct maui_demand maui_plan_idle_demand(const struct maui_snapshot *snapshot,
					 const struct maui_idle *idle,
					 const struct maui_quantities *least)
{
	struct maui_job job = idle->job;
	struct maui_demand demand;

	job.active = false;
	maui_job_raise(&job, least);
	maui_demand_make(&job, maui_priority_pe(&job, &snapshot->totals), &demand);
	return demand;
}

struct maui_quantities maui_plan_limits_least(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_quantities none = { 0 };
	struct maui_plan_shape *shape;

	if (!maui_plan_has_limits(p, e) || !maui_plan_shape(p, e))
		return none;
	shape = e->shape->base ? e->shape->base : e->shape;
	if (!shape->has_least) {
		maui_shape_supply_all(&shape->shape, &p->limits.supply);
		maui_quantities_least(p->config, &shape->shape, &p->limits.supply, &shape->least);
	}
	shape->has_least = true;
	return shape->least;
}

/* The scratch vector has what a job of this shape gets on so many nodes. */
static struct maui_quantities quantities(const struct maui_planner *p,
					 const struct maui_shape *shape, uint32_t nodes)
{
	struct maui_quantities ret;

	maui_shape_set_job_counts(shape, p->limits.amounts);
	maui_quantities_make(p->config, p->snapshot, p->limits.amounts, nodes, &ret);
	return ret;
}

static void clear(const struct maui_planner *p, int64_t *amounts)
{
	memset(amounts, 0, p->snapshot->amount_count * sizeof(*amounts));
}

static struct maui_quantities quantities_there(struct maui_planner *p,
					       const struct maui_shape *shape, uint32_t count)
{
	const struct maui_candidate *list = p->candidates.list;
	const uint32_t *class_of = p->timeline.class_of;

	clear(p, p->limits.amounts);
	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || list[i].gives != list[i - 1].gives ||
		    class_of[list[i].node] != class_of[list[i - 1].node])
			maui_shape_given(shape, class_of[list[i].node], list[i].gives,
					 p->limits.more);
		for (unsigned d = 0; d < p->snapshot->amount_count; d++)
			p->limits.amounts[d] += p->limits.more[d];
	}
	return quantities(p, shape, count);
}

static struct maui_quantities quantities_anywhere(struct maui_planner *p,
						  const struct maui_shape *shape, uint32_t count)
{
	struct maui_shape_most most = { .have = p->limits.more };
	uint32_t nodes = maui_shape_most_nodes(shape, count);

	clear(p, most.have);
	for (uint32_t i = 0; i < count; i++)
		maui_shape_most_add(shape, p->candidates.list[i].node, &most);
	maui_shape_most_given(shape, &most, nodes, p->limits.amounts);
	return quantities(p, shape, nodes);
}

struct maui_quantities maui_plan_quantities(struct maui_planner *p, const struct maui_plan_entry *e,
					    const struct maui_shape *shape, uint32_t count)
{
	return maui_plan_slurm_chooses(p, e) ? quantities_anywhere(p, shape, count) :
					       quantities_there(p, shape, count);
}

struct maui_quantities maui_plan_quantities_least(struct maui_planner *p,
						  const struct maui_shape *shape, uint32_t count)
{
	struct maui_shape_supply *supply = &p->limits.supply;
	const struct maui_candidate *list = p->candidates.list;
	struct maui_quantities least;

	memset(supply->counts, 0, p->snapshot->class_count * sizeof(*supply->counts));
	supply->most = 0;
	for (uint32_t i = 0; i < count; i++) {
		supply->counts[p->timeline.class_of[list[i].node]] += !list[i].required;
		supply->most = list[i].tasks > supply->most ? list[i].tasks : supply->most;
	}
	maui_quantities_least(p->config, shape, supply, &least);
	return least;
}

void maui_plan_limits_place(struct maui_planner *p, const struct maui_plan_entry *e,
			    const struct maui_quantities *holds)
{
	p->limits.placed[e - p->queue.entries] = (struct maui_plan_placed){
		.holds = *holds,
		.demand = maui_plan_idle_demand(p->snapshot, maui_plan_job(p, e), holds),
	};
}

struct maui_quantities maui_plan_holds(struct maui_planner *p, const struct maui_plan_entry *e,
				       uint32_t count)
{
	const struct maui_quantities unknown = { 0 };

	if (maui_plan_has_limits(p, e))
		return p->limits.placed[e - p->queue.entries].holds;
	return maui_plan_slurm_chooses(p, e) ? unknown :
					       quantities_there(p, &e->shape->shape, count);
}

void maui_plan_limits_unplace(struct maui_planner *p, const struct maui_plan_entry *e)
{
	size_t index = (size_t)(e - p->queue.entries);

	if (p->limits.of_entry)
		p->limits.placed[index] =
			(struct maui_plan_placed){ .demand = p->limits.of_entry[index].demand };
}
