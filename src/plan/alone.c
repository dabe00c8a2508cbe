/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alone.c - where a job could start if no other job ran or were before it
 *
 * Reservations stay as they are, those who run inside left out. A job that could not start even
 * then waits for a reservation, not for jobs.
 */

#include "plan/private.h"

/* Questions whose answers a shape keeps. */
enum { NOW, AT_LAST, SOME_DAY, BESIDE, INSIDE };

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
	       !maui_shape_excludes(shape, node) &&
	       maui_plan_asked(p, shape, node);
}

/* What the claims that are its home have, in the dimensions they speak of; false: none is. */
static bool get_within(const struct maui_planner *p, const struct maui_shape *shape,
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

/* What of the node it could have if nobody were there, during a step; false: nothing. Stacked
 * claims each count by themselves. */
static bool step_amounts(const struct maui_planner *p, const struct maui_shape *shape,
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
	if (!get_within(p, shape, set, span, within))
		return false;
	for (unsigned d = 0; d < t->amount_count; d++)
		ret[d] = ret[d] < within[d] ? ret[d] : within[d];
	return true;
}

static int64_t step_tasks(const struct maui_planner *p, const struct maui_shape *shape,
			  uint32_t node, const struct maui_step *step, struct maui_span span)
{
	int64_t left[p->timeline.amount_count];

	return step_amounts(p, shape, node, step, span, left) ?
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
			  &claims) > 0 ? 0 : claims;
}

/* Tasks that the node takes from now on; at last: in the end, when all that ends is over. */
static int64_t node_tasks(const struct maui_planner *p, const struct maui_plan_entry *e,
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

/* Nodes on which it could start, as far as they are looked for. */
struct alone {
	uint32_t count, required;
	int64_t sum;
};

static int add_node(struct maui_planner *p, const struct maui_shape *shape, uint32_t node,
		    int64_t tasks, struct alone *found)
{
	struct maui_candidate *c = maui_plan_candidate(p, found->count);

	if (!c)
		return -1;
	*c = (struct maui_candidate){ .node = node,
				      .required = maui_shape_requires(shape, node),
				      .tasks = tasks };
	found->count++;
	found->required += c->required;
	found->sum += tasks;
	return 0;
}

static bool suffices(struct maui_planner *p, const struct maui_shape *shape,
		     const struct alone *found)
{
	uint32_t chosen;

	return found->required >= shape->request->required_count &&
	       maui_fit_suffices(shape, found->count, found->sum) &&
	       maui_alloc_choose(shape, MAUI_ALLOC_FIRSTAVAILABLE, p->candidates, found->count,
				 &chosen);
}

/* Most jobs need few of the nodes: whether those found do is asked whenever they have doubled. */
static bool try_alone(struct maui_planner *p, const struct maui_plan_entry *e, bool at_last)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	const struct maui_shape *shape = &e->shape->shape;
	struct alone found = { 0 };
	uint32_t next = 1;

	for (uint32_t i = 0; i < pool->node_count; i++) {
		int64_t tasks = node_tasks(p, e, pool->nodes[i], at_last);

		if (tasks == 0)
			continue;
		if (add_node(p, shape, pool->nodes[i], tasks, &found))
			return false;
		if (found.count < next)
			continue;
		if (suffices(p, shape, &found))
			return true;
		next = 2 * found.count;
	}
	return suffices(p, shape, &found);
}

/* Tasks that the node takes of a job that may run in reservations only, if none were upon these. */
static int64_t inside_tasks(struct maui_planner *p, const struct maui_shape *shape, uint32_t node,
			    struct maui_span span)
{
	const struct maui_timeline *t = &p->timeline;
	const int64_t *have = p->snapshot->nodes[node].have;
	int64_t least = shape->needs[t->class_of[node]].most, left[t->amount_count], tasks;

	for (uint32_t i = maui_timeline_at(t, node, span.from);
	     i < t->lines[node].count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, &t->lines[node], i);
		uint32_t claims = step->claims;

		if (step->at >= span.until)
			break;
		p->reason_work++;
		if (!get_within(p, shape, claims ? &t->claim_sets[claims - 1] : NULL, span, left))
			return 0;
		for (unsigned d = 0; d < t->amount_count; d++)
			left[d] = left[d] < have[d] ? left[d] : have[d];
		tasks = maui_shape_tasks(shape, t->class_of[node], left);
		least = tasks < least ? tasks : least;
	}
	return least;
}

/* Whether those that it may run in had room for it if none were upon them. */
static bool try_inside(struct maui_planner *p, const struct maui_plan_entry *e, int64_t limit_s)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	const struct maui_shape *shape = &e->shape->shape;
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };
	bool enough = false;
	uint64_t nodes = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; i < pool->node_count && !enough; i++) {
		uint32_t node = pool->nodes[i];
		int64_t tasks;

		p->reason_work++;
		if (p->snapshot->nodes[node].usable_from_s > p->now ||
		    !maui_plan_matters(p, shape, node))
			continue;
		tasks = inside_tasks(p, shape, node, span);
		nodes += tasks > 0;
		sum += tasks;
		enough = maui_fit_suffices(shape, nodes, sum);
	}
	return enough;
}

static bool answer(struct maui_planner *p, struct maui_plan_entry *e, int what, int64_t limit_s)
{
	uint32_t count;

	switch (what) {
	case INSIDE:
		return try_inside(p, e, limit_s);
	case BESIDE:
		return maui_plan_can_place_now(p, e, limit_s);
	case SOME_DAY:
		return maui_plan_place_later(p, e, p->now, &count) != MAUI_NEVER;
	case AT_LAST:
		if (maui_plan_lasting_counts(&e->shape->shape))
			return maui_plan_lasting(p, e, MAUI_NEVER);
		return try_alone(p, e, true);
	default:
		return try_alone(p, e, false);
	}
}

/* What is known of the shape holds for shorter and longer limits. */
static bool ask(struct maui_planner *p, struct maui_plan_entry *e, int what, int64_t limit_s)
{
	bool begins = what == NOW || what == BESIDE;
	struct maui_plan_shape *shape = begins ? maui_plan_shape_now(p, e) : e->shape;
	struct maui_plan_known_alone *known;

	if (!shape)
		return false;
	known = &shape->alone[what];
	if (known->iteration != p->iteration)
		*known = (struct maui_plan_known_alone){ .iteration = p->iteration };
	if (limit_s > known->fits_for_s && !(known->fails && limit_s >= known->fails_for_s)) {
		if (what == INSIDE && !maui_plan_has_time_upon(p))
			return false;
		if (what != INSIDE) /* counts itself */
			p->reason_work += p->pools[e->pool].open_count;
		if (answer(p, e, what, limit_s)) {
			known->fits_for_s = limit_s;
		} else {
			known->fails = true;
			known->fails_for_s = limit_s;
		}
	}
	return limit_s <= known->fits_for_s;
}

static bool asks_for_that(struct maui_planner *p, struct maui_plan_entry *e)
{
	return maui_plan_shape(p, e) && !e->shape->shape.impossible;
}

bool maui_plan_fits(struct maui_planner *p, struct maui_plan_entry *e, int64_t limit_s)
{
	return asks_for_that(p, e) && !e->refused && ask(p, e, BESIDE, limit_s);
}

int64_t maui_plan_fits_for(struct maui_planner *p, struct maui_plan_entry *e)
{
	struct maui_plan_shape *shape = asks_for_that(p, e) ? maui_plan_shape_now(p, e) : NULL;
	const struct maui_plan_known_alone *known = shape ? &shape->alone[BESIDE] : NULL;

	return known && known->iteration == p->iteration && known->fails &&
	       known->fails_for_s == known->fits_for_s + 1 ? known->fits_for_s : -1;
}

bool maui_plan_alone(struct maui_planner *p, struct maui_plan_entry *e)
{
	return asks_for_that(p, e) && ask(p, e, NOW, e->limit_s);
}

bool maui_plan_some_day(struct maui_planner *p, struct maui_plan_entry *e)
{
	return asks_for_that(p, e) && ask(p, e, SOME_DAY, e->limit_s);
}

/* Claims are all there before the first job is asked about. */
static bool any_endless(struct maui_planner *p)
{
	const struct maui_timeline *t = &p->timeline;

	if (p->endless_known == p->iteration)
		return p->endless;
	p->endless_known = p->iteration;
	p->endless = p->endless_comes = false;
	for (size_t c = 0; c < t->claim_count; c++) {
		bool endless = t->claims[c]->end_s == MAUI_NEVER;

		p->endless |= endless;
		p->endless_comes |= endless && t->claims[c]->start_s > p->now;
	}
	return p->endless;
}

/* Where all that have no end have begun, no moment leaves it more than the end does. */
bool maui_plan_kept_for_ever(struct maui_planner *p, struct maui_plan_entry *e)
{
	return p->access && e->state != MAUI_PLAN_RESERVED && !maui_plan_confined(e) &&
	       any_endless(p) && asks_for_that(p, e) && !ask(p, e, AT_LAST, e->limit_s) &&
	       !(p->endless_comes && ask(p, e, SOME_DAY, e->limit_s));
}

/* What the best node lacks for the fewest tasks that are of use, noted if it is better than what is
 * there. */
static void note_lack(const struct maui_planner *p, const struct maui_shape *shape, uint32_t node,
		      const int64_t *left, struct maui_keeper *ret)
{
	int64_t takes[p->timeline.amount_count];

	maui_shape_amounts(shape, p->timeline.class_of[node], shape->least, takes);
	for (unsigned d = 0; d < p->timeline.amount_count; d++) {
		if (takes[d] <= left[d] || (ret->lacks && left[d] <= ret->has))
			continue;
		ret->lacks = d == MAUI_AMOUNT_PROCS ? MAUI_REASON_NODE_PROCS :
			     d == MAUI_AMOUNT_MEM   ? MAUI_REASON_NODE_MEM :
						      MAUI_REASON_NODE_OTHER;
		ret->needs = takes[d];
		ret->has = left[d];
		return;
	}
}

void maui_plan_room(struct maui_planner *p, struct maui_plan_entry *e, struct maui_keeper *ret)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	const struct maui_shape *shape = &e->shape->shape;
	const struct maui_span span = { p->now, maui_when_add(p->now, e->limit_s) };
	int64_t left[p->timeline.amount_count], sum = 0;
	bool any = false, down = false;

	if (maui_plan_alone(p, e))
		return;
	for (uint32_t i = 0; i < pool->node_count; i++) {
		uint32_t node = pool->nodes[i];
		const struct maui_step *now =
			maui_line_step(&p->timeline, &p->timeline.lines[node], 0);
		int64_t tasks = node_tasks(p, e, node, false);

		sum += tasks;
		if (!step_amounts(p, shape, node, now, span, left))
			continue;
		if (p->snapshot->nodes[node].usable_from_s > p->now) {
			down = true;
			continue;
		}
		any = true;
		if (tasks == 0 && maui_plan_matters(p, shape, node))
			note_lack(p, shape, node, left, ret);
	}
	if (!any)
		ret->lacks = MAUI_REASON_NODE_STATE;
	ret->down = !any && down;
	if (sum > 0) {
		ret->lacks = sum < shape->tasks ? MAUI_REASON_RESOURCES : MAUI_REASON_NODE_OTHER;
		ret->needs = shape->tasks;
		ret->has = sum;
	}
}

bool maui_plan_has_room(struct maui_planner *p, struct maui_plan_entry *e)
{
	return asks_for_that(p, e) && ask(p, e, INSIDE, e->limit_s);
}
