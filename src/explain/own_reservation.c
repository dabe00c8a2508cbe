/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_reservation.c - why a job that may run only in reservations does not start there
 *
 * Such a job names reservations (--reservation), or its QOS has USERESERVED. Its reservations may
 * not have begun, may not admit it, may be too small for it, or may be stacked with other
 * reservations that do not admit it.
 */

#include <string.h>

#include "explain/private.h"
#include "reservation/windows/windows.h"

enum {
	PERIODS_AHEAD = 60, /* periods in which the next instance is searched */
	NAMED_DAYS = 64,    /* of the days that a job names, this many are considered */
};

/* The current or next instance that the job may use. */
static const struct maui_claim *find_own(const struct maui_explainer *x,
					 const struct maui_explained_job *a)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_claim *best = NULL;

	for (size_t c = 0; c < t->claim_count; c++) {
		const struct maui_access *entry =
			maui_access_find(a->shape.access, t->claims[c]->rsv);

		if (entry && maui_claim_is_own(t->claims[c], entry) &&
		    t->claims[c]->end_s > x->now_s &&
		    (!best || t->claims[c]->start_s < best->start_s))
			best = t->claims[c];
	}
	return best;
}

/* For a job that no named reservation admits: the current or next instance of one of them. */
static const struct maui_claim *find_named(const struct maui_explainer *x,
					   const struct maui_explained_job *a)
{
	const struct maui_timeline *t = &x->timeline;
	const struct maui_claim *best = NULL;

	for (size_t c = 0; a->idle->advres && c < t->claim_count; c++)
		if (t->claims[c]->rsv != MAUI_CLAIM_FOREIGN && t->claims[c]->end_s > x->now_s &&
		    maui_rsv_is_meant(x->plan->standing->list[t->claims[c]->rsv],
				      a->idle->advres) &&
		    (!best || t->claims[c]->start_s < best->start_s))
			best = t->claims[c];
	return best;
}

/* Whether everything that the job names is an instance that is over or has no node. */
static bool names_nothing(const struct maui_explained_job *a)
{
	const struct maui_access_table *access = a->shape.access;
	bool confined = false;

	for (uint32_t i = 0; i < access->count; i++) {
		const struct maui_access *entry = &access->list[i];

		if (entry->own && (!entry->starts || entry->start_count > 0))
			return false;
		confined |= entry->own;
	}
	return confined;
}

/* Whether the instance has begun and lasts long enough: then the job lacks something else. */
static bool has_time(const struct maui_explainer *x, const struct maui_explained_job *a,
		     const struct maui_claim *claim)
{
	const struct maui_span span = maui_span_now(x, a->limit_s);
	const struct maui_access *entry = maui_access_find(a->shape.access, claim->rsv);
	int64_t end_s = entry->starts ? claim->end_s : maui_claim_run(claim).until;

	return claim->start_s <= span.from && span.until <= end_s &&
	       maui_claim_admits(claim, entry, span);
}

/* The answer for a job that names an instance or a reservation that does not exist. */
static const struct maui_blocking_reservation *make_gone(struct maui_explainer *x,
							 const struct maui_explained_job *a,
							 enum maui_entry why)
{
	const struct maui_blocking_reservation blocking = {
		.name = a->idle->advres, .end_s = MAUI_NEVER, .kind = -1, .why = (int)why
	};

	return maui_blocking_keep(x, &blocking);
}

/* The first current or future instance that the job names: any of them, unless the job names days.
 * NULL: none. */
static const struct maui_rsv_instance *find_window(struct maui_explainer *x, struct maui_rsv rsv,
						   const char *advres)
{
	int32_t days[NAMED_DAYS];
	int64_t day_count = maui_rsv_meant_days(&rsv, advres, days, NAMED_DAYS);
	struct maui_rsv_instance *windows;
	uint32_t count;

	if (day_count < 0 && rsv.depth < PERIODS_AHEAD)
		rsv.depth = PERIODS_AHEAD;
	if (maui_standing_windows(&rsv, x->now_s, &x->arena, &windows, &count)) {
		x->failed = true;
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (day_count < 0)
			return &windows[i];
		for (int64_t k = 0; k < day_count && k < NAMED_DAYS; k++)
			if (windows[i].day == days[k])
				return &windows[i];
	}
	return NULL;
}

/* The answer for a job none of whose reservations has a node now: the first reservation that it
 * names, and when that begins. */
static const struct maui_blocking_reservation *make_missing(struct maui_explainer *x,
							    const struct maui_explained_job *a)
{
	const struct maui_standing_input *standing = x->plan->standing;
	struct maui_blocking_reservation blocking = { .kind = -1, .lacks = MAUI_REASON_NODE_STATE };
	const char *advres = a->idle->advres;
	const struct maui_rsv_instance *window;
	const struct maui_rsv *rsv = NULL;

	if (!advres)
		return NULL;
	for (uint32_t i = 0; standing && !rsv && i < standing->count; i++) {
		blocking.rsv = i;
		if (maui_rsv_is_meant(standing->list[i], advres))
			rsv = standing->list[i];
	}
	if (!rsv)
		return make_gone(x, a, MAUI_ENTRY_UNKNOWN);
	window = find_window(x, *rsv, advres);
	if (!window && maui_rsv_meant_days(rsv, advres, NULL, 0) >= 0)
		return make_gone(x, a, MAUI_ENTRY_GONE);
	blocking.name = rsv->name;
	blocking.start_s = window ? window->start_s : MAUI_NEVER;
	blocking.end_s = window ? window->end_s : MAUI_NEVER;
	return maui_blocking_keep(x, &blocking);
}

/* ---- what the reservation lacks ---- */

/* Notes what the node lacks for the fewest useful tasks, if that is less than what is noted so
 * far. */
static void note_lack(const struct maui_explainer *x, const struct maui_shape *shape, uint32_t node,
		      const int64_t *left, struct maui_blocking_reservation *ret)
{
	for (unsigned d = 0; d < x->timeline.amount_count; d++) {
		int64_t takes =
			maui_shape_amount(shape, x->timeline.class_of[node], shape->least, d);

		if (takes <= left[d] || (ret->lacks && left[d] <= ret->has))
			continue;
		ret->lacks = d == MAUI_AMOUNT_PROCS ? MAUI_REASON_NODE_PROCS :
			     d == MAUI_AMOUNT_MEM   ? MAUI_REASON_NODE_MEM :
						      MAUI_REASON_NODE_OTHER;
		ret->needs = takes;
		ret->has = left[d];
		return;
	}
}

/* What reservations leave of the node now for a run of this length, without jobs; NULL: nothing, or
 * no reservation is there. */
static const int64_t *find_left(struct maui_explainer *x, const struct maui_shape *shape,
				uint32_t node, int64_t length_s)
{
	const struct maui_requester who = { shape->request, shape->access };
	const struct maui_timeline *t = maui_explain_without_jobs(x);
	const struct maui_step *now = t ? maui_line_step(t, &t->lines[node], 0) : NULL;

	return now && now->claims ?
		       maui_timeline_capacity(t, now, &who, maui_span_now(x, length_s)) :
		       NULL;
}

/* Notes what the job's reservations lack for it, without other jobs. */
static void note_shortage(struct maui_explainer *x, const struct maui_explained_job *a,
			  struct maui_blocking_reservation *ret)
{
	const struct maui_shape *shape = &a->shape;
	const struct maui_alike *alike;
	uint32_t alike_count;
	int64_t sum = 0;
	bool any = false;

	if (maui_explain_fits(x, shape, a->limit_s, false))
		return;
	alike = maui_explain_alike(x, shape, &alike_count);
	for (uint32_t i = 0; i < alike_count; i++) {
		const uint32_t n = alike[i].node;
		const struct maui_node *node = &x->snapshot->nodes[n];
		int64_t tasks;

		if (!find_left(x, shape, n, a->limit_s))
			continue;
		tasks = maui_remainder_tasks_now(x, shape, n, a->limit_s);
		sum += tasks * alike[i].count;
		if (node->usable_from_s > x->now_s) {
			ret->unanswered |= node->state == MAUI_REASON_NODE_UNANSWERED;
			ret->down |= node->state != MAUI_REASON_NODE_UNANSWERED;
			continue;
		}
		any = true;
		if (tasks == 0 && maui_node_matters(x, shape, n))
			note_lack(x, shape, n, find_left(x, shape, n, a->limit_s), ret);
	}
	if (!any)
		ret->lacks = MAUI_REASON_NODE_STATE;
	ret->down &= !any;
	ret->unanswered &= !any && !ret->down;
	if (sum > 0) {
		ret->lacks = sum < shape->tasks ? MAUI_REASON_RESOURCES : MAUI_REASON_NODE_OTHER;
		ret->needs = shape->tasks;
		ret->has = sum;
	}
}

/* ---- reservations stacked with it ---- */

/* Counts claims that are stacked with the job's reservation. A Slurm reservation also keeps its
 * processors before it begins. */
static bool is_stacked(const struct maui_explainer *x, const struct maui_explained_job *a,
		       uint32_t claim, int64_t moment)
{
	const struct maui_claim *c = x->timeline.claims[claim];

	(void)a;
	return c->rsv != MAUI_CLAIM_FOREIGN || c->start_s < moment;
}

static const struct maui_claim *find_stacked(struct maui_explainer *x,
					     const struct maui_explained_job *a)
{
	const struct maui_span span = maui_span_now(x, a->limit_s);

	if (maui_explain_fits(x, &a->shape, a->limit_s, false))
		return NULL;
	return maui_claim_on_most_nodes(x, a, span, is_stacked, span.until, false);
}

/* Whether the reservations that the job may not leave are large enough for it if those that are
 * stacked with them admitted it. */
static bool is_large_enough(struct maui_explainer *x, const struct maui_explained_job *a)
{
	struct maui_shape open;

	return maui_explain_open_shape(x, a, &open) == 0 &&
	       maui_explain_fits(x, &open, a->limit_s, false);
}

/* Whether the stacked reservations leave anything of them. */
static bool anything_is_left(struct maui_explainer *x, const struct maui_explained_job *a)
{
	uint32_t count;
	const struct maui_alike *alike = maui_explain_alike(x, &a->shape, &count);

	for (uint32_t i = 0; i < count; i++)
		if (find_left(x, &a->shape, alike[i].node, a->limit_s))
			return true;
	return false;
}

static const struct maui_blocking_reservation *make_stacked(struct maui_explainer *x,
							    const struct maui_explained_job *a,
							    const struct maui_claim *claim)
{
	struct maui_blocking_reservation blocking = maui_blocking_of_claim(x, claim);

	blocking.shorter_s = maui_explain_longest(x, a);
	if (claim->rsv == MAUI_CLAIM_FOREIGN)
		blocking.why = MAUI_ENTRY_FOREIGN;
	else
		maui_blocking_say_why(x, a, claim, &blocking);
	return maui_blocking_keep(x, &blocking);
}

/* The answer for a job whose own instance has begun and lasts long enough. */
static const struct maui_blocking_reservation *make_inside(struct maui_explainer *x,
							   const struct maui_explained_job *a,
							   const struct maui_claim *own)
{
	struct maui_blocking_reservation blocking = maui_blocking_of_claim(x, own);
	const struct maui_claim *stacked = find_stacked(x, a);

	blocking.name = own->name; /* the job's own: not hidden */
	/* a stacked reservation is the reason if it leaves nothing, or if the job would fit without
	 * it */
	if (stacked && (!anything_is_left(x, a) || is_large_enough(x, a)))
		return make_stacked(x, a, stacked);
	note_shortage(x, a, &blocking);
	if (stacked && blocking.lacks == MAUI_REASON_NODE_STATE)
		return make_stacked(x, a, stacked);
	return blocking.lacks ? maui_blocking_keep(x, &blocking) : NULL;
}

const struct maui_blocking_reservation *maui_explain_confined(struct maui_explainer *x,
							      const struct maui_explained_job *a)
{
	const struct maui_claim *claim = find_own(x, a);
	struct maui_blocking_reservation blocking;

	if (claim && has_time(x, a, claim))
		return make_inside(x, a, claim);
	if (!claim && !names_nothing(a))
		claim = find_named(x, a);
	if (!claim)
		return make_missing(x, a);
	blocking = maui_blocking_of_claim(x, claim);
	blocking.name = claim->name; /* the job's own: not hidden */
	blocking.shorter_s = maui_explain_longest(x, a);
	if (!maui_access_find(a->shape.access, claim->rsv))
		blocking.end_s =
			MAUI_NEVER; /* the job may run nowhere else, so its end is no help */
	maui_blocking_say_why(x, a, claim, &blocking);
	return maui_blocking_keep(x, &blocking);
}
