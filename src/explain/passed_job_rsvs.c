/* SPDX-License-Identifier: GPL-2.0-or-later */
/* passed_job_rsvs.c - the job reservations that a hypothetical job of higher priority would pass
 *
 * A hypothetical job is placed behind all job reservations. With a priority above that of a waiting
 * job it would be placed before that job, unless the plan keeps the nodes for the job in any case.
 *
 * Rules: CMD-41, BF-3, PRIO-16.
 */

#include "explain/private.h"

/* Whether a job of the question would be placed before the job of the job reservation, if its
 * priority were higher. */
static bool can_pass(const struct maui_explainer *x, const struct maui_offer_question *q,
		     const struct maui_reservation *r)
{
	const struct maui_partition *partitions = x->snapshot->partitions;
	const struct maui_idle *idle = &x->snapshot->idle[r->job];
	const struct maui_partition *theirs = &partitions[idle->rows[r->row].partition];

	if (r->start_s <= x->now_s || r->preempting ||
	    maui_config_planning(x->plan->config, theirs->name)->reservation_policy ==
		    MAUI_RESERVE_HIGHEST)
		return false; /* it keeps its place */
	return !(idle->run & MAUI_RUN_FIRST) && !idle->in_reservation &&
	       partitions[q->partition].tier >= theirs->tier;
}

static bool is_on_nodes_of(const struct maui_explainer *x, const struct maui_shape *shape,
			   const struct maui_reservation *r)
{
	for (uint32_t k = 0; k < r->place_count; k++)
		if (shape->needs[x->timeline.class_of[r->places[k].node]].most > 0)
			return true;
	return false;
}

uint32_t maui_explain_passable(const struct maui_explainer *x, const struct maui_offer_question *q,
			       const struct maui_explained_job *a, int64_t start_s)
{
	const struct maui_decisions *d = &x->plan->decisions;
	const int64_t end_s = maui_when_add(start_s, a->limit_s);
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];

		if (r->start_s < end_s && can_pass(x, q, r) && is_on_nodes_of(x, &a->shape, r) &&
		    (best == UINT32_MAX ||
		     d->verdicts[r->job].published > d->verdicts[best].published))
			best = r->job;
	}
	return best;
}

/* Gives back what the plan took for the job reservation. -1 without memory. */
static int give_back(const struct maui_explainer *x, const struct maui_reservation *r,
		     struct maui_timeline *t)
{
	const struct maui_idle *idle = &x->snapshot->idle[r->job];
	const struct maui_request *request =
		&x->snapshot->requests[maui_idle_request(idle, r->row)];
	const struct maui_requester who = { request, x->plan->jobs[r->job].access };
	const struct maui_span span = { r->start_s, r->end_s };

	for (uint32_t k = 0; k < r->place_count; k++)
		if (maui_timeline_give_inside(t, r->places[k].node, span, r->places[k].amounts, 0,
					      &who))
			return -1;
	return t->has_global && request->global ?
		       maui_timeline_give(t, t->node_count, span.from, span.until, request->global,
					  0) :
		       0;
}

int maui_explain_pass(const struct maui_explainer *x, const struct maui_offer_question *q,
		      uint32_t passed, struct maui_timeline *ret)
{
	const struct maui_decisions *d = &x->plan->decisions;
	const uint32_t priority = d->verdicts[passed].published;

	if (maui_timeline_copy(&x->plan->timeline, ret))
		return -1;
	for (uint32_t i = 0; i < d->reservation_count; i++) {
		const struct maui_reservation *r = &d->reservations[i];

		if (d->verdicts[r->job].published > priority || !can_pass(x, q, r))
			continue;
		if (give_back(x, r, ret)) {
			maui_timeline_finish(ret);
			return -1;
		}
	}
	return 0;
}
