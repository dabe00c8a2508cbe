/* SPDX-License-Identifier: GPL-2.0-or-later */
/* alike.h - nodes that are alike on a timeline, so that one of them answers for all
 *
 * Nodes are alike if they are of one node class, in one state, usable from the same moment on, and
 * have equal steps: jobs that name and exclude none of them cannot tell them apart. Most nodes of a
 * full cluster are alike, because one job runs on them, or because their jobs end together.
 *
 * Nodes are of one kind if they are alike now, and no claim is ever on them. A job that finds too
 * little there now has the same reason on all nodes of a kind, whatever comes later.
 */
#ifndef MAUI_TIMELINE_ALIKE_H
#define MAUI_TIMELINE_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "timeline/shape.h"
#include "timeline/timeline.h"

/* So many nodes that are alike, and the first of them. */
struct maui_alike {
	uint32_t node, count;
	uint32_t kind; /* NO_KIND: a claim is on them, or the job names or excludes the node */
};

enum { MAUI_ALIKE_NO_KIND = UINT32_MAX };

/* All nodes, those that are alike together, in the order of the first ones. */
struct maui_alike_groups {
	struct maui_alike *list;
	uint32_t *of; /* the group of each node; NULL: the groups are not made yet */
	uint32_t count, kind_count;
	bool singly; /* for tests: each node is a group of its own, and of no kind */
};

/* Makes the groups of a zeroed struct, in the arena. The timeline must not change while they are in
 * use. -1 without memory. */
int maui_alike_make(const struct maui_timeline *t, struct maui_arena *arena,
		    struct maui_alike_groups *ret);

/* The groups for a shape: a node that it names or excludes stands alone. In the arena, or the list
 * itself. NULL without memory. */
const struct maui_alike *maui_alike_for(const struct maui_alike_groups *groups,
					const struct maui_shape *shape, struct maui_arena *arena,
					uint32_t *ret_count);

#endif
