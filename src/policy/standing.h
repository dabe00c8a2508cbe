/* SPDX-License-Identifier: GPL-2.0-or-later */
/* standing.h - when and where reservations are (Maui manual 7.1.5; semantics f.2 - f.5, m.7 - m.9)
 *
 * When: instances by local wall clock; DEPTH periods, today's (this week's) included; DAYS leave
 * gaps in the numbering; they roll at local midnight. A wall clock time that the spring change
 * skips moves forward by the gap, of one that the autumn repeats the first is meant.
 *
 * Where: a task fits one node. Nodes are chosen once, by NODEALLOCATIONPOLICY, and kept while they
 * can be used, unless SPACEFLEX; what is missing is looked for again at each plan.
 *   HOSTLIST alone            node-locked: all that the hosts have, whatever runs, is reserved or
 *                             is down there
 *   TASKCOUNT alone           floating: nodes that are up, without a conflicting reservation or job
 *                             in the instance's time (ACCESS=SHARED: only jobs conflict)
 *   both                      floating inside the list; when the list is too small, all of it
 *                             first and then others
 * Reservations are laid side by side on a node before they are stacked, in the order of PRIORITY,
 * then of their place in maui.cfg, then of time.
 */
#ifndef MAUI_POLICY_STANDING_H
#define MAUI_POLICY_STANDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "timeline/timeline.h"

/* The instances of one reservation that exist at `now`, without places, by ascending ordinal: those
 * whose end is to come. Local time is the process's (TZ). Memory is the arena's; -1 without. */
int maui_standing_windows(const struct maui_rsv *rsv, int64_t now_s, struct maui_arena *arena,
			  struct maui_rsv_instance **ret, uint32_t *ret_count);

/* The next moment > now at which windows begin, end or roll; MAUI_NEVER. */
int64_t maui_standing_next(const struct maui_rsv *rsv, int64_t now_s);

/* What maui_standing_place() has to know of the snapshot's nodes: hosts matched, requests interned.
 * To be called once a snapshot is sealed, before it is planned. What is wrong with a reservation
 * (a HOSTLIST that matches nothing) is no error, it just gets no nodes: `missing` tells. -1 with
 * err without memory. Memory is the arena's. */
struct maui_standing_targets;
int maui_standing_targets(struct maui_snapshot *snapshot, const struct maui_rsv *const *list,
			  uint32_t count, struct maui_arena *arena,
			  struct maui_standing_targets **ret, struct maui_err *err);

struct maui_standing_input {
	const struct maui_rsv *const *list; /* standing ones in the order of maui.cfg, then
					       administrative ones by the time they were made */
	uint32_t count;
	const struct maui_standing_targets *targets;
	const struct maui_rsv_instance *before; /* of the last plan: places as indices of this
						   snapshot; those of reservations that are gone
						   are left out by the caller */
	uint32_t before_count;
	int allocation;         /* NODEALLOCATIONPOLICY */
	int64_t res_depth;      /* RESDEPTH as set; <= 0: none (there is no built-in limit) */
};

/* Instances at `now` with their places, laid into the timeline (which has jobs and foreign claims
 * already) as claims of group = index in the list. In the order of the list, then by time. Memory
 * is the arena's. -1 without. */
int maui_standing_place(struct maui_timeline *t, const struct maui_snapshot *snapshot,
			const struct maui_standing_input *input, int64_t now_s,
			struct maui_arena *arena, struct maui_rsv_instance **ret,
			uint32_t *ret_count);

#endif
