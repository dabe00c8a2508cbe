/* SPDX-License-Identifier: GPL-2.0-or-later */
/* blocking_reservation.c - which reservation blocks a job that may run anywhere
 *
 * The blocking reservation is the one without which the job would start earlier, or at all:
 *
 *   If a shorter time limit would let the job start now: the reservation that begins, or whose
 *     TIMELIMIT ends, when that time is over.
 *   If there is no moment at which the job fits: permanent reservations are added one by one, in
 *     the order in which they begin, until the job no longer fits; the last one added.
 *   Otherwise: the reservation that must end before enough nodes are open, without other jobs.
 *
 * Of several such reservations, the one on most of the nodes that the job would choose from; of
 * equals, the one that begins first.
 */

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "explain/private.h"

/* ---- why an access list does not admit a job ---- */

/* The job as access lists see it. */
static struct maui_access_job access_job(const struct maui_explainer *x,
					 const struct maui_explained_job *a)
{
	uint64_t flags = a->planned->qos_flags;
	struct maui_access_job job = {
		.advres = a->idle->advres,
		.tasks = maui_request_task_count(a->shape.request),
		.procs = a->idle->procs,
		.preemptee = flags & (UINT64_C(1) << MAUI_QOS_PREEMPTEE),
		.ignore_time = flags & (UINT64_C(1) << MAUI_QOS_IGNSRMAXTIME),
		.use_reserved = flags & (UINT64_C(1) << MAUI_QOS_USERESERVED),
	};

	for (int k = 0; k < MAUI_CRED_COUNT; k++)
		job.cred[k] = a->cred[k];
	if (job.use_reserved)
		job.use_only =
			maui_config_cred(x->plan->config, MAUI_CRED_QOS, a->cred[MAUI_CRED_QOS])
				->use_reserved;
	return job;
}

/* The entry that best explains why the list would not admit the job however short it were: an entry
 * that denies the job, a required entry that it misses, or the first entry that could have admitted
 * it. */
static const struct maui_acl_entry *telling_entry(const struct maui_rsv *rsv,
						  const struct maui_access_job *job,
						  enum maui_entry why)
{
	for (size_t i = 0; i < rsv->acl.count; i++) {
		const struct maui_acl_entry *entry = &rsv->acl.list[i];
		const struct maui_rsv single = { .name = rsv->name,
						 .acl = { .list = &rsv->acl.list[i], .count = 1 } };
		enum maui_affinity affinity;
		enum maui_entry result = maui_access_check(&single, job, 1, &affinity);

		if (result == why ||
		    (why == MAUI_ENTRY_NOMATCH && !entry->required && result != MAUI_ENTRY_OK))
			return entry;
	}
	return NULL;
}

struct maui_blocking_reservation maui_blocking_of_claim(const struct maui_explainer *x,
							const struct maui_claim *claim)
{
	return (struct maui_blocking_reservation){ .name = x->hides_reservations ? NULL :
										   claim->name,
						   .rsv = claim->rsv,
						   .start_s = claim->start_s,
						   .end_s = claim->end_s,
						   .kind = -1 };
}

const struct maui_blocking_reservation *maui_blocking_keep(
	struct maui_explainer *x, const struct maui_blocking_reservation *blocking)
{
	struct maui_blocking_reservation *kept = maui_arena_alloc(&x->arena, sizeof(*kept));

	if (kept)
		*kept = *blocking;
	else
		x->failed = true;
	return kept;
}

void maui_blocking_say_why(struct maui_explainer *x, const struct maui_explained_job *a,
			   const struct maui_claim *claim, struct maui_blocking_reservation *ret)
{
	const struct maui_rsv *rsv = x->plan->standing->list[claim->rsv];
	const struct maui_access *entry = maui_access_find(a->shape.access, claim->rsv);
	bool later =
		claim->start_s >= (a->confined ? x->now_s : maui_when_add(x->now_s, a->limit_s));
	const struct maui_acl_entry *telling;
	struct maui_access_job job;
	enum maui_affinity affinity;

	if (entry) {
		int64_t from = later ? claim->start_s : x->now_s;
		const struct maui_span span = { from, maui_when_add(from, a->limit_s) };

		ret->limit_s = maui_claim_admits(claim, entry, span) ? 0 : entry->overlap_s;
		return;
	}
	job = access_job(x, a);
	/* No time is short enough, so the answer names another reason than TIMELIMIT: a shorter job
	 * would not be admitted either. */
	ret->why = (int)maui_access_check(rsv, &job, 1, &affinity);
	telling = telling_entry(rsv, &job, (enum maui_entry)ret->why);
	if (!telling)
		return;
	ret->kind = telling->kind;
	ret->name_of_kind = telling->kind < MAUI_CRED_COUNT ? job.cred[telling->kind] : NULL;
	ret->attribute = telling->kind == MAUI_ACL_JOBATTR ? telling->name : NULL;
	ret->value = telling->value;
	ret->order = telling->order;
}

/* Users cannot request a time limit of less than a minute. */
enum { LEAST_LIMIT_S = 60 };

static int64_t begin_of(const struct maui_explainer *x, const struct maui_claim *c)
{
	return !c->repeats && c->start_s > x->now_s ? c->start_s : x->now_s;
}

/* ---- permanent reservations ---- */

/* A reservation without an end; for this job, also one that comes back too soon (RSV-39). */
static bool has_no_end(const struct maui_explained_job *a, const struct maui_claim *c)
{
	return c->end_s == MAUI_NEVER ||
	       maui_claim_shuts(c, maui_access_find(a->shape.access, c->rsv), a->limit_s);
}

/* Of each claim, whether it is permanent, begins by `by_s`, and does not admit the job; NULL
 * without memory. */
static bool *list_permanent(struct maui_explainer *x, const struct maui_explained_job *a,
			    int64_t by_s)
{
	const struct maui_timeline *t = &x->timeline;
	bool *list = maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*list));

	x->failed |= !list;
	for (uint32_t c = 0; list && c < t->claim_count; c++) {
		const int64_t from = begin_of(x, t->claims[c]);
		const struct maui_span span = { from, maui_when_add(from, a->limit_s) };

		list[c] = from <= by_s && has_no_end(a, t->claims[c]) &&
			  (t->claims[c]->repeats || maui_claim_keeps_out(x, &a->shape, c, span));
	}
	return list;
}

/* Whether a reservation of the whole node that comes back is among these claims. */
static bool comes_back(const struct maui_explainer *x, const bool *permanent, uint32_t node)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_line *line = &t->lines[node];

	for (uint32_t i = 0; t->repeats && i < line->count; i++) {
		uint32_t claims = maui_line_step(t, line, i)->claims;
		const struct maui_claim_set *set = claims ? &t->claim_sets[claims - 1] : NULL;

		for (uint32_t k = 0; set && set->repeats && k < set->count; k++)
			if (permanent[set->parts[k].claim] &&
			    t->claims[set->parts[k].claim]->repeats)
				return true;
	}
	return false;
}

/* What these claims leave of a node in the end. NULL: nothing. */
static const int64_t *permanent_remainder(const struct maui_explainer *x, const bool *permanent,
					  uint32_t node)
{
	int64_t *ret = x->left;
	const struct maui_timeline *t = &x->timeline;
	const struct maui_line *line = &t->lines[node];
	uint32_t claims = maui_line_step(t, line, line->count - 1)->claims;
	const struct maui_claim_set *set = claims ? &t->claim_sets[claims - 1] : NULL;

	if (comes_back(x, permanent, node))
		return NULL;
	memcpy(ret, x->snapshot->nodes[node].have, t->amount_count * sizeof(*ret));
	for (uint32_t i = 0; set && i < set->count; i++) {
		const int64_t *kept = set->parts[i].amounts;

		if (!permanent[set->parts[i].claim])
			continue;
		if (!kept)
			return NULL;
		for (unsigned d = 0; d < t->amount_count; d++)
			ret[d] = ret[d] > kept[d] ? ret[d] - kept[d] : 0;
	}
	return ret;
}

static int64_t permanent_tasks(const struct maui_explainer *x, const struct maui_explained_job *a,
			       const bool *permanent, uint32_t node)
{
	const int64_t *left = x->snapshot->nodes[node].usable_from_s == MAUI_NEVER ?
				      NULL :
				      permanent_remainder(x, permanent, node);

	return left ? maui_shape_tasks(&a->shape, x->timeline.class_of[node], left) : 0;
}

/* Whether the job fits some day, without other jobs, next to the permanent reservations that begin
 * by `by_s`. */
static bool fits_with_permanent(struct maui_explainer *x, const struct maui_explained_job *a,
				int64_t by_s)
{
	const struct maui_shape *shape = &a->shape;
	const bool *permanent = list_permanent(x, a, by_s);
	struct maui_search search = maui_explain_search(x, shape);
	const uint32_t *group_of = maui_explain_group_of(x);
	/* of each group: its tasks plus 1; 0: not known yet */
	int64_t *known = maui_arena_alloc_list(&x->arena, x->groups.count, sizeof(*known));
	bool fits;

	search.timeline = maui_explain_without_jobs(x);
	x->failed |= !known;
	if (!permanent || !search.timeline || !group_of || !known)
		return false;
	maui_search_begin(&search, MAUI_SPAN_NONE); /* after every step */
	for (uint32_t n = 0; n < x->snapshot->node_count; n++) {
		int64_t *of_group = &known[group_of[n]];

		if (*of_group == 0)
			*of_group = permanent_tasks(x, a, permanent, n) + 1;
		if (*of_group == 1 || maui_shape_excludes(shape, n))
			continue;
		maui_search_add(&search, n, *of_group - 1, maui_shape_requires(shape, n));
		if (maui_shape_is_uniform(shape) && !shape->request->contiguous &&
		    x->snapshot->one_network && shape->request->switches_max == 0 &&
		    search.sums.count <= shape->nodes_max && maui_search_has_enough(&search))
			return true;
	}
	fits = maui_search_choose(&search) > 0;
	x->failed |= search.failed;
	return fits;
}

/* Whether the job fits at no moment. After all permanent reservations have begun, no moment leaves
 * the job more than the end does, so usually no search is needed. */
static bool is_kept_for_ever(struct maui_explainer *x, const struct maui_explained_job *a)
{
	return x->endless && !a->planned->reserved && !a->confined &&
	       a->shape.impossible == MAUI_REASON_NONE && !fits_with_permanent(x, a, MAUI_NEVER) &&
	       !(x->endless_comes && maui_explain_earliest(x, a) != MAUI_NEVER);
}

bool maui_explain_kept_for_ever(struct maui_explainer *x, const struct maui_explained_job *a)
{
	uint8_t *known = &x->kept_for_ever[a->job];

	if (!*known)
		maui_explain_remember(x, known, is_kept_for_ever(x, a));
	return *known == MAUI_EXPLAIN_YES;
}

/* The start time of the permanent reservation that no longer leaves enough for the job. */
static int64_t find_last_begin(struct maui_explainer *x, const struct maui_explained_job *a)
{
	const struct maui_timeline *t = &x->timeline;
	int64_t *begins = maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*begins));
	size_t count = 0, low = 0, high;

	x->failed |= !begins;
	for (size_t c = 0; begins && c < t->claim_count; c++)
		if (has_no_end(a, t->claims[c]))
			begins[count++] = begin_of(x, t->claims[c]);
	if (count == 0)
		return MAUI_NEVER;
	qsort(begins, count, sizeof(*begins), maui_sort_by_i64);
	high = count - 1; /* with all of them the job does not fit */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (fits_with_permanent(x, a, begins[middle]))
			low = middle + 1;
		else
			high = middle;
	}
	return begins[high];
}

/* ---- until when ---- */

/* For each group of equal nodes: from when on no reservation closes them during the job's whole
 * run, how many tasks each node takes then, and where the last closed period begins (a set; 0:
 * they were never closed). */

static bool is_closed(const struct maui_timeline *t, const struct maui_explained_job *a,
		      uint32_t node, const struct maui_step *step, int64_t from)
{
	const struct maui_span span = { from, maui_when_add(from, a->limit_s) };

	return step->claims && maui_fit_step(t, &a->shape, t->class_of[node], step, span) == 0;
}

/* Adjoining closed times are one period. The time between two periods is too short for the job. */
static struct maui_node_note find_opening(struct maui_explainer *x,
					  const struct maui_explained_job *a, uint32_t node)
{
	const struct maui_timeline *t = maui_explain_without_jobs(x);
	const struct maui_line *line = t ? &t->lines[node] : NULL;
	int64_t usable_s = x->snapshot->nodes[node].usable_from_s;
	struct maui_node_note o = { .when = usable_s > x->now_s ? usable_s : x->now_s };
	struct maui_span span;
	uint32_t claims;

	if (!line)
		return o;
	for (uint32_t i = maui_timeline_step_at(t, node, o.when); i < line->count; i++) {
		const struct maui_step *step = maui_line_step(t, line, i);

		if (step->at >= maui_when_add(o.when, a->limit_s))
			break;
		if (!is_closed(t, a, node, step, o.when))
			continue;
		if (o.claims == 0 || step->at > o.when)
			o.claims = step->claims;
		o.when = maui_line_step_end(t, line, i);
		if (o.when == MAUI_NEVER)
			return o;
	}
	span = (struct maui_span){ o.when, maui_when_add(o.when, a->limit_s) };
	o.tasks = maui_remainder_tasks(x, &a->shape, node, span, &claims);
	return o;
}

static int compare_openings(const void *a, const void *b)
{
	const struct maui_node_note *one = a, *two = b;

	return (one->when > two->when) - (one->when < two->when);
}

/* Fills x->notes with all nodes that matter, in the order in which they open. Returns how many. */
static uint32_t list_openings(struct maui_explainer *x, const struct maui_explained_job *a)
{
	struct maui_node_note *notes = x->notes;
	uint32_t count = 0, alike_count;
	const struct maui_alike *alike = maui_explain_alike(x, &a->shape, &alike_count);

	for (uint32_t i = 0; i < alike_count; i++) {
		const uint32_t n = alike[i].node;

		if (x->snapshot->nodes[n].usable_from_s == MAUI_NEVER ||
		    !maui_node_matters(x, &a->shape, n))
			continue;
		notes[count] = find_opening(x, a, n);
		notes[count++].count = alike[i].count;
	}
	if (count > 1)
		qsort(notes, count, sizeof(*notes), compare_openings);
	return count;
}

/* The first moment at which the nodes opened so far suffice; MAUI_NEVER. */
static int64_t find_moment(const struct maui_shape *shape, const struct maui_node_note *list,
			   uint32_t count)
{
	uint64_t nodes = 0;
	int64_t tasks = 0;

	for (uint32_t i = 0; i < count && list[i].when != MAUI_NEVER; i++) {
		nodes += list[i].tasks > 0 ? list[i].count : 0;
		tasks += list[i].tasks * list[i].count;
		if (maui_fit_suffices(shape, nodes, tasks))
			return list[i].when;
	}
	return MAUI_NEVER;
}

/* The set's claim that keeps the job out for longest; UINT32_MAX: none does. */
static uint32_t longest_claim(const struct maui_explainer *x, const struct maui_explained_job *a,
			      uint32_t claims)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_claim_set *set = claims ? &t->claim_sets[claims - 1] : NULL;
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; set && i < set->count; i++) {
		uint32_t claim = set->parts[i].claim;
		const struct maui_claim *c = t->claims[claim];
		const struct maui_span span = { c->start_s, maui_when_add(c->start_s, a->limit_s) };

		if (!set->parts[i].ahead && c->rsv != MAUI_CLAIM_FOREIGN &&
		    maui_claim_keeps_out(x, &a->shape, claim, span) &&
		    (best == UINT32_MAX || c->end_s > t->claims[best]->end_s))
			best = claim;
	}
	return best;
}

/* The claim whose end the job waits for, and the moment at which that claim and what adjoins it are
 * over. NULL: the end of a reservation does not let the job start. */
static const struct maui_claim *find_awaited(struct maui_explainer *x,
					     const struct maui_explained_job *a,
					     int64_t *ret_until_s)
{
	const struct maui_timeline *t = &x->timeline;
	uint32_t count = list_openings(x, a), best = UINT32_MAX;
	const struct maui_node_note *list = x->notes;
	uint32_t *nodes = maui_arena_alloc(&x->arena, (t->claim_count + 1) * sizeof(*nodes));

	x->failed |= !nodes;
	if (maui_explain_has_failed(x))
		return NULL;
	*ret_until_s = find_moment(&a->shape, list, count);
	if (*ret_until_s == MAUI_NEVER || *ret_until_s <= x->now_s)
		return NULL;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t claim = list[i].when == *ret_until_s ?
					 longest_claim(x, a, list[i].claims) :
					 UINT32_MAX;

		if (claim == UINT32_MAX)
			continue;
		nodes[claim] += list[i].count;
		if (best == UINT32_MAX || nodes[claim] > nodes[best] ||
		    (nodes[claim] == nodes[best] && claim < best))
			best = claim;
	}
	return best == UINT32_MAX ? NULL : t->claims[best];
}

/* ---- which one ---- */

static bool is_ours(const struct maui_explainer *x, const struct maui_explained_job *a,
		    uint32_t claim, int64_t moment)
{
	(void)a;
	(void)moment;
	return x->timeline.claims[claim]->rsv != MAUI_CLAIM_FOREIGN;
}

/* Counts permanent claims that begin at the moment, or have begun; MAUI_NEVER: at any moment. */
static bool is_permanent(const struct maui_explainer *x, const struct maui_explained_job *a,
			 uint32_t claim, int64_t moment)
{
	const struct maui_claim *c = x->timeline.claims[claim];

	return is_ours(x, a, claim, moment) && has_no_end(a, c) &&
	       (moment == MAUI_NEVER || begin_of(x, c) == moment);
}

/* Counts claims that admit the job until the moment, not longer. */
static bool ends_admission(const struct maui_explainer *x, const struct maui_explained_job *a,
			   uint32_t claim, int64_t moment)
{
	const struct maui_span before = { x->now_s, moment };

	return is_ours(x, a, claim, moment) && (x->timeline.claims[claim]->start_s >= moment ||
						!maui_claim_keeps_out(x, &a->shape, claim, before));
}

/* The blocking claim; *ret_end_s: until when it blocks the job. *ret_ends: it is what ends the time
 * for which the job would fit. */
static const struct maui_claim *find_claim(struct maui_explainer *x,
					   const struct maui_explained_job *a, bool for_ever,
					   int64_t shorter_s, int64_t *ret_end_s, bool *ret_ends)
{
	const struct maui_span now = maui_span_now(x, a->limit_s);
	const struct maui_claim *claim = NULL;

	if (shorter_s >= LEAST_LIMIT_S) {
		int64_t moment = maui_when_add(x->now_s, shorter_s);
		const struct maui_span span = { x->now_s, maui_when_add(moment, 1) };

		claim = maui_claim_on_most_nodes(x, a, span, ends_admission, moment, true);
		*ret_ends = claim != NULL;
	} else if (for_ever) {
		const struct maui_span span = { x->now_s, MAUI_NEVER };

		claim = maui_claim_on_most_nodes(x, a, span, is_permanent, find_last_begin(x, a),
						 false);
		if (!claim)
			claim = maui_claim_on_most_nodes(x, a, span, is_permanent, MAUI_NEVER,
							 false);
	} else {
		claim = find_awaited(x, a, ret_end_s);
		if (claim)
			return claim;
	}
	if (!claim && !for_ever)
		claim = maui_claim_on_most_nodes(x, a, now, is_ours, 0, true);
	if (claim)
		*ret_end_s = claim->end_s;
	return claim;
}

/* The longest time limit with which the job fits between two instances, or inside them. */
static int64_t longest_between(const struct maui_explained_job *a, const struct maui_claim *claim)
{
	const struct maui_access *entry = maui_access_find(a->shape.access, claim->rsv);
	int64_t overlap = entry ? entry->overlap_s : 0;

	return claim->gap_s > 0 ? claim->gap_s + 2 * overlap : overlap;
}

/* Whether the job would start now if every reservation admitted it. */
static bool fits_without_reservations(struct maui_explainer *x, const struct maui_explained_job *a)
{
	struct maui_shape open;

	return maui_explain_open_shape(x, a, &open) == 0 &&
	       maui_explain_fits(x, &open, a->limit_s, true);
}

static bool any_left(struct maui_explainer *x, const struct maui_explained_job *a)
{
	uint32_t count;
	const struct maui_alike *alike = maui_explain_alike(x, &a->shape, &count);

	for (uint32_t i = 0; i < count; i++)
		if (maui_remainder_tasks_now(x, &a->shape, alike[i].node, 1) > 0)
			return true;
	return false;
}

const struct maui_blocking_reservation *maui_explain_blocking(struct maui_explainer *x,
							      const struct maui_explained_job *a)
{
	bool for_ever = maui_explain_kept_for_ever(x, a), open, ends = false;
	struct maui_blocking_reservation blocking;
	const struct maui_claim *claim;
	int64_t shorter_s, end_s;

	if (maui_explain_fits(x, &a->shape, a->limit_s, true))
		return NULL;
	open = fits_without_reservations(x, a);
	if (!for_ever && !open)
		return NULL;
	shorter_s = open && any_left(x, a) ? maui_explain_longest(x, a) : 0;
	if (!for_ever && shorter_s < LEAST_LIMIT_S &&
	    maui_explain_fits(x, &a->shape, a->limit_s, false))
		return NULL; /* it waits for other jobs */
	claim = find_claim(x, a, for_ever, shorter_s, &end_s, &ends);
	if (!claim || maui_explain_has_failed(x))
		return NULL;
	blocking = maui_blocking_of_claim(x, claim);
	blocking.end_s = end_s;
	blocking.shorter_s = ends ? shorter_s : 0;
	if (for_ever && shorter_s < LEAST_LIMIT_S && claim->repeats) {
		blocking.start_s = x->now_s;
		blocking.end_s = MAUI_NEVER;
		blocking.shorter_s = 0;
		blocking.between_s = longest_between(a, claim);
		blocking.gaps = claim->gap_s > 0;
	}
	maui_blocking_say_why(x, a, claim, &blocking);
	return maui_blocking_keep(x, &blocking);
}
