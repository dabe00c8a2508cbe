/* SPDX-License-Identifier: GPL-2.0-or-later */
/* usage.c - what of reservations is in use at the moment, by jobs inside them
 *
 * What jobs take from a part of a node is what the timeline charges its claim: once, where several
 * lie side by side. A whole node is used by each job on it that its lists, TIMELIMIT included, let
 * in. Idle is what is reserved, not used from inside, and free: a job that was there before the
 * reservation began takes away from it, too. Where several lie upon each other a processor is idle
 * once: for the first of them in the list of reservations, that is, in the order of maui.cfg, then
 * in that in which setres made them (our ruling). So all together are never charged with more than
 * there is.
 */

#include "plan/access.h"
#include "plan/private.h"

/* What an instance has of one node. */
struct stake {
	struct stake *next; /* another instance's, of the same node, behind it in the list */
	struct maui_rsv_instance *instance;
	const struct maui_claim *whole; /* jobs are counted; NULL: the timeline did */
	int64_t reserved, used;
};

static int64_t reserved_on(const struct maui_planner *p, const struct maui_rsv_instance *instance,
			   const struct maui_rsv_place *place)
{
	const struct maui_rsv *rsv = p->input->standing->list[instance->rsv];
	int64_t have = p->snapshot->nodes[place->node].have[MAUI_AMOUNT_PROCS], procs;

	if (rsv->task.procs < 0 || maui_rsv_has(rsv, MAUI_RSV_DEDICATEDNODE))
		return have;
	procs = place->tasks * rsv->task.procs;
	return procs < have ? procs : have;
}

/* What the claim that the stake stands for was charged, if it keeps a part of the node. */
static void find_claim(const struct maui_planner *p, uint32_t node, struct stake *stake)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_step *step = maui_line_step(t, &t->lines[node], 0);
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim_part *part = &set->parts[i];
		const struct maui_claim *claim = t->claims[part->claim];

		if (claim->group != stake->instance->rsv)
			continue;
		if (part->amounts)
			stake->used = part->amounts[MAUI_AMOUNT_PROCS] -
				      set->kept[i * t->amount_count + MAUI_AMOUNT_PROCS];
		else
			stake->whole = claim;
	}
}

/* To be called for the last instance first. */
static int list_stakes(struct maui_planner *p, struct maui_rsv_instance *instance,
		       struct stake **of_node)
{
	for (uint32_t i = 0; i < instance->place_count; i++) {
		const struct maui_rsv_place *place = &instance->places[i];
		struct stake *stake = maui_arena_alloc(&p->arena, sizeof(*stake));

		if (!stake)
			return -1;
		*stake = (struct stake){ .next = of_node[place->node],
					 .instance = instance,
					 .reserved = reserved_on(p, instance, place) };
		find_claim(p, place->node, stake);
		of_node[place->node] = stake;
		instance->reserved_procs += stake->reserved;
	}
	return 0;
}

static bool is_inside(const struct stake *stake, const struct maui_access_table *table,
		      struct maui_span span)
{
	const struct maui_access *entry = maui_access_find(table, stake->instance->rsv);

	return stake->whole && entry && maui_claim_lets_in(stake->whole, entry, span);
}

static void count_active(struct maui_planner *p, uint32_t index, struct stake *const *of_node)
{
	const struct maui_active *active = &p->snapshot->active[index];
	const struct maui_access_table *table = maui_plan_access_active(p, index);
	const struct maui_span span = maui_plan_admitted_span(p, active);

	for (uint32_t i = 0; table && !active->suspended && i < active->piece_count; i++) {
		int64_t procs = active->pieces[i].amounts[MAUI_AMOUNT_PROCS];

		for (struct stake *stake = of_node[active->pieces[i].node]; stake;
		     stake = stake->next)
			if (is_inside(stake, table, span))
				stake->used += procs;
	}
}

static void sum_up(const struct maui_planner *p, uint32_t node, struct stake *stake)
{
	int64_t left = maui_line_step(&p->timeline, &p->timeline.lines[node], 0)
			       ->free[MAUI_AMOUNT_PROCS];

	for (; stake; stake = stake->next) {
		int64_t used = stake->used < stake->reserved ? stake->used : stake->reserved;
		int64_t idle = stake->reserved - used;

		if (idle > left)
			idle = left > 0 ? left : 0;
		left -= idle;
		stake->instance->used_procs += used;
		stake->instance->idle_procs += idle;
	}
}

int maui_plan_usage(struct maui_planner *p)
{
	struct maui_decisions *d = p->out;
	struct stake **of_node;

	if (d->instance_count == 0)
		return 0;
	of_node = maui_arena_alloc(&p->arena, p->snapshot->node_count * sizeof(*of_node));
	if (!of_node)
		return -1;
	for (uint32_t i = d->instance_count; i-- > 0;)
		if (d->instances[i].start_s <= p->now && p->now < d->instances[i].end_s &&
		    list_stakes(p, &d->instances[i], of_node))
			return -1;
	for (uint32_t i = 0; i < p->snapshot->active_count; i++)
		count_active(p, i, of_node);
	for (uint32_t n = 0; n < p->snapshot->node_count; n++)
		sum_up(p, n, of_node[n]);
	return 0;
}
