/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - what is free now for a user's next job, and for how long
 *
 * A node takes so many tasks for a time; it takes fewer for a longer time. Summed over the nodes
 * this falls in steps. Each step is a window, as those of backfill (timeline/window.h), but
 * windows here consider memory, node states, MaxTime and limits, too.
 */

#include <stdlib.h>

#include "base/search.h"
#include "explain/private.h"
#include "explain/text.h"
#include "explain/violation_text.h"
#include "policy/throttle/throttle.h"
#include "timeline/window.h"

/* The widest request: it takes all of a node. The copy is the arena's. */
static struct maui_request *make_widest(struct maui_explainer *x, const struct maui_request *like,
					bool whole)
{
	struct maui_request *r = maui_arena_alloc(&x->arena, sizeof(*r));

	if (!r) {
		x->failed = true;
		return NULL;
	}
	*r = *like;
	r->nodes_min = 1;
	r->nodes_max = 0;
	r->tasks = INT32_MAX;
	r->procs_per_task = 1;
	r->tasks_per_node_min = r->tasks_per_node_max = 0;
	r->whole_nodes |= whole;
	return r;
}

/* Windows count processors, so EXACTPROC, which looks at the number of tasks, becomes whole
 * nodes. */
static int make_shape(struct maui_explainer *x, const struct maui_offer_question *q, bool whole,
		      struct maui_shape *ret)
{
	const struct maui_shape_rules rules =
		maui_plan_shape_rules(x->plan->config, maui_hypothetical_flags(x, q));
	struct maui_request *r = make_widest(x, q->request, whole || rules.exact_procs);

	if (!r)
		return -1;
	if (maui_hypothetical_shape(x, q, r, maui_hypothetical_access_of_any_size(x, q), false,
				    ret))
		return -1;
	ret->least = 1;
	return maui_explain_has_failed(x) ? -1 : 0;
}

/* A job that runs when a job reservation begins must leave it enough of the limits. So a window
 * ends there. */
static int add_reserved_starts(const struct maui_explainer *x, struct maui_profile *profile)
{
	const struct maui_decisions *d = &x->plan->decisions;

	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].start_s > x->now_s &&
		    maui_profile_lower(profile, d->reservations[i].start_s, 0, 0))
			return -1;
	return 0;
}

/* Nobody may ask for longer than MaxTime of the partition. */
static void apply_max_time(const struct maui_explainer *x, const struct maui_offer_question *q,
			   struct maui_window *windows, uint32_t *count)
{
	int64_t longest_s = x->snapshot->partitions[q->partition].max_limit_s;

	for (uint32_t i = 0; longest_s > 0 && i < *count; i++) {
		if (windows[i].length_s < longest_s)
			continue;
		windows[i].length_s = longest_s;
		*count = i + 1; /* the others are narrower */
	}
}

static const struct maui_quantities none;

/* What the limits are asked about. */
struct limited {
	const struct maui_explainer *x;
	const struct maui_offer_question *q;
	const struct maui_throttle_set *set;
	int64_t least; /* processors of the smallest job */
	int64_t node;  /* processors of a node that is taken whole; else 1 */
	struct maui_window job;
};

static struct maui_demand demand_of(const struct limited *l)
{
	return maui_hypothetical_demand(l->x, l->q, l->job.procs, &none, l->job.length_s);
}

static bool is_allowed(const struct limited *l)
{
	const struct maui_demand demand = demand_of(l);
	struct maui_violation violation;

	return maui_throttle_allows(l->set, &demand, MAUI_LIMIT_HARD) &&
	       maui_throttle_spares(l->q->throttle, l->set, &demand, l->x->now_s,
				    l->job.length_s) &&
	       maui_throttle_violations(l->set, &demand, MAUI_LIMIT_HARD, MAUI_THROTTLE_IDLE,
					&violation, 1) == 0;
}

static bool may_have(void *data, int64_t procs)
{
	struct limited *l = data;

	l->job.procs = procs;
	return is_allowed(l);
}

static bool may_last(void *data, int64_t length_s)
{
	struct limited *l = data;

	l->job.length_s = length_s;
	return is_allowed(l);
}

/* The most processors of the window that a job of this length may have; 0: no job may start. */
static int64_t most_procs(struct limited *l, const struct maui_window *window, int64_t length_s)
{
	int64_t procs;

	if (window->procs < l->least)
		return 0;
	l->job.length_s = length_s;
	procs = maui_last_that_holds(l->least - 1, window->procs + 1, may_have, l);
	if (procs < window->procs)
		procs -= procs % l->node;
	return procs < l->least ? 0 : procs;
}

/* For how much of the window a job of so many processors may run; 0: it may not start. */
static int64_t longest(struct limited *l, const struct maui_window *window, int64_t procs)
{
	l->job = (struct maui_window){ .procs = procs, .length_s = window->length_s };
	return is_allowed(l) ? window->length_s :
			       maui_last_that_holds(0, window->length_s, may_last, l);
}

/* The limit that a job of this size violates. */
static void name_limit(struct maui_explainer *x, struct limited *l, int64_t procs, int64_t length_s,
		       struct maui_offers *ret)
{
	struct maui_demand demand;
	struct maui_violation violation;
	char text[MAUI_VIOLATION_SIZE];

	if (ret->limit)
		return;
	l->job = (struct maui_window){ .procs = procs, .length_s = length_s };
	demand = demand_of(l);
	ret->limit = "the user's own job reservations, which need the rest of the limits";
	if (maui_throttle_violations(l->set, &demand, MAUI_LIMIT_HARD,
				     MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE, &violation, 1) > 0)
		ret->limit = maui_arena_strdup(
			&x->arena, maui_violation_format(&violation, text, sizeof(text)));
	x->failed |= !ret->limit;
}

static void add_part(const struct limited *l, struct maui_window *windows, uint32_t *count,
		     const struct maui_window *of, int64_t procs, int64_t length_s)
{
	struct maui_window part = { .procs = procs, .length_s = length_s, .nodes = of->nodes };

	if (procs == 0 || length_s == 0)
		return;
	if (part.nodes > procs / l->node)
		part.nodes = (uint32_t)(procs / l->node);
	windows[(*count)++] = part;
}

/* The least that a job has of the window. */
static void set_least(const struct maui_window *window, bool whole, struct limited *l)
{
	int64_t least = maui_throttle_least_procs(l->set);

	l->node = whole ? window->procs / window->nodes : 1;
	l->least = least > l->node ? least : l->node;
}

/* What limits leave of a window: as wide as they let any job be, and as long as they let the
 * smallest job be. Limits of processor-seconds allow everything between, which is not listed. */
static void limit_window(struct maui_explainer *x, struct limited *l,
			 const struct maui_window *window, struct maui_window *windows,
			 struct maui_offers *ret)
{
	int64_t procs = most_procs(l, window, 1);
	int64_t length_s = longest(l, window, l->least);
	int64_t then = length_s > 0 ? most_procs(l, window, length_s) : 0;

	if (window->procs < l->least)
		name_limit(x, l, window->procs, 1, ret);
	else if (procs < window->procs)
		name_limit(x, l, procs ? procs + l->node : l->least, 1, ret);
	else if (then < window->procs)
		name_limit(x, l, then + l->node, length_s, ret);
	else if (length_s < window->length_s)
		name_limit(x, l, then, length_s + 1, ret);
	if (procs > 0)
		add_part(l, windows, &ret->count, window, procs, longest(l, window, procs));
	add_part(l, windows, &ret->count, window, then, length_s);
}

/* The shorter first; of equally long ones the narrower, which remove_covered() then takes out. */
static int compare_windows(const void *a, const void *b)
{
	const struct maui_window *one = a, *two = b;
	int by_length = (one->length_s > two->length_s) - (one->length_s < two->length_s);

	return by_length ? by_length : (one->procs > two->procs) - (one->procs < two->procs);
}

/* Of two windows of which one is neither shorter nor narrower, this one stays. */
static void remove_covered(struct maui_window *windows, int64_t least_s, uint32_t *count)
{
	uint32_t kept = 0;

	if (*count > 1)
		qsort(windows, *count, sizeof(*windows), compare_windows);
	for (uint32_t i = 0; i < *count; i++) {
		if (windows[i].length_s < least_s)
			continue;
		while (kept > 0 && windows[kept - 1].procs <= windows[i].procs)
			kept--;
		windows[kept++] = windows[i];
	}
	*count = kept;
}

/* Makes windows as narrow and as short as limits let jobs be. */
static void apply_limits(struct maui_explainer *x, const struct maui_offer_question *q, bool whole,
			 int64_t least_s, struct maui_offers *ret)
{
	struct limited l = { .x = x, .q = q, .set = maui_throttle_resolve(q->throttle, q->cred) };
	const struct maui_window *free_now = ret->windows;
	uint32_t count = ret->count;
	struct maui_window *windows =
		maui_arena_alloc(&x->arena, 2 * (count + (size_t)1) * sizeof(*windows));

	if (!l.set || !windows) {
		x->failed = true;
		return;
	}
	ret->windows = windows;
	ret->count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (free_now[i].nodes == 0)
			continue; /* nothing is free, and a job reservation begins */
		set_least(&free_now[i], whole, &l);
		limit_window(x, &l, &free_now[i], windows, ret);
	}
	remove_covered(windows, least_s, &ret->count);
}

int maui_explain_offers(struct maui_explainer *x, const struct maui_offer_question *q, bool whole,
			int64_t least_s, struct maui_offers *ret)
{
	struct maui_profile profile = { 0 };
	struct maui_window *windows;
	struct maui_search search;
	struct maui_shape shape;
	int rc;

	*ret = (struct maui_offers){ 0 };
	maui_explain_forget(x);
	if (make_shape(x, q, whole, &shape))
		return -1;
	search = maui_explain_search(x, &shape);
	rc = maui_search_windows(&search, &profile);
	if (rc == 0 && q->throttle)
		rc = add_reserved_starts(x, &profile);
	windows = rc ? NULL :
		       maui_profile_windows(&profile, x->now_s, least_s, &x->arena, &ret->count);
	maui_profile_finish(&profile);
	if (!windows)
		return -1;
	apply_max_time(x, q, windows, &ret->count);
	ret->windows = windows;
	if (q->throttle)
		apply_limits(x, q, whole, least_s, ret);
	ret->obstacle = maui_hypothetical_obstacle(x, q);
	if (ret->obstacle)
		ret->count = 0;
	return maui_explain_has_failed(x) ? -1 : 0;
}

int maui_explain_free(struct maui_explainer *x, const struct maui_offer_question *q, int64_t part_s,
		      uint32_t parts, int64_t *ret_procs)
{
	struct maui_search search;
	struct maui_shape shape;

	maui_explain_forget(x);
	if (make_shape(x, q, false, &shape))
		return -1;
	search = maui_explain_search(x, &shape);
	maui_search_parts(&search, part_s, parts, ret_procs);
	return 0;
}
