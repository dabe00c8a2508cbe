/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.c - how many tasks a node takes, and the earliest moment at which a fixed shape fits
 *
 * A node serves at moment t with the least that any step overlapping [t, t + length) has free.
 *
 * In a fixed shape each node takes `least` tasks or none. Each node has a next moment >= t at which
 * it serves. When k nodes are needed, nothing fits before the k-th smallest of these moments. The
 * search takes that moment for t and updates the nodes, until t no longer moves (earliest_fixed).
 * Other shapes are searched by fit_sweep.c.
 */

#include "timeline/fit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/fit_private.h"

static bool shares_node(const struct maui_shape *shape, uint32_t who)
{
	uint32_t other = who & ~MAUI_USER_SOLE;

	return other == 0 || other == shape->user || !(shape->sole_user || (who & MAUI_USER_SOLE));
}

static inline struct maui_requester requester_of(const struct maui_shape *shape)
{
	return (struct maui_requester){ shape->request, shape->access };
}

static inline bool wants_claims(const struct maui_shape *shape)
{
	return shape->request->only_claims || (shape->access && shape->access->only);
}

/* The free amounts that the shape can have in the step, users on the node considered; NULL:
 * nothing. */
static const int64_t *step_capacity(const struct maui_timeline *t, const struct maui_shape *shape,
				    const struct maui_step *step, struct maui_span span)
{
	const struct maui_requester requester = requester_of(shape);

	if (shape->user != 0 && !shares_node(shape, step->who))
		return NULL;
	return step->claims || wants_claims(shape) ?
		       maui_claims_capacity(t, step, &requester, span) :
		       step->free;
}

int64_t maui_fit_step(const struct maui_timeline *t, const struct maui_shape *shape,
		      uint32_t class_index, const struct maui_step *step, struct maui_span span)
{
	const int64_t *amounts = step_capacity(t, shape, step, span);

	return amounts ? maui_shape_tasks(shape, class_index, amounts) : 0;
}

static bool has_all(const struct maui_timeline *t, const int64_t *amounts, const int64_t *want)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (amounts[d] < want[d])
			return false;
	return true;
}

static bool serves_with_claims(const struct maui_timeline *t, const struct maui_shape *shape,
			       const int64_t *want, const struct maui_step *step,
			       struct maui_span span)
{
	const int64_t *amounts = step_capacity(t, shape, step, span);

	return amounts && (amounts == step->free || has_all(t, amounts, want));
}

/* Whether a node of a fixed shape serves during the step. `want`: amounts that its class needs. */
static inline bool serves(const struct maui_timeline *t, const struct maui_shape *shape,
			  const int64_t *want, const struct maui_step *step, struct maui_span span)
{
	for (unsigned d = 0; d < t->amount_count; d++)
		if (step->free[d] < want[d])
			return false;
	return !(step->claims || shape->user || wants_claims(shape)) ||
	       serves_with_claims(t, shape, want, step, span);
}

static inline const struct maui_step *step_of(const char *at)
{
	return (const struct maui_step *)(const void *)at;
}

static int64_t fixed_tasks(const struct maui_timeline *t, const struct maui_shape *shape,
			   uint32_t node, uint32_t first, struct maui_span span)
{
	const struct maui_line *line = &t->lines[node];
	const struct maui_need *need = &shape->needs[t->class_of[node]];

	for (uint32_t i = first; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= span.until)
			break;
		if (!serves(t, shape, need->want, step, span))
			return 0;
	}
	return need->most;
}

bool maui_fit_is_shut(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		      struct maui_span span)
{
	const struct maui_line *line = &t->lines[node];
	const struct maui_requester requester = requester_of(shape);

	if (span.from <= t->now) /* a start now is decided by the instances that are known */
		return false;
	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= span.until)
			break;
		if (step->claims && maui_claims_shut(t, step, &requester, span))
			return true;
	}
	return false;
}

/* The least that a step of the span leaves, from the step `first` on. */
static int64_t least_tasks(const struct maui_timeline *t, const struct maui_shape *shape,
			   uint32_t node, uint32_t first, struct maui_span span,
			   uint32_t *ret_claims)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	int64_t least = shape->needs[class_index].most;

	for (uint32_t i = first; i < line->count && least > 0; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks;

		if (step->at >= span.until)
			break;
		tasks = maui_fit_step(t, shape, class_index, step, span);
		if (tasks >= least)
			continue;
		least = tasks;
		*ret_claims = step->claims;
	}
	return least;
}

int64_t maui_fit_remainder(const struct maui_timeline *t, const struct maui_shape *shape,
			   uint32_t node, struct maui_span span, uint32_t *ret_claims)
{
	*ret_claims = 0;
	return least_tasks(t, shape, node, maui_timeline_step_at(t, node, span.from), span,
			   ret_claims);
}

int64_t maui_fit_tasks(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t until)
{
	const struct maui_span span = { from, until };
	uint32_t first = from == t->now ? 0 : maui_timeline_step_at(t, node, from), claims;

	if (shape->needs[t->class_of[node]].most == 0 || maui_shape_excludes(shape, node))
		return 0;
	if (t->repeats && maui_fit_is_shut(t, shape, node, span))
		return 0;
	return shape->fixed ? fixed_tasks(t, shape, node, first, span) :
			      least_tasks(t, shape, node, first, span, &claims);
}

int64_t maui_fit_tasks_shared(const struct maui_timeline *t, const struct maui_shape *shape,
			      uint32_t node, struct maui_span span)
{
	const struct maui_line *line = &t->lines[node];
	int64_t *amounts = t->vectors.one, least = INT64_MAX;
	uint32_t class_index = t->class_of[node];
	const int64_t *have = t->snapshot->nodes[node].have;

	if (shape->needs[class_index].most == 0 || maui_shape_excludes(shape, node) ||
	    shape->sole_user)
		return 0;
	for (uint32_t i = maui_timeline_step_at(t, node, span.from); i < line->count && least > 0;
	     i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks;

		if (step->at >= span.until)
			break;
		if (step->claims)
			return 0;
		memcpy(amounts, step->free, t->amount_count * sizeof(*amounts));
		amounts[MAUI_AMOUNT_PROCS] = have[MAUI_AMOUNT_PROCS];
		tasks = maui_shape_tasks(shape, class_index, amounts);
		least = tasks < least ? tasks : least;
	}
	return least == INT64_MAX ? 0 : least;
}

/* The last end of a span from `from` on for which TIMELIMITs leave so many tasks of the step;
 * MAUI_NEVER: any end. */
static int64_t timed_until(const struct maui_timeline *t, const struct maui_shape *shape,
			   uint32_t class_index, const struct maui_step *step, int64_t from,
			   int64_t tasks)
{
	bool partial = t->claim_sets[step->claims - 1].partial;
	const struct maui_requester requester = requester_of(shape);
	int64_t until = from;

	for (;;) {
		until = maui_claims_close_at(t, step, &requester, from, until);
		if (until == MAUI_NEVER || !partial || /* any claim closes a whole node */
		    maui_fit_step(t, shape, class_index, step,
				  (struct maui_span){ from, until + 1 }) < tasks)
			break;
	}
	return until > step->at ? until : step->at;
}

static bool is_timed(const struct maui_timeline *t, const struct maui_shape *shape,
		     const struct maui_step *step)
{
	const struct maui_requester requester = requester_of(shape);

	return maui_claims_are_timed(t, step, &requester);
}

int64_t maui_fit_until(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t tasks)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	int64_t until = MAUI_NEVER;

	for (uint32_t i = maui_timeline_step_at(t, node, from); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t timed;

		if (step->at >= until)
			break;
		if (maui_fit_step(t, shape, class_index, step, MAUI_SPAN_NONE) < tasks)
			return step->at;
		if (!is_timed(t, shape, step))
			continue;
		timed = timed_until(t, shape, class_index, step, from, tasks);
		if (timed < until)
			until = timed;
	}
	return until;
}

/* The next moment >= `from` at which the node serves for `length` seconds if no TIMELIMIT
 * applied. The search begins at step *cursor, and leaves there where a search from a later
 * moment may begin. *ret_timed: some step has a TIMELIMIT. */
static int64_t next_interval(const struct maui_timeline *t, const struct maui_shape *shape,
			     uint32_t node, int64_t from, int64_t length, uint32_t *cursor,
			     bool *ret_timed)
{
	const struct maui_line *line = &t->lines[node];
	const int64_t *want = shape->needs[t->class_of[node]].want;
	const char *at = line->steps + *cursor * t->step_size;
	const char *end = line->steps + line->count * t->step_size, *first = at;
	int64_t begin = -1; /* of an interval of steps that serve */
	bool timed = false;

	while (at + t->step_size < end && step_of(at + t->step_size)->at <= from)
		first = at += t->step_size;
	for (; at < end; at += t->step_size) {
		const struct maui_step *step = step_of(at);

		if (begin >= 0 && step->at - begin >= length)
			break;
		if (!serves(t, shape, want, step, MAUI_SPAN_NONE)) {
			begin = -1;
		} else if (begin < 0) {
			begin = step->at > from ? step->at : from;
			first = at;
		}
		timed |= step->claims && is_timed(t, shape, step);
	}
	*cursor = (uint32_t)((size_t)(first - line->steps) / t->step_size);
	*ret_timed = timed;
	return begin >= 0 ? begin : MAUI_NEVER;
}

/* Returns `from` when the TIMELIMITs admit the job on the node from then on. Otherwise the first
 * later moment at which a TIMELIMIT may no longer block the job. */
static int64_t timed_from(const struct maui_timeline *t, const struct maui_shape *shape,
			  uint32_t node, int64_t from, int64_t length, uint32_t cursor)
{
	const struct maui_line *line = &t->lines[node];
	const int64_t *want = shape->needs[t->class_of[node]].want;
	const struct maui_span span = { from, maui_when_add(from, length) };
	const struct maui_requester requester = requester_of(shape);

	for (uint32_t i = cursor; i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t opens, until = maui_line_step_end(t, line, i);

		if (step->at >= span.until)
			break;
		if (until <= from || serves(t, shape, want, step, span))
			continue;
		opens = maui_claims_open_at(t, step, &requester, span);
		return opens < until ? opens : until;
	}
	return from;
}

/* The next moment at which the node serves, TIMELIMITs considered. */
static int64_t next_fixed(const struct maui_timeline *t, const struct maui_shape *shape,
			  uint32_t node, int64_t from, int64_t length, uint32_t *cursor)
{
	for (;;) {
		bool timed;
		int64_t begin = next_interval(t, shape, node, from, length, cursor, &timed);

		if (begin == MAUI_NEVER)
			return begin;
		if (t->repeats &&
		    maui_fit_is_shut(t, shape, node,
				     (struct maui_span){ begin, maui_when_add(begin, length) }))
			return MAUI_NEVER;
		if (!timed)
			return begin;
		from = timed_from(t, shape, node, begin, length, *cursor);
		if (from == begin || from == MAUI_NEVER)
			return from;
	}
}

/* A moment, and how many nodes serve from then on. */
struct maui_fit_moment {
	int64_t at;
	uint32_t nodes;
};

static uint64_t count_serving(const struct maui_fit_moment *list, ptrdiff_t first, ptrdiff_t end)
{
	uint64_t nodes = 0;

	for (ptrdiff_t i = first; i < end; i++)
		nodes += list[i].nodes;
	return nodes;
}

/* The moment at which the k-th of the nodes (k from 1) serves, by quickselect; changes the order of
 * the list. */
static int64_t kth_moment(struct maui_fit_moment *list, size_t count, uint64_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)count - 1;

	while (low < high) {
		int64_t pivot = list[low + (high - low) / 2].at;
		ptrdiff_t i = low, j = high;
		uint64_t before;

		while (i <= j) {
			while (list[i].at < pivot)
				i++;
			while (list[j].at > pivot)
				j--;
			if (i <= j) {
				struct maui_fit_moment other = list[i];

				list[i++] = list[j];
				list[j--] = other;
			}
		}
		before = count_serving(list, low, j + 1);
		if (k <= before) {
			high = j;
			continue;
		}
		if (k <= before + count_serving(list, j + 1, i))
			return pivot; /* that of all moments between j and i */
		k -= before + count_serving(list, j + 1, i);
		low = i;
	}
	return list[low].at;
}

/* Reserves room for the lists of all nodes. */
static int reserve_runs(struct maui_timeline *t)
{
	struct maui_fit_scratch *scratch = &t->scratch;

	if (scratch->run_alloc >= t->node_count)
		return 0;
	free(scratch->runs);
	free(scratch->moments);
	scratch->runs = calloc(t->node_count, sizeof(*scratch->runs));
	scratch->moments = calloc(t->node_count, sizeof(*scratch->moments));
	scratch->run_alloc = scratch->runs && scratch->moments ? t->node_count : 0;
	return scratch->run_alloc > 0 ? 0 : -1;
}

static struct maui_fit_run make_run(const struct maui_timeline *t, const struct maui_shape *shape,
				    uint32_t node, uint32_t end, int64_t from, int64_t length)
{
	struct maui_fit_run run = { .node = node,
				    .count = end - node,
				    .cursor = from == t->now ? 0 :
							       maui_timeline_step_at(t, node, from),
				    .required = maui_shape_requires(shape, node) };

	run.next = next_fixed(t, shape, node, from, length, &run.cursor);
	return run;
}

/* Lists the nodes that can serve at all, each run with its next moment. */
static int list_runs(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		     int64_t length, size_t *ret_count)
{
	bool even = maui_shape_is_uniform(shape);
	size_t count = 0;

	if (reserve_runs(t))
		return -1;
	for (uint32_t node = 0, end; node < t->node_count; node = end) {
		end = even ? maui_timeline_run_end(t, node) : node + 1;
		if (shape->needs[t->class_of[node]].most > 0 && !maui_shape_excludes(shape, node))
			t->scratch.runs[count++] = make_run(t, shape, node, end, from, length);
	}
	*ret_count = count;
	return 0;
}

/* Whether the nodes in the list could ever be enough. */
static bool has_enough(const struct maui_shape *shape, const struct maui_fit_run *runs,
		       size_t count, uint64_t needed)
{
	uint64_t nodes = 0;
	uint32_t required = 0;

	for (size_t i = 0; i < count; i++) {
		nodes += runs[i].count;
		required += runs[i].required;
	}
	return nodes >= needed && required >= shape->request->required_count;
}

/* The moment before which too few nodes serve, or a required node does not. */
static int64_t lower_bound(struct maui_fit_scratch *scratch, size_t count, uint64_t needed)
{
	int64_t required = INT64_MIN, bound;

	for (size_t i = 0; i < count; i++) {
		const struct maui_fit_run *run = &scratch->runs[i];

		scratch->moments[i] = (struct maui_fit_moment){ run->next, run->count };
		if (run->required && run->next > required)
			required = run->next;
	}
	bound = kth_moment(scratch->moments, count, needed);
	return bound > required ? bound : required;
}

/* The next moment at which some other nodes serve; MAUI_NEVER. */
static int64_t next_after(const struct maui_fit_run *runs, size_t count, int64_t when)
{
	int64_t next = MAUI_NEVER;

	for (size_t i = 0; i < count; i++)
		if (runs[i].next > when && runs[i].next < next)
			next = runs[i].next;
	return next;
}

static int64_t earliest_fixed(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			      int64_t length, maui_fit_place_fn place, void *data)
{
	int64_t tasks = (shape->tasks + shape->least - 1) / shape->least, when = from;
	uint64_t needed = tasks > shape->nodes_min ? (uint64_t)tasks : shape->nodes_min;
	struct maui_fit_run *runs;
	size_t count;

	if (list_runs(t, shape, from, length, &count))
		return -1;
	runs = t->scratch.runs;
	if (!has_enough(shape, runs, count, needed))
		return MAUI_NEVER;
	for (;;) {
		int64_t bound = lower_bound(&t->scratch, count, needed);

		if (bound != MAUI_NEVER)
			bound = maui_fit_global(t, shape, bound, length);
		if (bound == MAUI_NEVER)
			return MAUI_NEVER;
		if (bound == when) {
			enum maui_fit_answer answer = place(data, when, runs, count);

			if (answer != MAUI_FIT_NO)
				return answer == MAUI_FIT_CHOSEN ? when : MAUI_NEVER;
			bound = next_after(runs, count, when);
			if (bound == MAUI_NEVER)
				return MAUI_NEVER;
		}
		when = bound;
		for (size_t i = 0; i < count; i++)
			if (runs[i].next < when)
				runs[i].next = next_fixed(t, shape, runs[i].node, when, length,
							  &runs[i].cursor);
	}
}

int64_t maui_fit_earliest(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			  int64_t length, maui_fit_place_fn place, void *data)
{
	return shape->fixed ? earliest_fixed(t, shape, from, length, place, data) :
			      maui_fit_sweep(t, shape, from, length, place, data);
}
