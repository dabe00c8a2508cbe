/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline.c - lines of steps
 *
 * Invariant: the steps of a line have strictly ascending times, the first one's is now.
 */

#include "timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/fit.h"

enum { LINEAR = 8 }; /* steps up to which walking is faster than halving */

uint32_t maui_timeline_at(const struct maui_timeline *t, uint32_t node, int64_t when)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t low = 0, high = line->count;

	while (high - low > LINEAR) {
		uint32_t middle = low + (high - low) / 2;

		if (maui_line_step(t, line, middle)->at <= when)
			low = middle;
		else
			high = middle;
	}
	while (low + 1 < high && maui_line_step(t, line, low + 1)->at <= when)
		low++;
	return low;
}

static int reserve_steps(struct maui_timeline *t, struct maui_line *line, uint32_t more)
{
	uint32_t alloc = line->alloc;
	char *steps;

	if (line->count + more <= alloc)
		return 0;
	while (line->count + more > alloc)
		alloc = alloc < 4 ? 4 : alloc * 2;
	steps = maui_arena_alloc(&t->arena, alloc * t->step_size);
	if (!steps)
		return -1;
	memcpy(steps, line->steps, line->count * t->step_size);
	line->steps = steps;
	line->alloc = alloc;
	return 0;
}

/* Makes a step begin at `when`; room for it must be there. Returns its index. */
static uint32_t split(struct maui_timeline *t, uint32_t node, int64_t when)
{
	struct maui_line *line = &t->lines[node];
	uint32_t at = maui_timeline_at(t, node, when);
	char *step = line->steps + at * t->step_size;

	if (maui_line_step(t, line, at)->at == when)
		return at;
	memmove(step + t->step_size, step, (line->count - at) * t->step_size);
	line->count++;
	maui_line_step(t, line, at + 1)->at = when;
	return at + 1;
}

static uint32_t joined(uint32_t there, uint32_t comes)
{
	uint32_t sole = (there | comes) & MAUI_USER_SOLE;

	there &= ~MAUI_USER_SOLE;
	comes &= ~MAUI_USER_SOLE;
	if (comes == 0 || there == comes)
		return there | sole;
	return (there == 0 ? comes : MAUI_USER_SEVERAL) | sole;
}

/* Adds sign x amounts during [from, until). */
static int change(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		  const int64_t *amounts, int sign, uint32_t user)
{
	struct maui_line *line = &t->lines[node];
	uint32_t first, end;

	if (from < t->now)
		from = t->now;
	if (from >= until)
		return 0;
	if (reserve_steps(t, line, 2))
		return -1;
	first = split(t, node, from);
	end = until == MAUI_NEVER ? line->count : split(t, node, until);
	for (uint32_t i = first; i < end; i++) {
		struct maui_step *step = maui_line_step(t, line, i);

		for (unsigned d = 0; d < t->amount_count; d++)
			step->free[d] += sign * amounts[d];
		if (user)
			step->user = joined(step->user, user);
	}
	return 0;
}

int maui_timeline_take(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts, uint32_t user)
{
	return change(t, node, from, until, amounts, -1, user);
}

int maui_timeline_give(struct maui_timeline *t, uint32_t node, int64_t from, int64_t until,
		       const int64_t *amounts)
{
	return change(t, node, from, until, amounts, 1, 0);
}

/* Whether all claims of the set are among those open to the request; both lists ascend. */
static bool all_open(const struct maui_claim_set *set, const struct maui_request *r)
{
	uint32_t open = 0;

	for (uint32_t i = 0; i < set->count; i++) {
		while (open < r->claim_count && r->claims[open] < set->list[i])
			open++;
		if (open == r->claim_count || r->claims[open] != set->list[i])
			return false;
	}
	return true;
}

bool maui_timeline_enters(const struct maui_timeline *t, const struct maui_step *step,
			  const struct maui_request *request)
{
	if (step->claims == 0)
		return !request || !request->only_claims;
	return request && all_open(&t->claim_sets[step->claims - 1], request);
}

int64_t maui_timeline_step_procs(const struct maui_timeline *t, const struct maui_step *step,
				 const struct maui_request *request)
{
	int64_t procs = step->free[MAUI_AMOUNT_PROCS];

	return procs > 0 && maui_timeline_enters(t, step, request) ? procs : 0;
}

int64_t maui_timeline_procs(const struct maui_timeline *t, uint32_t node, int64_t from,
			    int64_t until, const struct maui_request *request)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX;

	for (uint32_t i = maui_timeline_at(t, node, from); i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t procs;

		if (step->at >= until)
			break;
		procs = maui_timeline_step_procs(t, step, request);
		if (procs < least)
			least = procs;
	}
	return least;
}

void maui_timeline_finish(struct maui_timeline *t)
{
	maui_arena_finish(&t->arena);
	free(t->claim_sets);
	maui_fit_scratch_finish(&t->scratch);
	*t = (struct maui_timeline){ 0 };
}
