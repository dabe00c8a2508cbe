/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lanes.h - idle jobs whose order time does not change
 *
 * Jobs that are alike in all that their priority depends on, but for how long they have waited,
 * keep their order: who waits longer has no lower priority, and of equals who was submitted first
 * is first. They form a lane, and nobody in a lane is considered before the one ahead of him.
 *
 * Jobs are indices of snapshot->idle. Kept from plan to plan by strict.c.
 */
#ifndef MAUI_PLAN_LANES_H
#define MAUI_PLAN_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/idmap.h"
#include "model/snapshot.h"
#include "policy/priority.h"

/* What jobs of one lane have in common: equal bytes, so it is zeroed before it is filled. */
struct maui_lane_key {
	uint32_t partition;
	uint32_t creds;  /* where their fairshare counts; else 0 */
	int64_t delay_s; /* from the submit to the moment from which queue time counts */
	int64_t nice;
	struct maui_priority_inputs inputs;
};

struct maui_lane {
	struct maui_lane_key key;
	const struct maui_lane *next; /* of the same hash */
	uint32_t *jobs;               /* in their order: [first, end) */
	uint32_t first, end;
	size_t alloc;
	uint32_t place; /* in maui_lanes.list */
};

struct maui_lanes {              /* a zeroed one is empty */
	struct maui_lane **list; /* those that have jobs, in any order */
	size_t count, alloc;
	uint32_t known;          /* the first so many of snapshot->idle are in their lanes */
	struct maui_idmap table; /* all lanes there have been, by hash */
	struct maui_arena arena;
};

/* Puts the next job, number lanes->known, into its lane. -1 without memory. */
int maui_lanes_add(struct maui_lanes *lanes, const struct maui_snapshot *snapshot,
		   const struct maui_lane_key *key);
/* These have gone, as maui_snapshot_drop_idle() takes them: by ascending indices. */
void maui_lanes_drop(struct maui_lanes *lanes, const uint32_t *indices, uint32_t count);
/* Empty again, and gives everything back. */
void maui_lanes_finish(struct maui_lanes *lanes);

#endif
