/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shape_private.h - for shape.c and possible.c only */
#ifndef MAUI_TIMELINE_SHAPE_PRIVATE_H
#define MAUI_TIMELINE_SHAPE_PRIVATE_H

#include "timeline/shape.h"

/* Whether nodes_min .. nodes_max empty nodes take all tasks. needs[].most must be set.
 * usable[class]: the number of its nodes that are usable at all; NULL: all nodes are. */
bool maui_shape_suffices(const struct maui_shape *shape, const uint32_t *usable);

#endif
