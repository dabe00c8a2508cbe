/* SPDX-License-Identifier: GPL-2.0-or-later */
/* node_use.h - what jobs hold of each node at the moment of the plan, and the node's state
 *
 * In: the published document with its plan. Out: a value for each node of the snapshot. All jobs
 * count for what is held; a reservation counts only if the user may see it.
 *
 * Rules: CMD-9, CMD-33, CMD-48, CMD-49.
 */
#ifndef MAUI_ANSWERS_NODE_USE_H
#define MAUI_ANSWERS_NODE_USE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/document.h"
#include "model/node_state.h"
#include "model/snapshot.h"

struct maui_node_use {
	int64_t amounts[MAUI_AMOUNT_FIXED];
	uint32_t jobs;         /* completing ones, too */
	uint32_t reservations; /* that have begun or will, jobs among them */
	bool reserved;         /* a reservation other than of an active job has begun */
};

/* One for each node of the plan's snapshot; the caller frees. NULL without memory. */
struct maui_node_use *maui_node_use_list(const struct maui_document *p, uid_t uid);

enum maui_node_state maui_node_state(const struct maui_plan *plan, uint32_t node,
				     const struct maui_node_use *use);

#endif
