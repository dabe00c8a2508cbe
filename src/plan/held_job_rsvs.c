/* SPDX-License-Identifier: GPL-2.0-or-later */
/* held_job_rsvs.c - puts the previous plan's job reservations back in place, before anything else
 *
 * Under RESERVATIONPOLICY HIGHEST a job keeps its job reservation. Its nodes are held until its
 * turn in the priority pass comes, where the job reservation may only move forward. One that cannot
 * stay where it was waits for its nodes (late_job_rsvs.c). A job reservation that is due but whose
 * job fails to start is held for RESERVATIONRETRYTIME. A job reservation whose nodes victims are
 * still leaving is always held.
 *
 * Rules: BF-3, PRE-11. */

#include <stdlib.h>
#include <string.h>

#include "plan/limits.h"
#include "plan/placing.h"
#include "plan/private.h"

/* The id of a job that has job reservations. */
struct job_id {
	uint64_t id;
	uint32_t job; /* index of the idle job; NONE: the job runs or has left */
};

struct holders {
	struct job_id *list; /* sorted by id */
	size_t count;
};

static int compare_ids(const void *a, const void *b)
{
	const struct job_id *one = a, *two = b;

	return (one->id > two->id) - (one->id < two->id);
}

/* One job reservation, with the next one of the same job. */
struct link {
	const struct maui_job_reservation *job_rsv;
	uint32_t copy;
	const struct link *next;
};

bool maui_plan_is_due(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;

	return job_rsv && job_rsv->start_s <= p->now &&
	       (job_rsv->preempting || p->now - job_rsv->start_s < e->rules->reservation_retry_s);
}

static bool carries_over(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (e->job_rsv->preempting)
		return true;
	if (maui_plan_job(p, e)->no_reservation)
		return false;
	if (e->rules->backfill_policy == MAUI_BACKFILL_NONE ||
	    e->rules->backfill_policy == MAUI_BACKFILL_PREEMPT)
		return false;
	return e->rules->reservation_policy == MAUI_RESERVE_HIGHEST || maui_plan_is_due(p, e);
}

/* Whether all nodes of the job reservation can serve the job from then on. */
static bool nodes_can_serve(const struct maui_planner *p, const struct maui_plan_entry *e,
			    int64_t from)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	int64_t until = maui_when_add(from, e->limit_s);

	for (uint32_t i = 0; i < job_rsv->place_count; i++)
		if (maui_fit_tasks(&p->timeline, &e->shape->shape, job_rsv->places[i].node, from,
				   until) < job_rsv->places[i].tasks)
			return false;
	return maui_fit_global(&p->timeline, &e->shape->shape, from, e->limit_s) == from;
}

/* When a due job reservation whose nodes are not free yet could begin. A job that is being
 * preempted, is over its limit or is completing is expected to leave within a second, or at the end
 * of its grace time; a node may name the moment of its return. */
static int64_t delayed_start(const struct maui_planner *p,
			     const struct maui_job_reservation *job_rsv, int64_t from)
{
	const struct maui_snapshot *s = p->snapshot;
	int64_t when = from + 1;

	for (uint32_t a = 0; s->slurm_preempts && a < s->active_count; a++)
		if (s->active[a].warned && s->active[a].end_s > when &&
		    maui_active_is_on(&s->active[a], job_rsv->places, job_rsv->place_count))
			when = s->active[a].end_s;

	for (uint32_t i = 0; i < job_rsv->place_count; i++) {
		int64_t usable = p->snapshot->nodes[job_rsv->places[i].node].usable_from_s;

		if (usable > when && usable != MAUI_NEVER)
			when = usable;
	}
	return when;
}

/* From when on the nodes can be held; MAUI_NEVER: they cannot. If other jobs are in the way,
 * because a victim did not leave or another job started there, the job needs other nodes. */
static int64_t hold_from(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	int64_t from = job_rsv->start_s > p->now ? job_rsv->start_s : p->now;

	for (uint32_t i = 0; i < job_rsv->place_count; i++)
		if (job_rsv->places[i].node >= p->snapshot->node_count)
			return MAUI_NEVER;
	if (job_rsv->place_count == 0)
		return MAUI_NEVER;
	if (nodes_can_serve(p, e, from))
		return from;
	from = delayed_start(p, job_rsv, from);
	return nodes_can_serve(p, e, from) ? from : MAUI_NEVER;
}

static bool share_a_node(const struct maui_job_reservation *a, const struct maui_job_reservation *b)
{
	for (uint32_t i = 0; i < a->place_count; i++)
		for (uint32_t k = 0; k < b->place_count; k++)
			if (a->places[i].node == b->places[k].node)
				return true;
	return false;
}

/* Whether the victims of a preemption take so long to leave that the preemptor would now run into
 * the job reservation of a job ahead of it. */
static bool overstays(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	int64_t planned = maui_when_add(e->job_rsv->start_s, e->limit_s);
	int64_t until = maui_when_add(e->held_from_s, e->limit_s);

	for (const struct maui_plan_entry *o = p->queue.entries; o < e && until > planned; o++)
		if (o->job_rsv && !o->job_rsv->preempting && o->state == MAUI_PLAN_WAITING &&
		    o->job_rsv->start_s >= planned && o->job_rsv->start_s < until &&
		    share_a_node(o->job_rsv, e->job_rsv))
			return true;
	return false;
}

void maui_plan_hold(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	const struct maui_shape *shape = &e->shape->shape;
	const struct maui_requester who = maui_plan_requester(p, e);
	const struct maui_span span = { e->held_from_s, maui_when_add(e->held_from_s, e->limit_s) };

	for (uint32_t i = 0; i < job_rsv->place_count; i++) {
		uint32_t node = job_rsv->places[i].node;

		maui_shape_amounts(shape, p->timeline.class_of[node], job_rsv->places[i].tasks,
				   p->takes);
		if (maui_timeline_take_inside(&p->timeline, node, span, p->takes,
					      maui_plan_user(p, e), &who))
			p->failed = true;
		maui_plan_note_due(p, node, span.from, p->takes, true);
	}
	maui_plan_take_global(p, shape, span.from, span.until);
	if (maui_plan_place_as_before(p, e, shape))
		return;
	maui_plan_limits_reserved(p, e, span.from, true);
	e->state = MAUI_PLAN_HELD;
	if (job_rsv->preempting)
		maui_plan_keep_vacated(p, e, job_rsv->places, job_rsv->place_count);
}

static void hold_nodes(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_shape *shape = maui_plan_shape(p, e);

	if (!shape || shape->impossible)
		return;
	e->held_from_s = hold_from(p, e);
	if (e->held_from_s != MAUI_NEVER &&
	    maui_plan_when_limits_admit(p, e, e->held_from_s) != e->held_from_s)
		e->held_from_s = MAUI_NEVER;
	if (e->held_from_s == MAUI_NEVER && maui_plan_keeps_start(e))
		maui_plan_wait_for_nodes(p, e);
	if (e->held_from_s != MAUI_NEVER && !(e->job_rsv->preempting && overstays(p, e)))
		maui_plan_hold(p, e);
}

void maui_plan_keep_job_rsv(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	const struct maui_shape *shape = maui_plan_shape(p, e);
	struct maui_reservation *r;

	if (!shape || maui_plan_place_as_before(p, e, shape))
		return;
	r = maui_plan_reserve(p, e, job_rsv->place_count, e->held_from_s);
	if (r) {
		r->start_s = job_rsv->start_s;
		r->preempting = job_rsv->preempting;
		if (r->preempting)
			maui_plan_keep_vacated(p, e, r->places, r->place_count);
	}
}

static struct job_id *find_id(const struct holders *holders, uint64_t id)
{
	const struct job_id key = { .id = id };

	return bsearch(&key, holders->list, holders->count, sizeof(key), compare_ids);
}

/* Few jobs have a job reservation and many jobs wait, so each waiting job is looked up among the
 * few. */
static int list_holders(struct maui_planner *p, struct holders *ret)
{
	const struct maui_snapshot *s = p->snapshot;
	size_t count = p->input->job_rsv_count;

	ret->list = maui_arena_alloc(&p->arena, (count + 1) * sizeof(*ret->list));
	ret->count = count;
	if (!ret->list)
		return -1;
	for (size_t i = 0; i < count; i++)
		ret->list[i] = (struct job_id){ p->input->job_rsvs[i].job, MAUI_PLAN_NONE };
	qsort(ret->list, count, sizeof(*ret->list), compare_ids);
	count = 0;
	for (size_t i = 0; i < ret->count; i++)
		if (i == 0 || ret->list[i].id != ret->list[count - 1].id)
			ret->list[count++] = ret->list[i];
	ret->count = count;
	for (uint32_t j = 0; j < s->idle_count && count > 0; j++) {
		struct job_id *found = find_id(ret, s->idle[j].id);

		if (found)
			found->job = j;
	}
	return 0;
}

/* Index of the idle job; NONE. */
static uint32_t find_job(const struct holders *holders, uint64_t id)
{
	return find_id(holders, id)->job;
}

/* Chains the job reservations of each job, the first copy's first. */
static const struct link **chain_job_rsvs(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	const struct link **first =
		maui_arena_alloc(&p->arena, (s->idle_count + 1u) * sizeof(*first));
	struct holders holders;

	if (!first || list_holders(p, &holders))
		return NULL;
	for (size_t i = 0; i < p->input->job_rsv_count; i++) {
		uint32_t job = find_job(&holders, p->input->job_rsvs[i].job);
		const struct link **at = job != MAUI_PLAN_NONE ? &first[job] : NULL;
		struct link *link;
		uint32_t copy = 0;

		if (!at)
			continue;
		for (; *at; at = (const struct link **)&(*at)->next)
			copy++;
		link = maui_arena_alloc(&p->arena, sizeof(*link));
		if (!link)
			return NULL;
		*link = (struct link){ &p->input->job_rsvs[i], copy, NULL };
		*at = link;
	}
	return first;
}

/* Whether any job reservation may carry over. In most cycles none does. */
static bool any_may_carry(const struct maui_planner *p)
{
	bool policy = false;

	for (uint32_t i = 0; i < p->snapshot->partition_count; i++)
		policy |= p->rules[i]->reservation_policy == MAUI_RESERVE_HIGHEST ||
			  p->rules[i]->reservation_retry_s > 0;
	for (size_t i = 0; i < p->input->job_rsv_count; i++)
		if (policy || p->input->job_rsvs[i].preempting)
			return true;
	return false;
}

static int by_start(const void *a, const void *b)
{
	const struct maui_plan_entry *one = *(struct maui_plan_entry *const *)a;
	const struct maui_plan_entry *two = *(struct maui_plan_entry *const *)b;

	if (one->job_rsv->start_s != two->job_rsv->start_s)
		return one->job_rsv->start_s < two->job_rsv->start_s ? -1 : 1;
	return (one > two) - (one < two);
}

int maui_plan_job_rsvs(struct maui_planner *p)
{
	const struct link **first;

	if (p->snapshot->idle_count == 0 || p->input->job_rsv_count == 0 ||
	    (!p->limits.any && !any_may_carry(p)))
		return 0;
	first = chain_job_rsvs(p);
	if (!first)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		for (const struct link *l = first[e->job]; l && !e->job_rsv; l = l->next)
			if (l->copy == e->copy && l->job_rsv->partition == e->partition)
				e->job_rsv = l->job_rsv;
	}
	return 0;
}

int maui_plan_hold_job_rsvs(struct maui_planner *p)
{
	struct maui_plan_entry **held;
	uint32_t count = 0;

	if (p->snapshot->idle_count == 0 || !any_may_carry(p))
		return 0;
	held = maui_arena_alloc(&p->arena,
				(p->queue.count + 1u) * sizeof(struct maui_plan_entry *));
	if (!held)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		if (e->job_rsv && e->state == MAUI_PLAN_WAITING && !e->het && carries_over(p, e))
			held[count++] = e;
	}
	if (count > 1)
		qsort(held, count, sizeof(struct maui_plan_entry *), by_start);
	for (uint32_t i = 0; i < count && !maui_plan_is_given_up(p); i++)
		hold_nodes(p, held[i]);
	p->held.list = held;
	p->held.count = count;
	return 0;
}

/* ---- before standing reservations are placed ---- */

/* Whether a new standing reservation must avoid the job reservation. Under RESERVATIONPOLICY
 * CURRENTHIGHEST the plan may move it or give it to another job, but a new standing reservation
 * still avoids its nodes. */
static bool must_be_avoided(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (p->snapshot->idle[e->job].blocked != MAUI_REASON_NONE)
		return false;
	if (e->job_rsv->preempting)
		return true;
	return e->rules->reservation_policy != MAUI_RESERVE_NEVER &&
	       e->rules->backfill_policy != MAUI_BACKFILL_NONE &&
	       e->rules->backfill_policy != MAUI_BACKFILL_PREEMPT;
}

/* Makes an entry of the row that has the job reservation. Our reservations are not placed yet, so
 * the entry needs no access table. False: a new standing reservation need not avoid this one. */
static bool find_row(const struct maui_planner *p, const struct maui_job_reservation *job_rsv,
		     uint32_t job, struct maui_plan_entry *ret)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];

	for (uint32_t r = 0; r < idle->row_count; r++) {
		const struct maui_row *row = &idle->rows[r];

		if (row->partition != job_rsv->partition)
			continue;
		*ret = (struct maui_plan_entry){ .job = job,
						 .row = r,
						 .partition = row->partition,
						 .creds = row->creds,
						 .request = maui_idle_request(idle, r),
						 .job_rsv = job_rsv,
						 .rules = p->rules[row->partition],
						 .limit_s = idle->limit_s > 0 ? idle->limit_s : 1 };
		return must_be_avoided(p, ret);
	}
	return false;
}

/* What the job reservation takes of each node. NULL without memory. */
static struct maui_piece *make_pieces(struct maui_planner *p,
				      const struct maui_job_reservation *job_rsv,
				      const struct maui_shape *shape)
{
	struct maui_arena *arena = &p->out->arena;
	size_t amounts = p->snapshot->amount_count;
	struct maui_piece *pieces = maui_arena_alloc(arena, job_rsv->place_count * sizeof(*pieces));
	int64_t *takes = maui_arena_alloc(arena, job_rsv->place_count * amounts * sizeof(*takes));

	for (uint32_t i = 0; pieces && takes && i < job_rsv->place_count; i++) {
		uint32_t node = job_rsv->places[i].node;

		maui_shape_amounts(shape, p->timeline.class_of[node], job_rsv->places[i].tasks,
				   takes + i * amounts);
		pieces[i] = (struct maui_piece){ .node = node, .amounts = takes + i * amounts };
	}
	return takes ? pieces : NULL;
}

/* 1: *ret is set; 0: the job reservation cannot be kept; -1 without memory. */
static int make_standing(struct maui_planner *p, struct maui_plan_entry *e,
			 struct maui_standing_job_rsv *ret)
{
	const struct maui_job_reservation *job_rsv = e->job_rsv;
	const struct maui_shape *shape;
	int64_t from;

	e->flags = maui_plan_creds(p, e->creds)->flags;
	shape = maui_plan_shape(p, e);
	if (!shape)
		return -1;
	from = shape->impossible ? MAUI_NEVER : hold_from(p, e);
	if (from == MAUI_NEVER)
		return 0;
	*ret = (struct maui_standing_job_rsv){ .job = job_rsv->job,
					       .start_s = from,
					       .end_s = maui_when_add(from, e->limit_s),
					       .pieces = make_pieces(p, job_rsv, shape),
					       .piece_count = job_rsv->place_count };
	return ret->pieces ? 1 : -1;
}

int maui_plan_held_job_rsvs(struct maui_planner *p, struct maui_standing_input *input)
{
	struct maui_standing_job_rsv *list;
	struct maui_plan_entry e;
	struct holders holders;

	if (p->snapshot->idle_count == 0 || p->input->job_rsv_count == 0)
		return 0;
	list = maui_arena_alloc(&p->out->arena, p->input->job_rsv_count * sizeof(*list));
	if (!list || list_holders(p, &holders))
		return -1;
	input->job_rsvs = list;
	input->job_rsv_count = 0;
	for (size_t i = 0; i < p->input->job_rsv_count; i++) {
		const struct maui_job_reservation *job_rsv = &p->input->job_rsvs[i];
		uint32_t job = find_job(&holders, job_rsv->job);
		int made = 0;

		if (job != MAUI_PLAN_NONE && find_row(p, job_rsv, job, &e))
			made = make_standing(p, &e, &list[input->job_rsv_count]);
		if (made < 0)
			return -1;
		input->job_rsv_count += (uint32_t)made;
	}
	p->out->held_job_rsvs = list;
	p->out->held_job_rsv_count = input->job_rsv_count;
	return 0;
}
