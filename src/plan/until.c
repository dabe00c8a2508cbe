/* SPDX-License-Identifier: GPL-2.0-or-later */
/* until.c - which reservation has to be over for a job to start, and when that is
 *
 * Other jobs aside: of each node it is found out since when no reservation closes it for as long as
 * the job runs. When enough of them are open, that is the moment, and who kept the last of them is
 * the one. What adjoins there is one stretch, told by the name of the reservation that it begins
 * with; what is between two stretches is too short for the job.
 */

#include <stdlib.h>

#include "plan/left.h"
#include "plan/private.h"

/* Nodes that are the same, next to each other. */
struct opening {
	int64_t open_s; /* from then on; NEVER */
	int64_t tasks;  /* of each */
	uint32_t count;
	uint32_t claims; /* where the last stretch begins: a set; 0: it was never closed */
};

static bool is_closed(const struct maui_planner *p, const struct maui_plan_entry *e, uint32_t node,
		      uint32_t index, int64_t from)
{
	const struct maui_step *step =
		maui_line_step(&p->timeline, &p->timeline.lines[node], index);

	return step->claims &&
	       maui_plan_step_tasks(p, &e->shape->shape, node, index,
				    (struct maui_span){ from, maui_when_add(from, e->limit_s) }) ==
		       0;
}

static struct opening find_opening(struct maui_planner *p, const struct maui_plan_entry *e,
				   uint32_t node)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	int64_t usable_s = p->snapshot->nodes[node].usable_from_s;
	struct opening o = { .open_s = usable_s > p->now ? usable_s : p->now };

	for (uint32_t i = maui_timeline_at(t, node, o.open_s); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		p->reason_work++;
		if (step->at >= maui_when_add(o.open_s, e->limit_s))
			break;
		if (!is_closed(p, e, node, i, o.open_s))
			continue;
		if (o.claims == 0 || step->at > o.open_s)
			o.claims = step->claims;
		o.open_s = maui_line_until(t, line, i);
		if (o.open_s == MAUI_NEVER)
			return o;
	}
	o.tasks = maui_plan_span_tasks(
		p, &e->shape->shape, node,
		(struct maui_span){ o.open_s, maui_when_add(o.open_s, e->limit_s) });
	return o;
}

static int compare(const void *a, const void *b)
{
	const struct opening *one = a, *two = b;

	return (one->open_s > two->open_s) - (one->open_s < two->open_s);
}

/* All of the pool that can be of use, ascending by when they are open; NULL without memory. */
static struct opening *list_openings(struct maui_planner *p, const struct maui_plan_entry *e,
				     uint32_t *ret_count)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	struct opening *list = calloc(pool->node_count + 1u, sizeof(*list));
	uint32_t last = MAUI_PLAN_NONE, count = 0;

	p->reason_work += pool->node_count;
	for (uint32_t i = 0; list && i < pool->node_count; i++) {
		uint32_t node = pool->nodes[i];

		if (p->snapshot->nodes[node].usable_from_s == MAUI_NEVER ||
		    !maui_plan_matters(p, &e->shape->shape, node))
			continue;
		if (last == MAUI_PLAN_NONE || !maui_timeline_same(&p->timeline, last, node) ||
		    p->snapshot->nodes[last].usable_from_s !=
			    p->snapshot->nodes[node].usable_from_s)
			list[count++] = find_opening(p, e, node);
		list[count - 1].count++;
		last = node;
	}
	if (list)
		qsort(list, count, sizeof(*list), compare);
	*ret_count = count;
	return list;
}

/* The moment at which those that are open by then suffice; NEVER. */
static int64_t find_moment(const struct maui_shape *shape, const struct opening *list,
			   uint32_t count)
{
	uint64_t nodes = 0;
	int64_t tasks = 0;

	for (uint32_t i = 0; i < count && list[i].open_s != MAUI_NEVER; i++) {
		nodes += list[i].tasks > 0 ? list[i].count : 0;
		tasks += list[i].tasks * list[i].count;
		if (maui_fit_suffices(shape, nodes, tasks))
			return list[i].open_s;
	}
	return MAUI_NEVER;
}

/* Of those in the set that shut it out the one that lasts longest; its index, or NONE. */
static uint32_t longest(const struct maui_planner *p, const struct maui_plan_entry *e,
			uint32_t claims)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_claim_set *set = claims ? &t->claim_sets[claims - 1] : NULL;
	uint32_t best = MAUI_PLAN_NONE;

	for (uint32_t i = 0; set && i < set->count; i++) {
		uint32_t claim = set->parts[i].claim;
		const struct maui_claim *c = t->claims[claim];
		const struct maui_span span = { c->start_s, maui_when_add(c->start_s, e->limit_s) };

		if (!set->parts[i].ahead && c->group != MAUI_CLAIM_FOREIGN &&
		    maui_plan_shut(p, &e->shape->shape, claim, span) &&
		    (best == MAUI_PLAN_NONE || c->end_s > t->claims[best]->end_s))
			best = claim;
	}
	return best;
}

/* Who keeps most of the nodes that are open at that moment, and not before. */
static const struct maui_claim *find_keeper(const struct maui_planner *p,
					    const struct maui_plan_entry *e,
					    const struct opening *list, uint32_t count,
					    int64_t when)
{
	const struct maui_timeline *t = &p->timeline;
	uint32_t *nodes = calloc(t->claim_count + 1, sizeof(*nodes)), best = MAUI_PLAN_NONE;

	for (uint32_t i = 0; nodes && i < count; i++) {
		uint32_t claim =
			list[i].open_s == when ? longest(p, e, list[i].claims) : MAUI_PLAN_NONE;

		if (claim == MAUI_PLAN_NONE)
			continue;
		nodes[claim] += list[i].count;
		if (best == MAUI_PLAN_NONE || nodes[claim] > nodes[best] ||
		    (nodes[claim] == nodes[best] && claim < best))
			best = claim;
	}
	free(nodes);
	return best == MAUI_PLAN_NONE ? NULL : t->claims[best];
}

const struct maui_claim *maui_plan_until(struct maui_planner *p, const struct maui_plan_entry *e,
					 int64_t *ret_until_s)
{
	const struct maui_claim *claim = NULL;
	struct opening *list;
	uint32_t count;

	if (!maui_plan_has_time(p, e))
		return NULL;
	list = list_openings(p, e, &count);
	p->failed |= !list;
	*ret_until_s = list ? find_moment(&e->shape->shape, list, count) : MAUI_NEVER;
	if (*ret_until_s != MAUI_NEVER && *ret_until_s > p->now)
		claim = find_keeper(p, e, list, count, *ret_until_s);
	free(list);
	return claim;
}
