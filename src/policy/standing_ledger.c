/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing_ledger.c - what reservations hold of each node, over time
 *
 * Hundreds of reservations hold the same for the same times on many nodes. Such nodes share one
 * profile; one more hold makes one new profile for all of them.
 */

#include <string.h>

#include "policy/standing_private.h"

/* The empty profile of each class. */
static struct maui_standing_profile *make_empties(struct maui_standing_placer *p)
{
	static const struct maui_standing_step nothing = { .at = INT64_MIN };
	struct maui_standing_profile *list =
		maui_arena_alloc(p->arena, (p->s->class_count + 1u) * sizeof(*list));

	for (uint32_t c = 0; list && c < p->s->class_count; c++)
		list[c] = (struct maui_standing_profile){ .steps = &nothing,
							  .count = 1,
							  .class_index = c };
	return list;
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
	p->jobs_known = maui_arena_alloc(p->arena, nodes * sizeof(*p->jobs_known));
	p->own_turn = maui_arena_alloc(p->arena, nodes * sizeof(*p->own_turn));
	p->own = maui_arena_alloc(p->arena, nodes * sizeof(*p->own));
	p->seen = maui_arena_alloc(p->arena, nodes * sizeof(*p->seen));
	if (!empties || !p->profiles || !p->depth || !p->touched || !p->is_touched ||
	    !p->idle_from || !p->jobs_known || !p->own_turn || !p->own || !p->seen)
		return -1;
	for (uint32_t n = 0; n < p->s->node_count; n++)
		p->profiles[n] = &empties[p->s->nodes[n].class_index];
	return 0;
}

/* ---- profiles ---- */

static bool equal_holds(const struct maui_standing_hold *a, const struct maui_standing_hold *b)
{
	return a->from == b->from && a->until == b->until && a->whole == b->whole &&
	       memcmp(a->used, b->used, sizeof(a->used)) == 0;
}

static bool equal_steps(const struct maui_standing_step *a, const struct maui_standing_step *b)
{
	return a->whole == b->whole && memcmp(a->used, b->used, sizeof(a->used)) == 0;
}

/* Appends a copy of a step that begins at `at`, unless nothing changes there. */
static void append(struct maui_standing_step *steps, uint32_t *count,
		   const struct maui_standing_step *step, int64_t at)
{
	steps[*count] = *step;
	steps[*count].at = at;
	if (*count == 0 || !equal_steps(&steps[*count - 1], step))
		++*count;
}

/* The step with the hold put to it. */
static struct maui_standing_step with(const struct maui_standing_step *step,
				      const struct maui_standing_hold *hold, int sign)
{
	struct maui_standing_step sum = *step;

	for (unsigned d = 0; d < MAUI_STANDING_AMOUNTS; d++)
		sum.used[d] += sign * hold->used[d];
	if (hold->whole)
		sum.whole = (uint32_t)((int64_t)sum.whole + sign);
	return sum;
}

/* A new profile: each old step as it is before the hold, with it, as it is after. */
static struct maui_standing_profile *make(struct maui_standing_placer *p,
					  const struct maui_standing_profile *old,
					  const struct maui_standing_hold *hold, int sign)
{
	struct maui_standing_profile *made = maui_arena_alloc(p->arena, sizeof(*made));
	struct maui_standing_step *steps =
		maui_arena_alloc(p->arena, (old->count + 2) * sizeof(*steps));

	if (!made || !steps)
		return NULL;
	made->steps = steps;
	made->class_index = old->class_index;
	for (uint32_t i = 0; i < old->count; i++) {
		const struct maui_standing_step *step = &old->steps[i];
		const struct maui_standing_step sum = with(step, hold, sign);
		int64_t end = i + 1 < old->count ? step[1].at : MAUI_NEVER;

		if (step->at < hold->from)
			append(steps, &made->count, step, step->at);
		if (step->at < hold->until && end > hold->from)
			append(steps, &made->count, &sum,
			       step->at > hold->from ? step->at : hold->from);
		if (end > hold->until)
			append(steps, &made->count, step,
			       step->at > hold->until ? step->at : hold->until);
	}
	return made;
}

static inline void set_profile(struct maui_standing_placer *p, uint32_t node,
			       struct maui_standing_profile *profile)
{
	if (!p->is_touched[node]) {
		p->is_touched[node] = true;
		p->touched[p->touched_count++] = node;
	}
	p->profiles[node] = profile;
}

int maui_standing_hold(struct maui_standing_placer *p, uint32_t node,
		       const struct maui_standing_hold *hold, int sign)
{
	struct maui_standing_profile *old = p->profiles[node], *made;

	if (hold->from >= hold->until)
		return 0;
	if (sign > 0 && old->then && equal_holds(&old->added, hold)) {
		made = old->then;
	} else {
		made = make(p, old, hold, sign);
		if (!made)
			return -1;
		if (sign > 0) {
			old->added = *hold;
			old->then = made;
		}
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

void maui_standing_open(struct maui_standing_placer *p, const struct maui_standing_work *w)
{
	p->open++;
	for (uint32_t i = 0; i < w->instance->place_count; i++)
		set_own(p, w->instance->places[i].node, i);
}

static int hold_tasks(struct maui_standing_placer *p, const struct maui_standing_work *w,
		      uint32_t node, int64_t tasks, int sign)
{
	struct maui_standing_hold hold = { .from = w->instance->start_s,
					   .until = w->instance->end_s,
					   .whole = w->whole };

	if (!w->whole)
		maui_standing_amounts(p->s, w->rsv, &p->s->nodes[node], tasks, hold.used);
	return maui_standing_hold(p, node, &hold, sign);
}

/* Mostly the last node was as this one is. */
static int take_tasks(struct maui_standing_placer *p, const struct maui_standing_work *w,
		      uint32_t node, int64_t tasks)
{
	struct maui_standing_profile *from = p->profiles[node];

	if (from == p->held_from && p->open == p->held_open && tasks == p->held_tasks &&
	    w->instance->start_s == p->held_start_s) {
		set_profile(p, node, p->held_to);
		return 0;
	}
	if (hold_tasks(p, w, node, tasks, 1))
		return -1;
	p->held_from = from;
	p->held_to = p->profiles[node];
	p->held_open = p->open;
	p->held_tasks = tasks;
	p->held_start_s = w->instance->start_s;
	return 0;
}

int maui_standing_reserve(struct maui_standing_placer *p, struct maui_standing_work *w,
			  uint32_t more)
{
	struct maui_rsv_instance *i = w->instance;
	uint32_t alloc = w->place_alloc ? w->place_alloc * 2 : 8;
	struct maui_rsv_place *places;

	if (w->place_alloc - i->place_count >= more)
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

static inline int append_place(struct maui_standing_placer *p, struct maui_standing_work *w, uint32_t node)
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
	if ((has == 0 && append_place(p, w, node)) || take_tasks(p, w, node, has + tasks))
		return -1;
	w->instance->places[p->own[node]].tasks = has + tasks;
	w->left -= tasks;
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
