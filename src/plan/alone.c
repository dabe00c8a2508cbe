/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alone.c - where a job could start if no other job ran or were before it
 *
 * Reservations stay as they are, those who run inside left out. A job that could not start even
 * then waits for a reservation, not for jobs.
 */

#include "plan/access.h"
#include "plan/left.h"
#include "plan/private.h"

/* Questions whose answers a shape keeps. */
enum { NOW, AT_LAST, SOME_DAY, BESIDE, INSIDE };

/* Looking at so many steps of a node takes as long as what else is looked at of it. */
enum { STEPS_OF_WORK = 2 };

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

/* Those of its pool on which it might be now, whatever runs there: of one that may run in
 * reservations only their nodes. NULL without memory, p->failed. */
static const uint32_t *list_nodes(struct maui_planner *p, const struct maui_plan_entry *e,
				  uint32_t *ret_count)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];
	const uint32_t *nodes = pool->nodes;

	*ret_count = pool->node_count;
	if (maui_plan_confined(e))
		nodes = maui_plan_table_nodes(p, e->access, e->pool, &p->reason_work, ret_count);
	p->failed |= !nodes;
	return nodes;
}

/* The longer its line, the longer a node takes. */
static uint64_t work_of(const struct maui_planner *p, uint32_t node)
{
	return 1 + p->timeline.lines[node].count / STEPS_OF_WORK;
}

/* Most jobs need few of the nodes: whether those found do is asked whenever they have doubled. When
 * there is no time to look any further it is taken to fit: no reservation is its reason then. */
static bool try_alone(struct maui_planner *p, const struct maui_plan_entry *e,
		      const uint32_t *nodes, uint32_t count, bool at_last)
{
	const struct maui_shape *shape = &e->shape->shape;
	struct alone found = { 0 };
	uint32_t next = 1;

	for (uint32_t i = 0; i < count; i++) {
		int64_t tasks;

		if (!maui_plan_has_time(p, e))
			return true;
		p->reason_work += work_of(p, nodes[i]);
		tasks = maui_plan_node_tasks(p, e, nodes[i], at_last);
		if (tasks == 0)
			continue;
		if (add_node(p, shape, nodes[i], tasks, &found))
			return false;
		if (found.count < next)
			continue;
		if (suffices(p, shape, &found))
			return true;
		next = 2 * found.count;
	}
	return suffices(p, shape, &found);
}

bool maui_plan_find_left(struct maui_planner *p, const struct maui_plan_entry *e, int64_t limit_s)
{
	const struct maui_timeline *t = &p->timeline;
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };
	uint32_t count;
	const uint32_t *nodes = list_nodes(p, e, &count);
	int64_t left[t->amount_count];
	bool found = false;

	for (uint32_t i = 0; nodes && i < count && !found; i++) {
		p->reason_work++;
		found = maui_plan_step_left(p, &e->shape->shape, nodes[i],
					    maui_line_step(t, &t->lines[nodes[i]], 0), span, left);
	}
	return found;
}

static bool try_now(struct maui_planner *p, const struct maui_plan_entry *e)
{
	uint32_t count;
	const uint32_t *nodes;

	if (!maui_plan_has_time(p, e))
		return true;
	nodes = list_nodes(p, e, &count);
	return nodes && try_alone(p, e, nodes, count, false);
}

static bool try_at_last(struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_plan_pool *pool = &p->pools[e->pool];

	if (maui_plan_lasting_counts(&e->shape->shape))
		return maui_plan_lasting(p, e, MAUI_NEVER);
	return try_alone(p, e, pool->nodes, pool->node_count, true);
}

static bool try_some_day(struct maui_planner *p, struct maui_plan_entry *e)
{
	uint32_t count;

	if (maui_plan_bound(p, e) == MAUI_NEVER)
		return false; /* found by the walk */
	if (!maui_plan_has_time(p, e))
		return true;
	p->reason_work += p->pools[e->pool].open_count;
	return maui_plan_place_later(p, e, p->now, &count) != MAUI_NEVER;
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
		const struct maui_claim_set *set =
			step->claims ? &t->claim_sets[step->claims - 1] : NULL;

		if (step->at >= span.until)
			break;
		p->reason_work++;
		if (!maui_plan_within(p, shape, set, span, left))
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
	const struct maui_shape *shape = &e->shape->shape;
	const struct maui_span span = { p->now, maui_when_add(p->now, limit_s) };
	uint32_t count;
	const uint32_t *nodes = list_nodes(p, e, &count);
	bool enough = false;
	uint64_t serve = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; nodes && i < count && !enough; i++) {
		int64_t tasks;

		p->reason_work++;
		if (p->snapshot->nodes[nodes[i]].usable_from_s > p->now ||
		    !maui_plan_matters(p, shape, nodes[i]))
			continue;
		tasks = inside_tasks(p, shape, nodes[i], span);
		serve += tasks > 0;
		sum += tasks;
		enough = maui_fit_suffices(shape, serve, sum);
	}
	return enough;
}

static bool answer(struct maui_planner *p, struct maui_plan_entry *e, int what, int64_t limit_s)
{
	if ((what == NOW || what == BESIDE) && !maui_plan_leaves_any(p, e, limit_s))
		return false;
	switch (what) {
	case INSIDE:
		return try_inside(p, e, limit_s);
	case BESIDE:
		p->reason_work += p->pools[e->pool].open_count;
		return maui_plan_can_place_now(p, e, limit_s);
	case SOME_DAY:
		return try_some_day(p, e);
	case AT_LAST:
		return try_at_last(p, e);
	default:
		return try_now(p, e);
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
		if (what == INSIDE && !maui_plan_has_time(p, e))
			return false;
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
			       known->fails_for_s == known->fits_for_s + 1 ?
		       known->fits_for_s :
		       -1;
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
	const struct maui_shape *shape = &e->shape->shape;
	const struct maui_span span = { p->now, maui_when_add(p->now, e->limit_s) };
	int64_t left[p->timeline.amount_count], sum = 0;
	bool any = false, down = false;
	uint32_t count = 0;
	const uint32_t *nodes = NULL;

	if (maui_plan_alone(p, e))
		return;
	if (maui_plan_leaves_any(p, e, e->limit_s))
		nodes = list_nodes(p, e, &count);
	for (uint32_t i = 0; nodes && i < count; i++) {
		uint32_t node = nodes[i];
		const struct maui_step *now =
			maui_line_step(&p->timeline, &p->timeline.lines[node], 0);
		int64_t tasks;

		if (!maui_plan_has_time(p, e)) {
			ret->lacks = MAUI_REASON_NONE;
			return;
		}
		p->reason_work += work_of(p, node);
		tasks = maui_plan_node_tasks(p, e, node, false);
		sum += tasks;
		if (!maui_plan_step_left(p, shape, node, now, span, left))
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
