/* SPDX-License-Identifier: GPL-2.0-or-later */
/* remainder.c - what reservations leave of a node for a job, without jobs and job reservations
 *
 * Stacked reservations each count separately.
 */

#include <string.h>

#include "explain/private.h"

bool maui_claim_keeps_out(const struct maui_explainer *x, const struct maui_shape *shape,
			  uint32_t claim, struct maui_span span)
{
	const struct maui_claim *c = x->timeline.claims[claim];
	const struct maui_access *entry = maui_access_find(shape->access, c->rsv);

	if (c->rsv == MAUI_CLAIM_FOREIGN)
		return !maui_claim_is_listed(shape->request, claim);
	return !(entry && maui_claim_admits(c, entry, span));
}

/* Whether the job names enough nodes. Then no other nodes matter. */
static bool names_enough(const struct maui_explainer *x, const struct maui_shape *shape)
{
	const struct maui_request *r = shape->request;
	int64_t tasks = 0;

	if (r->required_count == 0 || r->required_count >= shape->nodes_max)
		return r->required_count > 0;
	if (r->required_count < shape->nodes_min)
		return false;
	for (uint32_t i = 0; i < r->required_count; i++)
		tasks += shape->needs[x->timeline.class_of[r->required[i]]].most;
	return tasks >= shape->tasks;
}

static const struct maui_claim_set *set_of(const struct maui_explainer *x,
					   const struct maui_step *step)
{
	return step->claims ? &x->timeline.claim_sets[step->claims - 1] : NULL;
}

/* Whether the claim belongs to a reservation that the job may not leave. */
static bool is_home(const struct maui_explainer *x, const struct maui_shape *shape, uint32_t claim)
{
	const struct maui_claim *c = x->timeline.claims[claim];
	const struct maui_access *entry = maui_access_find(shape->access, c->rsv);

	return c->rsv == MAUI_CLAIM_FOREIGN ? maui_claim_is_listed(shape->request, claim) :
					      entry && entry->home;
}

/* Whether the node is, at any time, in a reservation that the job may not leave. */
static bool is_in_home(const struct maui_explainer *x, const struct maui_shape *shape,
		       uint32_t node)
{
	const struct maui_line *line = &x->timeline.lines[node];

	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_claim_set *set = set_of(x, maui_line_step(&x->timeline, line, i));

		for (uint32_t c = 0; set && c < set->count; c++)
			if (is_home(x, shape, set->parts[c].claim))
				return true;
	}
	return false;
}

bool maui_node_is_asked(const struct maui_explainer *x, const struct maui_shape *shape,
			uint32_t node)
{
	if (names_enough(x, shape) && !maui_shape_requires(shape, node))
		return false;
	return !(shape->request->only_claims || (shape->access && shape->access->only)) ||
	       is_in_home(x, shape, node);
}

bool maui_node_matters(const struct maui_explainer *x, const struct maui_shape *shape,
		       uint32_t node)
{
	return shape->needs[x->timeline.class_of[node]].most > 0 &&
	       !maui_shape_excludes(shape, node) && maui_node_is_asked(x, shape, node);
}

/* Limits the amounts to what the job's own reservations have, in the dimensions that they reserve.
 * False: none of them is on this step. */
static bool limit_to_home(const struct maui_explainer *x, const struct maui_shape *shape,
			  const struct maui_claim_set *set, struct maui_span span, int64_t *ret)
{
	const struct maui_timeline *t = &x->timeline;
	bool inside = false, whole = false;
	int64_t have[t->amount_count];

	for (unsigned d = 0; d < t->amount_count; d++)
		have[d] = MAUI_NEVER;
	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(shape->access, claim->rsv);
		const int64_t *amounts = set->parts[i].amounts;

		if (!entry || !entry->home || claim->rsv == MAUI_CLAIM_FOREIGN ||
		    !maui_claim_admits(claim, entry, span))
			continue;
		inside = true;
		whole |= !amounts;
		for (unsigned d = 0; amounts && d < t->amount_count; d++)
			if (amounts[d] > 0)
				have[d] = (have[d] == MAUI_NEVER ? 0 : have[d]) + amounts[d];
	}
	for (unsigned d = 0; inside && !whole && d < t->amount_count; d++)
		ret[d] = ret[d] < have[d] ? ret[d] : have[d];
	return inside;
}

bool maui_step_remainder(const struct maui_explainer *x, const struct maui_shape *shape,
			 uint32_t node, const struct maui_step *step, struct maui_span span,
			 bool stacked, int64_t *ret)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_claim_set *set = set_of(x, step);

	memcpy(ret, x->snapshot->nodes[node].have, t->amount_count * sizeof(*ret));
	for (uint32_t i = 0; stacked && set && i < set->count; i++) {
		const int64_t *kept = set->parts[i].amounts;

		if (!maui_claim_keeps_out(x, shape, set->parts[i].claim, span))
			continue;
		if (!kept)
			return false;
		for (unsigned d = 0; d < t->amount_count; d++)
			ret[d] = ret[d] > kept[d] ? ret[d] - kept[d] : 0;
	}
	return !(shape->access && shape->access->only) || limit_to_home(x, shape, set, span, ret);
}

int64_t maui_remainder_tasks(const struct maui_explainer *x, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span, bool stacked,
			     uint32_t *ret_claims)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_line *line = &t->lines[node];
	int64_t least = shape->needs[t->class_of[node]].most;

	*ret_claims = 0;
	for (uint32_t i = maui_timeline_step_at(t, node, span.from); i < line->count && least > 0;
	     i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t left[t->amount_count], tasks = 0;

		if (step->at >= span.until)
			break;
		if (!step->claims && !(shape->access && shape->access->only))
			continue; /* the job's reservation has the whole node */
		*ret_claims = step->claims;
		if (maui_step_remainder(x, shape, node, step, span, stacked, left))
			tasks = maui_shape_tasks(shape, t->class_of[node], left);
		least = tasks < least ? tasks : least;
	}
	return least;
}

int64_t maui_remainder_tasks_now(const struct maui_explainer *x, const struct maui_shape *shape,
				 uint32_t node, int64_t length_s)
{
	uint32_t claims;

	if (x->snapshot->nodes[node].usable_from_s > x->now_s || maui_shape_excludes(shape, node))
		return 0;
	return maui_remainder_tasks(x, shape, node, maui_span_now(x, length_s), true, &claims);
}
