/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit_sweep.c - earliest fit of tasks that may be spread unevenly
 *
 * What a node gives at t is the minimum of its line over [t, t + length). This minimum changes only
 * when a step leaves the window (at the step's end) or enters it (at its begin - length + 1). Each
 * change is an event. Sorted by time and summed up, the events say how many nodes and tasks there
 * are at every moment. Events are collected for one part of the time after the other, each longer
 * than the one before, because the answer is mostly in the first part.
 */

#include <stdlib.h>

#include "base/array.h"
#include "timeline/fit_private.h"

enum { FIRST_PART = 16 }; /* the first part is 1/16 of the time until the last change */

struct maui_fit_event {
	int64_t at;
	int64_t tasks;
	int32_t nodes, required;
};

/* Adjacent nodes that are equal, whose events are collected together. */
struct run {
	uint32_t node, count;
	bool required;
};

/* Records that each node of a run changes from `had` to `has` tasks at that moment. */
static int note_change(struct maui_fit_scratch *scratch, const struct run *run, int64_t at,
		       int64_t had, int64_t has)
{
	int32_t nodes = ((has > 0) - (had > 0)) * (int32_t)run->count;
	struct maui_fit_event *grown;

	if (had == has)
		return 0;
	grown = maui_array_grow(scratch->events, scratch->event_count, &scratch->event_alloc,
				sizeof(*grown));
	if (!grown)
		return -1;
	scratch->events = grown;
	grown[scratch->event_count++] = (struct maui_fit_event){ at, (has - had) * run->count,
								 nodes, run->required ? nodes : 0 };
	return 0;
}

/* Tasks that the node takes in each of its steps if no TIMELIMIT applied. *ret_timed: some step
 * has a TIMELIMIT. */
static const int64_t *step_tasks(struct maui_timeline *t, const struct maui_shape *shape,
				 uint32_t node, uint32_t first, bool *ret_timed)
{
	const struct maui_line *line = &t->lines[node];
	const struct maui_requester requester = { shape->request, shape->access };
	struct maui_fit_scratch *scratch = &t->scratch;

	if (scratch->step_alloc < line->count) {
		free(scratch->steps);
		scratch->steps = calloc(2 * (size_t)line->count, sizeof(*scratch->steps));
		scratch->step_alloc = scratch->steps ? 2 * (size_t)line->count : 0;
	}
	*ret_timed = false;
	for (uint32_t i = first; scratch->steps && i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		scratch->steps[i] =
			maui_fit_step(t, shape, t->class_of[node], step, MAUI_SPAN_NONE);
		*ret_timed |= maui_claims_are_timed(t, step, &requester);
	}
	return scratch->steps;
}

/* The least of the steps from `first` on that begin before `until`. */
static int64_t least_until(const struct maui_timeline *t, const struct maui_line *line,
			   const int64_t *tasks, uint32_t first, int64_t until, uint32_t *ret_next)
{
	int64_t least = INT64_MAX;
	uint32_t i = first;

	for (; i < line->count && maui_line_step(t, line, i)->at < until; i++)
		if (tasks[i] < least)
			least = tasks[i];
	*ret_next = i;
	return least;
}

/* The next begin after `at` at which a TIMELIMIT of the step starts or ceases to block a span of
 * `length`. */
static int64_t next_timed(const struct maui_timeline *t, const struct maui_shape *shape,
			  const struct maui_step *step, int64_t at, int64_t length)
{
	const struct maui_claim_set *set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
	const struct maui_requester requester = { shape->request, shape->access };
	int64_t next = MAUI_NEVER;

	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_claims_access(t, &set->parts[i], &requester);
		const struct maui_span run = maui_claim_run(claim);
		int64_t shuts, opens;

		if (!entry || entry->overlap_s == MAUI_NEVER)
			continue;
		shuts = maui_when_add(run.from, entry->overlap_s) - length + 1;
		opens = run.until == MAUI_NEVER ? MAUI_NEVER : run.until - entry->overlap_s;
		if (shuts > at && shuts < next)
			next = shuts;
		if (opens > at && opens < next)
			next = opens;
	}
	return next;
}

/* With a TIMELIMIT the capacity of a step depends on the whole span, so the node is asked again
 * at each change. */
static int collect_timed(struct maui_timeline *t, const struct maui_shape *shape,
			 const struct run *run, int64_t from, int64_t end, int64_t length)
{
	const struct maui_line *line = &t->lines[run->node];
	uint32_t first = maui_timeline_step_at(t, run->node, from);
	int64_t at = from, had = 0;

	while (at < end) {
		int64_t until = maui_when_add(at, length), next = MAUI_NEVER;
		int64_t has = maui_fit_tasks(t, shape, run->node, at, until);

		if (note_change(&t->scratch, run, at, had, has))
			return -1;
		had = has;
		while (maui_line_step_end(t, line, first) <= at)
			first++;
		for (uint32_t i = first; i < line->count; i++) {
			const struct maui_step *step = maui_line_step(t, line, i);
			int64_t moment = step->at >= until ? step->at - length + 1 : step->at;

			if (moment <= at)
				moment = MAUI_NEVER;
			if (step->at < until && next_timed(t, shape, step, at, length) < moment)
				moment = next_timed(t, shape, step, at, length);
			if (moment < next)
				next = moment;
			if (step->at >= until)
				break;
		}
		at = next;
	}
	return 0;
}

static int collect_run(struct maui_timeline *t, const struct maui_shape *shape,
		       const struct run *run, int64_t from, int64_t end, int64_t length)
{
	const struct maui_line *line = &t->lines[run->node];
	uint32_t first = maui_timeline_step_at(t, run->node, from), next;
	bool timed;
	const int64_t *tasks = step_tasks(t, shape, run->node, first, &timed);
	int64_t at = from, had = 0;

	if (tasks && timed)
		return collect_timed(t, shape, run, from, end, length);
	while (tasks && at < end) {
		int64_t has = least_until(t, line, tasks, first, maui_when_add(at, length), &next);
		int64_t leaves = maui_line_step_end(t, line, first), enters = MAUI_NEVER;

		if (t->repeats && has > 0 &&
		    maui_fit_is_shut(t, shape, run->node,
				     (struct maui_span){ at, maui_when_add(at, length) }))
			has = 0;
		if (note_change(&t->scratch, run, at, had, has))
			return -1;
		had = has;
		if (next < line->count)
			enters = maui_line_step(t, line, next)->at - length + 1;
		if (leaves <= enters)
			first++;
		at = leaves < enters ? leaves : enters;
	}
	return tasks ? 0 : -1;
}

static int compare_events(const void *a, const void *b)
{
	const struct maui_fit_event *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

/* Collects the events of [from, end), the first of each run at `from`. */
static int collect(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		   int64_t end, int64_t length)
{
	bool even = maui_shape_is_uniform(shape);

	t->scratch.event_count = 0;
	for (uint32_t node = 0, next; node < t->node_count; node = next) {
		struct run run = { .node = node, .required = maui_shape_requires(shape, node) };

		next = even ? maui_timeline_run_end(t, node) : node + 1;
		run.count = next - node;
		if (shape->needs[t->class_of[node]].most > 0 && !maui_shape_excludes(shape, node) &&
		    collect_run(t, shape, &run, from, end, length))
			return -1;
	}
	if (t->scratch.event_count > 1)
		qsort(t->scratch.events, t->scratch.event_count, sizeof(*t->scratch.events),
		      compare_events);
	return 0;
}

/* The first moment of [from, end) at which the shape can be placed; MAUI_NEVER: none.
 * *ret_ended: the caller ended the search. -1 without memory. */
static int64_t sweep(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		     int64_t end, int64_t length, maui_fit_place_fn place, void *data,
		     bool *ret_ended)
{
	enum maui_fit_answer answer;
	int64_t tasks = 0, nodes = 0, required = 0;
	size_t count;

	*ret_ended = true;
	if (collect(t, shape, from, end, length))
		return -1;
	count = t->scratch.event_count;
	for (size_t i = 0; i < count; i++) {
		const struct maui_fit_event *event = &t->scratch.events[i];
		int64_t until = i + 1 < count ? event[1].at : end, when;

		tasks += event->tasks;
		nodes += event->nodes;
		required += event->required;
		if (until == event->at || required < shape->request->required_count ||
		    !maui_fit_suffices(shape, (uint64_t)nodes, tasks))
			continue;
		when = maui_fit_global(t, shape, event->at, length);
		answer = when < until ? place(data, when, NULL, 0) : MAUI_FIT_NO;
		if (answer != MAUI_FIT_NO)
			return answer == MAUI_FIT_CHOSEN ? when : MAUI_NEVER;
	}
	*ret_ended = false;
	return MAUI_NEVER;
}

/* The begin of the last step of any line: nothing changes after it. */
static int64_t last_change(const struct maui_timeline *t)
{
	int64_t last = t->now;

	for (uint32_t n = 0; n < t->node_count + t->has_global; n++) {
		const struct maui_line *line = &t->lines[n];
		int64_t at = maui_line_step(t, line, line->count - 1)->at;

		if (at > last)
			last = at;
	}
	return last;
}

int64_t maui_fit_sweep(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		       int64_t length, maui_fit_place_fn place, void *data)
{
	int64_t last = last_change(t), part = (last - from) / FIRST_PART + 1;

	for (;; from += part, part *= 2) {
		bool all = part <= 0 || part > last - from, ended;
		int64_t when = sweep(t, shape, from, all ? MAUI_NEVER : from + part, length, place,
				     data, &ended);

		if (ended || all)
			return when;
	}
}
