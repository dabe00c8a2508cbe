/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gaps.c - backfill of one pool after the other: windows of its idle nodes, candidates of its jobs
 *
 * Within a pool partitions may have backfill parameters of their own, and jobs access to claims: jobs
 * equal in both form a group, groups come in the order of their best job, each has its own pass.
 */

#include <string.h>

#include "plan/private.h"
#include "policy/backfill.h"
#include "timeline/window.h"

struct gaps {
	struct maui_planner *p;
	enum maui_limit_level level;
	uint32_t pool;
	const struct maui_planning_config *rules;
	struct maui_bf_job *jobs;
	uint32_t *entry_of; /* of each job */
	uint32_t count;
};

static int64_t enter(void *data, const struct maui_window *window)
{
	const struct gaps *g = data;
	struct maui_planner *p = g->p;
	const struct maui_plan_pool *pool = &p->pools[g->pool];
	int64_t until = maui_when_add(p->now, window->length_s), free_procs = 0;

	p->window = window;
	for (uint32_t i = 0; i < pool->open_count; i++) {
		int64_t procs = maui_timeline_procs(&p->timeline, pool->open[i], p->now,
						    until, p->window_who);

		p->window_procs[pool->open[i]] = procs;
		free_procs += procs;
	}
	return free_procs;
}

static bool start(void *data, uint32_t index, int64_t limit_s, int64_t *ret_free)
{
	const struct gaps *g = data;
	struct maui_planner *p = g->p;
	struct maui_plan_entry *e = &p->entries[g->entry_of[index]];
	struct maui_start *started;
	int64_t before = 0, after = 0;
	uint32_t count;

	if (e->state != MAUI_PLAN_WAITING) /* another row of it was served meanwhile */
		return false;
	e->limited = !maui_plan_limits_allow(p, e, g->level);
	if (e->limited)
		return false;
	count = maui_plan_place_now(p, e, limit_s);
	if (count == 0)
		return false;
	for (uint32_t i = 0; i < count; i++)
		before += p->window_procs[p->candidates[i].node];
	started = maui_plan_start(p, e, count, limit_s);
	if (!started || !started->places)
		return false;
	for (uint32_t i = 0; i < count; i++)
		after += p->window_procs[started->places[i].node];
	*ret_free -= before - after;
	started->backfilled = true;
	started->out_of_order = true;
	started->preemptible = g->rules->backfill_policy == MAUI_BACKFILL_PREEMPT;
	maui_plan_passed(p, e);
	return true;
}

static bool same_rules(const struct maui_planning_config *a, const struct maui_planning_config *b)
{
	return a == b || (a->backfill_policy == b->backfill_policy &&
			  a->backfill_metric == b->backfill_metric &&
			  a->backfill_order == b->backfill_order &&
			  a->backfill_depth == b->backfill_depth &&
			  a->chunk_size == b->chunk_size &&
			  a->chunk_duration_s == b->chunk_duration_s);
}

/* What claims see in an entry; NULL: nobody with any access, as in most. */
static const struct maui_visitor *visitor(const struct maui_planner *p,
					  const struct maui_plan_entry *e,
					  struct maui_visitor *ret)
{
	const struct maui_request *r = &p->snapshot->requests[e->request];

	*ret = (struct maui_visitor){ r->claim_count > 0 ? r : NULL, e->access };
	return ret->request || ret->access ? ret : NULL;
}

static bool same_claims(const struct maui_request *a, const struct maui_request *b)
{
	if (!a || !b || a == b)
		return a == b;
	return a->claim_count == b->claim_count && a->only_claims == b->only_claims &&
	       memcmp(a->claims, b->claims, a->claim_count * sizeof(*a->claims)) == 0;
}

/* Jobs with access to the same claims see the same windows. */
static bool same_access(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	struct maui_visitor own;
	const struct maui_visitor *who = visitor(p, e, &own);

	if (!who || !p->window_who)
		return !who && !p->window_who;
	return who->access == p->window_who->access &&
	       same_claims(who->request, p->window_who->request);
}

static bool needs_pe(const struct gaps *g)
{
	return g->rules->backfill_metric == MAUI_METRIC_PE ||
	       g->rules->backfill_metric == MAUI_METRIC_PESECONDS;
}

static void list_job(struct gaps *g, uint32_t entry)
{
	struct maui_planner *p = g->p;
	const struct maui_plan_entry *e = &p->entries[entry];
	const struct maui_idle *idle = maui_plan_job(p, e);

	g->entry_of[g->count] = entry;
	g->jobs[g->count++] = (struct maui_bf_job){
		.procs = e->procs,
		.limit_s = e->limit_s,
		.limit_min_s = e->limit_min_s,
		.nodes = p->snapshot->requests[e->request].nodes_min,
		.pe = needs_pe(g) ? maui_priority_pe(&idle->job, &p->snapshot->totals) : 0,
		.id = idle->id + ((uint64_t)e->copy << 32),
		.barred = e->refused,
	};
}

/* Jobs of the group: those that wait and that backfill may take. */
static void list_jobs(struct gaps *g, uint32_t first)
{
	struct maui_planner *p = g->p;

	g->count = 0;
	for (uint32_t i = first; i < p->entry_count; i++) {
		struct maui_plan_entry *e = &p->entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->pool != g->pool || e->backfilled ||
		    !same_rules(e->rules, g->rules) || !same_access(p, e))
			continue;
		e->backfilled = true;
		if (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF))
			continue;
		if (!maui_plan_limits_allow(p, e, g->level)) {
			e->limited = true;
			continue;
		}
		list_job(g, i);
	}
}

static void note_chunked(struct gaps *g)
{
	for (uint32_t i = 0; i < g->count; i++)
		g->p->entries[g->entry_of[i]].chunked |= g->jobs[i].chunked && !g->jobs[i].barred;
}

static int run_group(struct gaps *g, uint32_t first)
{
	struct maui_planner *p = g->p;
	const struct maui_plan_pool *pool = &p->pools[g->pool];
	struct maui_bf_rules rules = {
		.policy = g->rules->backfill_policy,
		.metric = g->rules->backfill_metric,
		.order = g->rules->backfill_order,
		.depth = g->rules->backfill_depth,
		.max_schedules = p->config->backfill_max_schedules,
		.chunking = g->rules->chunk_size > 0 && g->rules->chunk_duration_s > 0 &&
			    p->now < p->input->chunk_until_s,
		.chunk_size = g->rules->chunk_size,
		.seed = (uint64_t)p->now,
	};
	const struct maui_bf_host host = { .data = g, .enter = enter, .start = start };
	struct maui_window *windows;
	uint32_t count;
	int rc;

	if (rules.policy == MAUI_BACKFILL_NONE || pool->open_count == 0)
		return 0;
	list_jobs(g, first);
	if (g->count == 0)
		return 0;
	if (maui_windows_find(&p->timeline, pool->open, pool->open_count, p->window_who,
			      &p->arena, &windows, &count))
		return -1;
	rc = maui_backfill_run(&rules, windows, count, g->jobs, g->count, &host);
	p->window = NULL;
	note_chunked(g);
	if (rules.chunking && p->input->chunk_until_s < p->out->next_s)
		p->out->next_s = p->input->chunk_until_s;
	return rc;
}

int maui_plan_gaps(struct maui_planner *p, enum maui_limit_level level)
{
	struct gaps g = { .p = p, .level = level };

	if (p->reopen)
		maui_plan_open(p);
	g.jobs = maui_arena_alloc(&p->arena, (p->entry_count + 1u) * sizeof(*g.jobs));
	g.entry_of = maui_arena_alloc(&p->arena, (p->entry_count + 1u) * sizeof(*g.entry_of));
	if (!g.jobs || !g.entry_of)
		return -1;
	for (uint32_t i = 0; i < p->entry_count; i++)
		p->entries[i].backfilled = false;
	for (uint32_t i = 0; i < p->entry_count && !p->failed; i++) {
		const struct maui_plan_entry *e = &p->entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->backfilled ||
		    e->rules->backfill_policy == MAUI_BACKFILL_NONE)
			continue;
		g.pool = e->pool;
		g.rules = e->rules;
		p->window_who = visitor(p, e, &p->visitor);
		if (run_group(&g, i))
			return -1;
	}
	return p->failed ? -1 : 0;
}
