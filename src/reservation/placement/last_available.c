/* SPDX-License-Identifier: GPL-2.0-or-later */
/* last_available.c - LASTAVAILABLE for reservations: nodes on which the room ends soonest
 *
 * Only nodes of which reservations hold something can come to an end. Thousands of them may, a few
 * are wanted: when the room ends is mostly known from the profile, which many nodes share, and how
 * much there is, for which the jobs on the node count, is found out when it is the node's turn.
 */

#include "reservation/placement/search.h"

enum { OPEN = -1 }; /* tasks of a candidate that are not known yet */

/* When the room on a node ends, if there is any, or a moment before; -1: not known. */
static inline int64_t ends_after(const struct maui_standing_search *s, uint32_t node)
{
	const struct maui_standing_profile *profile = s->p->profiles[node];

	if (s->p->own_turn[node] == s->p->open)
		return -1;
	if (!s->ask.jobs || s->p->idle_from[node] <= s->ask.until)
		return profile->until_s;
	return s->p->only_end[node] ? profile->more_s : -1;
}

/* A node on which room is to come to an end, if it is awake. How much there is is left open where
 * that takes a walk along the node's time: few nodes have their turn. */
static inline void add_ending(struct maui_standing_search *s, uint32_t node, size_t *count)
{
	struct maui_candidate *c = &s->p->list[*count];
	int64_t room;

	if (maui_standing_is_out(s, node) || !maui_standing_may_use(s, node))
		return;
	maui_standing_know(s->p, &s->ask, node);
	if (maui_standing_is_out(s, node) || s->p->s->nodes[node].asleep)
		return;
	*c = (struct maui_candidate){ .node = node, .tasks = OPEN };
	room = maui_standing_known_room(s->p, &s->ask, node, &c->until_s);
	if (room < 0)
		c->until_s = ends_after(s, node);
	if (c->until_s < 0)
		room = maui_standing_room_of(s, node, &c->until_s);
	if (room >= 0)
		c->tasks = room;
	*count += c->tasks != 0 && c->until_s != MAUI_NEVER;
}

static inline bool ends_before(const struct maui_standing_search *s, const struct maui_candidate *a,
			       const struct maui_candidate *b)
{
	return a->until_s != b->until_s ? a->until_s < b->until_s :
					  s->p->rank[a->node] < s->p->rank[b->node];
}

static void sift(const struct maui_standing_search *s, size_t count, size_t at)
{
	struct maui_candidate *heap = s->p->list, moved = heap[at];

	for (;;) {
		size_t next = 2 * at + 1;

		if (next + 1 < count && ends_before(s, &heap[next + 1], &heap[next]))
			next++;
		if (next >= count || !ends_before(s, &heap[next], &moved))
			break;
		heap[at] = heap[next];
		at = next;
	}
	heap[at] = moved;
}

/* The first candidate's turn: its room is settled, and it is taken unless that ends later than it
 * seemed. False: it is to wait. */
static bool take_first(struct maui_standing_search *s)
{
	struct maui_candidate *first = s->p->list;
	int64_t until = first->until_s;

	if (first->tasks == OPEN)
		first->tasks = maui_standing_room_of(s, first->node, &until);
	if (first->tasks > 0 && until > first->until_s) {
		first->until_s = until;
		return false;
	}
	if (first->tasks > 0)
		maui_standing_take(s, first->node, first->tasks);
	return true;
}

void maui_standing_take_ending(struct maui_standing_search *s)
{
	bool few = s->set->count < s->p->touched_count;
	const uint32_t *nodes = few ? s->set->nodes : s->p->touched;
	uint32_t node_count = few ? s->set->count : s->p->touched_count;
	size_t count = 0;

	s->ask.ending = true;
	for (uint32_t i = 0; i < node_count; i++)
		add_ending(s, nodes[i], &count);
	for (size_t i = count / 2; i-- > 0;)
		sift(s, count, i);
	while (count > 0 && s->left > 0) {
		if (take_first(s))
			s->p->list[0] = s->p->list[--count];
		sift(s, count, 0);
	}
	s->ask.ending = false;
}
