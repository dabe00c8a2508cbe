/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prop_use.h - checks the usage of reservations that have begun
 *
 *   of whole nodes: everything that jobs inside have of them is used
 *   of parts of nodes: at most what these jobs have, and at most what is reserved
 *   a reservation is in use exactly when jobs inside have some of it
 */
#ifndef MAUI_TESTSUITE_PROP_USE_H
#define MAUI_TESTSUITE_PROP_USE_H

#include "prop_rsv.h"

/* Whether the reservation admits the active job, which is on one of its nodes. */
typedef bool (*prop_inside_fn)(const struct maui_snapshot *s, const void *arg,
			       const struct maui_rsv_instance *i, const struct maui_active *active);

/* Amounts that all jobs inside have of a node. */
static inline int64_t prop_held_inside(const struct maui_snapshot *s, prop_inside_fn inside,
				       const void *arg, const struct maui_rsv_instance *i,
				       uint32_t node, unsigned amount)
{
	int64_t sum = 0;

	for (uint32_t a = 0; a < s->active_count; a++)
		for (uint32_t p = 0; p < s->active[a].piece_count; p++)
			if (s->active[a].pieces[p].node == node && inside(s, arg, i, &s->active[a]))
				sum += s->active[a].pieces[p].amounts[amount];
	return sum;
}

static inline void prop_check_instance_use(const struct maui_snapshot *s, prop_inside_fn inside,
					   const void *arg, const struct maui_rsv_instance *i)
{
	const struct maui_rsv *rsv = &rsvs[i->rsv];
	bool whole = rsv->task.procs < 0, any = false;
	int64_t most = 0;

	for (uint32_t p = 0; p < i->place_count; p++) {
		uint32_t node = i->places[p].node;
		int64_t procs = prop_held_inside(s, inside, arg, i, node, MAUI_AMOUNT_PROCS);
		int64_t mem = prop_held_inside(s, inside, arg, i, node, MAUI_AMOUNT_MEM);
		int64_t reserved = whole ? s->nodes[node].have[MAUI_AMOUNT_PROCS] :
					   i->places[p].tasks * rsv->task.procs;

		any |= procs > 0 && (whole || rsv->task.procs > 0);
		any |= mem > 0 && !whole && rsv->task.mem_mb > 0;
		most += procs < reserved ? procs : reserved;
	}
	PROP_CHECK(i->used_procs <= most && (!whole || i->used_procs == most),
		   "%s: %d processors of %d used", rsv->name, (int)i->used_procs, (int)most);
	PROP_CHECK(any ? !whole || i->in_use : !i->in_use, "%s: in use %d", rsv->name, i->in_use);
	PROP_CHECK(i->in_use || i->used_procs == 0, "%s: used, and not in use", rsv->name);
}

/* Called after maui_plan_usage(). */
static inline void prop_check_use(const struct maui_snapshot *s, const struct maui_decisions *d,
				  prop_inside_fn inside, const void *arg)
{
	for (uint32_t i = 0; i < d->instance_count; i++)
		if (d->instances[i].start_s <= PROP_NOW && PROP_NOW < d->instances[i].end_s)
			prop_check_instance_use(s, inside, arg, &d->instances[i]);
}

#endif
