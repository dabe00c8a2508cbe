/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search.h - a search for nodes, for standing_search.c and standing_ending.c only */
#ifndef MAUI_RESERVATION_PLACEMENT_SEARCH_H
#define MAUI_RESERVATION_PLACEMENT_SEARCH_H

#include "reservation/placement/private.h"

struct maui_standing_search {
	struct maui_standing_placer *p;
	const struct maui_standing_query *q;
	const struct maui_standing_set *set;
	const struct maui_standing_set *locked; /* dealt with already; NULL: none */
	struct maui_standing_ask ask;
	int64_t left;
	uint32_t count; /* of p->found */
};

static inline bool maui_standing_may_use(const struct maui_standing_search *s, uint32_t node)
{
	return s->p->seen[node] != s->ask.turn && node != s->q->without &&
	       maui_standing_contains(s->set, node) &&
	       !(s->locked && maui_standing_contains(s->locked, node));
}

static inline int64_t maui_standing_room_of(struct maui_standing_search *s, uint32_t node,
					    int64_t *ret_until)
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
static inline bool maui_standing_is_out(const struct maui_standing_search *s, uint32_t node)
{
	const struct maui_standing_profile *profile = s->p->profiles[node];

	if (profile->asked != s->ask.turn ||
	    (profile->tasks > 0 && !(s->ask.ending && profile->until_s == MAUI_NEVER)))
		return false;
	return s->p->own_turn[node] != s->p->open;
}

/* ---- standing_search.c ---- */

/* Finds a node that has room for so many tasks, more than none. */
void maui_standing_take(struct maui_standing_search *s, uint32_t node, int64_t room);

/* ---- standing_ending.c ---- */

/* Takes nodes that are awake and on which reservations bring the room to an end, the soonest
 * first. To be called once maui_standing_ranked() was. */
void maui_standing_take_ending(struct maui_standing_search *s);

#endif
