/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.c - nodes for some tasks of a reservation, in the order of choice
 *
 * First those of a reservation alike that it adjoins; then those of the nearest instance of its own
 * reservation, as many tasks as that has there, then more there; then by NODEALLOCATIONPOLICY.
 * LASTAVAILABLE differs from one reservation to the next: but only nodes of which reservations hold
 * something can come to an end, all others follow in the order of ties.
 * Nodes that are up come before those that are silent, of whichever of these kinds.
 */

#include "config/planning.h"
#include "reservation/placement/search.h"

/* ---- which nodes ---- */

static const struct maui_standing_set *set_of(const struct maui_standing_work *w)
{
	const struct maui_standing_target *target = w->target;

	return target->list && !target->locked ? target->list : target->wide;
}

static const struct maui_standing_set *locked_of(const struct maui_standing_work *w)
{
	return w->target->locked ? w->target->list : NULL;
}

/* ---- taking ---- */

/* Tasks for a node that has room for so many: what is left for the next one is no fewer than TPN,
 * when that can be. */
static int64_t share(const struct maui_standing_search *s, int64_t room)
{
	int64_t least = s->q->work->rsv->tasks_per_node, rest = s->left - room;

	if (rest <= 0)
		return s->left;
	if (rest < least && room - (least - rest) >= least)
		return room - (least - rest);
	return room;
}

void maui_standing_take(struct maui_standing_search *s, uint32_t node, int64_t room)
{
	struct maui_candidate *c = &s->p->found[s->count++];

	*c = (struct maui_candidate){ .node = node, .tasks = room, .gives = share(s, room) };
	s->left -= c->gives;
	s->p->seen[node] = s->ask.turn;
}

/* Asked of all nodes for each reservation. */
__attribute__((always_inline)) static inline int64_t usable_room(struct maui_standing_search *s,
								 uint32_t node)
{
	int64_t ignored;

	return maui_standing_is_out(s, node) || !maui_standing_may_use(s, node) ?
		       0 :
		       maui_standing_room_of(s, node, &ignored);
}

static void consider(struct maui_standing_search *s, uint32_t node)
{
	int64_t room = usable_room(s, node);

	if (room > 0)
		maui_standing_take(s, node, room);
}

/* More on the nodes found, from the first-th on. */
static void top_up(struct maui_standing_search *s, uint32_t first)
{
	for (uint32_t i = first; i < s->count && s->left > 0; i++) {
		struct maui_candidate *c = &s->p->found[i];
		int64_t more = c->tasks - c->gives;

		if (more > s->left)
			more = s->left;
		c->gives += more;
		s->left -= more;
	}
}

/* ---- nodes of instances that it goes with ---- */

static void follow(struct maui_standing_search *s, const struct maui_rsv_instance *other,
		   bool partner)
{
	uint32_t first = s->count;

	for (uint32_t i = 0; i < other->place_count && s->left > 0; i++) {
		const struct maui_rsv_place *place = &other->places[i];
		int64_t left = s->left;

		if (place->tasks < left)
			s->left = place->tasks;
		left -= s->left;
		consider(s, place->node);
		s->left += left;
	}
	if (!partner)
		top_up(s, first);
}

/* The nearest before it that has places, else the nearest after it. */
static const struct maui_rsv_instance *sibling_of(const struct maui_standing_search *s)
{
	const struct maui_standing_work *works = s->p->works;
	uint32_t at = (uint32_t)(s->q->work - works), rsv = s->q->work->instance->rsv;

	for (uint32_t i = at; i-- > s->p->first[rsv];)
		if (works[i].instance->place_count > 0)
			return works[i].instance;
	for (uint32_t i = at + 1; i < s->p->first[rsv + 1]; i++)
		if (works[i].instance->place_count > 0)
			return works[i].instance;
	return NULL;
}

static void follow_partner(struct maui_standing_search *s)
{
	const struct maui_rsv_instance *mine = s->q->work->instance;
	uint32_t partner = s->p->partners[mine->rsv];

	if (partner == MAUI_STANDING_NONE)
		return;
	for (uint32_t i = s->p->first[partner]; i < s->p->first[partner + 1]; i++) {
		const struct maui_rsv_instance *other = s->p->works[i].instance;

		if (other->end_s == mine->start_s || other->start_s == mine->end_s)
			follow(s, other, true);
	}
}

/* ---- by NODEALLOCATIONPOLICY ---- */

/* Policies that look at all the nodes together. */
static void take_together(struct maui_standing_search *s)
{
	size_t count = 0;
	int64_t sum = 0;
	uint32_t chosen;

	for (uint32_t i = 0; i < s->set->count; i++) {
		int64_t room = usable_room(s, s->set->nodes[i]);

		if (room == 0)
			continue;
		s->p->list[count++] =
			(struct maui_candidate){ .node = s->set->nodes[i], .tasks = room };
		sum += room < s->left ? room : s->left;
	}
	if (count == 0 || !maui_standing_choose(s->p, s->p->input->allocation, count,
						sum < s->left ? sum : s->left, &chosen))
		return;
	for (uint32_t i = 0; i < chosen && s->left > 0; i++)
		maui_standing_take(s, s->p->list[i].node, s->p->list[i].tasks);
}

/* Neighbours in the node table that have room, all there are side by side. */
struct run {
	uint32_t first, count; /* of the set's nodes */
	int64_t tasks;
};

static bool is_better(const struct maui_standing_search *s, const struct run *run,
		      const struct run *best)
{
	return run->count > 0 && run->tasks >= s->left &&
	       (best->count == 0 || run->count < best->count);
}

/* CONTIGUOUS as policy/alloc has it, the shortest run that suffices, without a list of candidates.
 * False: there is none. */
static bool take_run(struct maui_standing_search *s)
{
	const uint32_t *nodes = s->set->nodes;
	struct run run = { 0 }, best = { 0 };

	for (uint32_t i = 0; i < s->set->count; i++) {
		int64_t room = usable_room(s, nodes[i]);

		if (room == 0)
			continue;
		if (run.count == 0 || nodes[i] != nodes[run.first + run.count - 1] + 1) {
			if (is_better(s, &run, &best))
				best = run;
			run = (struct run){ .first = i };
		}
		run.count++;
		run.tasks += room;
	}
	if (is_better(s, &run, &best))
		best = run;
	for (uint32_t i = best.first; i < best.first + best.count && s->left > 0; i++)
		maui_standing_take(s, nodes[i], usable_room(s, nodes[i]));
	return best.count > 0;
}

static int take_by_policy(struct maui_standing_search *s)
{
	int policy = s->p->input->allocation;
	const uint32_t *nodes = maui_standing_ranked(s->p, s->set);

	if (!nodes)
		return -1;
	if (policy == MAUI_ALLOC_LASTAVAILABLE)
		maui_standing_take_ending(s);
	else if (policy == MAUI_ALLOC_MAXBALANCE ||
		 (policy == MAUI_ALLOC_CONTIGUOUS && !take_run(s)))
		take_together(s);
	for (uint32_t i = 0; i < s->set->count && s->left > 0; i++)
		consider(s, nodes[i]);
	return 0;
}

/* ---- searches in vain ---- */

/* Whether one of the work's places may take more tasks of it than of another's: they share a node
 * that is closed to others, or what the last one leaves of a core. */
static bool shares_place(const struct maui_standing_search *s)
{
	const struct maui_standing_work *w = s->q->work;
	bool closed = w->whole || maui_rsv_is_exclusive(w->rsv);
	int64_t procs = w->rsv->task.procs;

	for (uint32_t i = 0; procs >= 0 && i < w->instance->place_count; i++) {
		uint32_t unit = s->p->s->nodes[w->instance->places[i].node].unit;

		if (closed || (unit > 1 && procs % unit != 0))
			return true;
	}
	return false;
}

/* Whether the answer depends on nothing that the question below does not have. */
static bool is_plain(const struct maui_standing_search *s)
{
	return s->set->count > s->p->vain_nodes && !s->q->in_use &&
	       s->q->without == MAUI_STANDING_NONE && s->q->work->rsv->tasks_per_node <= 1 &&
	       s->p->input->res_depth <= 0 && !s->locked && !shares_place(s);
}

static struct maui_standing_question question_of(const struct maui_standing_search *s)
{
	return (struct maui_standing_question){ .set = s->set,
						.task = s->q->work->rsv->task,
						.from = s->ask.from,
						.until = s->ask.until,
						.jobs = s->q->jobs,
						.rsvs = s->q->rsvs,
						.whole = s->q->work->whole,
						.alone = maui_rsv_is_exclusive(s->q->work->rsv),
						.by_user = s->q->work->rsv->by_user };
}

/* Whether it is known that nothing is there, or too little for who only looks: `ret_most`. */
static bool is_vain(const struct maui_standing_search *s, int64_t *ret_most)
{
	const struct maui_standing_question question = question_of(s);

	if (!is_plain(s))
		return false;
	*ret_most = maui_standing_vain(s->p, &question);
	return *ret_most == 0 || (s->q->looks && *ret_most < s->q->tasks);
}

/* Where reservations do not count, nodes that the work has, and what it finds now, are there for
 * the next one, too. */
static bool leaves_some(const struct maui_standing_search *s)
{
	return !s->q->rsvs && (s->count > 0 || s->q->work->instance->place_count > 0);
}

/* It has found too little. What it found is gone, unless it only looked. */
static int note_vain(const struct maui_standing_search *s)
{
	struct maui_standing_question question = question_of(s);

	if (leaves_some(s))
		return 0;
	question.most = s->q->looks ? s->q->tasks - s->left : 0;
	return is_plain(s) ? maui_standing_note_vain(s->p, &question) : 0;
}

/* ---- all of it ---- */

static int look(struct maui_standing_search *s)
{
	const struct maui_rsv_instance *sibling = sibling_of(s);

	follow_partner(s);
	if (sibling && s->left > 0)
		follow(s, sibling, false);
	return s->left > 0 ? take_by_policy(s) : 0;
}

static int make_lists(struct maui_standing_placer *p)
{
	size_t count = p->s->node_count + 1u;

	if (p->list)
		return 0;
	p->list = maui_arena_alloc(p->arena, count * sizeof(*p->list));
	p->found = maui_arena_alloc(p->arena, count * sizeof(*p->found));
	return p->list && p->found ? 0 : -1;
}

int64_t maui_standing_find(struct maui_standing_placer *p, const struct maui_standing_query *q,
			   uint32_t *ret_count)
{
	struct maui_standing_search s = { .p = p,
					  .q = q,
					  .set = set_of(q->work),
					  .locked = locked_of(q->work),
					  .ask = { .work = q->work,
						   .from = q->from,
						   .until = q->work->instance->end_s,
						   .jobs = q->jobs,
						   .rsvs = q->rsvs },
					  .left = q->tasks };
	int64_t most;

	*ret_count = 0;
	if (make_lists(p))
		return -1;
	if (is_vain(&s, &most))
		return most;
	s.ask.want_until = p->input->allocation == MAUI_ALLOC_LASTAVAILABLE;
	maui_standing_begin(p, &s.ask);
	if (look(&s))
		return -1;
	s.ask.silent = true;
	if (s.left > 0 && q->silent && p->any_silent && look(&s))
		return -1;
	top_up(&s, 0); /* what was left for a next node that there was none of */
	if (s.left > 0 && note_vain(&s))
		return -1;
	*ret_count = s.count;
	return q->tasks - s.left;
}
