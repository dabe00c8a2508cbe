/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes.h - node state PLANNED: nodes that wait for the job of a job reservation
 *
 * sinfo shows it as plnd, power saving spares such nodes with SuspendExcStates. Only for nodes with
 * idle processors: those of an allocated node are not idle because of the plan.
 *
 * Rules: BF-31.
 */
#ifndef MAUI_SLURM_PUBLISH_NODES_H
#define MAUI_SLURM_PUBLISH_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slurm/hold.h"

/* Gives these nodes (ids of the snapshot) the state, and takes it from all others. Returns whether
 * the state of a node has changed; last_node_update was set then. No nodes: takes it from all,
 * and ignores `table`. Call without any lock. */
bool maui_publish_planned(const uint32_t *nodes, size_t count, uint64_t table,
			  struct maui_hold_times *ret_writes);

#endif
