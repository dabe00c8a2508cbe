/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plan.c - the steps of a cycle in their order, and the memory that is kept between cycles */

#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/het/het.h"
#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/preempt.h"
#include "plan/private.h"
#include "reservation/access/access.h"
#include "timeline/window.h"

struct maui_planner *maui_planner_create(void)
{
	return calloc(1, sizeof(struct maui_planner));
}

static void drop_tables(struct maui_planner *p)
{
	maui_arena_clear(&p->shapes.arena);
	free(p->shapes.list);
	free(p->shapes.usable);
	free(p->shapes.up);
	p->shapes.list = NULL;
	p->shapes.count = 0;
	p->shapes.usable = NULL;
	p->shapes.sets = NULL;
	p->shapes.up = NULL;
	p->creds.count = 0;
}

static void drop_rsvs(struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->reservations.copy_count; i++)
		maui_rsv_finish(&p->reservations.copies[i]);
	free(p->reservations.copies);
	p->reservations.copies = NULL;
	p->reservations.copy_count = 0;
}

/* Forgets everything that the last cycle kept in its arena. */
static void forget_cycle(struct maui_planner *p)
{
	maui_access_index_destroy(p->reservations.index);
	p->reservations.index = NULL;
	p->reservations.access = NULL;
	p->reservations.tables = NULL;
	drop_rsvs(p);
	maui_hashtable_clear(&p->shapes.variants);
	maui_hashtable_clear(&p->reservations.known);
	maui_hashtable_clear(&p->reservations.contents);
	p->queue.count = 0;
	p->queue.entries = NULL;
	p->preemption.is_victim = NULL;
	p->preemption.next_part = NULL;
	p->preemption.is_vacated = NULL;
	p->preemption.victims = NULL;
	p->preemption.needed = NULL;
	p->limits.of_entry = NULL;
	p->backfill.window = NULL;
	p->backfill.nodes = NULL;
	maui_arena_clear(&p->arena);
}

void maui_planner_rest(struct maui_planner *p)
{
	forget_cycle(p);
	drop_tables(p);
	p->shapes.serial = 0; /* belongs to no snapshot */
	maui_arena_finish(&p->shapes.arena);
	maui_arena_finish(&p->arena);
	maui_timeline_finish(&p->timeline);
}

static void drop_limits(struct maui_planner *p)
{
	maui_throttle_destroy(p->limits.throttle);
	maui_config_unref(p->limits.config);
	p->limits.throttle = NULL;
	p->limits.config = NULL;
}

void maui_planner_destroy(struct maui_planner *p)
{
	if (!p)
		return;
	maui_planner_rest(p);
	drop_limits(p);
	free(p->creds.list);
	free(p->candidates.list);
	free(p->bounds.list);
	maui_hashtable_finish(&p->bounds.heads);
	maui_hashtable_finish(&p->shapes.variants);
	maui_hashtable_finish(&p->reservations.known);
	maui_hashtable_finish(&p->reservations.contents);
	free(p);
}

/* Forgets what was looked up in another configuration or snapshot. */
static int check_tables(struct maui_planner *p)
{
	/* the reference count is not part of what is decided */
	struct maui_config *config = (struct maui_config *)p->input->config;

	if (p->shapes.serial != p->snapshot->serial || p->limits.config != config)
		drop_tables(p);
	p->shapes.serial = p->snapshot->serial;
	if (p->limits.config == config)
		return 0;
	drop_limits(p);
	p->limits.config = maui_config_ref(config);
	p->limits.throttle = maui_throttle_create(config);
	return p->limits.throttle ? 0 : -1;
}

static int grow_creds(struct maui_planner *p)
{
	while (p->creds.count < p->snapshot->cred_count) {
		struct maui_plan_creds *grown = maui_array_grow(p->creds.list, p->creds.count,
								&p->creds.alloc, sizeof(*grown));

		if (!grown)
			return -1;
		p->creds.list = grown;
		grown[p->creds.count++] = (struct maui_plan_creds){ 0 };
	}
	return 0;
}

static int grow_shapes(struct maui_planner *p)
{
	size_t wanted = (size_t)p->snapshot->request_count * p->snapshot->partition_count * 2;
	struct maui_plan_shape **grown;

	if (wanted <= p->shapes.count)
		return 0;
	wanted += wanted / 2; /* the simulator adds its requests one by one */
	grown = reallocarray(p->shapes.list, wanted, sizeof(struct maui_plan_shape *));
	if (!grown)
		return -1;
	memset(grown + p->shapes.count, 0, (wanted - p->shapes.count) * sizeof(*grown));
	p->shapes.list = grown;
	p->shapes.count = wanted;
	return 0;
}

/* Whether the usable nodes are the same as in the last plan; notes them for the next one. */
static bool same_usable(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	bool same = true;

	for (uint32_t n = 0; n < s->node_count; n++) {
		bool up = s->nodes[n].usable_from_s != MAUI_NEVER;

		same &= p->shapes.up[n] == up;
		p->shapes.up[n] = up;
	}
	return same;
}

/* Counts the usable nodes of each node class. If the usable nodes changed, all shapes are
 * forgotten. */
static int count_usable(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;

	if (!p->shapes.usable) { /* a snapshot's nodes and node classes do not change */
		p->shapes.usable = calloc(s->class_count + 1u, sizeof(*p->shapes.usable));
		p->shapes.up = calloc(s->node_count + 1u, sizeof(*p->shapes.up));
	}
	if (!p->shapes.usable || !p->shapes.up)
		return -1;
	if (same_usable(p))
		return 0;
	maui_arena_clear(&p->shapes.arena);
	if (p->shapes.list)
		memset(p->shapes.list, 0, p->shapes.count * sizeof(*p->shapes.list));
	memset(p->shapes.usable, 0, s->class_count * sizeof(*p->shapes.usable));
	for (uint32_t n = 0; n < s->node_count; n++)
		p->shapes.usable[s->nodes[n].class_index] += p->shapes.up[n];
	return maui_node_sets_make(p->config, s, &p->shapes.arena, &p->shapes.sets);
}

static bool users_matter(const struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;

	if (p->config->node_access == MAUI_ACCESS_SINGLEUSER)
		return true;
	/* questions about a job that is not submitted yet */
	for (uint32_t i = 0; i < s->partition_count; i++)
		if (s->partitions[i].sole_user)
			return true;
	for (uint32_t r = 0; r < s->request_count; r++)
		if (s->requests[r].sole_user)
			return true;
	for (uint32_t a = 0; a < s->active_count; a++)
		if (s->active[a].sole_user)
			return true;
	return false;
}

static int make_rules(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;

	p->rules = maui_arena_alloc(&p->arena, (s->partition_count + 1u) *
						       sizeof(const struct maui_planning_config *));
	p->takes = maui_arena_alloc(&p->arena, s->amount_count * sizeof(*p->takes));
	if (!p->rules || !p->takes)
		return -1;
	p->pools.count = 0;
	for (uint32_t i = 0; i < s->partition_count; i++) {
		p->rules[i] = maui_config_planning(p->config, s->partitions[i].name);
		if (s->partitions[i].pool >= p->pools.count)
			p->pools.count = s->partitions[i].pool + 1;
	}
	return 0;
}

/* Gives each pool its nodes and the depth of each stack. */
static int make_pools(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	size_t stacks = p->config->stack_count;
	uint32_t *nodes = maui_arena_alloc(&p->arena, (2u * s->node_count + 1u) * sizeof(*nodes));

	p->pools.list = maui_arena_alloc(&p->arena, (p->pools.count + 1u) * sizeof(*p->pools.list));
	p->backfill.procs =
		maui_arena_alloc(&p->arena, (s->node_count + 1u) * sizeof(*p->backfill.procs));
	if (!nodes || !p->pools.list || !p->backfill.procs)
		return -1;
	for (uint32_t n = 0; n < s->node_count; n++)
		if (s->nodes[n].partition_count > 0)
			p->pools.list[s->partitions[s->nodes[n].partitions[0]].pool].node_count++;
	for (uint32_t i = 0; i < p->pools.count; i++) {
		struct maui_plan_pool *pool = &p->pools.list[i];

		pool->nodes = nodes;
		pool->open = nodes + pool->node_count;
		nodes += 2 * (size_t)pool->node_count;
		pool->node_count = 0;
		pool->left = maui_arena_alloc(&p->arena, (stacks + 1) * sizeof(*pool->left));
		if (!pool->left)
			return -1;
		for (size_t k = 0; k < stacks; k++)
			pool->left[k] = p->config->stacks[k].depth;
	}
	for (uint32_t n = 0; n < s->node_count; n++) {
		struct maui_plan_pool *pool;

		if (s->nodes[n].partition_count == 0)
			continue;
		pool = &p->pools.list[s->partitions[s->nodes[n].partitions[0]].pool];
		pool->nodes[pool->node_count++] = n;
	}
	maui_plan_list_open_nodes(p);
	return 0;
}

static bool any_shares(const struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->snapshot->request_count; i++)
		if (p->snapshot->requests[i].shares_procs)
			return true;
	return false;
}

/* Job reservations first: new reservations avoid them. */
static int place_rsvs(struct maui_planner *p)
{
	struct maui_standing_input *input;

	if (maui_plan_list_rsvs(p, &input))
		return -1;
	if (!input)
		return 0;
	if (maui_plan_held_job_rsvs(p, input) || maui_plan_place_rsvs(p, input) ||
	    maui_plan_list_owned(p) || maui_plan_find_occupying(p))
		return -1;
	return 0;
}

static void begin_cycle(struct maui_planner *p, const struct maui_plan_input *input,
			struct maui_decisions *out)
{
	forget_cycle(p);
	maui_arena_clear(&out->arena);
	*out = (struct maui_decisions){ .arena = out->arena, .next_s = MAUI_NEVER };
	p->asked = *input;
	p->input = &p->asked;
	p->config = input->config;
	p->snapshot = input->snapshot;
	p->now = input->now_s;
	p->out = out;
	p->capacity.starts = p->capacity.reservations = 0;
	p->capacity.reserved = p->capacity.preemptions = p->capacity.further = 0;
	p->reserved = NULL;
	p->held.count = 0;
	p->needed_from_s = NULL;
	p->limits.any = p->limits.counted = false;
	p->choosing.starts = 0;
	p->choosing.procs = 0;
	p->preemption.suspended_count = p->preemption.next_suspended = p->owners.instance_count = 0;
	p->preemption.preemptees = NULL;
	p->preemption.preemptors = 0;
	p->closed = NULL;
	p->due = NULL;
	p->failed = p->stopped = p->pools.reopen = false;
	p->epoch++;
	p->iteration++;
}

static int build_timeline(struct maui_planner *p)
{
	p->by_user = users_matter(p);
	if (any_shares(p))
		p->needed_from_s = maui_arena_alloc(&p->arena, (p->snapshot->node_count + 1u) *
								       sizeof(*p->needed_from_s));
	return maui_timeline_build(&p->timeline, p->snapshot, p->now, p->by_user);
}

static int make_verdicts(struct maui_planner *p)
{
	struct maui_decisions *out = p->out;

	out->verdict_count = p->snapshot->idle_count;
	out->verdicts =
		maui_arena_alloc(&out->arena, (out->verdict_count + 1u) * sizeof(*out->verdicts));
	return 0;
}

static int note_windows(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	uint32_t *open = maui_arena_alloc(&p->arena, (s->node_count + 1u) * sizeof(*open));
	uint32_t count = 0;

	if (!p->input->want_windows)
		return 0;
	if (!open)
		return -1;
	if (p->pools.reopen)
		maui_plan_list_open_nodes(p);
	for (uint32_t i = 0; i < p->pools.count; i++)
		for (uint32_t n = 0; n < p->pools.list[i].open_count; n++)
			open[count++] = p->pools.list[i].open[n];
	return maui_windows_find(&p->timeline, open, count, NULL, &p->out->arena, &p->out->windows,
				 &p->out->window_count);
}

static bool any_limited(const struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->queue.count; i++) {
		const struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->limited && (e->state == MAUI_PLAN_WAITING || e->state == MAUI_PLAN_HELD))
			return true;
	}
	return false;
}

static int run_passes_at(struct maui_planner *p, enum maui_limit_level level, bool first)
{
	maui_plan_priority_pass(p, level);
	if ((first && note_windows(p)) || maui_plan_backfill_pass(p, level))
		return -1;
	maui_plan_backfill_hets(p, level);
	return 0;
}

/* The passes under soft limits, then under hard limits for the jobs that only soft limits kept
 * out. */
static int run_passes(struct maui_planner *p)
{
	if (p->input->backfill_only) {
		maui_plan_resume(p, 0);
		return note_windows(p) || maui_plan_backfill_pass(p, MAUI_LIMIT_HARD) ? -1 : 0;
	}
	if (run_passes_at(p, MAUI_LIMIT_SOFT, true))
		return -1;
	if (maui_plan_is_given_up(p) || !any_limited(p) || p->out->incomplete)
		return 0;
	p->epoch++; /* what did not fit in a window may fit outside */
	return run_passes_at(p, MAUI_LIMIT_HARD, false);
}

/* What follows from the job reservations of the plan, once no more of them are given up: when jobs
 * may start, and when the next cycle is due. */
static int note_reservations(struct maui_planner *p)
{
	for (uint32_t i = 0; i < p->out->reservation_count; i++) {
		const struct maui_plan_entry *e = p->reserved[i];

		maui_plan_note_estimate(p, e);
		if (e->held_from_s > p->now && e->held_from_s < p->out->next_s)
			p->out->next_s = e->held_from_s;
	}
	return 0;
}

static int record_reasons(struct maui_planner *p)
{
	p->out->incomplete |= p->choosing.starts > 0;
	return p->out->incomplete ? 0 : maui_plan_record_reasons(p);
}

/* -1 without memory, unless an arena or `failed` says so already */
typedef int (*step_fn)(struct maui_planner *p);

static const step_fn steps[] = {
	/* what is kept from plan to plan, and the layout of the timeline */
	check_tables,
	grow_creds,
	grow_shapes,
	count_usable,
	make_rules,
	build_timeline,
	make_pools,
	place_rsvs,
	/* which jobs are eligible, and what job reservations hold */
	make_verdicts,
	maui_plan_limits_active,
	maui_plan_queue,
	maui_plan_job_rsvs,
	maui_plan_limits_idle,
	maui_plan_list_hets,
	maui_plan_hold_job_rsvs,
	maui_plan_list_suspended,
	maui_plan_list_secured,
	/* what starts, and when the others do */
	run_passes,
	note_reservations,
	record_reasons,
};

/* No step begins in a plan that is given up. */
static int run_steps(struct maui_planner *p)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (steps[i](p) || maui_plan_is_given_up(p))
			return -1;
	return 0;
}

void maui_plan_forget(struct maui_planner *p)
{
	maui_planner_rest(p);
	drop_limits(p);
	p->failed = true;
}

int maui_plan(struct maui_planner *planner, const struct maui_plan_input *input,
	      struct maui_decisions *ret, struct maui_err *err)
{
	struct maui_planner *p = planner;

	if (!input->snapshot->sealed)
		return maui_err_set(err, "the snapshot is not sealed");
	begin_cycle(p, input, ret);
	if (run_steps(p) == 0)
		return 0;
	maui_plan_forget(p);
	maui_decisions_finish(ret);
	ret->next_s = MAUI_NEVER;
	return maui_err_set(err, p->stopped ? "the plan was stopped" : "no memory for the plan");
}
