/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_use.c - amounts that reservations hold of each node, over time
 *
 * In: tasks of an instance, or a claim of a Slurm reservation, put on a node or taken off. Out: for
 * each node an array of steps, ascending by time, each with the amounts held from then on.
 */

#include <string.h>

#include "base/steps.h"
#include "reservation/placement/private.h"

/* Amounts that are held for a time. */
struct hold {
	int64_t from, until;
	int64_t used[MAUI_PLACEMENT_AMOUNTS];
	bool whole; /* the whole node; `used` does not count */
	enum maui_exclusive exclusive;
};

int maui_placement_init_nodes(struct maui_placement *p)
{
	size_t nodes = p->s->node_count + 1u;
	struct maui_use_step *steps = maui_arena_alloc(p->arena, nodes * sizeof(*steps));

	p->use = maui_arena_alloc(p->arena, nodes * sizeof(*p->use));
	p->depth = maui_arena_alloc(p->arena, nodes * sizeof(*p->depth));
	p->idle_from = maui_arena_alloc(p->arena, nodes * sizeof(*p->idle_from));
	p->busy_until = maui_arena_alloc(p->arena, nodes * sizeof(*p->busy_until));
	p->seen = maui_arena_alloc(p->arena, nodes * sizeof(*p->seen));
	p->own_item = maui_arena_alloc(p->arena, nodes * sizeof(*p->own_item));
	p->own_place = maui_arena_alloc(p->arena, nodes * sizeof(*p->own_place));
	p->list = maui_arena_alloc(p->arena, nodes * sizeof(*p->list));
	p->found = maui_arena_alloc(p->arena, nodes * sizeof(*p->found));
	if (!steps || !p->use || !p->depth || !p->idle_from || !p->busy_until || !p->seen ||
	    !p->own_item || !p->own_place || !p->list || !p->found)
		return -1;
	for (uint32_t n = 0; n < p->s->node_count; n++) {
		steps[n].at = INT64_MIN;
		p->use[n] = (struct maui_node_use){ &steps[n], 1, 1 };
		maui_placement_find_jobs(p, n);
	}
	return 0;
}

/* ---- steps ---- */

static uint32_t step_at(const struct maui_node_use *use, int64_t when)
{
	return maui_steps_find(use->steps, use->count, sizeof(*use->steps), when);
}

const struct maui_use_step *maui_node_use_at(const struct maui_node_use *use, int64_t when)
{
	const struct maui_use_step *step = use->steps, *last = step + use->count - 1;

	/* a node usually has few steps, and one of the first is wanted: faster than a binary
	 * search */
	while (step < last && step[1].at <= when)
		step++;
	return step;
}

/* Makes a step begin at `when`; the array must be large enough. Returns its index. */
static uint32_t cut_step(struct maui_node_use *use, int64_t when)
{
	return maui_steps_cut(use->steps, &use->count, sizeof(*use->steps), step_at(use, when),
			      when);
}

/* Removes a step that does not differ from the one before. */
static void join_step(struct maui_node_use *use, uint32_t at)
{
	struct maui_use_step *step = &use->steps[at];

	if (at == 0 || at >= use->count || step->whole != step[-1].whole ||
	    step->exclusive != step[-1].exclusive ||
	    step->exclusive_user != step[-1].exclusive_user ||
	    memcmp(step->used, step[-1].used, sizeof(step->used)) != 0)
		return;
	use->count--;
	memmove(step, step + 1, (use->count - at) * sizeof(*step));
}

static int reserve_steps(struct maui_placement *p, struct maui_node_use *use, uint32_t count)
{
	uint32_t alloc = 2 * count;
	struct maui_use_step *steps;

	if (use->alloc >= count)
		return 0;
	steps = maui_arena_alloc(p->arena, alloc * sizeof(*steps));
	if (!steps)
		return -1;
	memcpy(steps, use->steps, use->count * sizeof(*steps));
	use->steps = steps;
	use->alloc = alloc;
	return 0;
}

static void change_step(struct maui_use_step *step, const struct hold *hold, int sign)
{
	for (unsigned d = 0; d < MAUI_PLACEMENT_AMOUNTS; d++)
		step->used[d] += sign * hold->used[d];
	if (hold->whole)
		step->whole = (uint32_t)((int64_t)step->whole + sign);
	if (hold->exclusive == MAUI_EXCLUSIVE_ALL)
		step->exclusive = (uint16_t)(step->exclusive + sign);
	else if (hold->exclusive == MAUI_EXCLUSIVE_USER)
		step->exclusive_user = (uint16_t)(step->exclusive_user + sign);
}

/* Adds the amounts to the node (sign 1), or removes them (-1). */
static int change_use(struct maui_placement *p, uint32_t node, const struct hold *hold, int sign)
{
	struct maui_node_use *use = &p->use[node];
	uint32_t from, until;

	if (hold->from >= hold->until)
		return 0;
	if (reserve_steps(p, use, use->count + 2))
		return -1;
	from = cut_step(use, hold->from);
	until = hold->until == MAUI_NEVER ? use->count : cut_step(use, hold->until);
	for (uint32_t i = from; i < until; i++)
		change_step(&use->steps[i], hold, sign);
	join_step(use, until);
	join_step(use, from);
	return 0;
}

int maui_placement_hold_claim(struct maui_placement *p, uint32_t node, int64_t from, int64_t until,
			      const int64_t *used)
{
	struct hold hold = { .from = from, .until = until, .whole = !used };

	for (unsigned d = 0; used && d < p->amounts; d++)
		hold.used[d] = used[d];
	p->depth[node]++;
	return change_use(p, node, &hold, 1);
}

/* ---- places of an item ---- */

static void set_own(struct maui_placement *p, uint32_t node, uint32_t index)
{
	p->own_item[node] = p->item_number;
	p->own_place[node] = index;
}

void maui_placement_select_item(struct maui_placement *p, struct maui_placement_item *item)
{
	p->item_number++;
	for (uint32_t i = 0; i < item->instance->place_count; i++)
		set_own(p, item->instance->places[i].node, i);
}

static int hold_tasks(struct maui_placement *p, const struct maui_placement_item *item,
		      uint32_t node, int64_t tasks, int sign)
{
	struct hold hold = { .from = item->instance->start_s,
			     .until = item->instance->end_s,
			     .whole = item->whole,
			     .exclusive = maui_exclusive_of(item->rsv) };

	if (!item->whole)
		maui_placement_amounts(p->s, item->rsv, &p->s->nodes[node], tasks, hold.used);
	return change_use(p, node, &hold, sign);
}

static int append_place(struct maui_placement *p, struct maui_placement_item *item, uint32_t node)
{
	struct maui_rsv_instance *i = item->instance;

	if (i->place_count == item->place_alloc) {
		uint32_t alloc = item->place_alloc ? item->place_alloc * 2 : 8;
		struct maui_rsv_place *places = maui_arena_alloc(p->arena, alloc * sizeof(*places));

		if (!places)
			return -1;
		if (i->place_count > 0)
			memcpy(places, i->places, i->place_count * sizeof(*places));
		i->places = places;
		item->place_alloc = alloc;
	}
	i->places[i->place_count] = (struct maui_rsv_place){ .node = node };
	set_own(p, node, i->place_count++);
	p->depth[node]++;
	return 0;
}

int maui_placement_put_tasks(struct maui_placement *p, struct maui_placement_item *item,
			     uint32_t node, int64_t tasks)
{
	int64_t has = maui_placement_tasks_on(p, item, node);

	if ((has > 0 && hold_tasks(p, item, node, has, -1)) ||
	    (has == 0 && append_place(p, item, node)) || hold_tasks(p, item, node, has + tasks, 1))
		return -1;
	item->instance->places[p->own_place[node]].tasks = has + tasks;
	item->missing -= tasks;
	return 0;
}

int maui_placement_drop_tasks(struct maui_placement *p, struct maui_placement_item *item,
			      uint32_t node)
{
	struct maui_rsv_instance *i = item->instance;
	int64_t has = maui_placement_tasks_on(p, item, node);

	if (has == 0)
		return 0;
	if (hold_tasks(p, item, node, has, -1))
		return -1;
	i->place_count--;
	i->places[p->own_place[node]] = i->places[i->place_count];
	set_own(p, i->places[p->own_place[node]].node, p->own_place[node]);
	p->own_item[node] = 0;
	p->depth[node]--;
	item->missing += has;
	return 0;
}
