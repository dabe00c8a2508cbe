/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit_global.c - when the licences of a shape are free
 *
 * A job gets the least that is free at any moment of its span, less all that reservations keep at
 * some moment of it. A later begin helps only after the end of a step or of a reservation.
 */

#include "timeline/fit.h"

/* Whether this reservation keeps licences that the shape needs, during the span. */
static bool keeps_from(const struct maui_timeline *t, const struct maui_shape *shape,
		       uint32_t index, struct maui_span span)
{
	const struct maui_global_claim *claim = &t->snapshot->global_claims[index];

	if (shape->request->global_claim == index + 1 || claim->start_s >= span.until ||
	    claim->end_s <= span.from)
		return false;
	for (unsigned d = 0; d < t->amount_count; d++)
		if (claim->amounts[d] > 0 && shape->request->global[d] > 0)
			return true;
	return false;
}

/* Puts into `want` what must be free: the licences of the shape and those that reservations keep
 * from it. Returns the first end of such a reservation. */
static int64_t add_kept(const struct maui_timeline *t, const struct maui_shape *shape,
			struct maui_span span, int64_t *want)
{
	int64_t ends = MAUI_NEVER;

	for (unsigned d = 0; d < t->amount_count; d++)
		want[d] = shape->request->global[d];
	for (uint32_t i = 0; i < t->snapshot->global_claim_count; i++) {
		const struct maui_global_claim *claim = &t->snapshot->global_claims[i];

		if (!keeps_from(t, shape, i, span))
			continue;
		for (unsigned d = 0; d < t->amount_count; d++)
			if (want[d] > 0)
				want[d] += claim->amounts[d];
		if (claim->end_s < ends)
			ends = claim->end_s;
	}
	return ends;
}

static bool has_all(const struct maui_timeline *t, const struct maui_step *step,
		    const int64_t *want)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (want[d] > 0 && step->free[d] < want[d])
			return false;
	return true;
}

/* The end of the first step in the span that lacks some licence; the begin of the span when none
 * does. */
static int64_t lacking_until(const struct maui_timeline *t, struct maui_span span,
			     const int64_t *want)
{
	const struct maui_line *line = &t->lines[t->node_count];

	for (uint32_t i = maui_timeline_step_at(t, t->node_count, span.from); i < line->count;
	     i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at > span.from && step->at >= span.until)
			break;
		if (!has_all(t, step, want))
			return maui_line_step_end(t, line, i);
	}
	return span.from;
}

int64_t maui_fit_global(const struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			int64_t length)
{
	int64_t *want = t->vectors.one;

	if (!shape->request->global || !t->has_global)
		return from;
	for (;;) {
		const struct maui_span span = { from, maui_when_add(from, length) };
		int64_t ends = add_kept(t, shape, span, want);
		int64_t until = lacking_until(t, span, want);

		if (until == from)
			return from;
		from = until < ends ? until : ends;
		if (from == MAUI_NEVER)
			return MAUI_NEVER;
	}
}

const struct maui_global_claim *maui_fit_blocking_global_claim(const struct maui_timeline *t,
							       const struct maui_shape *shape,
							       struct maui_span span)
{
	if (!shape->request->global || !t->has_global)
		return NULL;
	if (lacking_until(t, span, shape->request->global) != span.from)
		return NULL;
	for (uint32_t i = 0; i < t->snapshot->global_claim_count; i++)
		if (keeps_from(t, shape, i, span))
			return &t->snapshot->global_claims[i];
	return NULL;
}
