/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fit.c - earliest fit: a sweep over the moments at which nodes begin and cease to serve
 *
 * A node serves at t with the least that any step overlapping [t, t + length) gives: a sliding
 * minimum over its line, which changes only where a step leaves the window (at its end) or enters
 * it (its begin - length + 1). Each change is an event; sorted by time and summed up they tell for
 * every moment how many nodes and tasks there are.
 */

#include "timeline/fit.h"

#include <stdlib.h>

#include "base/array.h"

struct event {
	int64_t at;
	int64_t tasks;
	int32_t nodes, required;
};

struct maui_fit_events {
	struct event *list;
	size_t count, alloc;
};

void maui_fit_events_destroy(struct maui_fit_events *events)
{
	if (!events)
		return;
	free(events->list);
	free(events);
}

/* Whether all claims of the set are open to the shape. */
static bool may_enter(const struct maui_timeline *t, const struct maui_request *r, uint32_t set)
{
	const struct maui_claim_set *claims = &t->claim_sets[set - 1];
	uint32_t open = 0;

	for (uint32_t i = 0; i < claims->count; i++) { /* both ascend */
		while (open < r->claim_count && r->claims[open] < claims->list[i])
			open++;
		if (open == r->claim_count || r->claims[open] != claims->list[i])
			return false;
	}
	return true;
}

static bool shares(const struct maui_shape *shape, uint32_t user)
{
	uint32_t who = user & ~MAUI_USER_SOLE;

	return who == 0 || who == shape->user || !(shape->sole_user || (user & MAUI_USER_SOLE));
}

static inline int64_t step_tasks(const struct maui_timeline *t, const struct maui_shape *shape,
				 uint32_t class_index, const struct maui_step *step)
{
	if (step->claims ? !may_enter(t, shape->request, step->claims) :
			   shape->request->only_claims)
		return 0;
	if (step->user && !shares(shape, step->user))
		return 0;
	return maui_shape_tasks(shape, class_index, step->free);
}

int64_t maui_fit_tasks(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t until)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	int64_t least = shape->needs[class_index].most;

	if (least == 0 || maui_shape_excludes(shape, node))
		return 0;
	for (uint32_t i = from == t->now ? 0 : maui_timeline_at(t, node, from); i < line->count;
	     i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t tasks;

		if (step->at >= until)
			break;
		tasks = step_tasks(t, shape, class_index, step);
		if (tasks < least)
			least = tasks;
		if (least == 0)
			break;
	}
	return least;
}

int64_t maui_fit_until(const struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from)
{
	const struct maui_line *line = &t->lines[node];

	for (uint32_t i = maui_timeline_at(t, node, from); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step_tasks(t, shape, t->class_of[node], step) == 0)
			return step->at;
	}
	return MAUI_NEVER;
}

static int add_event(struct maui_fit_events *events, int64_t at, int64_t tasks, int nodes,
		     int required)
{
	struct event *grown = maui_array_grow(events->list, events->count, &events->alloc,
					      sizeof(*grown));

	if (!grown)
		return -1;
	events->list = grown;
	grown[events->count++] = (struct event){ at, tasks, nodes, required };
	return 0;
}

/* From `had` tasks to `has`, at that moment. */
static int note_change(struct maui_fit_events *events, int64_t at, int64_t had, int64_t has,
		       bool required)
{
	int nodes = (has > 0) - (had > 0);

	return had == has ? 0 : add_event(events, at, has - had, nodes, required ? nodes : 0);
}

/* All nodes alike give `most` or nothing: the node serves from where a stretch of good steps
 * begins until its end less the length. */
static int sweep_fixed(struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
		       int64_t from, int64_t length, bool required)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t class_index = t->class_of[node];
	int64_t most = shape->needs[class_index].most;
	int64_t begin = -1; /* of the stretch; none yet */

	for (uint32_t i = maui_timeline_at(t, node, from); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		bool good = step_tasks(t, shape, class_index, step) > 0;

		if (good && begin < 0) {
			begin = step->at > from ? step->at : from;
		} else if (!good && begin >= 0) {
			/* the last moment at which the job is gone when this step begins */
			if (step->at - begin >= length &&
			    (note_change(t->events, begin, 0, most, required) ||
			     note_change(t->events, step->at - length + 1, most, 0, required)))
				return -1;
			begin = -1;
		}
	}
	return begin < 0 ? 0 : note_change(t->events, begin, 0, most, required);
}

/* Least of the steps from `first` that overlap [.., until). */
static int64_t least_until(struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
			   uint32_t first, int64_t until, uint32_t *ret_next)
{
	const struct maui_line *line = &t->lines[node];
	int64_t least = INT64_MAX;
	uint32_t i = first;

	for (; i < line->count && maui_line_step(t, line, i)->at < until; i++) {
		int64_t tasks = step_tasks(t, shape, t->class_of[node],
					   maui_line_step(t, line, i));

		if (tasks < least)
			least = tasks;
	}
	*ret_next = i;
	return least;
}

static int sweep_varied(struct maui_timeline *t, const struct maui_shape *shape, uint32_t node,
			int64_t from, int64_t length, bool required)
{
	const struct maui_line *line = &t->lines[node];
	uint32_t first = maui_timeline_at(t, node, from), next;
	int64_t at = from, had = 0;

	while (at != MAUI_NEVER) {
		int64_t has = least_until(t, shape, node, first, maui_when_add(at, length), &next);
		int64_t leaves = maui_line_until(t, line, first), enters = MAUI_NEVER;

		if (note_change(t->events, at, had, has, required))
			return -1;
		had = has;
		if (next < line->count)
			enters = maui_line_step(t, line, next)->at - length + 1;
		if (leaves <= enters)
			first++;
		at = leaves < enters ? leaves : enters;
	}
	return 0;
}

static int collect(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
		   int64_t length)
{
	t->events->count = 0;
	for (uint32_t node = 0; node < t->node_count; node++) {
		bool required;
		int rc;

		if (shape->needs[t->class_of[node]].most == 0 || maui_shape_excludes(shape, node))
			continue;
		required = maui_shape_requires(shape, node);
		rc = shape->fixed ? sweep_fixed(t, shape, node, from, length, required) :
				    sweep_varied(t, shape, node, from, length, required);
		if (rc)
			return -1;
	}
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *one = a, *two = b;

	return (one->at > two->at) - (one->at < two->at);
}

static void sort_events(struct maui_fit_events *events)
{
	bool sorted = true;

	for (size_t i = 1; i < events->count && sorted; i++)
		sorted = events->list[i - 1].at <= events->list[i].at;
	if (!sorted)
		qsort(events->list, events->count, sizeof(*events->list), compare_events);
}

int64_t maui_fit_earliest(struct maui_timeline *t, const struct maui_shape *shape, int64_t from,
			  int64_t length, maui_fit_place_fn place, void *data)
{
	int64_t tasks = 0, nodes = 0, required = 0;
	const struct event *list;

	if (!t->events)
		t->events = calloc(1, sizeof(*t->events));
	if (!t->events || collect(t, shape, from, length))
		return -1;
	sort_events(t->events);
	list = t->events->list;
	for (size_t i = 0; i < t->events->count; i++) {
		tasks += list[i].tasks;
		nodes += list[i].nodes;
		required += list[i].required;
		if (i + 1 < t->events->count && list[i + 1].at == list[i].at)
			continue;
		if (required == shape->request->required_count &&
		    maui_fit_suffices(shape, (uint64_t)nodes, tasks) && place(data, list[i].at))
			return list[i].at;
	}
	return MAUI_NEVER;
}
