/* SPDX-License-Identifier: GPL-2.0-or-later */
/* windows.c - what is free now for a user's next job, and for how long
 *
 * A node takes so many tasks for a time; it takes fewer for a longer time. Summed over the nodes
 * this falls in steps. Each step is a window, as those of backfill (timeline/window.h), but
 * windows here consider memory, node states and limits, too.
 */

#include "explain/private.h"
#include "explain/text.h"
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
	return x->failed ? -1 : 0;
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

static bool is_allowed(const struct maui_explainer *x, const struct maui_offer_question *q,
		       const struct maui_throttle_set *set, const struct maui_demand *demand,
		       int64_t length_s)
{
	struct maui_violation violation;

	return maui_throttle_allows(set, demand, MAUI_LIMIT_HARD) &&
	       maui_throttle_spares(q->throttle, set, demand, x->now_s, length_s) &&
	       maui_throttle_violations(set, demand, MAUI_LIMIT_HARD, MAUI_THROTTLE_IDLE,
					&violation, 1) == 0;
}

static const struct maui_quantities none;

/* The most processors that a job of this length may have by its limits. */
static int64_t cap(const struct maui_explainer *x, const struct maui_offer_question *q,
		   const struct maui_throttle_set *set, const struct maui_window *window)
{
	int64_t low = 0, high = window->procs + 1;

	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;
		struct maui_demand demand =
			maui_hypothetical_demand(x, q, middle, &none, window->length_s);

		if (is_allowed(x, q, set, &demand, window->length_s))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* The limit that one processor more violates. */
static void name_limit(struct maui_explainer *x, const struct maui_offer_question *q,
		       const struct maui_throttle_set *set, const struct maui_window *window,
		       int64_t procs, struct maui_offers *ret)
{
	struct maui_demand demand =
		maui_hypothetical_demand(x, q, procs + 1, &none, window->length_s);
	struct maui_violation violation;
	char text[MAUI_VIOLATION_SIZE];

	if (ret->limit)
		return;
	ret->limit = "the user's own job reservations, which need the rest of the limits";
	if (maui_throttle_violations(set, &demand, MAUI_LIMIT_HARD,
				     MAUI_THROTTLE_START | MAUI_THROTTLE_IDLE, &violation, 1) > 0)
		ret->limit = maui_arena_strdup(
			&x->arena, maui_violation_format(&violation, text, sizeof(text)));
	x->failed |= !ret->limit;
}

/* Makes windows as narrow as limits are. Of windows that become equally wide the longest stays. */
static void apply_limits(struct maui_explainer *x, const struct maui_offer_question *q,
			 struct maui_window *windows, struct maui_offers *ret)
{
	const struct maui_throttle_set *set = maui_throttle_resolve(q->throttle, q->cred);
	uint32_t kept = 0;

	x->failed |= !set;
	for (uint32_t i = 0; set && i < ret->count; i++) {
		struct maui_window window = windows[i];
		int64_t procs = cap(x, q, set, &window);

		if (procs < window.procs)
			name_limit(x, q, set, &window, procs, ret);
		window.procs = procs;
		if (procs == 0)
			continue;
		if (window.nodes > procs)
			window.nodes = (uint32_t)procs;
		while (kept > 0 && windows[kept - 1].procs <= procs)
			kept--;
		windows[kept++] = window;
	}
	ret->count = kept;
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
	maui_arena_clear(&x->arena);
	x->failed = false;
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
	ret->windows = windows;
	if (q->throttle)
		apply_limits(x, q, windows, ret);
	ret->obstacle = maui_hypothetical_obstacle(x, q);
	if (ret->obstacle)
		ret->count = 0;
	return x->failed ? -1 : 0;
}

int maui_explain_free(struct maui_explainer *x, const struct maui_offer_question *q, int64_t part_s,
		      uint32_t parts, int64_t *ret_procs)
{
	struct maui_search search;
	struct maui_shape shape;

	maui_arena_clear(&x->arena);
	x->failed = false;
	if (make_shape(x, q, false, &shape))
		return -1;
	search = maui_explain_search(x, &shape);
	maui_search_parts(&search, part_s, parts, ret_procs);
	return 0;
}
