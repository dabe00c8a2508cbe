/* SPDX-License-Identifier: GPL-2.0-or-later */
/* left.c - what reservations leave a job of a node, whoever else is there */

#include "plan/left.h"

#include <string.h>

#include "plan/private.h"

bool maui_plan_shut(const struct maui_planner *p, const struct maui_shape *shape, uint32_t claim,
		    struct maui_span span)
{
	const struct maui_claim *c = p->timeline.claims[claim];
	const struct maui_access *entry = maui_access_find(shape->access, c->group);

	if (c->group == MAUI_CLAIM_FOREIGN)
		return !maui_claim_is_listed(shape->request, claim);
	return !(entry && maui_claim_lets_in(c, entry, span));
}

/* Nodes that it names must be there: enough of them, and no others matter. */
static bool names_enough(const struct maui_planner *p, const struct maui_shape *shape)
{
	const struct maui_request *r = shape->request;
	int64_t tasks = 0;

	if (r->required_count == 0 || r->required_count >= shape->nodes_max)
		return r->required_count > 0;
	if (r->required_count < shape->nodes_min)
		return false;
	for (uint32_t i = 0; i < r->required_count; i++)
		tasks += shape->needs[p->timeline.class_of[r->required[i]]].most;
	return tasks >= shape->tasks;
}

/* Whether the node is in a reservation that it is for, at any time. */
static bool is_home(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];

	for (uint32_t i = 0; i < line->count; i++) {
		uint32_t claims = maui_line_step(t, line, i)->claims;
		const struct maui_claim_set *set = claims ? &t->claim_sets[claims - 1] : NULL;

		for (uint32_t c = 0; set && c < set->count; c++) {
			uint32_t claim = set->parts[c].claim;
			const struct maui_access *entry =
				maui_access_find(shape->access, t->claims[claim]->group);

			if (t->claims[claim]->group == MAUI_CLAIM_FOREIGN ?
				    maui_claim_is_listed(shape->request, claim) :
				    entry && entry->home)
				return true;
		}
	}
	return false;
}

bool maui_plan_asked(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node)
{
	if (names_enough(p, shape) && !maui_shape_requires(shape, node))
		return false;
	return !(shape->request->only_claims || (shape->access && shape->access->only)) ||
	       is_home(p, shape, node);
}

bool maui_plan_matters(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node)
{
	return shape->needs[p->timeline.class_of[node]].most > 0 &&
	       !maui_shape_excludes(shape, node) && maui_plan_asked(p, shape, node);
}

bool maui_plan_within(const struct maui_planner *p, const struct maui_shape *shape,
		      const struct maui_claim_set *set, struct maui_span span, int64_t *ret)
{
	const struct maui_timeline *t = &p->timeline;
	bool inside = false, whole = false;

	for (unsigned d = 0; d < t->amount_count; d++)
		ret[d] = MAUI_NEVER;
	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(shape->access, claim->group);
		const int64_t *amounts = set->parts[i].amounts;

		if (!entry || !entry->home || claim->group == MAUI_CLAIM_FOREIGN ||
		    !maui_claim_lets_in(claim, entry, span))
			continue;
		inside = true;
		whole |= !amounts;
		for (unsigned d = 0; amounts && d < t->amount_count; d++)
			if (amounts[d] > 0)
				ret[d] = (ret[d] == MAUI_NEVER ? 0 : ret[d]) + amounts[d];
	}
	for (unsigned d = 0; whole && d < t->amount_count; d++)
		ret[d] = MAUI_NEVER;
	return inside;
}

bool maui_plan_step_left(const struct maui_planner *p, const struct maui_shape *shape,
			 uint32_t node, const struct maui_step *step, struct maui_span span,
			 int64_t *ret)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	int64_t within[t->amount_count];

	memcpy(ret, p->snapshot->nodes[node].have, sizeof(within));
	for (uint32_t i = 0; set && i < set->count; i++) {
		const int64_t *kept = set->parts[i].amounts;

		if (!maui_plan_shut(p, shape, set->parts[i].claim, span))
			continue;
		if (!kept)
			return false;
		for (unsigned d = 0; d < t->amount_count; d++)
			ret[d] = ret[d] > kept[d] ? ret[d] - kept[d] : 0;
	}
	if (!shape->access || !shape->access->only)
		return true;
	if (!maui_plan_within(p, shape, set, span, within))
		return false;
	for (unsigned d = 0; d < t->amount_count; d++)
		ret[d] = ret[d] < within[d] ? ret[d] : within[d];
	return true;
}

static int64_t step_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			  uint32_t node, const struct maui_step *step, struct maui_span span)
{
	int64_t left[p->timeline.amount_count];

	return maui_plan_step_left(p, shape, node, step, span, left) ?
		       maui_shape_tasks(shape, p->timeline.class_of[node], left) :
		       0;
}

/* Tasks that the node takes during a span, from its first-th step on. */
static int64_t span_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			  uint32_t node, uint32_t first, struct maui_span span,
			  uint32_t *ret_claims)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_line *line = &t->lines[node];
	int64_t least = shape->needs[t->class_of[node]].most;

	for (uint32_t i = first; i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks;

		if (step->at >= span.until)
			break;
		if (!step->claims && !(shape->access && shape->access->only))
			continue; /* all of the node */
		*ret_claims = step->claims;
		tasks = step_tasks(p, shape, node, step, span);
		least = tasks < least ? tasks : least;
	}
	return least;
}

int64_t maui_plan_step_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			     uint32_t node, uint32_t step, struct maui_span span)
{
	return step_tasks(p, shape, node,
			  maui_line_step(&p->timeline, &p->timeline.lines[node], step), span);
}

int64_t maui_plan_span_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span)
{
	uint32_t claims;

	return span_tasks(p, shape, node, maui_timeline_at(&p->timeline, node, span.from), span,
			  &claims);
}

uint32_t maui_plan_closed(const struct maui_planner *p, const struct maui_shape *shape,
			  uint32_t node, struct maui_span span)
{
	uint32_t claims = 0;

	return span_tasks(p, shape, node, maui_timeline_at(&p->timeline, node, span.from), span,
			  &claims) > 0 ?
		       0 :
		       claims;
}

int64_t maui_plan_node_tasks(const struct maui_planner *p, const struct maui_plan_entry *e,
			     uint32_t node, bool at_last)
{
	const struct maui_line *line = &p->timeline.lines[node];
	const struct maui_shape *shape = &e->shape->shape;
	int64_t usable_s = p->snapshot->nodes[node].usable_from_s;
	uint32_t first = at_last && line->count > 0 ? line->count - 1 : 0, claims;
	struct maui_span span = { p->now, maui_when_add(p->now, e->limit_s) };

	if (usable_s == MAUI_NEVER || (!at_last && usable_s > p->now) ||
	    maui_shape_excludes(shape, node))
		return 0;
	if (first > 0) {
		span.from = maui_line_step(&p->timeline, line, first)->at;
		span.until = maui_when_add(span.from, e->limit_s);
	}
	return span_tasks(p, shape, node, first, span, &claims);
}
