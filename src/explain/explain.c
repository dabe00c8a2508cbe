/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.c - answers the questions of explain.h */

#include "explain/explain.h"

#include <stdlib.h>

#include "explain/private.h"

static void note_endless(struct maui_explainer *x)
{
	const struct maui_timeline *t = &x->timeline;

	for (size_t c = 0; c < t->claim_count; c++) {
		bool repeats = t->claims[c]->repeats;
		bool endless = t->claims[c]->end_s == MAUI_NEVER || repeats;

		x->endless |= endless && x->plan->standing;
		x->endless_comes |= endless && (repeats || t->claims[c]->start_s > x->now_s);
	}
}

static bool is_alike(const struct maui_explainer *x, uint32_t a, uint32_t b)
{
	const struct maui_node *one = &x->snapshot->nodes[a], *two = &x->snapshot->nodes[b];

	return maui_timeline_same(&x->timeline, a, b) && one->usable_from_s == two->usable_from_s &&
	       one->state == two->state;
}

static void scan_nodes(struct maui_explainer *x)
{
	const struct maui_snapshot *s = x->snapshot;

	for (uint32_t n = 0; n < s->node_count; n++) {
		x->usable[s->nodes[n].class_index] += s->nodes[n].usable_from_s != MAUI_NEVER;
		if (n > 0)
			x->stretch[n] = x->stretch[n - 1] + !is_alike(x, n - 1, n);
	}
}

struct maui_explainer *maui_explainer_create(const struct maui_plan *plan)
{
	const struct maui_snapshot *s = plan->snapshot;
	struct maui_explainer *x = calloc(1, sizeof(*x));

	if (!x)
		return NULL;
	x->plan = plan;
	x->snapshot = s;
	x->now_s = plan->now_s;
	x->candidates = malloc((s->node_count + 1u) * sizeof(*x->candidates));
	x->notes = malloc((s->node_count + 1u) * sizeof(*x->notes));
	x->moments = malloc((s->node_count + 1u) * sizeof(*x->moments));
	x->stretch = maui_arena_alloc(&x->kept, (s->node_count + 1u) * sizeof(*x->stretch));
	x->usable = maui_arena_alloc(&x->kept, (s->class_count + 1u) * sizeof(*x->usable));
	if (!x->candidates || !x->notes || !x->moments || !x->stretch || !x->usable ||
	    maui_timeline_view(&plan->timeline, &x->timeline) ||
	    maui_node_sets_make(plan->config, s, &x->kept, &x->sets) ||
	    maui_explain_count_ahead(x)) {
		maui_explainer_destroy(x);
		return NULL;
	}
	scan_nodes(x);
	note_endless(x);
	return x;
}

void maui_explainer_destroy(struct maui_explainer *x)
{
	if (!x)
		return;
	maui_timeline_finish(&x->timeline);
	free(x->candidates);
	free(x->notes);
	free(x->moments);
	maui_arena_finish(&x->kept);
	maui_arena_finish(&x->arena);
	free(x);
}

/* Whether a reservation can be the reason: no limit, no refusal and no impossible shape is. */
static bool may_be_blocked(const struct maui_explainer *x, const struct maui_explained_job *a)
{
	return a->planned->waits && a->verdict->blocks && (x->plan->standing || a->confined);
}

/* The blocking reservation. A job that lacks idle processors or licences waits for these, unless a
 * reservation keeps it out for ever, or it may run only inside reservations. */
static const struct maui_blocking_reservation *find_blocking(struct maui_explainer *x,
							     const struct maui_explained_job *a)
{
	enum maui_reason reason = a->verdict->blocks->reason;

	if (!may_be_blocked(x, a))
		return NULL;
	if (a->planned->reserved && reason == MAUI_REASON_LICENCES)
		return NULL;
	if (a->confined)
		return maui_explain_confined(x, a);
	if ((a->verdict->enough_idle && reason != MAUI_REASON_LICENCES) ||
	    maui_explain_kept_for_ever(x, a))
		return maui_explain_blocking(x, a);
	return NULL;
}

static bool waits_for_licences(const struct maui_verdict *verdict)
{
	for (const struct maui_block *block = verdict->blocks; block; block = block->next)
		if (block->reason == MAUI_REASON_LICENCES)
			return true;
	return false;
}

static bool nodes_are_the_reason(enum maui_reason reason)
{
	return reason == MAUI_REASON_RESOURCES || reason == MAUI_REASON_RESERVED ||
	       reason == MAUI_REASON_NEVER_FITS || reason == MAUI_REASON_NODES_DOWN;
}

/* Slurm has just found no nodes for the job: what is free by the plan does not help it now. */
static bool is_busy(const struct maui_explainer *x, const struct maui_explained_job *a)
{
	return a->idle->busy_until_s > x->now_s;
}

/* The same blocking reservation, without a shorter limit that would help. */
static const struct maui_blocking_reservation *without_shorter(
	struct maui_explainer *x, const struct maui_blocking_reservation *blocking)
{
	struct maui_blocking_reservation *copy = maui_arena_alloc(&x->arena, sizeof(*copy));

	if (!copy) {
		x->failed = true;
		return NULL;
	}
	*copy = *blocking;
	copy->shorter_s = 0;
	return copy;
}

void maui_explain_resources(struct maui_explainer *x, const struct maui_explained_job *a, bool all,
			    struct maui_explanation *ret)
{
	enum maui_reason reason = a->verdict->blocks->reason;

	ret->looked = true;
	ret->blocking = find_blocking(x, a);
	if (ret->blocking && is_busy(x, a))
		ret->blocking = without_shorter(x, ret->blocking);
	if (ret->blocking)
		ret->longest_s = maui_explain_whole_minutes(ret->blocking->shorter_s);
	ret->behind = maui_explain_is_behind(x, a);
	if (all || (!ret->blocking && nodes_are_the_reason(reason)))
		ret->nodes = maui_explain_nodes(x, a);
	if (waits_for_licences(a->verdict))
		ret->licence = maui_explain_licence(x, a);
}

static struct maui_explanation begin(struct maui_explainer *x, uint32_t job)
{
	const struct maui_plan_job *planned = &x->plan->jobs[job];
	const struct maui_idle *idle = &x->snapshot->idle[job];

	maui_arena_clear(&x->arena);
	x->failed = false;
	return (struct maui_explanation){
		.verdict = &x->plan->decisions.verdicts[job],
		.partition = x->snapshot->partitions[idle->rows[planned->row].partition].name,
		.ahead = x->ahead[job],
		.behind = x->ahead[job] > 0,
		.start = { .when_s = MAUI_NEVER },
		.start_by_s = idle->start_by_s,
	};
}

int maui_explain_short(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job);
	if (!x->plan->jobs[job].queued || !ret->verdict->blocks ||
	    x->position[job] >= MAUI_EXPLAIN_FIRST_JOBS)
		return 0;
	a = maui_explained_job_make(x, job);
	if (!x->failed)
		maui_explain_resources(x, &a, false, ret);
	return x->failed ? -1 : 0;
}

/* A job that a limit, a hold or missing nodes keep waiting has no first room: what is free is not
 * the reason. */
static struct maui_start_time find_start(struct maui_explainer *x,
					 const struct maui_explained_job *a)
{
	const struct maui_verdict *verdict = a->verdict;
	struct maui_start_time start = { .when_s = verdict->estimate_s };
	int64_t from_s = is_busy(x, a) ? a->idle->busy_until_s : x->now_s;

	if (verdict->started && !verdict->blocks) {
		start.when_s = x->now_s;
		start.basis = MAUI_START_NOW;
	} else if (start.when_s != MAUI_NEVER) {
		bool limited = verdict->blocks && verdict->blocks->reason == MAUI_REASON_LIMIT;

		start.basis = a->planned->reserved ? MAUI_START_RESERVATION :
			      limited              ? MAUI_START_LIMIT :
						     MAUI_START_PROJECTION;
	} else if (a->planned->waits && from_s != MAUI_NEVER) {
		start.when_s = maui_explain_earliest_from(x, a, from_s);
		start.basis = start.when_s != MAUI_NEVER ? MAUI_START_FIT : MAUI_START_UNKNOWN;
	}
	return start;
}

int maui_explain_job(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job);
	if (!x->plan->jobs[job].queued)
		return 0;
	a = maui_explained_job_make(x, job);
	if (x->failed)
		return -1;
	if (!ret->verdict->blocks) { /* it starts */
		ret->nodes = maui_explain_nodes(x, &a);
		ret->start = (struct maui_start_time){ x->now_s, MAUI_START_NOW };
		return x->failed ? -1 : 0;
	}
	maui_explain_resources(x, &a, true, ret);
	if (a.planned->waits && !ret->longest_s && !is_busy(x, &a))
		ret->longest_s = maui_explain_whole_minutes(maui_explain_longest(x, &a));
	ret->start = find_start(x, &a);
	return x->failed ? -1 : 0;
}

int maui_explain_start(struct maui_explainer *x, uint32_t job, struct maui_start_time *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job).start;
	if (!x->plan->jobs[job].queued)
		return 0;
	a = maui_explained_job_make(x, job);
	if (!x->failed)
		*ret = find_start(x, &a);
	return x->failed ? -1 : 0;
}

int maui_explain_least_nodes(struct maui_explainer *x, uint32_t job, uint32_t *ret)
{
	struct maui_explained_job a;

	begin(x, job);
	a = maui_explained_job_make(x, job);
	*ret = x->failed ? 1 : maui_shape_least_nodes(&a.shape);
	return x->failed ? -1 : 0;
}
