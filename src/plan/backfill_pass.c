/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill_pass.c - backfill, one pool after the other: windows of its idle nodes, and its jobs
 *
 * Within a pool partitions may have backfill parameters of their own. Jobs that are equal in them
 * form a group; each group has its own pass, in the order of its best job. Within a pass, jobs with
 * access to different reservations see different windows.
 *
 * A job that may run inside reservations only sees the windows of their nodes. Users choose freely
 * which reservations their jobs name, so the number of different choices that get windows of their
 * own is bounded (MAUI_BACKFILL_CHOICES); a job with any other choice sees the largest reservation
 * that it names.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/limits.h"
#include "plan/private.h"
#include "policy/backfill.h"
#include "timeline/window.h"

/* Jobs that claims treat alike, their windows, and the one that is being visited. */
struct view {
	struct maui_requester requester;
	const uint32_t *nodes; /* that matter; NULL: those of the pool that are open */
	uint32_t node_count;
	struct maui_window *windows;
	uint32_t window_count;
	const struct maui_window *window;
};

/* NULL: somebody without any access, as most are. */
static const struct maui_requester *who_of(const struct maui_requester *requester)
{
	return requester->request || requester->access ? requester : NULL;
}

struct gaps {
	struct maui_planner *p;
	enum maui_limit_level level;
	uint32_t pool;
	const struct maui_planning_config *rules;
	struct maui_bf_job *jobs;
	uint32_t *entry_of; /* of each job */
	uint32_t count;
	struct view *views;
	uint32_t view_count;
	size_t view_alloc;
	struct maui_hashtable index; /* 1 + index of each view, by its requester */
	uint32_t choices;            /* views of several reservations */
};

static int64_t look_up(const struct maui_planner *p, uint32_t node)
{
	return maui_timeline_procs(&p->timeline, node, p->now,
				   maui_when_add(p->now, p->backfill.window->length_s),
				   p->backfill.who);
}

int64_t maui_plan_window_procs(const struct maui_planner *p, uint32_t node)
{
	return p->backfill.procs ? p->backfill.procs[node] : look_up(p, node);
}

static void look_through(const struct gaps *g, uint32_t index)
{
	const struct view *view = &g->views[index];

	g->p->backfill.window = view->window;
	g->p->backfill.who = who_of(&view->requester);
	g->p->backfill.nodes = view->nodes;
	g->p->backfill.node_count = view->node_count;
}

static const uint32_t *nodes_of(const struct gaps *g, const struct view *view, uint32_t *ret_count)
{
	const struct maui_plan_pool *pool = &g->p->pools.list[g->pool];

	*ret_count = view->nodes ? view->node_count : pool->open_count;
	return view->nodes ? view->nodes : pool->open;
}

static int64_t enter(void *data, uint32_t view, const struct maui_window *window)
{
	const struct gaps *g = data;
	struct maui_planner *p = g->p;
	int64_t free_procs = 0;
	uint32_t count;
	const uint32_t *nodes = nodes_of(g, &g->views[view], &count);

	if (maui_plan_ends(p))
		return 0;
	g->views[view].window = window;
	look_through(g, view);
	for (uint32_t i = 0; i < count; i++) {
		int64_t procs = look_up(p, nodes[i]);

		if (p->backfill.procs)
			p->backfill.procs[nodes[i]] = procs;
		free_procs += procs;
	}
	return free_procs;
}

/* Of the places' nodes, in the window being visited. */
static int64_t sum_of(const struct maui_planner *p, const struct maui_place *places, uint32_t count)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += maui_plan_window_procs(p, places[i].node);
	return sum;
}

static bool start(void *data, uint32_t index, int64_t limit_s, int64_t *ret_free)
{
	struct gaps *g = data;
	struct maui_planner *p = g->p;
	struct maui_plan_entry *e = &p->queue.entries[g->entry_of[index]];
	struct maui_start *started;
	int64_t before = 0;
	uint32_t count;

	if (maui_plan_ends(p) || e->state != MAUI_PLAN_WAITING) /* by another row of it */
		return false;
	e->limited = !maui_plan_limits_allow(p, e, g->level);
	if (e->limited)
		return false;
	look_through(g, g->jobs[index].view);
	count = maui_plan_place_now(p, e, limit_s);
	if (count == 0)
		return false;
	for (uint32_t i = 0; i < count; i++)
		before += maui_plan_window_procs(p, p->candidates.list[i].node);
	started = maui_plan_start(p, e, count, limit_s);
	if (!started || !started->places)
		return false;
	*ret_free -= before - sum_of(p, started->places, count);
	started->backfilled = true;
	started->out_of_order = true;
	started->preemptible = g->rules->backfill_policy == MAUI_BACKFILL_PREEMPT;
	maui_plan_passed(p, e);
	return true;
}

static bool same_rules(const struct maui_planning_config *a, const struct maui_planning_config *b)
{
	return a == b ||
	       (a->backfill_policy == b->backfill_policy &&
		a->backfill_metric == b->backfill_metric &&
		a->backfill_order == b->backfill_order && a->backfill_depth == b->backfill_depth &&
		a->chunk_size == b->chunk_size && a->chunk_duration_s == b->chunk_duration_s);
}

static bool same_claims(const struct maui_request *a, const struct maui_request *b)
{
	if (!a || !b || a == b)
		return a == b;
	return a->claim_count == b->claim_count && a->only_claims == b->only_claims &&
	       a->passes_shares == b->passes_shares &&
	       memcmp(a->claims, b->claims, a->claim_count * sizeof(*a->claims)) == 0;
}

static bool same_requester(const struct maui_requester *a, const struct maui_requester *b)
{
	return a->access == b->access && same_claims(a->request, b->request);
}

static uint64_t hash_of(const struct maui_requester *who)
{
	const struct maui_request *r = who->request;
	uint64_t hash = maui_hash_mix(0, (uintptr_t)who->access);

	for (uint32_t i = 0; r && i < r->claim_count; i++)
		hash = maui_hash_mix(hash, r->claims[i]);
	return hash;
}

struct view_key {
	const struct gaps *g;
	const struct maui_requester *who;
};

static bool is_view(const void *value, const void *key)
{
	const struct view_key *k = key;

	return same_requester(&k->g->views[(uintptr_t)value - 1].requester, k->who);
}

/* UINT32_MAX: there is none yet. The last one found is mostly the next, too. */
static uint32_t find_view(const struct gaps *g, const struct maui_requester *who, uint32_t last)
{
	const struct view_key key = { g, who };
	const void *found;

	if (last < g->view_count && same_requester(&g->views[last].requester, who))
		return last;
	found = maui_hashtable_find(&g->index, hash_of(who), is_view, &key);
	return found ? (uint32_t)(uintptr_t)found - 1 : UINT32_MAX;
}

static int find_windows(struct gaps *g, struct view *view)
{
	const struct maui_access_table *access = view->requester.access;
	const uint32_t *nodes;
	uint32_t count;

	if (access && access->only) {
		view->nodes = maui_plan_table_nodes(g->p, access, g->pool, &view->node_count);
		if (!view->nodes)
			return -1;
	}
	nodes = nodes_of(g, view, &count);
	return maui_windows_find(&g->p->timeline, nodes, count, who_of(&view->requester),
				 &g->p->arena, &view->windows, &view->window_count);
}

/* UINT32_MAX without memory. */
static uint32_t add_view(struct gaps *g, const struct maui_requester *who)
{
	struct view *grown =
		maui_array_grow(g->views, g->view_count, &g->view_alloc, sizeof(*grown));

	if (!grown)
		return UINT32_MAX;
	g->views = grown;
	grown[g->view_count] = (struct view){ .requester = *who };
	if (find_windows(g, &grown[g->view_count]) ||
	    maui_hashtable_add(&g->index, hash_of(who), (void *)((uintptr_t)g->view_count + 1)))
		return UINT32_MAX;
	return g->view_count++;
}

/* Whether a job may be inside several reservations only. */
static bool names_several(const struct maui_access_table *access)
{
	uint32_t homes = 0;

	for (uint32_t i = 0; access && access->only && i < access->count; i++)
		homes += access->list[i].home;
	return homes > 1;
}

/* The view of an entry; UINT32_MAX without memory. */
static uint32_t view_of(struct gaps *g, const struct maui_plan_entry *e, uint32_t last)
{
	struct maui_requester own = maui_plan_requester(g->p, e);
	uint32_t found;

	own.access = maui_plan_table_now(g->p, own.access);
	found = find_view(g, &own, last);
	if (found == UINT32_MAX && names_several(own.access) &&
	    ++g->choices > MAUI_BACKFILL_CHOICES) {
		own.access = maui_plan_table_one(g->p, own.access);
		found = find_view(g, &own, last);
	}
	return found == UINT32_MAX ? add_view(g, &own) : found;
}

static bool needs_pe(const struct gaps *g)
{
	return g->rules->backfill_metric == MAUI_METRIC_PE ||
	       g->rules->backfill_metric == MAUI_METRIC_PESECONDS;
}

static void list_job(struct gaps *g, uint32_t entry, uint32_t view)
{
	struct maui_planner *p = g->p;
	const struct maui_plan_entry *e = &p->queue.entries[entry];
	const struct maui_idle *idle = maui_plan_job(p, e);

	g->entry_of[g->count] = entry;
	g->jobs[g->count++] = (struct maui_bf_job){
		.procs = e->procs,
		.limit_s = e->limit_s,
		.limit_min_s = e->limit_min_s,
		.nodes = p->snapshot->requests[e->request].nodes_min,
		.pe = needs_pe(g) ? maui_priority_pe(&idle->job, &p->snapshot->totals) : 0,
		.id = idle->id + ((uint64_t)e->copy << 32),
		.view = view,
		.barred = e->refused,
	};
}

/* Jobs of the group: those that wait and that backfill may take. */
static int list_jobs(struct gaps *g, uint32_t first)
{
	struct maui_planner *p = g->p;
	uint32_t view = 0;

	g->count = g->view_count = g->choices = 0;
	maui_hashtable_clear(&g->index);
	for (uint32_t i = first; i < p->queue.count && !maui_plan_ends(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->pool != g->pool || e->backfilled ||
		    !same_rules(e->rules, g->rules))
			continue;
		e->backfilled = true;
		if (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF))
			continue;
		if (!maui_plan_limits_allow(p, e, g->level)) {
			e->limited = true;
			continue;
		}
		view = view_of(g, e, view);
		if (view == UINT32_MAX)
			return -1;
		list_job(g, i, view);
	}
	return 0;
}

static void note_chunked(struct gaps *g)
{
	for (uint32_t i = 0; i < g->count; i++)
		g->p->queue.entries[g->entry_of[i]].chunked |=
			g->jobs[i].chunked && !g->jobs[i].barred;
}

/* The windows of each view, for policy/backfill. NULL without memory. */
static struct maui_bf_view *list_views(const struct gaps *g)
{
	struct maui_bf_view *views = maui_arena_alloc(&g->p->arena, g->view_count * sizeof(*views));

	for (uint32_t v = 0; views && v < g->view_count; v++)
		views[v] = (struct maui_bf_view){ g->views[v].windows, g->views[v].window_count };
	return views;
}

static int run_group(struct gaps *g, uint32_t first)
{
	struct maui_planner *p = g->p;
	const struct maui_plan_pool *pool = &p->pools.list[g->pool];
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
	struct maui_bf_view *views;
	int64_t *window_procs;
	int rc;

	if (rules.policy == MAUI_BACKFILL_NONE || pool->open_count == 0)
		return 0;
	if (list_jobs(g, first))
		return -1;
	if (g->count == 0)
		return 0;
	views = list_views(g);
	if (!views)
		return -1;
	window_procs = p->backfill.procs;
	if (g->view_count > 1) /* of several windows at once: looked up when they are asked for */
		p->backfill.procs = NULL;
	rc = maui_backfill_run(&rules, views, g->view_count, g->jobs, g->count, &host);
	p->backfill.procs = window_procs;
	p->backfill.window = NULL;
	p->backfill.who = NULL;
	p->backfill.nodes = NULL;
	note_chunked(g);
	if (rules.chunking && p->input->chunk_until_s < p->out->next_s)
		p->out->next_s = p->input->chunk_until_s;
	return rc;
}

int maui_plan_backfill_pass(struct maui_planner *p, enum maui_limit_level level)
{
	struct gaps g = { .p = p, .level = level };
	int rc = 0;

	if (p->pools.reopen)
		maui_plan_open(p);
	g.jobs = maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*g.jobs));
	g.entry_of = maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*g.entry_of));
	if (!g.jobs || !g.entry_of)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++)
		p->queue.entries[i].backfilled = false;
	for (uint32_t i = 0; i < p->queue.count && !p->failed && rc == 0; i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->backfilled ||
		    e->rules->backfill_policy == MAUI_BACKFILL_NONE)
			continue;
		g.pool = e->pool;
		g.rules = e->rules;
		rc = run_group(&g, i);
	}
	free(g.views);
	maui_hashtable_finish(&g.index);
	return p->failed ? -1 : rc;
}
