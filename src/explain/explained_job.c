/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explained_job.c - the job that a question is about: its shape, and the jobs ahead of it */

#include "explain/private.h"

void maui_explain_set_node_sets(struct maui_explainer *x, struct maui_shape *shape,
				int64_t in_set_until_s)
{
	int can;

	shape->sets = x->sets;
	if (!x->sets || in_set_until_s <= x->now_s || x->failed)
		return;
	can = maui_node_sets_can_hold(shape);
	x->failed |= can < 0;
	shape->in_set = can > 0;
}

struct maui_explained_job maui_explained_job_make(struct maui_explainer *x, uint32_t job)
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

	a.row = &idle->rows[a.planned->row];
	a.cred = x->snapshot->creds[a.row->creds].cred;
	user = plan->by_user ? x->snapshot->creds[a.row->creds].user : 0;
	if (maui_shape_make(x->snapshot, maui_idle_request(idle, a.planned->row), a.row->partition,
			    user, &rules, x->usable, &x->arena, &a.shape))
		x->failed = true;
	a.shape.access = a.planned->access;
	if (!(idle->run & MAUI_RUN_FORCE))
		a.in_set_until_s = maui_node_sets_until(plan->config, idle->queue_since_s);
	maui_explain_set_node_sets(x, &a.shape, a.in_set_until_s);
	a.confined = a.shape.access && a.shape.access->only;
	return a;
}

/* The counter of the line in which the job waits: its partition's, or that of the reservation that
 * it may not leave. NULL: no other job waits behind it. */
static uint32_t *line_of(const struct maui_explainer *x, uint32_t job, uint32_t *of_partition,
			 uint32_t *of_rsv, uint32_t *of_claim)
{
	const struct maui_plan_job *planned = &x->plan->jobs[job];
	const struct maui_idle *idle = &x->snapshot->idle[job];
	const struct maui_request *r =
		&x->snapshot->requests[maui_idle_request(idle, planned->row)];
	const struct maui_access_table *access = planned->access;

	if (access && access->only) {
		for (uint32_t i = 0; i < access->count; i++)
			if (access->list[i].home)
				return &of_rsv[access->list[i].rsv];
		return NULL;
	}
	if (!r->only_claims)
		return &of_partition[idle->rows[planned->row].partition];
	return r->claim_count > 0 ? &of_claim[r->claims[0]] : NULL;
}

int maui_explain_count_ahead(struct maui_explainer *x)
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
	for (uint32_t j = x->plan->first_job; j != UINT32_MAX; j = x->plan->jobs[j].next) {
		uint32_t *line = line_of(x, j, of_partition, of_rsv, of_claim);

		x->position[j] = partitions[s->idle[j].rows[x->plan->jobs[j].row].partition]++;
		x->line[j] = line;
		x->ahead[j] = line ? *line : 0;
		if (line && x->plan->jobs[j].waits)
			++*line;
	}
	return 0;
}

static bool can_start_some_day(struct maui_explainer *x, const struct maui_explained_job *a)
{
	enum { YES = 1, NO };
	uint8_t *known = &x->can_start[a->job];
	bool can;

	if (!*known) {
		can = a->confined ? maui_explain_earliest(x, a) != MAUI_NEVER :
				    !maui_explain_kept_for_ever(x, a);
		*known = can ? YES : NO;
	}
	return *known == YES;
}

/* Usually the very first job of the line can start some day, so the search ends at once. */
bool maui_explain_is_behind(struct maui_explainer *x, const struct maui_explained_job *a)
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
		other = maui_explained_job_make(x, j);
		if (x->failed || can_start_some_day(x, &other))
			return true;
	}
	return false;
}
