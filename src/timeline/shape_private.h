/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape_private.h - for shape*.c and possible.c only */
#ifndef MAUI_TIMELINE_SHAPE_PRIVATE_H
#define MAUI_TIMELINE_SHAPE_PRIVATE_H

#include "base/search.h"
#include "timeline/shape.h"

/* An amount of a request; amounts NULL: nothing is asked for. */
static inline int64_t maui_shape_asked(const int64_t *amounts, unsigned d)
{
	return amounts ? amounts[d] : 0;
}

static inline const struct maui_node *maui_shape_sample(const struct maui_shape *shape,
							uint32_t class_index)
{
	const struct maui_snapshot *s = shape->snapshot;

	return &s->nodes[s->classes[class_index].sample];
}

/* Whether a sorted list has the number. */
static inline bool maui_shape_lists(const uint32_t *list, uint32_t count, uint32_t what)
{
	size_t at = maui_lower_bound(list, count, sizeof(*list), maui_before_u32, &what);

	return at < count && list[at] == what;
}

/* Processors that Slurm gives to a task on a node with this unit. */
int64_t maui_shape_task_procs(const struct maui_request *r, uint32_t unit);

/* Processors that Slurm allocates on a node for so many tasks. */
int64_t maui_shape_allocated(const struct maui_request *r, const struct maui_node *node,
			     int64_t tasks);

/* All that a node has of an amount that is counted. */
int64_t maui_shape_all_of(const struct maui_node *node, unsigned d);

/* Tasks that a node of the class takes with so much free, of a shape that is not fixed: 0, or
 * `least` to `most`. */
int64_t maui_shape_tasks_up_to(const struct maui_shape *shape, uint32_t class_index, int64_t most,
			       const int64_t *have);

/* Whether nodes_min .. nodes_max empty nodes take all tasks. needs[].most must be set.
 * usable[class]: the number of its nodes that are usable at all; NULL: all nodes are. */
bool maui_shape_suffices(const struct maui_shape *shape, const uint32_t *usable);

#endif
