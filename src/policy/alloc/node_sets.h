/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_sets.h - nodes that belong together (NODESETPOLICY, Maui manual 8.3)
 *
 * A node set is the nodes with one feature, or those of one leaf switch. A shape with `sets` gets
 * its nodes in one of them (ANYOF: each node in some of them) where one suffices; with `in_set`,
 * only there.
 *
 * Rules: BF-24.
 */
#ifndef MAUI_POLICY_ALLOC_NODE_SETS_H
#define MAUI_POLICY_ALLOC_NODE_SETS_H

#include <stdbool.h>

#include "base/arena.h"
#include "config/config.h"
#include "timeline/shape.h"

struct maui_node_sets;

/* The sets that maui.cfg makes of the snapshot's nodes; *ret NULL: it makes none. They are the
 * arena's, and point to the names of config and snapshot. -1 without memory. */
int maui_node_sets_make(const struct maui_config *config, const struct maui_snapshot *snapshot,
			struct maui_arena *arena, const struct maui_node_sets **ret);

/* Whether one of the shape's sets could hold the job if all of its usable nodes were free. Looks at
 * each node. -1 without memory. */
int maui_node_sets_can_hold(const struct maui_shape *shape);

/* Until when an idle job starts only inside a set (NODESETDELAY); a moment that has passed: it
 * may have any nodes. */
static inline int64_t maui_node_sets_until(const struct maui_config *config, int64_t queue_since_s)
{
	return config->node_sets.policy != MAUI_SETS_NONE && config->node_sets.delay_s > 0 ?
		       maui_when_add(queue_since_s, config->node_sets.delay_s) :
		       0;
}

#endif
