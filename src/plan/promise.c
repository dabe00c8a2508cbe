/* SPDX-License-Identifier: GPL-2.0-or-later */
/* promise.c - reservations of an earlier plan are put in place before anything else
 *
 * Under RESERVATIONPOLICY HIGHEST a job keeps what it was promised: its nodes are held until its
 * turn in the walk comes, where it may only move forward. A reservation that is due while its start
 * fails is held for RESERVATIONRETRYTIME; one whose nodes are being vacated always.
 *
 * Rules: BF-3.
 */

#include <stdlib.h>

#include "plan/private.h"

/* A job that has promises. */
struct by_id {
	uint64_t id;
	uint32_t job; /* index; NONE: gone, or running by now */
};

struct promised {
	struct by_id *list; /* by id */
	size_t count;
};

static int compare_ids(const void *a, const void *b)
{
	const struct by_id *one = a, *two = b;

	return (one->id > two->id) - (one->id < two->id);
}

/* One promise, with the next one of the same job. */
struct link {
	const struct maui_promise *promise;
	uint32_t copy;
	const struct link *next;
};

bool maui_plan_is_due(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_promise *promise = e->promise;

	return promise && promise->start_s <= p->now &&
	       (promise->vacating || p->now - promise->start_s < e->rules->reservation_retry_s);
}

static bool carries_over(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (e->promise->vacating)
		return true;
	if (e->rules->backfill_policy == MAUI_BACKFILL_NONE ||
	    e->rules->backfill_policy == MAUI_BACKFILL_PREEMPT)
		return false;
	return e->rules->reservation_policy == MAUI_RESERVE_HIGHEST || maui_plan_is_due(p, e);
}

/* Whether all its nodes can serve it from then on. */
static bool stands(const struct maui_planner *p, const struct maui_plan_entry *e, int64_t from)
{
	const struct maui_promise *promise = e->promise;
	int64_t until = maui_when_add(from, e->limit_s);

	for (uint32_t i = 0; i < promise->place_count; i++)
		if (maui_fit_tasks(&p->timeline, &e->shape->shape, promise->places[i].node, from,
				   until) < promise->places[i].tasks)
			return false;
	return maui_fit_global(&p->timeline, &e->shape->shape, from, e->limit_s) == from;
}

/* When its moment has come and its nodes are not there yet: who vacates them, is over his limit, or
 * is being cleaned up after, is gone the next second, as far as anybody knows; and a node may say
 * when it is back. */
static int64_t slipped(const struct maui_planner *p, const struct maui_promise *promise,
		       int64_t from)
{
	int64_t when = from + 1;

	for (uint32_t i = 0; i < promise->place_count; i++) {
		int64_t usable = p->snapshot->nodes[promise->places[i].node].usable_from_s;

		if (usable > when && usable != MAUI_NEVER)
			when = usable;
	}
	return when;
}

/* From when on its nodes can be held; MAUI_NEVER: they cannot. With others in the way the job is to
 * look for nodes anew: who was to go did not, or somebody else came. */
static int64_t hold_from(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	const struct maui_promise *promise = e->promise;
	int64_t from = promise->start_s > p->now ? promise->start_s : p->now;

	for (uint32_t i = 0; i < promise->place_count; i++)
		if (promise->places[i].node >= p->snapshot->node_count)
			return MAUI_NEVER;
	if (promise->place_count == 0)
		return MAUI_NEVER;
	if (stands(p, e, from))
		return from;
	from = slipped(p, promise, from);
	return stands(p, e, from) ? from : MAUI_NEVER;
}

static void mark_vacated(struct maui_planner *p, const struct maui_promise *promise)
{
	if (!p->preemption.vacated)
		p->preemption.vacated = maui_arena_alloc(&p->arena, p->snapshot->node_count);
	if (!p->preemption.vacated) {
		p->failed = true;
		return;
	}
	for (uint32_t i = 0; i < promise->place_count; i++)
		p->preemption.vacated[promise->places[i].node] = true;
}

static void hold(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_promise *promise = e->promise;
	const struct maui_shape *shape = maui_plan_shape(p, e);
	const struct maui_visitor who = maui_plan_visitor(p, e);
	int64_t takes[p->snapshot->amount_count];
	uint32_t user = p->by_user ? p->snapshot->creds[e->creds].user : 0;
	struct maui_span span;

	if (user && shape && shape->sole_user)
		user |= MAUI_USER_SOLE;
	e->held_from_s = shape && !shape->impossible ? hold_from(p, e) : MAUI_NEVER;
	if (e->held_from_s == MAUI_NEVER || (promise->vacating && maui_plan_overstays(p, e)))
		return;
	span = (struct maui_span){ e->held_from_s, maui_when_add(e->held_from_s, e->limit_s) };
	for (uint32_t i = 0; i < promise->place_count; i++) {
		uint32_t node = promise->places[i].node;

		maui_shape_amounts(shape, p->timeline.class_of[node], promise->places[i].tasks,
				   takes);
		if (maui_timeline_take_inside(&p->timeline, node, span, takes, user, &who))
			p->failed = true;
	}
	maui_plan_take_global(p, shape, e->held_from_s, maui_when_add(e->held_from_s, e->limit_s));
	maui_plan_limits_reserved(p, e, e->held_from_s, true);
	e->state = MAUI_PLAN_HELD;
	if (promise->vacating)
		mark_vacated(p, promise);
}

void maui_plan_unhold(struct maui_planner *p, struct maui_plan_entry *e)
{
	maui_plan_give(p, e, e->promise->places, e->promise->place_count, e->held_from_s,
		       maui_when_add(e->held_from_s, e->limit_s));
	maui_plan_limits_reserved(p, e, e->held_from_s, false);
	e->state = MAUI_PLAN_WAITING;
}

void maui_plan_keep(struct maui_planner *p, struct maui_plan_entry *e)
{
	const struct maui_promise *promise = e->promise;
	struct maui_reservation *r;

	for (uint32_t i = 0; i < promise->place_count; i++) {
		struct maui_candidate *c = maui_plan_candidate(p, i);

		if (!c)
			return;
		*c = (struct maui_candidate){ .node = promise->places[i].node,
					      .gives = promise->places[i].tasks };
	}
	r = maui_plan_reserve(p, e, promise->place_count, e->held_from_s);
	if (r) {
		r->start_s = promise->start_s;
		r->vacating = promise->vacating;
	}
}

static struct by_id *find_id(const struct promised *promised, uint64_t id)
{
	const struct by_id key = { .id = id };

	return bsearch(&key, promised->list, promised->count, sizeof(key), compare_ids);
}

/* Those who have promises are few, and those who wait many: each of these is looked for among the
 * few. */
static int find_promised(struct maui_planner *p, struct promised *ret)
{
	const struct maui_snapshot *s = p->snapshot;
	size_t count = p->input->promise_count;

	ret->list = maui_arena_alloc(&p->arena, (count + 1) * sizeof(*ret->list));
	ret->count = count;
	if (!ret->list)
		return -1;
	for (size_t i = 0; i < count; i++)
		ret->list[i] = (struct by_id){ p->input->promises[i].job, MAUI_PLAN_NONE };
	qsort(ret->list, count, sizeof(*ret->list), compare_ids);
	count = 0;
	for (size_t i = 0; i < ret->count; i++)
		if (i == 0 || ret->list[i].id != ret->list[count - 1].id)
			ret->list[count++] = ret->list[i];
	ret->count = count;
	for (uint32_t j = 0; j < s->idle_count && count > 0; j++) {
		struct by_id *found = find_id(ret, s->idle[j].id);

		if (found)
			found->job = j;
	}
	return 0;
}

/* Index of the job; NONE. */
static uint32_t find_job(const struct promised *promised, uint64_t id)
{
	return find_id(promised, id)->job;
}

/* Chains the promises by job, the first copy's first. */
static const struct link **chain(struct maui_planner *p)
{
	const struct maui_snapshot *s = p->snapshot;
	const struct link **first =
		maui_arena_alloc(&p->arena, (s->idle_count + 1u) * sizeof(*first));
	struct promised promised;

	if (!first || find_promised(p, &promised))
		return NULL;
	for (size_t i = 0; i < p->input->promise_count; i++) {
		uint32_t job = find_job(&promised, p->input->promises[i].job);
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
		*link = (struct link){ &p->input->promises[i], copy, NULL };
		*at = link;
	}
	return first;
}

/* Whether there is anything to look for: mostly there is not. */
static bool any_may_carry(const struct maui_planner *p)
{
	bool policy = false;

	for (uint32_t i = 0; i < p->snapshot->partition_count; i++)
		policy |= p->rules[i]->reservation_policy == MAUI_RESERVE_HIGHEST ||
			  p->rules[i]->reservation_retry_s > 0;
	for (size_t i = 0; i < p->input->promise_count; i++)
		if (policy || p->input->promises[i].vacating)
			return true;
	return false;
}

static int by_start(const void *a, const void *b)
{
	const struct maui_plan_entry *one = *(struct maui_plan_entry *const *)a;
	const struct maui_plan_entry *two = *(struct maui_plan_entry *const *)b;

	if (one->promise->start_s != two->promise->start_s)
		return one->promise->start_s < two->promise->start_s ? -1 : 1;
	return (one > two) - (one < two);
}

int maui_plan_promises(struct maui_planner *p)
{
	const struct link **first;

	if (p->snapshot->idle_count == 0 || p->input->promise_count == 0 ||
	    (!p->limits.any && !any_may_carry(p)))
		return 0;
	first = chain(p);
	if (!first)
		return -1;
	for (uint32_t i = 0; i < p->queue.count; i++) {
		struct maui_plan_entry *e = &p->queue.entries[i];

		for (const struct link *l = first[e->job]; l && !e->promise; l = l->next)
			if (l->copy == e->copy && l->promise->partition == e->partition)
				e->promise = l->promise;
	}
	return 0;
}

int maui_plan_hold(struct maui_planner *p)
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

		if (e->promise && e->state == MAUI_PLAN_WAITING && carries_over(p, e))
			held[count++] = e;
	}
	if (count > 1)
		qsort(held, count, sizeof(struct maui_plan_entry *), by_start);
	for (uint32_t i = 0; i < count; i++)
		hold(p, held[i]);
	return p->failed ? -1 : 0;
}

/* ---- before reservations are put in place ---- */

/* Under RESERVATIONPOLICY CURRENTHIGHEST the plan may find another place for it, or for another
 * job; all the same what it was promised is not free for a reservation that is new. */
static bool is_in_the_way(const struct maui_planner *p, const struct maui_plan_entry *e)
{
	if (p->snapshot->idle[e->job].blocked != MAUI_REASON_NONE)
		return false;
	if (e->promise->vacating)
		return true;
	return e->rules->reservation_policy != MAUI_RESERVE_NEVER &&
	       e->rules->backfill_policy != MAUI_BACKFILL_NONE &&
	       e->rules->backfill_policy != MAUI_BACKFILL_PREEMPT;
}

/* The row it was promised to, as an entry; reservations of ours are not there yet, so the job needs
 * no access to them. */
static bool find_row(const struct maui_planner *p, const struct maui_promise *promise, uint32_t job,
		     struct maui_plan_entry *ret)
{
	const struct maui_idle *idle = &p->snapshot->idle[job];

	for (uint32_t r = 0; r < idle->row_count; r++) {
		const struct maui_row *row = &idle->rows[r];

		if (row->partition != promise->partition)
			continue;
		*ret = (struct maui_plan_entry){ .job = job,
						 .row = r,
						 .partition = row->partition,
						 .creds = row->creds,
						 .request = idle->request,
						 .promise = promise,
						 .rules = p->rules[row->partition],
						 .limit_s = idle->limit_s > 0 ? idle->limit_s : 1 };
		return is_in_the_way(p, ret);
	}
	return false;
}

/* What it takes of each node. NULL without memory. */
static struct maui_piece *make_pieces(struct maui_planner *p, const struct maui_promise *promise,
				      const struct maui_shape *shape)
{
	struct maui_arena *arena = &p->out->arena;
	size_t amounts = p->snapshot->amount_count;
	struct maui_piece *pieces = maui_arena_alloc(arena, promise->place_count * sizeof(*pieces));
	int64_t *takes = maui_arena_alloc(arena, promise->place_count * amounts * sizeof(*takes));

	for (uint32_t i = 0; pieces && takes && i < promise->place_count; i++) {
		uint32_t node = promise->places[i].node;

		maui_shape_amounts(shape, p->timeline.class_of[node], promise->places[i].tasks,
				   takes + i * amounts);
		pieces[i] = (struct maui_piece){ .node = node, .amounts = takes + i * amounts };
	}
	return takes ? pieces : NULL;
}

/* 1: it is one; 0: it cannot be kept any more; -1 without memory. */
static int make_standing(struct maui_planner *p, struct maui_plan_entry *e,
			 struct maui_standing_promise *ret)
{
	const struct maui_promise *promise = e->promise;
	const struct maui_shape *shape;
	int64_t from;

	e->flags = maui_plan_creds(p, e->creds)->flags;
	shape = maui_plan_shape(p, e);
	if (!shape)
		return -1;
	from = shape->impossible ? MAUI_NEVER : hold_from(p, e);
	if (from == MAUI_NEVER)
		return 0;
	*ret = (struct maui_standing_promise){ .job = promise->job,
					       .start_s = from,
					       .end_s = maui_when_add(from, e->limit_s),
					       .pieces = make_pieces(p, promise, shape),
					       .piece_count = promise->place_count };
	return ret->pieces ? 1 : -1;
}

int maui_plan_standing_promises(struct maui_planner *p, struct maui_standing_input *input)
{
	struct maui_standing_promise *list;
	struct maui_plan_entry e;
	struct promised promised;

	if (p->snapshot->idle_count == 0 || p->input->promise_count == 0)
		return 0;
	list = maui_arena_alloc(&p->out->arena, p->input->promise_count * sizeof(*list));
	if (!list || find_promised(p, &promised))
		return -1;
	input->promises = list;
	input->promise_count = 0;
	for (size_t i = 0; i < p->input->promise_count; i++) {
		const struct maui_promise *promise = &p->input->promises[i];
		uint32_t job = find_job(&promised, promise->job);
		int made = 0;

		if (job != MAUI_PLAN_NONE && find_row(p, promise, job, &e))
			made = make_standing(p, &e, &list[input->promise_count]);
		if (made < 0)
			return -1;
		input->promise_count += (uint32_t)made;
	}
	p->out->promised = list;
	p->out->promised_count = input->promise_count;
	return 0;
}
