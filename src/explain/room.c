/* SPDX-License-Identifier: GPL-2.0-or-later */
/* room.c - where a job has room, with other jobs or without, when and for how long
 *
 * The plan's own search answers (plan/search.h), on the timeline as the cycle left it, with all
 * starts and job reservations. Without other jobs a node has what reservations leave of it: that is
 * a second timeline, with the same reservations and no jobs.
 */

#include <stdlib.h>
#include <string.h>

#include "explain/private.h"

/* ---- the timeline without jobs ---- */

struct maui_timeline *maui_explain_without_jobs(struct maui_explainer *x)
{
	if (!x->empty_made && maui_timeline_without_jobs(&x->plan->timeline, &x->empty)) {
		x->empty = (struct maui_timeline){ 0 };
		x->failed = true;
		return NULL;
	}
	x->empty_made = true;
	return &x->empty;
}

/* ---- nodes that are alike ---- */

const uint32_t *maui_explain_group_of(struct maui_explainer *x)
{
	if (!x->groups.of && maui_alike_make(&x->timeline, &x->kept, &x->groups))
		x->failed = true;
	return x->groups.of;
}

/* Whether two requests name the same nodes and exclude the same ones. */
static bool sets_same_apart(const struct maui_request *a, const struct maui_request *b)
{
	return a->required == b->required && a->required_count == b->required_count &&
	       a->excluded == b->excluded && a->excluded_count == b->excluded_count;
}

const struct maui_alike *maui_explain_alike(struct maui_explainer *x,
					    const struct maui_shape *shape, uint32_t *ret_count)
{
	struct maui_alike_apart *apart = &x->apart;
	const struct maui_alike *list;

	if (!maui_shape_is_uniform(shape) && apart->request &&
	    sets_same_apart(apart->request, shape->request)) {
		*ret_count = apart->count;
		return apart->list;
	}
	list = maui_explain_group_of(x) ? maui_alike_for(&x->groups, shape, &x->arena, ret_count) :
					  NULL;
	if (!list) {
		x->failed = true;
		*ret_count = 0;
		return NULL;
	}
	if (!maui_shape_is_uniform(shape))
		*apart = (struct maui_alike_apart){ shape->request, list, *ret_count };
	return list;
}

/* ---- the search ---- */

struct maui_search maui_explain_search(struct maui_explainer *x, const struct maui_shape *shape)
{
	const char *partition = x->snapshot->partitions[shape->partition].name;

	return (struct maui_search){
		.timeline = &x->timeline,
		.shape = shape,
		.policy = maui_config_planning(x->plan->config, partition)->node_allocation,
		.candidates = &x->candidates,
	};
}

/* The same, with the groups of nodes. */
static struct maui_search search_groups(struct maui_explainer *x, const struct maui_shape *shape)
{
	struct maui_search search = maui_explain_search(x, shape);

	search.alike = maui_explain_alike(x, shape, &search.alike_count);
	return search;
}

bool maui_explain_fits(struct maui_explainer *x, const struct maui_shape *shape, int64_t length_s,
		       bool other_jobs)
{
	struct maui_search search = search_groups(x, shape);
	bool fits;

	if (!other_jobs)
		search.timeline = maui_explain_without_jobs(x);
	fits = search.timeline && maui_search_fits(&search, x->now_s, length_s);
	x->failed |= search.failed;
	return fits;
}

int64_t maui_explain_longest(struct maui_explainer *x, const struct maui_explained_job *a)
{
	struct maui_search search = search_groups(x, &a->shape);
	int64_t longest_s;

	if (a->idle->het_id != 0)
		return 0; /* it starts with the other components of its het job only */
	longest_s = maui_search_longest(&search, x->now_s, a->limit_s);
	x->failed |= search.failed;
	return longest_s;
}

static int64_t earliest(struct maui_explainer *x, struct maui_timeline *t,
			const struct maui_shape *shape, int64_t from, int64_t limit_s)
{
	struct maui_search search = maui_explain_search(x, shape);
	int64_t start_s;

	search.timeline = t;
	start_s = maui_search_earliest(&search, from, limit_s);
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
	return maui_explain_earliest_on(x, &x->timeline, a, from);
}

int64_t maui_explain_earliest_on(struct maui_explainer *x, struct maui_timeline *t,
				 const struct maui_explained_job *a, int64_t from)
{
	struct maui_shape later = a->shape;
	int64_t start_s;

	if (a->shape.impossible != MAUI_REASON_NONE)
		return MAUI_NEVER;
	start_s = earliest(x, t, &a->shape, from, a->limit_s);
	if (!a->shape.in_set || start_s <= a->in_set_until_s)
		return start_s;
	later.in_set = false;
	return earliest(x, t, &later, from > a->in_set_until_s ? from : a->in_set_until_s,
			a->limit_s);
}

/* ---- what reservations leave of a node ---- */

int64_t maui_remainder_tasks(struct maui_explainer *x, const struct maui_shape *shape,
			     uint32_t node, struct maui_span span, uint32_t *ret_claims)
{
	const struct maui_timeline *t = maui_explain_without_jobs(x);

	*ret_claims = 0;
	return t ? maui_fit_remainder(t, shape, node, span, ret_claims) : 0;
}

int64_t maui_remainder_tasks_now(struct maui_explainer *x, const struct maui_shape *shape,
				 uint32_t node, int64_t length_s)
{
	uint32_t claims;

	if (x->snapshot->nodes[node].usable_from_s > x->now_s || maui_shape_excludes(shape, node))
		return 0;
	return maui_remainder_tasks(x, shape, node, maui_span_now(x, length_s), &claims);
}

bool maui_remainder_fits(struct maui_explainer *x, const struct maui_explained_job *a,
			 uint32_t node, int64_t when_s)
{
	const struct maui_timeline *t = maui_explain_without_jobs(x);
	int64_t usable_s = x->snapshot->nodes[node].usable_from_s;

	if (!t)
		return false;
	if (when_s == MAUI_NEVER)
		when_s = maui_line_step(t, &t->lines[node], t->lines[node].count - 1)->at;
	when_s = when_s > x->now_s ? when_s : x->now_s;
	when_s = when_s > usable_s ? when_s : usable_s;
	return maui_fit_tasks(t, &a->shape, node, when_s, maui_when_add(when_s, a->limit_s)) > 0;
}

/* ---- the nodes that a job asks for ---- */

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

bool maui_claim_keeps_out(const struct maui_explainer *x, const struct maui_shape *shape,
			  uint32_t claim, struct maui_span span)
{
	const struct maui_claim *c = x->timeline.claims[claim];
	const struct maui_access *entry = maui_access_find(shape->access, c->rsv);

	if (c->rsv == MAUI_CLAIM_FOREIGN)
		return !maui_claim_is_listed(shape->request, claim);
	return !(entry && maui_claim_admits(c, entry, span));
}

/* The table of a job that every reservation admits, with the entries of its own. NULL without
 * memory. */
static const struct maui_access_table *open_table(struct maui_explainer *x,
						  const struct maui_access_table *own)
{
	const struct maui_access_table *all = x->plan->all_access;
	struct maui_access_table *ret = maui_arena_alloc(&x->kept, sizeof(*ret));
	struct maui_access *list = maui_arena_alloc(&x->kept, (all->count + 1u) * sizeof(*list));

	if (!ret || !list)
		return NULL;
	for (uint32_t i = 0; i < all->count; i++) {
		const struct maui_access *entry = maui_access_find(own, all->list[i].rsv);

		list[i] = entry && entry->own ? *entry : all->list[i];
		list[i].own = entry && entry->own;
	}
	*ret = (struct maui_access_table){ .list = list, .count = all->count, .only = true };
	return ret;
}

/* The request as if it named every Slurm reservation. NULL without memory. */
static const struct maui_request *open_request(struct maui_explainer *x,
					       const struct maui_request *request)
{
	const uint32_t count = x->snapshot->claim_count;
	struct maui_request *ret = maui_arena_alloc(&x->kept, sizeof(*ret));
	uint32_t *claims = maui_arena_alloc(&x->kept, (count + 1u) * sizeof(*claims));

	if (!ret || !claims)
		return NULL;
	for (uint32_t c = 0; c < count; c++)
		claims[c] = c;
	*ret = *request;
	ret->claims = claims;
	ret->claim_count = count;
	return ret;
}

/* Claims remember for which table and request they were asked last, so these are kept. */
int maui_explain_open_shape(struct maui_explainer *x, const struct maui_explained_job *a,
			    struct maui_shape *ret)
{
	*ret = a->shape;
	if (!a->confined) {
		ret->access = x->plan->all_access;
		return 0;
	}
	if (x->plan->all_access)
		ret->access = open_table(x, a->shape.access);
	ret->request = open_request(x, a->shape.request);
	if (ret->access && ret->request)
		return 0;
	x->failed = true;
	return -1;
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
	uint32_t alike_count;
	const struct maui_alike *alike = maui_explain_alike(x, &a->shape, &alike_count);
	size_t best = 0;

	tally.of_claim =
		maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*tally.of_claim));
	if (!tally.of_claim || !alike) {
		x->failed = true;
		return NULL;
	}
	for (uint32_t i = 0; i < alike_count; i++)
		if (maui_node_matters(x, &a->shape, alike[i].node) &&
		    (!open_only || is_open(x, alike[i].node)))
			count_line(x, &tally, alike[i].node, alike[i].count);
	for (size_t c = 1; c < t->claim_count; c++)
		if (tally.of_claim[c].nodes > tally.of_claim[best].nodes ||
		    (tally.of_claim[c].nodes == tally.of_claim[best].nodes &&
		     t->claims[c]->start_s < t->claims[best]->start_s))
			best = c;
	return t->claim_count > 0 && tally.of_claim[best].nodes > 0 ? t->claims[best] : NULL;
}
