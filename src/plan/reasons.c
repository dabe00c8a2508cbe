/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reasons.c - why eligible jobs do not start, once everything is decided; start estimates */

#include "plan/private.h"

/* Processors free now in all of the pool, claimed ones left out; with reservations of ours all,
 * since it depends on the job which it may use. */
static int64_t free_procs(const struct maui_planner *p, const struct maui_plan_pool *pool)
{
	const struct maui_visitor all = { NULL, maui_plan_access_all(p) };
	int64_t sum = 0;

	for (uint32_t i = 0; i < pool->open_count; i++)
		sum += maui_timeline_procs(&p->timeline, pool->open[i], p->now, p->now + 1,
					   all.access ? &all : NULL);
	return sum;
}

/* Licences are taken, or will be before so many seconds are over. */
static bool lacks_licences(struct maui_planner *p, struct maui_plan_entry *e, int64_t length_s)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	return shape && maui_fit_global(&p->timeline, shape, p->now, length_s) != p->now;
}

/* A reservation whose licences would do, up to a moment; NULL. */
static const struct maui_global_claim *licence_keeper(struct maui_planner *p,
						      struct maui_plan_entry *e, int64_t until_s)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	int64_t ends = maui_when_add(p->now, e->limit_s);

	return shape ? maui_fit_global_keeper(
			       &p->timeline, shape,
			       (struct maui_span){ p->now, ends < until_s ? ends : until_s }) :
		       NULL;
}

static void block_licences(struct maui_planner *p, struct maui_plan_entry *e,
			   const struct maui_global_claim *claim, int64_t until_s)
{
	struct maui_keeper *keeper = NULL;

	if (claim) {
		keeper = maui_arena_alloc(&p->out->arena, sizeof(*keeper));
		p->failed |= !keeper;
	}
	if (keeper)
		*keeper = (struct maui_keeper){ .name = claim->name,
						.rsv = MAUI_CLAIM_FOREIGN,
						.start_s = claim->start_s,
						.end_s = claim->end_s,
						.kind = -1 };
	maui_plan_block_by(p, e, MAUI_REASON_LICENCES, keeper, until_s);
}

static bool block_access(struct maui_planner *p, struct maui_plan_entry *e, int64_t until_s)
{
	const struct maui_keeper *keeper = maui_plan_keeper(p, e);

	if (keeper)
		maui_plan_block_by(p, e, MAUI_REASON_ACCESS, keeper, until_s);
	return keeper != NULL;
}

static void explain_reserved(struct maui_planner *p, struct maui_plan_entry *e,
			     const int64_t *free_of_pool)
{
	int64_t start_s = p->out->reservations[e->reservation].start_s;
	/* its own reservation has some from then on */
	const struct maui_global_claim *claim = licence_keeper(p, e, start_s);
	bool licences = e->procs <= free_of_pool[e->pool] && (claim || lacks_licences(p, e, 1));

	if ((e->procs <= free_of_pool[e->pool] || maui_plan_confined(e)) && !licences &&
	    block_access(p, e, start_s))
		return;
	if (licences)
		block_licences(p, e, claim, start_s);
	else
		maui_plan_block(p, e, MAUI_REASON_RESOURCES, NULL, start_s);
}

static void explain_waiting(struct maui_planner *p, struct maui_plan_entry *e,
			    const int64_t *free_of_pool)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);
	enum maui_reason impossible = shape ? shape->impossible : MAUI_REASON_NONE;

	if (impossible != MAUI_REASON_NONE)
		maui_plan_block(p, e, impossible, NULL, MAUI_NEVER);
	if (e->refused)
		maui_plan_block(p, e, MAUI_REASON_REFUSED, NULL, MAUI_NEVER);
	if (e->limited) {
		bool hard = !maui_plan_limits_hold(p, e, MAUI_LIMIT_HARD);

		p->out->verdicts[e->job].active_limit |= hard;
		maui_plan_limits_explain(p, e, hard ? MAUI_LIMIT_HARD : MAUI_LIMIT_SOFT);
	}
	if (e->chunked)
		maui_plan_block(p, e, MAUI_REASON_CHUNKING, NULL, p->input->chunk_until_s);
	if (impossible == MAUI_REASON_NONE && !e->limited &&
	    (maui_plan_confined(e) || maui_plan_kept_for_ever(p, e)) &&
	    block_access(p, e, MAUI_NEVER))
		return;
	if (impossible == MAUI_REASON_NONE && e->procs > free_of_pool[e->pool])
		maui_plan_block(p, e, MAUI_REASON_RESOURCES, NULL, MAUI_NEVER);
	else if (impossible == MAUI_REASON_NONE && lacks_licences(p, e, e->limit_s))
		block_licences(p, e, licence_keeper(p, e, MAUI_NEVER), MAUI_NEVER);
	else if (impossible == MAUI_REASON_NONE && !e->limited && block_access(p, e, MAUI_NEVER))
		return;
	else if (impossible == MAUI_REASON_NONE && maui_plan_confined(e))
		/* what is free elsewhere is nothing to it */
		maui_plan_block(p, e, MAUI_REASON_RESOURCES, NULL, MAUI_NEVER);
	else if (p->pools[e->pool].blocked && e->rules->backfill_policy == MAUI_BACKFILL_NONE)
		maui_plan_block(p, e, MAUI_REASON_PRIORITY, NULL, MAUI_NEVER);
	else if (p->pools[e->pool].blocked && (e->flags & (UINT64_C(1) << MAUI_QOS_NOBF)))
		maui_plan_block(p, e, MAUI_REASON_NOBF, NULL, MAUI_NEVER);
	else if (!p->out->verdicts[e->job].blocks)
		maui_plan_block(p, e, MAUI_REASON_RESERVED, NULL, MAUI_NEVER);
}

/* Who is first of those that wait for resources: by partition, and of jobs that must be in a
 * reservation by its claim, or group. */
struct lines {
	bool *of_partition, *of_claim, *of_group;
};

static bool *line_inside(const struct lines *lines, const struct maui_access_table *access)
{
	for (uint32_t i = 0; i < access->count; i++)
		if (access->list[i].home)
			return &lines->of_group[access->list[i].group];
	return NULL;
}

/* NULL: it is in nobody's way, and nobody in its. */
static bool *line_of(const struct maui_planner *p, const struct lines *lines,
		     const struct maui_plan_entry *e)
{
	const struct maui_request *r = &p->snapshot->requests[e->request];

	if (maui_plan_confined(e))
		return line_inside(lines, e->access);
	if (!r->only_claims)
		return &lines->of_partition[e->partition];
	return r->claim_count > 0 ? &lines->of_claim[r->claims[0]] : NULL;
}

/* Who can never start keeps nobody behind it. That is looked for until one is found who can, as
 * far as there is time to look. */
static bool waits_for_resources(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape;

	if (e->state == MAUI_PLAN_RESERVED)
		return true;
	if (e->state != MAUI_PLAN_WAITING || e->limited || e->refused)
		return false;
	shape = maui_plan_shape(p, e);
	return shape && shape->impossible == MAUI_REASON_NONE && !maui_plan_kept_for_ever(p, e) &&
	       maui_plan_some_day(p, e);
}

static int make_lines(struct maui_planner *p, struct lines *ret)
{
	const struct maui_snapshot *s = p->snapshot;
	uint32_t groups = p->input->standing ? p->input->standing->count : 0;

	ret->of_group = maui_arena_alloc(&p->arena, (groups + 1u) * sizeof(bool));
	ret->of_partition = maui_arena_alloc(&p->arena, (s->partition_count + 1u) * sizeof(bool));
	ret->of_claim = maui_arena_alloc(&p->arena, (s->claim_count + 1u) * sizeof(bool));
	return ret->of_partition && ret->of_claim && ret->of_group ? 0 : -1;
}

/* One that was not told by an earlier copy, or at its admission. */
static void explain(struct maui_planner *p, struct maui_plan_entry *e, const int64_t *free_of_pool,
		    bool behind)
{
	if (e->state == MAUI_PLAN_WAITING)
		explain_waiting(p, e, free_of_pool);
	else if (e->state == MAUI_PLAN_RESERVED)
		explain_reserved(p, e, free_of_pool);
	else
		return;
	p->out->verdicts[e->job].behind = behind;
}

static int explain_all(struct maui_planner *p)
{
	int64_t *free_of_pool =
		maui_arena_alloc(&p->arena, (p->pool_count + 1u) * sizeof(*free_of_pool));
	struct lines lines;

	if (!free_of_pool || make_lines(p, &lines))
		return -1;
	for (uint32_t i = 0; i < p->pool_count; i++)
		free_of_pool[i] = free_procs(p, &p->pools[i]);
	for (uint32_t i = 0; i < p->entry_count && !maui_plan_ends(p); i++) {
		struct maui_plan_entry *e = &p->entries[i];
		bool *line = line_of(p, &lines, e);

		if (e->primary && !p->out->verdicts[e->job].blocks)
			explain(p, e, free_of_pool, line && *line);
		if (line && !*line)
			*line = waits_for_resources(p, e);
	}
	return 0;
}

/* When jobs without a reservation could start if they had one, in their order. What is taken for
 * that is not reserved: it is only this plan's idea of the future. */
static void estimate(struct maui_planner *p)
{
	uint32_t left = p->input->estimates;

	for (uint32_t i = 0; i < p->entry_count && left > 0 && !maui_plan_ends(p); i++) {
		struct maui_plan_entry *e = &p->entries[i];
		uint32_t reservations = p->out->reservation_count, count;
		int64_t next = p->out->next_s, when;

		if (e->state != MAUI_PLAN_WAITING || !e->primary || e->refused)
			continue;
		left--;
		when = maui_plan_later(p, e, MAUI_LIMIT_HARD, p->now, &count);
		if (when == MAUI_NEVER)
			continue;
		maui_plan_reserve(p, e, count, when);
		p->out->reservation_count = reservations;
		p->out->next_s = next;
		e->reservation = MAUI_PLAN_NONE;
	}
}

int maui_plan_explain(struct maui_planner *p)
{
	if (p->input->want_reasons && explain_all(p))
		return -1;
	if (!p->input->want_reasons && p->limits)
		for (uint32_t i = 0; i < p->entry_count; i++) {
			const struct maui_plan_entry *e = &p->entries[i];

			if (e->state == MAUI_PLAN_WAITING && e->limited && e->primary &&
			    !p->out->verdicts[e->job].blocks)
				p->out->verdicts[e->job].active_limit |=
					!maui_plan_limits_hold(p, e, MAUI_LIMIT_HARD);
		}
	estimate(p);
	return p->failed ? -1 : 0;
}
