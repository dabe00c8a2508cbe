/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing_search.c - nodes for some tasks of a reservation, in the order of choice
 *
 * First those of a reservation alike that it adjoins; then those of the nearest instance of its own
 * reservation, as many tasks as that has there, then more there; then by NODEALLOCATIONPOLICY.
 * LASTAVAILABLE differs from one reservation to the next: but only nodes of which reservations hold
 * something can come to an end, all others follow in the order of ties.
 * Nodes that are up come before those that are silent, of whichever of these kinds.
 */

#include "config/planning.h"
#include "policy/standing_private.h"

struct search {
	struct maui_standing_placer *p;
	const struct maui_standing_query *q;
	const struct maui_standing_set *set;
	const struct maui_standing_set *locked; /* dealt with already; NULL: none */
	struct maui_standing_ask ask;
	int64_t left;
	uint32_t count; /* of p->found */
};

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

static inline bool may_use(const struct search *s, uint32_t node)
{
	return s->p->seen[node] != s->ask.turn && node != s->q->without &&
	       maui_standing_contains(s->set, node) &&
	       !(s->locked && maui_standing_contains(s->locked, node));
}

/* ---- taking ---- */

/* Tasks for a node that has room for so many: what is left for the next one is no fewer than TPN,
 * when that can be. */
static int64_t share(const struct search *s, int64_t room)
{
	int64_t least = s->q->work->rsv->tasks_per_node, rest = s->left - room;

	if (rest <= 0)
		return s->left;
	if (rest < least && room - (least - rest) >= least)
		return room - (least - rest);
	return room;
}

static void take(struct search *s, uint32_t node, int64_t room)
{
	struct maui_candidate *c = &s->p->found[s->count++];

	*c = (struct maui_candidate){ .node = node, .tasks = room, .gives = share(s, room) };
	s->left -= c->gives;
	s->p->seen[node] = s->ask.turn;
}

static inline int64_t room_of(struct search *s, uint32_t node, int64_t *ret_until)
{
	int64_t room = maui_standing_known_room(s->p, &s->ask, node, ret_until);

	if (room < 0)
		room = maui_standing_room(s->p, &s->ask, node, ret_until);
	if (room > 0 && s->q->in_use &&
	    maui_standing_is_free(s->p, node, s->ask.from, s->ask.until))
		return 0;
	return room;
}

/* Whether reservations alone are known to leave no room on a node that the work is not on, or, when
 * that is wanted, room without end. Most nodes go out here, and nothing but this is looked at. */
static inline bool is_out(const struct search *s, uint32_t node)
{
	const struct maui_standing_profile *profile = s->p->profiles[node];

	if (profile->asked != s->ask.turn ||
	    (profile->tasks > 0 && !(s->ask.ending && profile->until_s == MAUI_NEVER)))
		return false;
	return s->p->own_turn[node] != s->p->open;
}

static void consider(struct search *s, uint32_t node)
{
	int64_t ignored, room;

	if (is_out(s, node) || !may_use(s, node))
		return;
	room = room_of(s, node, &ignored);
	if (room > 0)
		take(s, node, room);
}

/* More on the nodes found, from the first-th on. */
static void top_up(struct search *s, uint32_t first)
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

static void follow(struct search *s, const struct maui_rsv_instance *other, bool partner)
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
static const struct maui_rsv_instance *sibling_of(const struct search *s)
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

static void follow_partner(struct search *s)
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

/* A candidate of p->list, when it has room; when that is to come to an end, one that is awake. */
static inline void add_candidate(struct search *s, uint32_t node, size_t *count, int64_t *sum)
{
	int64_t until, room;

	if (is_out(s, node) || !may_use(s, node))
		return;
	room = room_of(s, node, &until);
	if (room == 0 ||
	    (s->ask.ending && (until == MAUI_NEVER || s->p->s->nodes[node].asleep)))
		return;
	s->p->list[(*count)++] =
		(struct maui_candidate){ .node = node, .tasks = room, .until_s = until };
	*sum += room < s->left ? room : s->left;
}

/* Takes candidates as the policy says. */
static void take_chosen(struct search *s, int policy, size_t count, int64_t sum)
{
	uint32_t chosen;

	if (count == 0 || !maui_standing_choose(s->p, policy, count, sum < s->left ? sum : s->left,
						&chosen))
		return;
	for (uint32_t i = 0; i < chosen && s->left > 0; i++)
		take(s, s->p->list[i].node, s->p->list[i].tasks);
}

static void take_ending(struct search *s)
{
	bool few = s->set->count < s->p->touched_count;
	const uint32_t *nodes = few ? s->set->nodes : s->p->touched;
	uint32_t node_count = few ? s->set->count : s->p->touched_count;
	size_t count = 0;
	int64_t sum = 0;

	s->ask.ending = true;
	for (uint32_t i = 0; i < node_count; i++)
		add_candidate(s, nodes[i], &count, &sum);
	s->ask.ending = false;
	take_chosen(s, MAUI_ALLOC_LASTAVAILABLE, count, sum);
}

/* Policies that look at all the nodes together. */
static void take_together(struct search *s)
{
	size_t count = 0;
	int64_t sum = 0;

	for (uint32_t i = 0; i < s->set->count; i++)
		add_candidate(s, s->set->nodes[i], &count, &sum);
	take_chosen(s, s->p->input->allocation, count, sum);
}

/* Neighbours in the node table that have room, all there are side by side. */
struct run {
	uint32_t first, count; /* of the set's nodes */
	int64_t tasks;
};

static inline int64_t usable_room(struct search *s, uint32_t node)
{
	int64_t ignored;

	return is_out(s, node) || !may_use(s, node) ? 0 : room_of(s, node, &ignored);
}

static bool is_better(const struct search *s, const struct run *run, const struct run *best)
{
	return run->count > 0 && run->tasks >= s->left &&
	       (best->count == 0 || run->count < best->count);
}

/* CONTIGUOUS as policy/alloc has it, the shortest run that suffices, without a list of candidates.
 * False: there is none. */
static bool take_run(struct search *s)
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
		take(s, nodes[i], usable_room(s, nodes[i]));
	return best.count > 0;
}

static int take_by_policy(struct search *s)
{
	int policy = s->p->input->allocation;
	const uint32_t *nodes = maui_standing_ranked(s->p, s->set);

	if (!nodes)
		return -1;
	if (policy == MAUI_ALLOC_LASTAVAILABLE)
		take_ending(s);
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
static bool shares_place(const struct search *s)
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
static bool is_plain(const struct search *s)
{
	return s->set->count > s->p->vain_nodes && !s->q->in_use &&
	       s->q->without == MAUI_STANDING_NONE && s->q->work->rsv->tasks_per_node <= 1 &&
	       s->p->input->res_depth <= 0 && !s->locked && !shares_place(s);
}

static struct maui_standing_question question_of(const struct search *s)
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
static bool is_vain(const struct search *s, int64_t *ret_most)
{
	const struct maui_standing_question question = question_of(s);

	if (!is_plain(s))
		return false;
	*ret_most = maui_standing_vain(s->p, &question);
	return *ret_most == 0 || (s->q->looks && *ret_most < s->q->tasks);
}

/* Where reservations do not count, nodes that the work has, and what it finds now, are there for
 * the next one, too. */
static bool leaves_some(const struct search *s)
{
	return !s->q->rsvs && (s->count > 0 || s->q->work->instance->place_count > 0);
}

/* It has found too little. What it found is gone, unless it only looked. */
static int note_vain(const struct search *s)
{
	struct maui_standing_question question = question_of(s);

	if (leaves_some(s))
		return 0;
	question.most = s->q->looks ? s->q->tasks - s->left : 0;
	return is_plain(s) ? maui_standing_note_vain(s->p, &question) : 0;
}

/* ---- all of it ---- */

static int look(struct search *s)
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
	struct search s = { .p = p,
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
