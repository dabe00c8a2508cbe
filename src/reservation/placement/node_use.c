/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_use.c - what reservations hold of each node, over time
 *
 * Hundreds of reservations hold the same for the same times on many nodes. Such nodes share one
 * profile; one more hold makes one new profile for all of them. Short ones stay: other nodes may
 * come to them by the same holds. Long ones, of reservations with a great DEPTH, are changed in
 * place when no other node has them, and used again when none has: or each hold would cost what all
 * holds before it did, in memory and time.
 */

#include <string.h>

#include "base/steps.h"
#include "reservation/placement/private.h"

/* The empty profile of each class. */
static struct maui_standing_profile *make_empties(struct maui_standing_placer *p)
{
	struct maui_standing_profile *list =
		maui_arena_alloc(p->arena, (p->s->class_count + 1u) * sizeof(*list));
	struct maui_standing_step *steps =
		maui_arena_alloc(p->arena, (p->s->class_count + 1u) * sizeof(*steps));

	for (uint32_t c = 0; list && steps && c < p->s->class_count; c++) {
		steps[c].at = INT64_MIN;
		list[c] = (struct maui_standing_profile){
			.steps = &steps[c], .count = 1, .alloc = 1, .class_index = c
		};
	}
	return steps ? list : NULL;
}

int maui_standing_ledger(struct maui_standing_placer *p)
{
	size_t nodes = p->s->node_count + 1u;
	struct maui_standing_profile *empties = make_empties(p);

	p->profiles = maui_arena_alloc(p->arena, nodes * sizeof(*p->profiles));
	p->depth = maui_arena_alloc(p->arena, nodes * sizeof(*p->depth));
	p->touched = maui_arena_alloc(p->arena, nodes * sizeof(*p->touched));
	p->is_touched = maui_arena_alloc(p->arena, nodes * sizeof(*p->is_touched));
	p->idle_from = maui_arena_alloc(p->arena, nodes * sizeof(*p->idle_from));
	p->busy_until = maui_arena_alloc(p->arena, nodes * sizeof(*p->busy_until));
	p->only_end = maui_arena_alloc(p->arena, nodes * sizeof(*p->only_end));
	p->jobs_known = maui_arena_alloc(p->arena, nodes * sizeof(*p->jobs_known));
	p->own_turn = maui_arena_alloc(p->arena, nodes * sizeof(*p->own_turn));
	p->own = maui_arena_alloc(p->arena, nodes * sizeof(*p->own));
	p->seen = maui_arena_alloc(p->arena, nodes * sizeof(*p->seen));
	if (!empties || !p->profiles || !p->depth || !p->touched || !p->is_touched ||
	    !p->idle_from || !p->busy_until || !p->only_end || !p->jobs_known || !p->own_turn ||
	    !p->own || !p->seen)
		return -1;
	for (uint32_t n = 0; n < p->s->node_count; n++) {
		p->profiles[n] = &empties[p->s->nodes[n].class_index];
		p->profiles[n]->users++;
	}
	return 0;
}

/* ---- profiles ---- */

static bool equal_holds(const struct maui_standing_hold *a, const struct maui_standing_hold *b)
{
	return a->from == b->from && a->until == b->until && a->whole == b->whole &&
	       a->sole == b->sole && memcmp(a->used, b->used, sizeof(a->used)) == 0;
}

static bool equal_steps(const struct maui_standing_step *a, const struct maui_standing_step *b)
{
	return a->whole == b->whole && a->sole == b->sole && a->sole_user == b->sole_user &&
	       memcmp(a->used, b->used, sizeof(a->used)) == 0;
}

/* The index of the step in force at `when`. */
static uint32_t step_at(const struct maui_standing_profile *profile, int64_t when)
{
	return maui_steps_find(profile->steps, profile->count, sizeof(*profile->steps), when);
}

const struct maui_standing_step *maui_standing_step(const struct maui_standing_profile *profile,
						    int64_t when)
{
	return &profile->steps[step_at(profile, when)];
}

/* Makes a step begin at `when`, for which there is room. Its index. */
static uint32_t cut(struct maui_standing_profile *profile, int64_t when)
{
	return maui_steps_cut(profile->steps, &profile->count, sizeof(*profile->steps),
			      step_at(profile, when), when);
}

/* Takes a step away at which nothing changes. */
static void join(struct maui_standing_profile *profile, uint32_t at)
{
	struct maui_standing_step *step = &profile->steps[at];

	if (at == 0 || at >= profile->count || !equal_steps(step - 1, step))
		return;
	profile->count--;
	memmove(step, step + 1, (profile->count - at) * sizeof(*step));
}

/* Room for so many steps. */
static int reserve_steps(struct maui_standing_placer *p, struct maui_standing_profile *profile,
			 uint32_t count)
{
	uint32_t alloc = count < p->long_steps ? count : 2 * count;
	struct maui_standing_step *steps;

	if (profile->alloc >= count)
		return 0;
	steps = maui_arena_alloc(p->arena, alloc * sizeof(*steps));
	if (!steps)
		return -1;
	if (profile->count > 0)
		memcpy(steps, profile->steps, profile->count * sizeof(*steps));
	profile->steps = steps;
	profile->alloc = alloc;
	return 0;
}

/* Puts the hold to it. */
static int change(struct maui_standing_placer *p, struct maui_standing_profile *profile,
		  const struct maui_standing_hold *hold, int sign)
{
	uint32_t from, until;

	if (reserve_steps(p, profile, profile->count + 2))
		return -1;
	from = cut(profile, hold->from);
	until = hold->until == MAUI_NEVER ? profile->count : cut(profile, hold->until);
	for (uint32_t i = from; i < until; i++) {
		struct maui_standing_step *step = &profile->steps[i];

		for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS; d++)
			step->used[d] += sign * hold->used[d];
		if (hold->whole)
			step->whole = (uint32_t)((int64_t)step->whole + sign);
		if (hold->sole == MAUI_STANDING_SOLE)
			step->sole = (uint16_t)(step->sole + sign);
		else if (hold->sole == MAUI_STANDING_SOLE_USER)
			step->sole_user = (uint16_t)(step->sole_user + sign);
	}
	join(profile, until);
	join(profile, from);
	return 0;
}

/* It is not any more what others take it for. */
static void forget(struct maui_standing_placer *p, struct maui_standing_profile *profile)
{
	if (profile->from)
		profile->from->then = NULL;
	if (profile->then)
		profile->then->from = NULL;
	profile->from = profile->then = NULL;
	if (p->held_from == profile || p->held_to == profile)
		p->held_from = NULL;
}

/* A copy, with room for a hold. */
static struct maui_standing_profile *copy(struct maui_standing_placer *p,
					  const struct maui_standing_profile *old)
{
	struct maui_standing_profile *made = old->count >= p->long_steps ? p->spare : NULL;

	if (made)
		p->spare = made->next;
	else
		made = maui_arena_alloc(p->arena, sizeof(*made));
	if (!made)
		return NULL;
	made->count = 0;
	if (reserve_steps(p, made, old->count + 2))
		return NULL;
	memcpy(made->steps, old->steps, old->count * sizeof(*old->steps));
	made->count = old->count;
	made->class_index = old->class_index;
	return made;
}

static inline void set_profile(struct maui_standing_placer *p, uint32_t node,
			       struct maui_standing_profile *profile)
{
	struct maui_standing_profile *old = p->profiles[node];

	if (!p->is_touched[node]) {
		p->is_touched[node] = true;
		p->touched[p->touched_count++] = node;
	}
	profile->users++;
	p->profiles[node] = profile;
	if (--old->users > 0 || old->count < p->long_steps)
		return;
	forget(p, old);
	old->next = p->spare;
	p->spare = old;
}

int maui_standing_hold(struct maui_standing_placer *p, uint32_t node,
		       const struct maui_standing_hold *hold, int sign)
{
	struct maui_standing_profile *old = p->profiles[node], *made;

	if (hold->from >= hold->until)
		return 0;
	if (sign > 0 && old->then && equal_holds(&old->added, hold)) {
		set_profile(p, node, old->then);
		return 0;
	}
	if (old->users == 1 && old->count >= p->long_steps) {
		forget(p, old);
		return change(p, old, hold, sign);
	}
	made = copy(p, old);
	if (!made || change(p, made, hold, sign))
		return -1;
	if (sign > 0) {
		if (old->then)
			old->then->from = NULL;
		old->added = *hold;
		old->then = made;
		made->from = old;
	}
	set_profile(p, node, made);
	return 0;
}

/* ---- what a work has of nodes ---- */

static void set_own(struct maui_standing_placer *p, uint32_t node, uint32_t index)
{
	p->own_turn[node] = p->open;
	p->own[node] = index;
}

int maui_standing_open(struct maui_standing_placer *p, struct maui_standing_work *w)
{
	p->open++;
	if (maui_standing_reserve(p, w, 0))
		return -1;
	for (uint32_t i = 0; i < w->instance->place_count; i++)
		set_own(p, w->instance->places[i].node, i);
	return 0;
}

static int hold_tasks(struct maui_standing_placer *p, const struct maui_standing_work *w,
		      uint32_t node, int64_t tasks, int sign)
{
	struct maui_standing_hold hold = { .from = w->instance->start_s,
					   .until = w->instance->end_s,
					   .whole = w->whole,
					   .sole = maui_standing_sole_of(w->rsv) };

	if (!w->whole)
		maui_standing_amounts(p->s, w->rsv, &p->s->nodes[node], tasks, hold.used);
	return maui_standing_hold(p, node, &hold, sign);
}

/* For each of the works, which are alike. Mostly the last node was as this one is. */
static int take_tasks(struct maui_standing_placer *p, const struct maui_standing_work *works,
		      uint32_t count, uint32_t node, int64_t tasks)
{
	struct maui_standing_profile *from = p->profiles[node];

	if (from == p->held_from && p->open == p->held_open && tasks == p->held_tasks) {
		set_profile(p, node, p->held_to);
		return 0;
	}
	for (uint32_t i = 0; i < count; i++)
		if (hold_tasks(p, &works[i], node, tasks, 1))
			return -1;
	if (from == p->profiles[node] || (from->users == 0 && from->count >= p->long_steps))
		return 0; /* it is not what it was */
	p->held_from = from;
	p->held_to = p->profiles[node];
	p->held_open = p->open;
	p->held_tasks = tasks;
	return 0;
}

int maui_standing_reserve(struct maui_standing_placer *p, struct maui_standing_work *w,
			  uint32_t more)
{
	struct maui_rsv_instance *i = w->instance;
	uint32_t alloc = w->place_alloc ? w->place_alloc * 2 : 8;
	struct maui_rsv_place *places;

	if (i->place_count + more <= w->place_alloc)
		return 0;
	if (alloc < i->place_count + more)
		alloc = i->place_count + more;
	places = maui_arena_alloc(p->arena, alloc * sizeof(*places));
	if (!places)
		return -1;
	if (i->place_count > 0)
		memcpy(places, i->places, i->place_count * sizeof(*places));
	i->places = places;
	w->place_alloc = alloc;
	return 0;
}

static inline int append_place(struct maui_standing_placer *p, struct maui_standing_work *w,
			       uint32_t node)
{
	struct maui_rsv_instance *i = w->instance;

	if (i->place_count == w->place_alloc && maui_standing_reserve(p, w, 1))
		return -1;
	i->places[i->place_count].node = node;
	set_own(p, node, i->place_count++);
	p->depth[node]++;
	return 0;
}

int maui_standing_put(struct maui_standing_placer *p, struct maui_standing_work *w, uint32_t node,
		      int64_t tasks)
{
	int64_t has = maui_standing_has(p, w, node);

	if (has > 0 && hold_tasks(p, w, node, has, -1))
		return -1;
	if ((has == 0 && append_place(p, w, node)) || take_tasks(p, w, 1, node, has + tasks))
		return -1;
	w->instance->places[p->own[node]].tasks = has + tasks;
	w->left -= tasks;
	return 0;
}

int maui_standing_put_all(struct maui_standing_placer *p, struct maui_standing_work *works,
			  uint32_t count, struct maui_rsv_place *places, uint32_t place_count)
{
	int64_t sum = 0;

	p->open++;
	for (uint32_t i = 0; i < place_count; i++) {
		uint32_t node = places[i].node;

		if (take_tasks(p, works, count, node, places[i].tasks))
			return -1;
		p->depth[node] += count;
		sum += places[i].tasks;
	}
	for (uint32_t k = 0; k < count; k++) {
		works[k].instance->places = places;
		works[k].instance->place_count = place_count;
		works[k].place_alloc = 0;
		works[k].left -= sum;
	}
	return 0;
}

int maui_standing_drop(struct maui_standing_placer *p, struct maui_standing_work *w, uint32_t node)
{
	struct maui_rsv_instance *i = w->instance;
	int64_t has = maui_standing_has(p, w, node);

	if (has == 0)
		return 0;
	if (hold_tasks(p, w, node, has, -1))
		return -1;
	i->place_count--;
	i->places[p->own[node]] = i->places[i->place_count];
	set_own(p, i->places[p->own[node]].node, p->own[node]);
	p->own_turn[node] = 0;
	p->depth[node]--;
	w->left += has;
	return 0;
}
