/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.c - whether the job would start now, with other jobs or without them, and for how long
 *
 * Works on the timeline as the cycle left it, with all starts and job reservations.
 */

#include <stdlib.h>

#include "explain/private.h"

/* Nodes found so far. */
struct found {
	uint32_t count, required;
	int64_t tasks;
};

static bool suffices(struct maui_explainer *x, const struct maui_shape *shape,
		     const struct found *found)
{
	uint32_t chosen;

	return found->required >= shape->request->required_count &&
	       maui_fit_suffices(shape, found->count, found->tasks) &&
	       maui_alloc_choose(shape, MAUI_ALLOC_FIRSTAVAILABLE, x->candidates, found->count,
				 &chosen);
}

static int64_t tasks_of(const struct maui_explainer *x, const struct maui_shape *shape,
			uint32_t node, int64_t length_s, bool other_jobs)
{
	const struct maui_span span = maui_span_now(x, length_s);

	return other_jobs ? maui_fit_tasks(&x->timeline, shape, node, span.from, span.until) :
			    maui_remainder_tasks_now(x, shape, node, length_s);
}

static void add_node(struct maui_explainer *x, const struct maui_shape *shape, uint32_t node,
		     int64_t tasks, struct found *found)
{
	bool required = maui_shape_requires(shape, node);

	x->candidates[found->count++] =
		(struct maui_candidate){ .node = node, .required = required, .tasks = tasks };
	found->required += required;
	found->tasks += tasks;
}

/* Most jobs need few of the nodes, so the search checks whether the nodes found suffice each time
 * their number has doubled. */
bool maui_explain_fits(struct maui_explainer *x, const struct maui_shape *shape, int64_t length_s,
		       bool other_jobs)
{
	struct found found = { 0 };
	uint32_t next = 1, last = UINT32_MAX;
	int64_t last_tasks = 0;

	if (shape->impossible != MAUI_REASON_NONE ||
	    (other_jobs && maui_fit_global(&x->timeline, shape, x->now_s, length_s) > x->now_s))
		return false;
	for (uint32_t n = 0; n < x->snapshot->node_count; n++) {
		bool special = maui_node_is_special(shape, n);
		int64_t tasks;

		if (shape->needs[x->timeline.class_of[n]].most == 0)
			continue;
		if (!special && last != UINT32_MAX && maui_nodes_alike(x, last, n))
			tasks = last_tasks;
		else
			tasks = tasks_of(x, shape, n, length_s, other_jobs);
		if (!special) {
			last = n;
			last_tasks = tasks;
		}
		if (tasks == 0)
			continue;
		add_node(x, shape, n, tasks, &found);
		if (found.count < next)
			continue;
		if (suffices(x, shape, &found))
			return true;
		next = 2 * found.count;
	}
	return suffices(x, shape, &found);
}

static int last_to_close(const void *a, const void *b)
{
	const struct maui_node_note *one = a, *two = b;

	return (one->when < two->when) - (one->when > two->when);
}

/* How many tasks the node takes now, and until when it can keep them. */
static struct maui_node_note measure_node(const struct maui_explainer *x,
					  const struct maui_shape *shape, uint32_t node)
{
	int64_t tasks = maui_fit_tasks(&x->timeline, shape, node, x->now_s, x->now_s + 1);

	return (struct maui_node_note){
		.tasks = tasks,
		.when = tasks == 0 ? x->now_s :
				     maui_fit_until(&x->timeline, shape, node, x->now_s, tasks)
	};
}

/* How long enough nodes serve the shape, judged by what each can take now; -1: not at all. */
static int64_t guess_length(struct maui_explainer *x, const struct maui_shape *shape)
{
	struct maui_node_note *notes = x->notes;
	uint32_t count = 0;
	uint64_t nodes = 0;
	int64_t tasks = 0;

	for (uint32_t n = 0, end; n < x->snapshot->node_count; n = end) {
		end = maui_stretch_end(x, shape, n);
		if (shape->needs[x->timeline.class_of[n]].most == 0)
			continue;
		notes[count] = measure_node(x, shape, n);
		if (notes[count].tasks > 0)
			notes[count++].count = end - n;
	}
	if (count > 1)
		qsort(notes, count, sizeof(*notes), last_to_close);
	for (uint32_t i = 0; i < count; i++) {
		nodes += notes[i].count;
		tasks += notes[i].tasks * notes[i].count;
		if (maui_fit_suffices(shape, nodes, tasks))
			return maui_when_length(x->now_s, notes[i].when);
	}
	return -1;
}

int64_t maui_explain_longest(struct maui_explainer *x, const struct maui_explained_job *a)
{
	int64_t low = 0, high = a->limit_s, guess = guess_length(x, &a->shape);

	if (guess < 0 && !maui_explain_fits(x, &a->shape, 1, true))
		return 0; /* most jobs that do not fit now */
	if (guess > low && guess < high && maui_explain_fits(x, &a->shape, guess, true))
		low = guess;
	if (low == guess && low + 1 < high && !maui_explain_fits(x, &a->shape, low + 1, true))
		high = low + 1;
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (maui_explain_fits(x, &a->shape, middle, true))
			low = middle;
		else
			high = middle;
	}
	return low;
}

struct search {
	struct maui_explainer *x;
	const struct maui_explained_job *a;
};

/* Whether the nodes that can serve at the moment suffice. */
static bool place_at(void *data, int64_t start_s, const struct maui_fit_node *nodes, size_t count)
{
	const struct search *search = data;
	struct maui_explainer *x = search->x;
	const struct maui_shape *shape = &search->a->shape;
	const int64_t until_s = maui_when_add(start_s, search->a->limit_s);
	struct found found = { 0 };

	for (size_t i = 0; i < count; i++)
		if (nodes[i].next == start_s)
			add_node(x, shape, nodes[i].node,
				 shape->needs[x->timeline.class_of[nodes[i].node]].most, &found);
	for (uint32_t n = 0; !nodes && n < x->snapshot->node_count; n++) {
		int64_t tasks = shape->needs[x->timeline.class_of[n]].most;

		if (tasks > 0)
			tasks = maui_fit_tasks(&x->timeline, shape, n, start_s, until_s);
		if (tasks > 0)
			add_node(x, shape, n, tasks, &found);
	}
	return suffices(x, shape, &found);
}

static int64_t earliest(struct maui_explainer *x, const struct maui_explained_job *a, int64_t from)
{
	struct search search = { x, a };
	int64_t start_s =
		maui_fit_earliest(&x->timeline, &a->shape, from, a->limit_s, place_at, &search);

	if (start_s >= 0)
		return start_s;
	x->failed = true;
	return MAUI_NEVER;
}

int64_t maui_explain_earliest(struct maui_explainer *x, const struct maui_explained_job *a)
{
	return maui_explain_earliest_from(x, a, x->now_s);
}

int64_t maui_explain_earliest_from(struct maui_explainer *x, const struct maui_explained_job *a,
				   int64_t from)
{
	struct maui_explained_job later = *a;
	int64_t start_s;

	if (a->shape.impossible != MAUI_REASON_NONE)
		return MAUI_NEVER;
	start_s = earliest(x, a, from);
	if (!a->shape.in_set || start_s <= a->in_set_until_s)
		return start_s;
	later.shape.in_set = false;
	return earliest(x, &later, from > a->in_set_until_s ? from : a->in_set_until_s);
}
