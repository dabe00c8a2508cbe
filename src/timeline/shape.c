/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape.c - how many tasks of a job a node takes, and what they take of the node
 *
 * Most shapes are fixed: all nodes of the job take equally many tasks (whole nodes, one task a
 * node, a job on one node). Then the question is one comparison for each amount.
 */

#include "timeline/shape_private.h"

#include "model/gres.h"

static int64_t round_down(int64_t value, uint32_t unit)
{
	return unit > 1 ? value / unit * unit : value;
}

int64_t maui_shape_task_procs(const struct maui_request *r, uint32_t unit)
{
	if (r->threads_used == 0 || unit <= r->threads_used)
		return r->procs_per_task;
	return ((int64_t)r->procs_per_task + r->threads_used - 1) / r->threads_used * unit;
}

/* A snapshot without memory has no such dimension. */
static bool takes_all_memory(const struct maui_shape *shape)
{
	return shape->request->all_memory && shape->snapshot->amount_count > MAUI_AMOUNT_MEM;
}

int64_t maui_shape_allocated(const struct maui_request *r, const struct maui_node *node,
			     int64_t tasks)
{
	int64_t procs = tasks * maui_shape_task_procs(r, node->unit);

	if (procs < maui_shape_asked(r->per_node, MAUI_AMOUNT_PROCS))
		procs = maui_shape_asked(r->per_node, MAUI_AMOUNT_PROCS);
	return r->whole_nodes ? node->have[MAUI_AMOUNT_PROCS] : maui_node_procs_given(node, procs);
}

static int64_t procs_of(const struct maui_shape *shape, const struct maui_node *node, int64_t tasks)
{
	return shape->whole_nodes ? node->have[MAUI_AMOUNT_PROCS] :
				    maui_shape_allocated(shape->request, node, tasks);
}

/* What the tasks and their processors take of an amount. */
static int64_t amount_of(const struct maui_shape *shape, const struct maui_node *node,
			 int64_t tasks, int64_t procs, unsigned d)
{
	const struct maui_request *r = shape->request;
	int64_t takes;

	if (d == MAUI_AMOUNT_PROCS)
		return procs;
	if (d == MAUI_AMOUNT_MEM && r->all_memory)
		return node->have[d];
	takes = maui_shape_asked(r->per_node, d) + tasks * maui_shape_asked(r->per_task, d) +
		procs * maui_shape_asked(r->per_proc, d);
	return d == shape->cap_amount ? takes + procs : takes;
}

int64_t maui_shape_amount(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			  unsigned d)
{
	const struct maui_node *node = maui_shape_sample(shape, class_index);

	return amount_of(shape, node, tasks, procs_of(shape, node, tasks), d);
}

void maui_shape_amounts(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			int64_t *ret)
{
	const struct maui_node *node = maui_shape_sample(shape, class_index);
	int64_t procs = procs_of(shape, node, tasks);

	for (unsigned d = 0; d < shape->snapshot->amount_count; d++)
		ret[d] = amount_of(shape, node, tasks, procs, d);
}

/* The largest number of tasks that each amount alone allows. Amounts that are given for each
 * processor bound the processors. */
static int64_t tasks_bound(const struct maui_shape *shape, const struct maui_node *node,
			   const int64_t *have)
{
	const struct maui_request *r = shape->request;
	int64_t procs = round_down(have[MAUI_AMOUNT_PROCS], node->unit), tasks;

	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count && r->per_node; d++)
		if (have[d] < r->per_node[d])
			return 0;
	if (shape->whole_nodes && have[MAUI_AMOUNT_PROCS] < node->have[MAUI_AMOUNT_PROCS])
		return 0;
	if (takes_all_memory(shape) && have[MAUI_AMOUNT_MEM] < node->have[MAUI_AMOUNT_MEM])
		return 0;
	if (shape->cap_amount && procs > have[shape->cap_amount])
		procs = round_down(have[shape->cap_amount], node->unit);
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count && r->per_proc; d++) {
		int64_t left = have[d] - maui_shape_asked(r->per_node, d);

		if (r->per_proc[d] > 0 && !shape->whole_nodes && procs > left / r->per_proc[d])
			procs = left < 0 ? 0 : round_down(left / r->per_proc[d], node->unit);
	}
	if (procs < maui_shape_asked(r->per_node, MAUI_AMOUNT_PROCS))
		return 0;
	tasks = procs / maui_shape_task_procs(r, node->unit);
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count && r->per_task; d++) {
		int64_t left = have[d] - maui_shape_asked(r->per_node, d);

		if (r->per_task[d] > 0 && tasks > left / r->per_task[d])
			tasks = left < 0 ? 0 : left / r->per_task[d];
	}
	return tasks;
}

/* tasks_bound() considers each amount alone. When a job asks for the same amount by processor
 * and by task, or gets all processors with any tasks, the sum is tried for each number of
 * tasks. */
int64_t maui_shape_tasks_up_to(const struct maui_shape *shape, uint32_t class_index, int64_t most,
			       const int64_t *have)
{
	const struct maui_node *node = maui_shape_sample(shape, class_index);
	unsigned count = shape->snapshot->amount_count;
	int64_t tasks = tasks_bound(shape, node, have);

	if (tasks > most)
		tasks = most;
	if (!shape->whole_nodes && !(shape->request->per_proc && shape->request->per_task))
		return tasks >= shape->least ? tasks : 0;
	for (; tasks > 0 && tasks >= shape->least; tasks--) {
		int64_t procs = procs_of(shape, node, tasks);
		unsigned d = 0;

		while (d < count && amount_of(shape, node, tasks, procs, d) <= have[d])
			d++;
		if (d == count)
			return tasks;
	}
	return 0;
}

int64_t maui_shape_tasks(const struct maui_shape *shape, uint32_t class_index,
			 const int64_t *free_amounts)
{
	const struct maui_need *need = &shape->needs[class_index];

	if (need->most == 0)
		return 0;
	if (!shape->fixed) {
		int64_t tasks =
			maui_shape_tasks_up_to(shape, class_index, need->most, free_amounts);

		return shape->fills_nodes && tasks < need->most ? 0 : tasks;
	}
	for (unsigned d = 0; d < shape->snapshot->amount_count; d++)
		if (free_amounts[d] < need->want[d])
			return 0;
	return need->most;
}

/* Whether whole nodes bring all of the amount along. */
static bool comes_along(const struct maui_shape *shape, unsigned d)
{
	const struct maui_snapshot *s = shape->snapshot;

	return shape->request->whole_nodes && d > MAUI_AMOUNT_PROCS && s->with_whole_nodes &&
	       s->with_whole_nodes[d];
}

bool maui_shape_gets_all(const struct maui_shape *shape, unsigned d)
{
	const struct maui_request *r = shape->request;

	return comes_along(shape, d) || (d == MAUI_AMOUNT_MEM && r->all_memory) ||
	       (d == MAUI_AMOUNT_PROCS && r->whole_nodes);
}

int64_t maui_shape_all_of(const struct maui_node *node, unsigned d)
{
	return d >= MAUI_AMOUNT_FIXED && node->have[d] >= MAUI_GRES_UNCOUNTED ? 0 : node->have[d];
}

static int64_t given_on(const struct maui_shape *shape, const struct maui_node *node, int64_t tasks,
			int64_t procs, unsigned d)
{
	return comes_along(shape, d) ? maui_shape_all_of(node, d) :
				       amount_of(shape, node, tasks, procs, d);
}

void maui_shape_given(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
		      int64_t *ret)
{
	const struct maui_node *node = maui_shape_sample(shape, class_index);
	int64_t procs = maui_shape_allocated(shape->request, node, tasks);

	for (unsigned d = 0; d < shape->snapshot->amount_count; d++)
		ret[d] = given_on(shape, node, tasks, procs, d);
}

void maui_shape_set_job_counts(const struct maui_shape *shape, int64_t *amounts)
{
	const int64_t *per_job = shape->request->per_job;

	for (unsigned d = MAUI_AMOUNT_MEM; per_job && d < shape->snapshot->amount_count; d++)
		if (per_job[d] > 0 && !comes_along(shape, d))
			amounts[d] = per_job[d];
}

bool maui_shape_excludes(const struct maui_shape *shape, uint32_t node)
{
	const struct maui_request *r = shape->request;

	return r->excluded_count > 0 && maui_shape_lists(r->excluded, r->excluded_count, node);
}

bool maui_shape_requires(const struct maui_shape *shape, uint32_t node)
{
	const struct maui_request *r = shape->request;

	return r->required_count > 0 && maui_shape_lists(r->required, r->required_count, node);
}
