/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backfill_pass.c - backfills one pool after the other: its windows of idle nodes, and its jobs
 *
 * The partitions of a pool may have different backfill parameters. Jobs with equal parameters form
 * a group. Each group has its own pass, in the order of the groups' best jobs. Within a pass, jobs
 * with access to different reservations have different windows.
 *
 * A job that may run only inside reservations gets the windows of their nodes. Users choose freely
 * which reservations their jobs name, so at most MAUI_BACKFILL_CHOICES different choices of several
 * reservations get windows of their own. A job with any other choice gets the windows of the
 * largest reservation that it names.
 */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/limits.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"
#include "policy/backfill.h"
#include "timeline/window.h"

/* Jobs that claims treat alike, their windows, and the window that is being backfilled. */
struct view {
	struct maui_requester requester;
	const uint32_t *nodes; /* the nodes that these jobs may use; NULL: the pool's open nodes */
	uint32_t node_count;
	struct maui_window *windows;
	uint32_t window_count;
	const struct maui_window *window;
};

/* NULL for a requester without access to any reservation or claim, as most are. */
static const struct maui_requester *requester_of(const struct maui_requester *requester)
{
	return requester->request || requester->access ? requester : NULL;
}

struct backfill_pass {
	struct maui_planner *p;
	enum maui_limit_level level;
	uint32_t pool;
	const struct maui_planning_config *rules;
	struct maui_bf_job *jobs;
	uint32_t *entry_of; /* queue entry of each job */
	uint32_t count;
	struct view *views;
	uint32_t view_count;
	size_t view_alloc;
	struct maui_hashtable index; /* 1 + index of each view, by its requester */
	uint32_t choices;            /* views whose jobs name several reservations */
};

static void set_window(const struct backfill_pass *pass, uint32_t index)
{
	const struct view *view = &pass->views[index];

	pass->p->backfill.window = view->window;
	pass->p->backfill.who = requester_of(&view->requester);
	pass->p->backfill.nodes = view->nodes;
	pass->p->backfill.node_count = view->node_count;
}

static const uint32_t *nodes_of(const struct backfill_pass *pass, const struct view *view,
				uint32_t *ret_count)
{
	const struct maui_plan_pool *pool = &pass->p->pools.list[pass->pool];

	*ret_count = view->nodes ? view->node_count : pool->open_count;
	return view->nodes ? view->nodes : pool->open;
}

static int64_t enter_window(void *data, uint32_t view, const struct maui_window *window)
{
	const struct backfill_pass *pass = data;
	struct maui_planner *p = pass->p;
	int64_t free_procs = 0;
	uint32_t count;
	const uint32_t *nodes = nodes_of(pass, &pass->views[view], &count);

	if (maui_plan_is_given_up(p))
		return 0;
	pass->views[view].window = window;
	set_window(pass, view);
	for (uint32_t i = 0; i < count; i++) {
		int64_t procs = maui_backfilling_free(&p->timeline, &p->backfill, nodes[i]);

		if (p->backfill.procs)
			p->backfill.procs[nodes[i]] = procs;
		free_procs += procs;
	}
	return free_procs;
}

/* The free processors of the places' nodes during the window. */
static int64_t free_procs_of_places(const struct maui_planner *p, const struct maui_place *places,
				    uint32_t count)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += maui_backfilling_procs(&p->timeline, &p->backfill, places[i].node);
	return sum;
}

static void note_backfilled(const struct backfill_pass *pass, const struct maui_plan_entry *e,
			    struct maui_start *started)
{
	started->backfilled = true;
	started->out_of_order = true;
	started->preemptible = pass->rules->backfill_policy == MAUI_BACKFILL_PREEMPT;
	maui_plan_count_bypass(pass->p, e);
}

static bool start_in_window(void *data, uint32_t index, int64_t limit_s, int64_t *ret_free)
{
	struct backfill_pass *pass = data;
	struct maui_planner *p = pass->p;
	struct maui_plan_entry *e = &p->queue.entries[pass->entry_of[index]];
	struct maui_start *started;
	int64_t before = 0;
	uint32_t count;

	/* another row of the job has started */
	if (maui_plan_is_given_up(p) || e->state != MAUI_PLAN_WAITING || maui_plan_must_end(p, e))
		return false;
	e->limited = !maui_plan_limits_allow_start(p, e, pass->level);
	if (e->limited)
		return false;
	set_window(pass, pass->jobs[index].view);
	count = maui_plan_place_start(p, e, limit_s);
	e->limited = e->too_much;
	if (count == 0)
		return false;
	for (uint32_t i = 0; i < count; i++)
		before += maui_backfilling_procs(&p->timeline, &p->backfill,
						 p->candidates.list[i].node);
	started = maui_plan_start(p, e, count, limit_s);
	if (!started)
		return false;
	*ret_free -= started->slurm_chooses ?
			     maui_plan_takes(p, e) :
			     before - free_procs_of_places(p, started->places, count);
	note_backfilled(pass, e, started);
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
	const struct backfill_pass *pass;
	const struct maui_requester *who;
};

static bool is_view(const void *value, const void *key)
{
	const struct view_key *k = key;

	return same_requester(&k->pass->views[(uintptr_t)value - 1].requester, k->who);
}

/* UINT32_MAX: no such view yet. Tries the last result first: consecutive jobs mostly share a
 * view. */
static uint32_t find_view(const struct backfill_pass *pass, const struct maui_requester *who,
			  uint32_t last)
{
	const struct view_key key = { pass, who };
	const void *found;

	if (last < pass->view_count && same_requester(&pass->views[last].requester, who))
		return last;
	found = maui_hashtable_find(&pass->index, hash_of(who), is_view, &key);
	return found ? (uint32_t)(uintptr_t)found - 1 : UINT32_MAX;
}

static int find_windows(struct backfill_pass *pass, struct view *view)
{
	const struct maui_access_table *access = view->requester.access;
	const uint32_t *nodes;
	uint32_t count;

	if (access && access->only) {
		view->nodes = maui_plan_table_nodes(pass->p, access, pass->pool, &view->node_count);
		if (!view->nodes)
			return -1;
	}
	nodes = nodes_of(pass, view, &count);
	return maui_windows_find(&pass->p->timeline, nodes, count, requester_of(&view->requester),
				 &pass->p->arena, &view->windows, &view->window_count);
}

/* UINT32_MAX without memory. */
static uint32_t add_view(struct backfill_pass *pass, const struct maui_requester *who)
{
	struct view *grown =
		maui_array_grow(pass->views, pass->view_count, &pass->view_alloc, sizeof(*grown));

	if (!grown)
		return UINT32_MAX;
	pass->views = grown;
	grown[pass->view_count] = (struct view){ .requester = *who };
	if (find_windows(pass, &grown[pass->view_count]) ||
	    maui_hashtable_add(&pass->index, hash_of(who),
			       (void *)((uintptr_t)pass->view_count + 1)))
		return UINT32_MAX;
	return pass->view_count++;
}

/* Whether the job may run only inside reservations, and there is more than one. */
static bool names_several(const struct maui_access_table *access)
{
	uint32_t own_nodes = 0;

	for (uint32_t i = 0; access && access->only && i < access->count; i++)
		own_nodes += access->list[i].own;
	return own_nodes > 1;
}

/* The view for the entry's jobs; UINT32_MAX without memory. */
static uint32_t view_of(struct backfill_pass *pass, const struct maui_plan_entry *e, uint32_t last)
{
	struct maui_requester own = maui_plan_requester(pass->p, e);
	uint32_t found;

	own.access = maui_plan_table_now(pass->p, own.access);
	found = find_view(pass, &own, last);
	if (found == UINT32_MAX && names_several(own.access) &&
	    ++pass->choices > MAUI_BACKFILL_CHOICES) {
		own.access = maui_plan_table_one(pass->p, own.access);
		found = find_view(pass, &own, last);
	}
	return found == UINT32_MAX ? add_view(pass, &own) : found;
}

static bool needs_pe(const struct backfill_pass *pass)
{
	return pass->rules->backfill_metric == MAUI_METRIC_PE ||
	       pass->rules->backfill_metric == MAUI_METRIC_PESECONDS;
}

static void list_job(struct backfill_pass *pass, uint32_t entry, uint32_t view)
{
	struct maui_planner *p = pass->p;
	const struct maui_plan_entry *e = &p->queue.entries[entry];
	const struct maui_idle *idle = maui_plan_job(p, e);

	pass->entry_of[pass->count] = entry;
	pass->jobs[pass->count++] = (struct maui_bf_job){
		.procs = e->procs,
		.limit_s = e->limit_s,
		.limit_min_s = e->limit_min_s,
		.nodes = p->snapshot->requests[e->request].nodes_min,
		.pe = needs_pe(pass) ? maui_priority_pe(&idle->job, &p->snapshot->totals) : 0,
		.id = idle->id + ((uint64_t)e->copy << 32),
		.view = view,
		.barred = e->refused,
	};
}

/* Windows contain free processors. Jobs that may share processors with other jobs are tried once
 * more there, in the order of the queue; job reservations keep their nodes from them. */
static void start_beside_others(struct backfill_pass *pass)
{
	struct maui_planner *p = pass->p;

	for (uint32_t i = 0; i < pass->count && !maui_plan_is_given_up(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[pass->entry_of[i]];
		int64_t limit_s = e->limit_s;
		uint32_t count;
		struct maui_start *started;

		if (!maui_plan_shares_procs(p, e) || e->state != MAUI_PLAN_WAITING || e->refused ||
		    maui_plan_must_end(p, e) || !maui_plan_limits_allow_start(p, e, pass->level))
			continue;
		count = maui_plan_place_start(p, e, limit_s);
		if (count == 0 && e->limit_min_s > 0) {
			limit_s = e->limit_min_s;
			count = maui_plan_place_start(p, e, limit_s);
		}
		started = count > 0 ? maui_plan_start(p, e, count, limit_s) : NULL;
		if (started)
			note_backfilled(pass, e, started);
	}
}

/* Lists the waiting jobs of the group that backfill may start. */
static int list_jobs(struct backfill_pass *pass, uint32_t first)
{
	struct maui_planner *p = pass->p;
	uint32_t view = 0;

	pass->count = pass->view_count = pass->choices = 0;
	maui_hashtable_clear(&pass->index);
	for (uint32_t i = first; i < p->queue.count && !maui_plan_is_given_up(p); i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->het || e->pool != pass->pool ||
		    e->backfilled || !same_rules(e->rules, pass->rules))
			continue;
		e->backfilled = true;
		if (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF))
			continue;
		if (!maui_plan_limits_allow_start(p, e, pass->level)) {
			e->limited = true;
			continue;
		}
		view = view_of(pass, e, view);
		if (view == UINT32_MAX)
			return -1;
		list_job(pass, i, view);
	}
	return 0;
}

static void note_chunked(struct backfill_pass *pass)
{
	for (uint32_t i = 0; i < pass->count; i++)
		pass->p->queue.entries[pass->entry_of[i]].chunked |=
			pass->jobs[i].chunked && !pass->jobs[i].barred;
}

/* The windows of each view, for policy/backfill. NULL without memory. */
static struct maui_bf_view *list_views(const struct backfill_pass *pass)
{
	struct maui_bf_view *views =
		maui_arena_alloc(&pass->p->arena, pass->view_count * sizeof(*views));

	for (uint32_t v = 0; views && v < pass->view_count; v++)
		views[v] = (struct maui_bf_view){ pass->views[v].windows,
						  pass->views[v].window_count };
	return views;
}

static int run_group(struct backfill_pass *pass, uint32_t first)
{
	struct maui_planner *p = pass->p;
	const struct maui_plan_pool *pool = &p->pools.list[pass->pool];
	struct maui_bf_rules rules = {
		.policy = pass->rules->backfill_policy,
		.metric = pass->rules->backfill_metric,
		.order = pass->rules->backfill_order,
		.depth = pass->rules->backfill_depth,
		.max_schedules = p->config->backfill_max_schedules,
		.chunking = pass->rules->chunk_size > 0 && pass->rules->chunk_duration_s > 0 &&
			    p->now < p->input->chunk_until_s,
		.chunk_size = pass->rules->chunk_size,
		.seed = (uint64_t)p->now,
	};
	const struct maui_bf_host host = { .data = pass,
					   .enter = enter_window,
					   .start = start_in_window };
	struct maui_bf_view *views;
	int64_t *window_procs;
	int rc;

	if (rules.policy == MAUI_BACKFILL_NONE || (pool->open_count == 0 && !p->needed_from_s))
		return 0;
	if (list_jobs(pass, first))
		return -1;
	if (pass->count == 0)
		return 0;
	views = list_views(pass);
	if (!views)
		return -1;
	window_procs = p->backfill.procs;
	if (pass->view_count > 1) /* several windows at once: computed at each call */
		p->backfill.procs = NULL;
	rc = maui_backfill_run(&rules, views, pass->view_count, pass->jobs, pass->count, &host);
	p->backfill.procs = window_procs;
	p->backfill.window = NULL;
	p->backfill.who = NULL;
	p->backfill.nodes = NULL;
	start_beside_others(pass);
	note_chunked(pass);
	if (rules.chunking && p->input->chunk_until_s < p->out->next_s)
		p->out->next_s = p->input->chunk_until_s;
	return rc;
}

int maui_plan_backfill_pass(struct maui_planner *p, enum maui_limit_level level)
{
	struct backfill_pass pass = { .p = p, .level = level };
	int rc = 0;

	p->limits.level = level;
	if (p->pools.reopen)
		maui_plan_list_open_nodes(p);
	pass.jobs = maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*pass.jobs));
	pass.entry_of = maui_arena_alloc(&p->arena, (p->queue.count + 1u) * sizeof(*pass.entry_of));
	if (!pass.jobs || !pass.entry_of)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++)
		p->queue.entries[i].backfilled = false;
	for (uint32_t i = 0;
	     i < p->queue.count && !maui_plan_is_given_up(p) && !p->out->incomplete && rc == 0;
	     i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->state != MAUI_PLAN_WAITING || e->het || e->backfilled ||
		    e->rules->backfill_policy == MAUI_BACKFILL_NONE)
			continue;
		pass.pool = e->pool;
		pass.rules = e->rules;
		rc = run_group(&pass, i);
	}
	free(pass.views);
	maui_hashtable_finish(&pass.index);
	return rc;
}
