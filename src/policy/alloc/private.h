/* SPDX-License-Identifier: GPL-2.0-or-later */
/* private.h - how tasks are spread over chosen nodes, for the files of policy/alloc
 *
 * Rules: BF-20.
 */
#ifndef MAUI_POLICY_ALLOC_PRIVATE_H
#define MAUI_POLICY_ALLOC_PRIVATE_H

#include "policy/alloc/alloc.h"

/* Spreads the tasks over the first *count nodes of the list, which are chosen and suffice, as the
 * resource manager will spread them. Nodes that the resource manager would not use are dropped:
 * *count gets smaller. The list is in another order afterwards. Nothing changes if each node gives
 * the same number of tasks, or all that it has. */
void maui_alloc_spread(const struct maui_shape *shape, struct maui_candidate *list,
		       uint32_t *count);

#endif
