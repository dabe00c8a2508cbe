/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - collects the nodes that take tasks of a shape, and chooses among them */

#include "plan/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"
#include "config/planning.h"

/* ---- candidates ---- */

struct maui_candidate *maui_candidates_at(struct maui_candidates *candidates, uint32_t index)
{
	struct maui_candidate *grown =
		maui_array_grow(candidates->list, index, &candidates->alloc, sizeof(*grown));

	if (!grown)
		return NULL;
	candidates->list = grown;
	return &grown[index];
}

static inline struct maui_candidate *next_candidate(struct maui_search *s)
{
	struct maui_candidate *candidate;

	if (s->sums.count < s->candidates->alloc)
		return &s->candidates->list[s->sums.count];
	candidate = maui_candidates_at(s->candidates, s->sums.count);
	s->failed |= !candidate;
	return candidate;
}

void maui_search_begin(struct maui_search *s, struct maui_span span)
{
	s->span = span;
	s->sums = (struct maui_search_sums){ .last = MAUI_SEARCH_NONE };
}

static inline void add(struct maui_search *s, uint32_t node, int64_t tasks, bool required)
{
	struct maui_candidate *candidate = next_candidate(s);

	if (!candidate)
		return;
	*candidate = (struct maui_candidate){ .node = node, .required = required, .tasks = tasks };
	s->sums.count++;
	s->sums.tasks += tasks;
	s->sums.required += required;
}

void maui_search_add(struct maui_search *s, uint32_t node, int64_t tasks, bool required)
{
	add(s, node, tasks, required);
}

/* Adds a copy of the last candidate, for another node. */
static void add_copy(struct maui_search *s, uint32_t node)
{
	struct maui_candidate *candidate = next_candidate(s);

	if (!candidate)
		return;
	*candidate = candidate[-1];
	candidate->node = node;
	s->sums.count++;
	s->sums.tasks += s->sums.last_tasks;
}

/* Sets the members by which candidates are ordered, except the node. */
static void set_order(const struct maui_search *s, struct maui_candidate *c)
{
	const struct maui_timeline *t = s->timeline;
	int policy = maui_alloc_order_of(s->shape, s->policy);

	if (policy == MAUI_ALLOC_LASTAVAILABLE)
		c->until_s = maui_fit_until(t, s->shape, c->node, s->span.from, 1);
	if (policy == MAUI_ALLOC_LEAST_LOADED)
		c->idle = maui_search_idle_at(t, c->node, s->span.from);
	if (s->shape->access)
		c->affinity = maui_timeline_affinity(t, c->node, s->shape->access, s->span);
}

/* Adjacent nodes mostly differ in their index only. */
static void order_candidates(const struct maui_search *s)
{
	struct maui_candidate *list = s->candidates->list;

	for (uint32_t i = 0; i < s->sums.count; i++) {
		struct maui_candidate *c = &list[i];

		if (i > 0 && maui_timeline_same(s->timeline, c[-1].node, c->node)) {
			c->until_s = c[-1].until_s;
			c->idle = c[-1].idle;
			c->affinity = c[-1].affinity;
		} else {
			set_order(s, c);
		}
	}
}

static bool is_like_last(const struct maui_search *s, uint32_t node)
{
	return s->sums.last != MAUI_SEARCH_NONE &&
	       maui_timeline_same(s->timeline, s->sums.last, node) &&
	       maui_shape_is_uniform(s->shape);
}

/* ---- inside a backfill window ---- */

int64_t maui_backfilling_free(const struct maui_timeline *t,
			      const struct maui_backfilling *backfill, uint32_t node)
{
	return maui_timeline_procs(
		t, node, t->now, maui_when_add(t->now, backfill->window->length_s), backfill->who);
}

int64_t maui_backfilling_procs(const struct maui_timeline *t,
			       const struct maui_backfilling *backfill, uint32_t node)
{
	return backfill->procs ? backfill->procs[node] : maui_backfilling_free(t, backfill, node);
}

/* How many of the tasks fit on the node inside the backfill window: a node gives no more processors
 * than are free there during the whole window. */
static int64_t in_window(const struct maui_search *s, uint32_t node, int64_t tasks)
{
	const struct maui_shape *shape = s->shape;
	int64_t have = maui_backfilling_procs(s->timeline, s->backfill, node);

	while (tasks > 0) {
		if (maui_shape_amount(shape, s->timeline->class_of[node], tasks,
				      MAUI_AMOUNT_PROCS) <= have)
			return tasks;
		tasks = shape->fixed || shape->fills_nodes ? 0 : tasks - 1;
		if (tasks > have / shape->request->procs_per_task)
			tasks = have / shape->request->procs_per_task;
		if (tasks < shape->least)
			tasks = 0;
	}
	return 0;
}

static inline void add_node(struct maui_search *s, uint32_t node)
{
	uint32_t count = s->sums.count;
	int64_t tasks;

	if (s->closed && s->closed[node])
		return;
	if (is_like_last(s, node)) {
		if (s->sums.last_tasks > 0)
			add_copy(s, node);
		return;
	}
	tasks = maui_fit_tasks(s->timeline, s->shape, node, s->span.from, s->span.until);
	if (tasks > 0 && s->backfill && s->backfill->window)
		tasks = in_window(s, node, tasks);
	s->sums.last = node;
	s->sums.last_tasks = tasks;
	if (tasks > 0)
		add(s, node, tasks, maui_shape_requires(s->shape, node));
	/* now, while the node's steps are in the processor's cache */
	if (s->sums.order_set && s->sums.count > count)
		set_order(s, &s->candidates->list[count]);
}

void maui_search_add_node(struct maui_search *s, uint32_t node)
{
	add_node(s, node);
}

/* Of an ascending list: the end of the run of equal nodes from the i-th on. */
static uint32_t listed_run_end(const struct maui_timeline *t, const uint32_t *nodes, uint32_t count,
			       uint32_t i)
{
	uint32_t end = maui_timeline_run_end(t, nodes[i]), all = i + (end - nodes[i]);

	if (all <= count && nodes[all - 1] == end - 1) /* the list has the whole run */
		return all;
	return i + (uint32_t)maui_lower_bound(nodes + i, (all < count ? all : count) - i,
					      sizeof(*nodes), maui_before_u32, &end);
}

/* Adds equal nodes: if one takes nothing, none does. */
static void add_equal(struct maui_search *s, const uint32_t *nodes, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		add_node(s, nodes[i]);
		if (s->sums.last_tasks == 0 && is_like_last(s, nodes[i]))
			return;
	}
}

uint32_t maui_search_add_open(struct maui_search *s, uint32_t *nodes, uint32_t count)
{
	const struct maui_timeline *t = s->timeline;
	uint32_t kept = 0;

	for (uint32_t i = 0, end; i < count; i = end) {
		end = listed_run_end(t, nodes, count, i);
		if (maui_line_step(t, &t->lines[nodes[i]], 0)->free[MAUI_AMOUNT_PROCS] <= 0)
			continue;
		if (kept < i)
			memmove(&nodes[kept], &nodes[i], (end - i) * sizeof(*nodes));
		add_equal(s, &nodes[kept], end - i);
		kept += end - i;
	}
	return kept;
}

/* ---- the choice among them ---- */

bool maui_search_has_enough(const struct maui_search *s)
{
	return s->sums.required >= s->shape->request->required_count &&
	       maui_fit_suffices(s->shape, s->sums.count, s->sums.tasks);
}

uint32_t maui_search_choose(struct maui_search *s)
{
	uint32_t count;
	bool chosen;

	if (!maui_search_has_enough(s))
		return 0;
	if (!s->sums.order_set && s->sums.count > 1)
		order_candidates(s);
	s->sums.order_set = true;
	if (!maui_alloc_has_whole_job(s->shape, s->timeline, s->span.from, s->candidates->list,
				      s->sums.count))
		return 0;
	chosen = maui_alloc_choose(s->shape, s->policy, s->candidates->list, s->sums.count, &count);
	s->failed |= errno == ENOMEM;
	return chosen && !s->failed ? count : 0;
}

/* The policy's choice, or what the caller takes. */
static enum maui_fit_answer take(struct maui_search *s)
{
	if (s->take)
		return s->take(s);
	s->chosen = maui_search_choose(s);
	return s->chosen > 0 ? MAUI_FIT_CHOSEN : MAUI_FIT_NO;
}

/* ---- when, and for how long ---- */

static uint32_t count_nodes(const struct maui_search *s)
{
	return s->nodes ? s->node_count : s->timeline->node_count;
}

static uint32_t ith(const struct maui_search *s, uint32_t i)
{
	return s->nodes ? s->nodes[i] : i;
}

/* Whether the nodes that take tasks during the span are enough, as counts. */
static bool may_suffice(const struct maui_search *s)
{
	uint64_t nodes = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->alike_count; i++) {
		int64_t tasks = maui_fit_tasks(s->timeline, s->shape, s->alike[i].node,
					       s->span.from, s->span.until);

		if (tasks == 0)
			continue;
		nodes += s->alike[i].count;
		sum += tasks * s->alike[i].count;
		if (maui_fit_suffices(s->shape, nodes, sum))
			return true;
	}
	return false;
}

/* Most jobs need few of the nodes, so the candidates are tried each time their number has
 * doubled. */
bool maui_search_fits(struct maui_search *s, int64_t from, int64_t length)
{
	uint32_t next = 1, nodes = count_nodes(s);

	maui_search_begin(s, (struct maui_span){ from, maui_when_add(from, length) });
	if (s->shape->impossible != MAUI_REASON_NONE ||
	    maui_fit_global(s->timeline, s->shape, from, length) > from ||
	    (s->alike && !may_suffice(s)))
		return false;
	for (uint32_t i = 0; i < nodes && !s->failed; i++) {
		uint32_t before = s->sums.count;

		add_node(s, ith(s, i));
		if (s->sums.count == before || s->sums.count < next)
			continue;
		if (take(s) == MAUI_FIT_CHOSEN)
			return true;
		/* the list is in another order now */
		s->sums.last = MAUI_SEARCH_NONE;
		s->sums.order_set = false;
		next = 2 * s->sums.count;
	}
	return !s->failed && take(s) == MAUI_FIT_CHOSEN;
}

struct moment {
	struct maui_search *search;
	int64_t length;
};

/* Adds nodes that serve with all their tasks. */
static void add_run(struct maui_search *s, const struct maui_fit_run *run)
{
	int64_t most = s->shape->needs[s->timeline->class_of[run->node]].most;

	for (uint32_t node = run->node; node < run->node + run->count; node++)
		if (!(s->closed && s->closed[node]))
			add(s, node, most, run->required);
}

static enum maui_fit_answer place_at(void *data, int64_t start_s, const struct maui_fit_run *runs,
				     size_t count)
{
	const struct moment *m = data;
	struct maui_search *s = m->search;
	uint32_t all = runs ? 0 : count_nodes(s);

	maui_search_begin(s, (struct maui_span){ start_s, maui_when_add(start_s, m->length) });
	for (size_t i = 0; i < count; i++)
		if (runs[i].next == start_s)
			add_run(s, &runs[i]);
	for (uint32_t i = 0; i < all; i++)
		add_node(s, ith(s, i));
	return s->failed ? MAUI_FIT_GIVE_UP : take(s);
}

int64_t maui_search_earliest(struct maui_search *s, int64_t from, int64_t length)
{
	struct moment m = { s, length };
	int64_t start_s = maui_fit_earliest(s->timeline, s->shape, from, length, place_at, &m);

	return s->failed ? -1 : start_s;
}

/* Nodes that are alike: what they take together, and until when. */
struct closing {
	int64_t until_s, tasks;
	uint32_t nodes;
};

static int last_to_close(const void *a, const void *b)
{
	const struct closing *one = a, *two = b;

	return (one->until_s < two->until_s) - (one->until_s > two->until_s);
}

/* Lists the nodes that take tasks at that moment, those that close last first. */
static uint32_t list_closings(const struct maui_search *s, int64_t from, struct closing *list)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < s->alike_count; i++) {
		const struct maui_alike *alike = &s->alike[i];
		int64_t tasks = maui_fit_tasks(s->timeline, s->shape, alike->node, from, from + 1);

		if (tasks == 0)
			continue;
		list[count++] = (struct closing){
			.until_s = maui_fit_until(s->timeline, s->shape, alike->node, from, tasks),
			.tasks = tasks * alike->count,
			.nodes = alike->count,
		};
	}
	if (count > 1)
		qsort(list, count, sizeof(*list), last_to_close);
	return count;
}

/* How long enough nodes serve, judged by what each can take at that moment; -1: not at all. */
static int64_t guess_longest(struct maui_search *s, int64_t from)
{
	struct closing *list = malloc((s->alike_count + 1u) * sizeof(*list));
	uint32_t count = list ? list_closings(s, from, list) : 0;
	int64_t tasks = 0, ret = -1;
	uint64_t nodes = 0;

	s->failed |= !list;
	for (uint32_t i = 0; i < count && ret < 0; i++) {
		tasks += list[i].tasks;
		nodes += list[i].nodes;
		if (maui_fit_suffices(s->shape, nodes, tasks))
			ret = maui_when_length(from, list[i].until_s);
	}
	free(list);
	return ret;
}

struct from {
	struct maui_search *search;
	int64_t from;
};

static bool fits_for(void *data, int64_t length)
{
	const struct from *f = data;

	return maui_search_fits(f->search, f->from, length);
}

/* From a guess that is mostly right. */
int64_t maui_search_longest(struct maui_search *s, int64_t from, int64_t most)
{
	int64_t low = 0, high = most, guess = guess_longest(s, from);
	struct from f = { s, from };

	if (guess < 0 && !maui_search_fits(s, from, 1))
		return 0; /* most jobs that do not fit now */
	if (guess > low && guess < high && maui_search_fits(s, from, guess))
		low = guess;
	if (low == guess && low + 1 < high && !maui_search_fits(s, from, low + 1))
		high = low + 1;
	return maui_last_that_holds(low, high, fits_for, &f);
}

/* ---- how much ---- */

/* The end of the run of equal nodes from the i-th node on. */
static uint32_t run_end(const struct maui_search *s, uint32_t i)
{
	uint32_t end = i + 1, nodes = count_nodes(s);

	while (end < nodes && maui_shape_is_uniform(s->shape) &&
	       maui_timeline_same(s->timeline, ith(s, i), ith(s, end)))
		end++;
	return end;
}

/* Adds what so many nodes that equal this one take: a node takes fewer tasks for a longer time. */
static int add_to_profile(const struct maui_search *s, uint32_t node, uint32_t count,
			  struct maui_profile *profile)
{
	const struct maui_timeline *t = s->timeline;
	int64_t tasks = maui_fit_tasks(t, s->shape, node, t->now, t->now + 1);

	if (tasks == 0)
		return 0;
	profile->procs += tasks * count;
	profile->nodes += count;
	while (tasks > 0) {
		int64_t until = maui_fit_until(t, s->shape, node, t->now, tasks), next;

		if (until == MAUI_NEVER)
			break;
		next = maui_fit_tasks(t, s->shape, node, t->now, until + 1);
		if (next >= tasks)
			break;
		if (maui_profile_lower(profile, until, (tasks - next) * count,
				       next == 0 ? count : 0))
			return -1;
		tasks = next;
	}
	return 0;
}

int maui_search_windows(const struct maui_search *s, struct maui_profile *profile)
{
	int rc = 0;

	for (uint32_t i = 0, end; rc == 0 && i < count_nodes(s); i = end) {
		end = run_end(s, i);
		rc = add_to_profile(s, ith(s, i), end - i, profile);
	}
	return rc;
}

/* Adds what so many equal nodes have at the beginning of each part. */
static void add_to_parts(const struct maui_search *s, uint32_t node, uint32_t count, int64_t part_s,
			 uint32_t parts, int64_t *procs)
{
	const struct maui_timeline *t = s->timeline;
	const struct maui_line *line = &t->lines[node];
	uint32_t at = 0;

	for (uint32_t i = 0; i < line->count && at < parts; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		int64_t end_s = maui_line_step_end(t, line, i);
		int64_t moment = t->now + at * part_s, tasks;

		if (end_s <= moment)
			continue;
		tasks = maui_fit_step(t, s->shape, t->class_of[node], step,
				      (struct maui_span){ moment, moment + 1 });
		for (; at < parts && moment < end_s; moment += part_s, at++)
			procs[at] += tasks * count;
	}
}

void maui_search_parts(const struct maui_search *s, int64_t part_s, uint32_t parts,
		       int64_t *ret_procs)
{
	for (uint32_t i = 0; i < parts; i++)
		ret_procs[i] = 0;
	for (uint32_t i = 0, end; i < count_nodes(s); i = end) {
		end = run_end(s, i);
		if (s->shape->needs[s->timeline->class_of[ith(s, i)]].most > 0)
			add_to_parts(s, ith(s, i), end - i, part_s, parts, ret_procs);
	}
}
