/* SPDX-License-Identifier: GPL-2.0-or-later */
/* components.c - het jobs: several components that start together, each on nodes of its own
 *
 * Slurm calls them het jobs, Maui jobs with several requests. Each component is an idle job of the
 * snapshot, with its own request, partitions and credentials, and counts against its own limits.
 * The components start, or get their job reservations, at the turn of the first one, the leader:
 * all at the same moment or none. When one does not fit, nothing is kept for the others.
 *
 * Behind a blocked job a het job starts after all other jobs have had their turn in backfill.
 *
 * Rules: HET-1, HET-2.
 */

#include "plan/het/components.h"

#include <stdlib.h>

#include "plan/placing.h"

static int compare_components(const void *a, const void *b)
{
	const struct maui_het_component *one = a, *other = b;

	if (one->het_id != other->het_id)
		return one->het_id < other->het_id ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

/* Lists the components of all het jobs, sorted. Returns how many; NULL without memory. */
static struct maui_het_component *list_components(struct maui_planner *p, uint32_t *ret_count)
{
	const struct maui_snapshot *s = p->snapshot;
	struct maui_het_component *list;
	uint32_t count = 0;

	for (uint32_t j = 0; j < s->idle_count; j++)
		count += s->idle[j].het_id != 0;
	list = maui_arena_alloc(&p->arena, (count + 1u) * sizeof(*list));
	*ret_count = 0;
	for (uint32_t j = 0; list && j < s->idle_count; j++) {
		const struct maui_idle *idle = &s->idle[j];
		struct maui_het_component *c = &list[*ret_count];

		if (idle->het_id == 0)
			continue;
		*c = (struct maui_het_component){ .het_id = idle->het_id,
						  .offset = idle->het_offset,
						  .job = j };
		c->rows = maui_arena_alloc(&p->arena,
					   idle->row_count * sizeof(struct maui_plan_entry *));
		if (!c->rows)
			return NULL;
		++*ret_count;
	}
	if (list && *ret_count > 1)
		qsort(list, *ret_count, sizeof(*list), compare_components);
	return list;
}

static bool can_start(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && !shape->impossible && !e->refused;
}

/* Finds the entries of the components. None starts at its own turn. */
static int find_rows(struct maui_planner *p, struct maui_het_component *list, uint32_t count)
{
	struct maui_het_component **of_job = maui_arena_alloc(
		&p->arena, (p->snapshot->idle_count + 1u) * sizeof(struct maui_het_component *));

	if (!of_job)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		of_job[list[i].job] = &list[i];
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];
		struct maui_het_component *c = of_job[e->job];

		if (!c)
			continue;
		e->het = MAUI_PLAN_NONE;
		if (e->state == MAUI_PLAN_WAITING && e->copy == 0 && can_start(p, e))
			c->rows[c->row_count++] = e;
	}
	return 0;
}

/* Whether all components are in the queue, and each can start some day. */
static bool is_complete(const struct maui_planner *p, const struct maui_plan_het *het)
{
	if (het->count != p->snapshot->idle[het->components[0].job].het_count)
		return false;
	for (uint32_t k = 0; k < het->count; k++)
		if (het->components[k].row_count == 0 || het->components[k].offset != k)
			return false;
	return true;
}

static void take_out(const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		for (uint32_t r = 0; r < het->components[k].row_count; r++)
			het->components[k].rows[r]->state = MAUI_PLAN_OUT;
}

/* A component that may not start keeps the others out. */
static void leave_out(struct maui_planner *p, const struct maui_plan_het *het)
{
	const struct maui_het_component *first = NULL;

	for (uint32_t k = het->count; k-- > 0;)
		if (het->components[k].row_count == 0)
			first = &het->components[k];
	take_out(het);
	for (uint32_t k = 0; k < het->count; k++) {
		const struct maui_het_component *c = &het->components[k];

		if (c->row_count > 0 && !p->out->verdicts[c->job].blocks)
			maui_plan_add_component(p, c->rows[0], first ? first->job : MAUI_PLAN_NONE);
	}
}

void maui_het_add_together(struct maui_planner *p, const struct maui_plan_het *het)
{
	for (uint32_t k = 0; k < het->count; k++)
		if (!p->out->verdicts[het->components[k].job].blocks)
			maui_plan_add_together(p, het->components[k].rows[0]);
}

int maui_plan_list_hets(struct maui_planner *p)
{
	struct maui_het_component *list, **order;
	uint32_t count, next;

	p->hets.list = NULL;
	p->hets.count = 0;
	p->hets.placements = 0;
	if (!p->hets.any)
		return 0;
	list = list_components(p, &count);
	if (!list)
		return -1;
	if (count == 0)
		return 0;
	p->hets.list = maui_arena_alloc(&p->arena, count * sizeof(*p->hets.list));
	order = maui_arena_alloc(&p->arena, count * sizeof(struct maui_het_component *));
	if (!p->hets.list || maui_plan_make_closed(p) || !order || find_rows(p, list, count))
		return -1;
	for (uint32_t i = 0; i < count; i = next) {
		struct maui_plan_het *het = &p->hets.list[p->hets.count];

		for (next = i + 1; next < count && list[next].het_id == list[i].het_id;)
			next++;
		*het = (struct maui_plan_het){ .components = &list[i],
					       .order = &order[i],
					       .count = next - i };
		if (!is_complete(p, het)) {
			leave_out(p, het);
		} else if (maui_het_needs_too_much(p, het)) {
			take_out(het);
			maui_het_add_together(p, het);
		} else {
			list[i].rows[0]->het = ++p->hets.count;
		}
	}
	return 0;
}
