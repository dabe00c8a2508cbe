/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits.c - whether the job would start now, with other jobs or without them, and for how long
 *
 * Works on the timeline as the cycle left it, with all starts and job reservations. Without other
 * jobs a node has what reservations leave of it; stacked reservations each count separately.
 */

#include <stdlib.h>
#include <string.h>

#include "explain/private.h"

/* ---- what reservations leave of a node, without jobs and job reservations ---- */

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
static bool is_own(const struct maui_explainer *x, const struct maui_shape *shape, uint32_t claim)
{
	const struct maui_claim *c = x->timeline.claims[claim];
	const struct maui_access *entry = maui_access_find(shape->access, c->rsv);

	return c->rsv == MAUI_CLAIM_FOREIGN ? maui_claim_is_listed(shape->request, claim) :
					      entry && entry->own;
}

/* Whether the node is, at any time, in a reservation that the job may not leave. */
static bool is_in_home(const struct maui_explainer *x, const struct maui_shape *shape,
		       uint32_t node)
{
	const struct maui_line *line = &x->timeline.lines[node];

	for (uint32_t i = 0; i < line->count; i++) {
		const struct maui_claim_set *set = set_of(x, maui_line_step(&x->timeline, line, i));

		for (uint32_t c = 0; set && c < set->count; c++)
			if (is_own(x, shape, set->parts[c].claim))
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
	int64_t *have = x->own;

	for (unsigned d = 0; d < t->amount_count; d++)
		have[d] = MAUI_NEVER;
	for (uint32_t i = 0; set && i < set->count; i++) {
		const struct maui_claim *claim = t->claims[set->parts[i].claim];
		const struct maui_access *entry = maui_access_find(shape->access, claim->rsv);
		const int64_t *amounts = set->parts[i].amounts;

		if (!entry || !entry->own || claim->rsv == MAUI_CLAIM_FOREIGN ||
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

const int64_t *maui_step_remainder(const struct maui_explainer *x, const struct maui_shape *shape,
				   uint32_t node, const struct maui_step *step,
				   struct maui_span span, bool stacked)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_claim_set *set = set_of(x, step);
	int64_t *ret = x->left;

	memcpy(ret, x->snapshot->nodes[node].have, t->amount_count * sizeof(*ret));
	for (uint32_t i = 0; stacked && set && i < set->count; i++) {
		const int64_t *kept = set->parts[i].amounts;

		if (!maui_claim_keeps_out(x, shape, set->parts[i].claim, span))
			continue;
		if (!kept)
			return NULL;
		for (unsigned d = 0; d < t->amount_count; d++)
			ret[d] = ret[d] > kept[d] ? ret[d] - kept[d] : 0;
	}
	if (shape->access && shape->access->only && !limit_to_home(x, shape, set, span, ret))
		return NULL;
	return ret;
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
		const int64_t *left;
		int64_t tasks = 0;

		if (step->at >= span.until)
			break;
		if (!step->claims && !(shape->access && shape->access->only))
			continue; /* the job's reservation has the whole node */
		*ret_claims = step->claims;
		left = maui_step_remainder(x, shape, node, step, span, stacked);
		if (left)
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

/* ---- the reservation that closes most of the nodes for a job ---- */

/* A claim with its count of nodes. */
struct counted {
	uint32_t nodes, last_line; /* `last_line`: the last line that counted it, from 1 */
	bool asked, counts;
};

struct tally {
	const struct maui_explained_job *a;
	struct maui_span span;
	maui_counts_fn counts;
	int64_t moment;
	struct counted *of_claim;
	uint32_t line;
};

static bool claim_counts(const struct maui_explainer *x, struct tally *tally, uint32_t claim)
{
	struct counted *counted = &tally->of_claim[claim];

	if (!counted->asked) {
		counted->asked = true;
		counted->counts = tally->counts(x, tally->a, claim, tally->moment) &&
				  maui_claim_keeps_out(x, &tally->a->shape, claim, tally->span);
	}
	return counted->counts;
}

/* Counts each claim on the line once, for this many equal nodes. */
static void count_line(const struct maui_explainer *x, struct tally *tally, uint32_t node,
		       uint32_t nodes)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_line *line = &t->lines[node];

	tally->line++;
	for (uint32_t i = 0; nodes > 0 && i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);
		const struct maui_claim_set *set;

		if (step->at >= tally->span.until)
			break;
		set = step->claims ? &t->claim_sets[step->claims - 1] : NULL;
		for (uint32_t c = 0; set && c < set->count; c++) {
			struct counted *counted = &tally->of_claim[set->parts[c].claim];

			if (counted->last_line == tally->line ||
			    !claim_counts(x, tally, set->parts[c].claim))
				continue;
			counted->last_line = tally->line;
			counted->nodes += nodes;
		}
	}
}

static bool is_open(const struct maui_explainer *x, uint32_t node)
{
	return maui_line_step(&x->timeline, &x->timeline.lines[node], 0)->free[MAUI_AMOUNT_PROCS] >
	       0;
}

const struct maui_claim *maui_claim_on_most_nodes(struct maui_explainer *x,
						  const struct maui_explained_job *a,
						  struct maui_span span, maui_counts_fn counts,
						  int64_t moment, bool open_only)
{
	const struct maui_timeline *t = &x->timeline;
	struct tally tally = { .a = a, .span = span, .counts = counts, .moment = moment };
	size_t best = 0;

	tally.of_claim =
		maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*tally.of_claim));
	if (!tally.of_claim) {
		x->failed = true;
		return NULL;
	}
	for (uint32_t n = 0, end; n < x->snapshot->node_count; n = end) {
		end = maui_run_end(x, &a->shape, n);
		if (maui_node_matters(x, &a->shape, n) && (!open_only || is_open(x, n)))
			count_line(x, &tally, n, end - n);
	}
	for (size_t c = 1; c < t->claim_count; c++)
		if (tally.of_claim[c].nodes > tally.of_claim[best].nodes ||
		    (tally.of_claim[c].nodes == tally.of_claim[best].nodes &&
		     t->claims[c]->start_s < t->claims[best]->start_s))
			best = c;
	return t->claim_count > 0 && tally.of_claim[best].nodes > 0 ? t->claims[best] : NULL;
}

/* ---- whether the job fits ---- */

/* Nodes found so far. */
struct found {
	uint32_t count, required;
	int64_t tasks;
};

/* `when`: the moment of the start; MAUI_NEVER: without other jobs. */
static bool suffices(struct maui_explainer *x, const struct maui_shape *shape,
		     const struct found *found, int64_t when)
{
	uint32_t chosen;

	return found->required >= shape->request->required_count &&
	       maui_fit_suffices(shape, found->count, found->tasks) &&
	       (when == MAUI_NEVER ||
		maui_alloc_has_whole_job(shape, &x->timeline, when, x->candidates, found->count)) &&
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
	const int64_t when = other_jobs ? x->now_s : MAUI_NEVER;
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
		if (suffices(x, shape, &found, when))
			return true;
		next = 2 * found.count;
	}
	return suffices(x, shape, &found, when);
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
		end = maui_run_end(x, shape, n);
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

	if (a->idle->het_id != 0)
		return 0; /* it starts with the other components of its het job only */
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
static enum maui_fit_answer place_at(void *data, int64_t start_s, const struct maui_fit_node *nodes,
				     size_t count)
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
	return suffices(x, shape, &found, start_s) ? MAUI_FIT_CHOSEN : MAUI_FIT_NO;
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
