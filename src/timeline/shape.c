/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape.c - how many tasks of a job a node takes
 *
 * Most shapes are fixed: all nodes of the job take equally many tasks (whole nodes, one task a
 * node, a job on one node). Then the question is one comparison for each amount.
 */

#include "timeline/shape_private.h"

#include <stdlib.h>

#include "base/search.h"
#include "model/features.h"
#include "model/gres.h"

static int64_t amount(const int64_t *amounts, unsigned d)
{
	return amounts ? amounts[d] : 0;
}

static int64_t round_down(int64_t value, uint32_t unit)
{
	return unit > 1 ? value / unit * unit : value;
}

static int64_t round_up(int64_t value, uint32_t unit)
{
	return unit > 1 ? (value + unit - 1) / unit * unit : value;
}

static const struct maui_node *sample_of(const struct maui_shape *shape, uint32_t class_index)
{
	const struct maui_snapshot *s = shape->snapshot;

	return &s->nodes[s->classes[class_index].sample];
}

/* Processors that Slurm gives to a task on a node with this unit. */
static int64_t task_procs(const struct maui_request *r, uint32_t unit)
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

/* Processors that Slurm allocates on a node for so many tasks. */
static int64_t allocated_on(const struct maui_request *r, const struct maui_node *node,
			    int64_t tasks)
{
	int64_t procs = tasks * task_procs(r, node->unit);

	if (procs < amount(r->per_node, MAUI_AMOUNT_PROCS))
		procs = amount(r->per_node, MAUI_AMOUNT_PROCS);
	return r->whole_nodes ? node->have[MAUI_AMOUNT_PROCS] : round_up(procs, node->unit);
}

static int64_t procs_of(const struct maui_shape *shape, const struct maui_node *node, int64_t tasks)
{
	return shape->whole_nodes ? node->have[MAUI_AMOUNT_PROCS] :
				    allocated_on(shape->request, node, tasks);
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
	takes = amount(r->per_node, d) + tasks * amount(r->per_task, d) +
		procs * amount(r->per_proc, d);
	return d == shape->cap_amount ? takes + procs : takes;
}

int64_t maui_shape_amount(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			  unsigned d)
{
	const struct maui_node *node = sample_of(shape, class_index);

	return amount_of(shape, node, tasks, procs_of(shape, node, tasks), d);
}

void maui_shape_amounts(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
			int64_t *ret)
{
	const struct maui_node *node = sample_of(shape, class_index);
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
		int64_t left = have[d] - amount(r->per_node, d);

		if (r->per_proc[d] > 0 && !shape->whole_nodes && procs > left / r->per_proc[d])
			procs = left < 0 ? 0 : round_down(left / r->per_proc[d], node->unit);
	}
	if (procs < amount(r->per_node, MAUI_AMOUNT_PROCS))
		return 0;
	tasks = procs / task_procs(r, node->unit);
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count && r->per_task; d++) {
		int64_t left = have[d] - amount(r->per_node, d);

		if (r->per_task[d] > 0 && tasks > left / r->per_task[d])
			tasks = left < 0 ? 0 : left / r->per_task[d];
	}
	return tasks;
}

/* tasks_bound() considers each amount alone. When a job asks for the same amount by processor
 * and by task, or gets all processors with any tasks, the sum is tried for each number of
 * tasks. */
static int64_t tasks_in(const struct maui_shape *shape, uint32_t class_index, int64_t most,
			const int64_t *have)
{
	const struct maui_node *node = sample_of(shape, class_index);
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
		int64_t tasks = tasks_in(shape, class_index, need->most, free_amounts);

		return shape->fills_nodes && tasks < need->most ? 0 : tasks;
	}
	for (unsigned d = 0; d < shape->snapshot->amount_count; d++)
		if (free_amounts[d] < need->want[d])
			return 0;
	return need->most;
}

static bool contains(const uint32_t *list, uint32_t count, uint32_t what)
{
	size_t at = maui_lower_bound(list, count, sizeof(*list), maui_before_u32, &what);

	return at < count && list[at] == what;
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

/* All that a node has of an amount that is counted. */
static int64_t all_of(const struct maui_node *node, unsigned d)
{
	return d >= MAUI_AMOUNT_FIXED && node->have[d] >= MAUI_GRES_UNCOUNTED ? 0 : node->have[d];
}

static int64_t given_on(const struct maui_shape *shape, const struct maui_node *node, int64_t tasks,
			int64_t procs, unsigned d)
{
	return comes_along(shape, d) ? all_of(node, d) : amount_of(shape, node, tasks, procs, d);
}

void maui_shape_given(const struct maui_shape *shape, uint32_t class_index, int64_t tasks,
		      int64_t *ret)
{
	const struct maui_node *node = sample_of(shape, class_index);
	int64_t procs = allocated_on(shape->request, node, tasks);

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
	int64_t one = allocated_on(shape->request, n, 1),
		a_task = task_procs(shape->request, n->unit);

	most->one = one > most->one ? one : most->one;
	most->a_task = a_task > most->a_task ? a_task : most->a_task;
	most->unit = n->unit > most->unit ? n->unit : most->unit;
	for (unsigned d = MAUI_AMOUNT_MEM; d < shape->snapshot->amount_count; d++) {
		int64_t have = all_of(n, d);

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
		ret[d] = nodes * amount(r->per_node, d) + tasks * amount(r->per_task, d) +
			 procs * amount(r->per_proc, d);
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

/* ---- the least that a job gets ---- */

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
		return all_of(node, d);
	return r->whole_nodes && d > MAUI_AMOUNT_PROCS ?
		       node->have[MAUI_AMOUNT_PROCS] * amount(r->per_proc, d) :
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
			supply->parts[count++] =
				(struct maui_supply_part){ added_on(shape, sample_of(shape, c), d),
							   supply->counts[c] };
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

bool maui_shape_excludes(const struct maui_shape *shape, uint32_t node)
{
	const struct maui_request *r = shape->request;

	return r->excluded_count > 0 && contains(r->excluded, r->excluded_count, node);
}

bool maui_shape_requires(const struct maui_shape *shape, uint32_t node)
{
	const struct maui_request *r = shape->request;

	return r->required_count > 0 && contains(r->required, r->required_count, node);
}

/* EXACTPROC: how many tasks fill all processors of a node. 0: no number of tasks does, or the
 * job has too few tasks to fill all its nodes. Where --mincpus fills the node, tasks are divided
 * evenly. */
static int64_t filling_tasks(const struct maui_shape *shape, const struct maui_node *node)
{
	const struct maui_request *r = shape->request;
	int64_t have = node->have[MAUI_AMOUNT_PROCS], a_task = task_procs(r, node->unit);
	int64_t tasks = have / a_task,
		even = (shape->tasks + shape->nodes_min - 1) / shape->nodes_min;

	if (amount(r->per_node, MAUI_AMOUNT_PROCS) == have)
		tasks = tasks < even ? tasks : even;
	else if (tasks * a_task != have)
		return 0;
	if (tasks == 0 || shape->tasks % tasks != 0 || shape->tasks / tasks < shape->nodes_min ||
	    shape->tasks / tasks > shape->nodes_max)
		return 0;
	return tasks;
}

static bool class_serves(const struct maui_shape *shape, const struct maui_node *node)
{
	const struct maui_request *r = shape->request;

	if (!contains(node->partitions, node->partition_count, shape->partition) ||
	    !maui_features_match(r->features, node->features))
		return false;
	for (unsigned d = 0; r->least && d < shape->snapshot->amount_count; d++)
		if (node->have[d] < r->least[d])
			return false;
	return true;
}

static void fill_needs(struct maui_shape *shape, const struct maui_shape_rules *rules)
{
	const struct maui_request *r = shape->request;
	const struct maui_snapshot *s = shape->snapshot;
	int64_t cap = shape->tasks - (shape->nodes_min - 1);

	if (r->tasks_per_node_max > 0 && cap > r->tasks_per_node_max)
		cap = r->tasks_per_node_max;
	if (rules->one_task || r->tasks == 0)
		cap = 1;
	for (uint32_t c = 0; c < s->class_count; c++) {
		const struct maui_node *node = sample_of(shape, c);
		int64_t most = class_serves(shape, node) ? tasks_in(shape, c, cap, node->have) : 0;

		if (shape->fills_nodes) {
			int64_t filling = filling_tasks(shape, node);

			most = most < filling ? 0 : filling;
		}
		shape->needs[c].most = most;
	}
	for (uint32_t i = 0; i < r->excluded_count; i++)
		shape->needs[s->nodes[r->excluded[i]].class_index].excluded++;
}

static uint32_t count_of(const struct maui_shape *shape, const uint32_t *usable, uint32_t c)
{
	return usable ? usable[c] : shape->snapshot->classes[c].count;
}

/* The largest number of tasks that any node takes. *ret_nodes: the number of nodes that serve. */
static int64_t most_tasks(const struct maui_shape *shape, const uint32_t *usable,
			  uint64_t *ret_nodes)
{
	int64_t best = 0;

	*ret_nodes = 0;
	for (uint32_t c = 0; c < shape->snapshot->class_count; c++) {
		int64_t most = shape->needs[c].most;
		uint32_t count = most > 0 ? count_of(shape, usable, c) : 0;

		*ret_nodes += count;
		best = count > 0 && most > best ? most : best;
	}
	return best;
}

/* The number of nodes that this number of tasks fills, without the nodes that the job excludes. */
static int64_t nodes_filled_by(const struct maui_shape *shape, int64_t tasks,
			       const uint32_t *usable)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;
	int64_t nodes = 0;

	for (uint32_t c = 0; c < s->class_count; c++)
		if (shape->needs[c].most == tasks)
			nodes += count_of(shape, usable, c);
	for (uint32_t i = 0; i < r->excluded_count; i++) {
		const struct maui_node *node = &s->nodes[r->excluded[i]];

		nodes -= shape->needs[node->class_index].most == tasks &&
			 (!usable || node->usable_from_s != MAUI_NEVER);
	}
	return nodes;
}

/* EXACTPROC: all nodes of a job have the same size. So a size with too few nodes is dropped, and
 * every size but that of the nodes that the job names. */
static void drop_rare_sizes(struct maui_shape *shape, const uint32_t *usable)
{
	const struct maui_snapshot *s = shape->snapshot;
	const struct maui_request *r = shape->request;
	int64_t named =
		r->required_count ? shape->needs[s->nodes[r->required[0]].class_index].most : 0;

	for (uint32_t c = 0; c < s->class_count; c++) {
		int64_t *most = &shape->needs[c].most;

		if (*most > 0 && ((r->required_count && *most != named) ||
				  nodes_filled_by(shape, *most, usable) < shape->tasks / *most))
			*most = 0;
	}
}

static bool has_licences(const struct maui_snapshot *s, const struct maui_request *r)
{
	for (unsigned d = 0; s->global && r->global && d < s->amount_count; d++)
		if (r->global[d] > s->global[d])
			return false;
	return true;
}

/* A node must take at least what is left when all other nodes are full. */
static void raise_least(struct maui_shape *shape, int64_t best, uint64_t nodes)
{
	int64_t forced = shape->tasks - (int64_t)(nodes - 1) * best;

	if (shape->fills_nodes) { /* the least is the smallest size */
		forced = best;
		for (uint32_t c = 0; c < shape->snapshot->class_count; c++)
			if (shape->needs[c].most > 0 && shape->needs[c].most < forced)
				forced = shape->needs[c].most;
	}
	if (nodes > 0 && forced > shape->least)
		shape->least = forced;
}

static int set_wants(struct maui_shape *shape, struct maui_arena *arena)
{
	const struct maui_snapshot *s = shape->snapshot;

	shape->fixed = true;
	for (uint32_t c = 0; c < s->class_count; c++) {
		if (shape->needs[c].most < shape->least)
			shape->needs[c].most = 0;
		shape->fixed &= shape->needs[c].most == 0 || shape->needs[c].most == shape->least;
	}
	for (uint32_t c = 0; shape->fixed && c < s->class_count; c++) {
		int64_t *want;

		if (shape->needs[c].most == 0)
			continue;
		want = maui_arena_alloc(arena, s->amount_count * sizeof(*want));
		if (!want)
			return -1;
		maui_shape_amounts(shape, c, shape->needs[c].most, want);
		shape->needs[c].want = want;
	}
	return 0;
}

static void set_counts(struct maui_shape *shape, const struct maui_shape_rules *rules)
{
	const struct maui_request *r = shape->request;

	shape->nodes_min = r->nodes_min > r->required_count ? r->nodes_min : r->required_count;
	shape->tasks = r->tasks > shape->nodes_min ? (int64_t)r->tasks : shape->nodes_min;
	shape->nodes_max = r->nodes_max ? r->nodes_max : UINT32_MAX;
	shape->fewest_nodes = rules->exact_nodes && r->nodes_named && r->nodes_max > r->nodes_min;
	if (rules->exact_nodes && r->nodes_named && !shape->fewest_nodes)
		shape->nodes_max = r->nodes_min;
	if (shape->nodes_max > shape->tasks)
		shape->nodes_max = (uint32_t)shape->tasks;
	shape->least = r->tasks_per_node_min > 1 ? r->tasks_per_node_min : 1;
}

int maui_shape_make(const struct maui_snapshot *snapshot, uint32_t request, uint32_t partition,
		    uint32_t user, const struct maui_shape_rules *rules, const uint32_t *usable,
		    struct maui_arena *arena, struct maui_shape *ret)
{
	/* a copy, because the snapshot's list moves when it grows */
	struct maui_request *r = maui_arena_alloc(arena, sizeof(*r));

	if (!r)
		return -1;
	*r = snapshot->requests[request];
	return maui_shape_make_of(snapshot, r, partition, user, rules, usable, arena, ret);
}

int maui_shape_make_of(const struct maui_snapshot *snapshot, const struct maui_request *r,
		       uint32_t partition, uint32_t user, const struct maui_shape_rules *rules,
		       const uint32_t *usable, struct maui_arena *arena, struct maui_shape *ret)
{
	uint64_t nodes;
	int64_t best;

	*ret = (struct maui_shape){ .snapshot = snapshot,
				    .request = r,
				    .partition = partition,
				    .cap_amount = snapshot->partitions[partition].cap_amount,
				    .user = user,
				    .sole_user = r->sole_user || rules->sole_user,
				    .whole_nodes = r->whole_nodes || rules->whole_nodes,
				    .fills_nodes = rules->exact_procs };
	ret->needs = maui_arena_alloc(arena, (snapshot->class_count + 1u) * sizeof(*ret->needs));
	if (!ret->needs)
		return -1;
	set_counts(ret, rules);
	fill_needs(ret, rules);
	if (ret->fills_nodes)
		drop_rare_sizes(ret, NULL);
	best = most_tasks(ret, NULL, &nodes);
	if (!maui_shape_suffices(ret, NULL) || !has_licences(snapshot, r)) {
		ret->impossible = MAUI_REASON_NEVER_FITS;
		/* there are enough nodes: the node reasons need `least` */
		if (ret->nodes_max <= nodes)
			raise_least(ret, best, ret->nodes_max);
		return 0;
	}
	if (ret->fills_nodes)
		drop_rare_sizes(ret, usable);
	best = most_tasks(ret, usable, &nodes);
	if (!maui_shape_suffices(ret, usable)) {
		ret->impossible = MAUI_REASON_NODES_DOWN;
		return 0;
	}
	raise_least(ret, best, nodes < ret->nodes_max ? nodes : ret->nodes_max);
	return set_wants(ret, arena);
}
