/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain.c - answers the questions of explain.h */

#include "explain/explain.h"

#include <stdlib.h>

#include "explain/private.h"

/* ---- the job that a question is about ---- */

void maui_explain_set_node_sets(struct maui_explainer *x, struct maui_shape *shape,
				int64_t in_set_until_s)
{
	int can;

	shape->sets = x->sets;
	if (!x->sets || in_set_until_s <= x->now_s || maui_explain_has_failed(x))
		return;
	can = maui_node_sets_can_hold(shape);
	x->failed |= can < 0;
	shape->in_set = can > 0;
}

/* Fails without memory. */
static struct maui_explained_job make_job(struct maui_explainer *x, uint32_t job)
{
	const struct maui_plan *plan = x->plan;
	const struct maui_idle *idle = &x->snapshot->idle[job];
	struct maui_explained_job a = { .idle = idle,
					.planned = &plan->jobs[job],
					.verdict = &plan->decisions.verdicts[job],
					.job = job,
					.limit_s = idle->limit_s > 0 ? idle->limit_s : 1 };
	const struct maui_shape_rules rules =
		maui_plan_shape_rules(plan->config, a.planned->qos_flags);
	uint32_t user;

	a.row = maui_plan_row(plan, job);
	a.cred = x->snapshot->creds[a.row->creds].cred;
	user = plan->by_user ? x->snapshot->creds[a.row->creds].user : 0;
	if (maui_shape_make(x->snapshot, a.planned->request, a.planned->partition, user, &rules,
			    x->usable, &x->arena, &a.shape))
		x->failed = true;
	a.shape.access = a.planned->access;
	if (!(idle->run & MAUI_RUN_FORCE))
		a.in_set_until_s = maui_node_sets_until(plan->config, idle->queue_since_s);
	maui_explain_set_node_sets(x, &a.shape, a.in_set_until_s);
	a.confined = a.shape.access && a.shape.access->only;
	return a;
}

/* ---- the jobs ahead of it ---- */

/* The counter of the line in which the job waits: its partition's, or that of the reservation that
 * it may not leave. NULL: no other job waits behind it. */
static uint32_t *line_of(const struct maui_explainer *x, uint32_t job, uint32_t *of_partition,
			 uint32_t *of_rsv, uint32_t *of_claim)
{
	const struct maui_plan_job *planned = &x->plan->jobs[job];
	const struct maui_request *r = &x->snapshot->requests[planned->request];
	const struct maui_access_table *access = planned->access;

	if (access && access->only) {
		for (uint32_t i = 0; i < access->count; i++)
			if (access->list[i].own)
				return &of_rsv[access->list[i].rsv];
		return NULL;
	}
	if (!r->only_claims)
		return &of_partition[planned->partition];
	return r->claim_count > 0 ? &of_claim[r->claims[0]] : NULL;
}

/* Sets position and number of jobs ahead of all jobs. */
static int count_ahead(struct maui_explainer *x)
{
	const struct maui_snapshot *s = x->snapshot;
	uint32_t rsvs = x->plan->standing ? x->plan->standing->count : 0;
	uint32_t *partitions, *of_partition, *of_rsv, *of_claim;

	x->ahead = maui_arena_alloc(&x->kept, (s->idle_count + 1u) * sizeof(*x->ahead));
	x->position = maui_arena_alloc(&x->kept, (s->idle_count + 1u) * sizeof(*x->position));
	x->line = maui_arena_alloc(&x->kept, (s->idle_count + 1u) * sizeof(*x->line));
	x->kept_for_ever =
		maui_arena_alloc(&x->kept, (s->idle_count + 1u) * sizeof(*x->kept_for_ever));
	x->can_start = maui_arena_alloc(&x->kept, (s->idle_count + 1u) * sizeof(*x->can_start));
	partitions = maui_arena_alloc(&x->kept, (s->partition_count + 1u) * sizeof(*partitions));
	of_partition =
		maui_arena_alloc(&x->kept, (s->partition_count + 1u) * sizeof(*of_partition));
	of_rsv = maui_arena_alloc(&x->kept, (rsvs + 1u) * sizeof(*of_rsv));
	of_claim = maui_arena_alloc(&x->kept, (s->claim_count + 1u) * sizeof(*of_claim));
	if (!x->ahead || !x->position || !x->line || !x->kept_for_ever || !x->can_start ||
	    !partitions || !of_partition || !of_rsv || !of_claim)
		return -1;
	for (uint32_t j = 0; j < s->idle_count; j++) /* apart: the queue's order misses caches */
		if (x->plan->jobs[j].queued)
			x->line[j] = line_of(x, j, of_partition, of_rsv, of_claim);
	for (uint32_t j = x->plan->first_job; j != UINT32_MAX; j = x->plan->jobs[j].next) {
		uint32_t *line = x->line[j];

		x->position[j] = partitions[x->plan->jobs[j].partition]++;
		x->ahead[j] = line ? *line : 0;
		if (line && x->plan->jobs[j].waits)
			++*line;
	}
	return 0;
}

bool maui_explain_is_ahead(const struct maui_explainer *x, uint32_t other, uint32_t job)
{
	return x->line[job] && x->line[other] == x->line[job] && x->plan->jobs[other].waits &&
	       x->ahead[other] < x->ahead[job];
}

static bool can_start_some_day(struct maui_explainer *x, const struct maui_explained_job *a)
{
	uint8_t *known = &x->can_start[a->job];

	if (!*known)
		maui_explain_remember(x, known,
				      a->confined ? maui_explain_earliest(x, a) != MAUI_NEVER :
						    !maui_explain_kept_for_ever(x, a));
	return *known == MAUI_EXPLAIN_YES;
}

/* Whether some job ahead of this one can start some day. Usually the very first job of the line
 * can, so the search ends at once. */
static bool is_behind(struct maui_explainer *x, const struct maui_explained_job *a)
{
	const uint32_t *line = x->line[a->job];
	uint32_t looked = 0;

	if (!line || x->ahead[a->job] == 0)
		return false;
	if (!x->endless && !a->confined)
		return true;
	for (uint32_t j = x->plan->first_job; j != a->job; j = x->plan->jobs[j].next) {
		struct maui_explained_job other;

		if (x->line[j] != line || !x->plan->jobs[j].waits)
			continue;
		if (x->plan->jobs[j].reserved || ++looked > MAUI_EXPLAIN_FIRST_JOBS)
			return true;
		other = make_job(x, j);
		if (maui_explain_has_failed(x) || can_start_some_day(x, &other))
			return true;
	}
	return false;
}

/* ---- the explainer ---- */

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

static void count_usable(struct maui_explainer *x)
{
	const struct maui_snapshot *s = x->snapshot;

	for (uint32_t n = 0; n < s->node_count; n++)
		x->usable[s->nodes[n].class_index] += s->nodes[n].usable_from_s != MAUI_NEVER;
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
	x->notes = malloc((s->node_count + 1u) * sizeof(*x->notes));
	x->moments = malloc((s->node_count + 1u) * sizeof(*x->moments));
	x->usable = maui_arena_alloc(&x->kept, (s->class_count + 1u) * sizeof(*x->usable));
	x->left = maui_arena_alloc(&x->kept, s->amount_count * sizeof(*x->left));
	if (!x->notes || !x->moments || !x->usable || !x->left ||
	    maui_timeline_view(&plan->timeline, &x->timeline) ||
	    maui_node_sets_make(plan->config, s, &x->kept, &x->sets) || count_ahead(x)) {
		maui_explainer_destroy(x);
		return NULL;
	}
	count_usable(x);
	note_endless(x);
	return x;
}

void maui_explainer_hide_reservations(struct maui_explainer *x)
{
	x->hides_reservations = true;
}

void maui_explainer_hide_partitions(struct maui_explainer *x)
{
	x->hides_partitions = true;
}

void maui_explainer_destroy(struct maui_explainer *x)
{
	if (!x)
		return;
	maui_timeline_finish(&x->timeline);
	maui_timeline_finish(&x->empty);
	free(x->candidates.list);
	free(x->notes);
	free(x->moments);
	maui_arena_finish(&x->kept);
	maui_arena_finish(&x->arena);
	free(x);
}

/* ---- the answers ---- */

/* Whether a reservation can be the reason: no limit, no refusal and no impossible shape is. */
static bool may_be_blocked(const struct maui_explainer *x, const struct maui_explained_job *a)
{
	return a->planned->waits && a->verdict->blocks && (x->plan->standing || a->confined);
}

/* The blocking reservation. A job that lacks idle processors or licences waits for these, unless a
 * permanent reservation keeps it out, or it may run only inside reservations. */
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

/* Whether the job would start with a time limit with which it fits now: it waits for nodes alone,
 * and need not stay behind jobs that wait. */
static bool starts_if_shorter(const struct maui_explainer *x, const struct maui_explained_job *a,
			      bool behind)
{
	const char *partition = x->snapshot->partitions[a->row->partition].name;
	const struct maui_planning_config *rules = maui_config_planning(x->plan->config, partition);
	enum maui_reason reason = a->verdict->blocks->reason;
	bool in_turn = rules->backfill_policy == MAUI_BACKFILL_NONE ||
		       (a->planned->qos_flags & (UINT64_C(1) << MAUI_QOS_NOBF));
	bool lacks_nodes =
		reason == MAUI_REASON_RESOURCES || reason == MAUI_REASON_RESERVED ||
		(in_turn && (reason == MAUI_REASON_PRIORITY || reason == MAUI_REASON_NOBF));

	return !is_busy(x, a) && lacks_nodes && !(in_turn && behind);
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
	ret->behind = is_behind(x, a);
	if (ret->blocking && !starts_if_shorter(x, a, ret->behind))
		ret->blocking = without_shorter(x, ret->blocking);
	if (ret->blocking)
		ret->longest_s = maui_explain_whole_minutes(ret->blocking->shorter_s);
	if (all || (!ret->blocking && nodes_are_the_reason(reason)))
		ret->nodes = maui_explain_nodes(x, a);
	if (waits_for_licences(a->verdict))
		ret->licence = maui_explain_licence(x, a);
}

struct maui_explanation maui_explain_recorded(const struct maui_plan *plan, uint32_t job)
{
	const struct maui_plan_job *planned = &plan->jobs[job];
	const struct maui_idle *idle = &plan->snapshot->idle[job];

	return (struct maui_explanation){
		.verdict = &plan->decisions.verdicts[job],
		.partition = plan->snapshot->partitions[planned->partition].name,
		.kept_out = planned->kept_out,
		.start = { .when_s = MAUI_NEVER },
		.start_by_s = idle->start_by_s,
		.asks_slurm = plan->snapshot->requests[planned->request].asks_slurm,
	};
}

static struct maui_explanation begin(struct maui_explainer *x, uint32_t job)
{
	struct maui_explanation e = maui_explain_recorded(x->plan, job);

	maui_explain_forget(x);
	e.ahead = x->ahead[job];
	e.behind = e.ahead > 0;
	return e;
}

int maui_explain_short(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job);
	if (!x->plan->jobs[job].queued || !ret->verdict->blocks ||
	    x->position[job] >= MAUI_EXPLAIN_FIRST_JOBS)
		return 0;
	a = make_job(x, job);
	if (!maui_explain_has_failed(x))
		maui_explain_resources(x, &a, false, ret);
	return maui_explain_has_failed(x) ? -1 : 0;
}

/* Whether a limit alone keeps the job, which may have a job reservation, from what is free: then a
 * shorter time limit does not help. */
static bool is_kept_by_limit(const struct maui_verdict *verdict)
{
	return verdict->blocks && verdict->blocks->reason == MAUI_REASON_LIMIT;
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
		start.basis = a->planned->reserved      ? MAUI_START_RESERVATION :
			      is_kept_by_limit(verdict) ? MAUI_START_LIMIT :
							  MAUI_START_PROJECTION;
	} else if (a->planned->waits && from_s != MAUI_NEVER && a->idle->het_id == 0) {
		start.when_s = maui_explain_earliest_from(x, a, from_s);
		start.basis = start.when_s != MAUI_NEVER ? MAUI_START_FIT : MAUI_START_UNKNOWN;
	}
	return start;
}

static const struct maui_reservation *preempting_of(const struct maui_decisions *d, uint32_t job)
{
	for (uint32_t i = 0; i < d->reservation_count; i++)
		if (d->reservations[i].preempting && d->reservations[i].job == job)
			return &d->reservations[i];
	return NULL;
}

/* Whether the active job goes for the one that has this job reservation. */
static bool goes_for(const struct maui_explainer *x, uint32_t active,
		     const struct maui_reservation *r)
{
	const struct maui_decisions *d = &x->plan->decisions;
	const struct maui_active *a = &x->snapshot->active[active];

	for (uint32_t i = 0; i < d->preemption_count; i++)
		if (d->preemptions[i].active == active)
			return d->preemptions[i].job == r->job && d->preemptions[i].copy == r->copy;
	return (a->warned || a->completing) && maui_active_is_on(a, r->places, r->place_count);
}

static struct maui_going_jobs find_going(struct maui_explainer *x, uint32_t job)
{
	const struct maui_reservation *r = preempting_of(&x->plan->decisions, job);
	struct maui_going_jobs ret = { 0 };
	uint32_t *list;

	if (!r)
		return ret;
	ret.list = list =
		maui_arena_alloc(&x->arena, (x->snapshot->active_count + 1u) * sizeof(*list));
	x->failed |= !list;
	for (uint32_t i = 0; list && i < x->snapshot->active_count; i++) {
		const struct maui_active *a = &x->snapshot->active[i];

		if (!goes_for(x, i, r))
			continue;
		list[ret.count++] = i;
		if (a->warned && a->end_s > ret.until_s)
			ret.until_s = a->end_s;
	}
	return ret;
}

int maui_explain_job(struct maui_explainer *x, uint32_t job, struct maui_explanation *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job);
	if (!x->plan->jobs[job].queued)
		return 0;
	a = make_job(x, job);
	if (maui_explain_has_failed(x))
		return -1;
	ret->going = find_going(x, job);
	if (!ret->verdict->blocks) { /* it starts */
		ret->nodes = maui_explain_nodes(x, &a);
		ret->start = (struct maui_start_time){ x->now_s, MAUI_START_NOW };
		return maui_explain_has_failed(x) ? -1 : 0;
	}
	maui_explain_resources(x, &a, true, ret);
	if (is_kept_by_limit(a.verdict))
		ret->longest_s = 0;
	else if (a.planned->waits && !ret->longest_s && starts_if_shorter(x, &a, ret->behind))
		ret->longest_s = maui_explain_whole_minutes(maui_explain_longest(x, &a));
	ret->start = find_start(x, &a);
	return maui_explain_has_failed(x) ? -1 : 0;
}

int maui_explain_start(struct maui_explainer *x, uint32_t job, struct maui_start_time *ret)
{
	struct maui_explained_job a;

	*ret = begin(x, job).start;
	if (!x->plan->jobs[job].queued)
		return 0;
	a = make_job(x, job);
	if (!maui_explain_has_failed(x))
		*ret = find_start(x, &a);
	return maui_explain_has_failed(x) ? -1 : 0;
}

int maui_explain_least_nodes(struct maui_explainer *x, uint32_t job, uint32_t *ret)
{
	struct maui_explained_job a;

	begin(x, job);
	a = make_job(x, job);
	*ret = maui_explain_has_failed(x) ? 1 : maui_shape_least_nodes(&a.shape);
	return maui_explain_has_failed(x) ? -1 : 0;
}

const struct maui_explained_job *maui_explain_about(struct maui_explainer *x, uint32_t job)
{
	struct maui_explained_job *a;

	maui_explain_forget(x);
	a = maui_arena_alloc(&x->arena, sizeof(*a));
	if (a)
		*a = make_job(x, job);
	return maui_explain_has_failed(x) ? NULL : a;
}

int maui_explain_has_remainder(struct maui_explainer *x, const struct maui_explained_job *a,
			       uint32_t node, int64_t when_s)
{
	bool has = x->timeline.claim_count == 0 || maui_remainder_fits(x, a, node, when_s);

	return maui_explain_has_failed(x) ? -1 : has;
}

int maui_explain_serving_nodes(struct maui_explainer *x, uint32_t job, bool *ret)
{
	struct maui_explained_job a;

	maui_explain_forget(x);
	a = make_job(x, job);
	if (!maui_explain_has_failed(x))
		maui_serving_nodes(x, &a, ret);
	return maui_explain_has_failed(x) ? -1 : 0;
}
