/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement.h - when and where reservations are (Maui manual 7.1.5; semantics f.2 - f.5, m.7 - m.9)
 *
 * When: instances by local wall clock; DEPTH periods, today's (this week's) included; DAYS leave
 * gaps in the numbering; they roll at local midnight. A wall clock time that the spring change
 * skips moves forward by the gap, of one that the autumn repeats the first is meant.
 *
 * Where: a task fits one node. Nodes are chosen once, by NODEALLOCATIONPOLICY, and kept while they
 * can be used, unless SPACEFLEX; what is missing is looked for again at each plan.
 *   HOSTLIST alone            node-locked: all that the hosts have, whatever runs, is reserved or
 *                             is down there
 *   TASKCOUNT alone           floating: nodes that are not down, without a conflicting reservation
 *                             or job in the instance's time (ACCESS=SHARED: only jobs conflict)
 *   both                      floating inside the list; when the list is too small, all of it
 *                             first and then others
 * Reservations are laid side by side on a node before they are stacked, in the order of PRIORITY,
 * then of their place in maui.cfg, then of time. Node-locked ones come first: what floats can avoid
 * them.
 *
 * Finer points:
 *   a list of which all is wanted, or more, is node-locked (7.1.5.2.5: floating needs "more
 *   resources than are needed"); what else is wanted floats outside of it
 *   nodes of a new instance: those of a reservation with the same tasks that it adjoins by the
 *   clock (20:00-24:00 and 0:00-6:00 act as one: m.9), then those of the nearest instance of its
 *   own reservation, as far as they serve, then by NODEALLOCATIONPOLICY
 *   a node that is silent, as all are when slurmctld starts, or is cleaned up after a job, is not
 *   down: it is chosen when those that are up do not suffice, so that what is chosen first, and
 *   what goes by PRIORITY, does not depend on who answers first
 *   a kept node stays unless it is down, no longer listed, or no longer takes its tasks; after a
 *   change of the instance's times it stays only where a new one could be put
 *   ACCESS=SHARED  side by side where that goes, then on top of other reservations
 *   FORCE          the same, then where jobs run, then on top of all
 *   DEDICATEDNODE  whole nodes are kept, however few tasks are on them
 *   DEDICATEDRESOURCE  never on top of another by its own doing: undoes SHARED and FORCE
 *   SPACEFLEX      one node of an instance a plan is given up for others, when another reservation
 *                  or a job that it does not let in is on it, or when it alone keeps the node from
 *                  being wholly free and there is room on nodes that are in use anyway
 *   TIMEFLEX       when not all is to be had at its start, an instance that has not begun, or is
 *                  new, begins at the first later moment of its window at which all of it is to be
 *                  had from there to the end; when there is none it begins in time and is partial
 *   BESTEFFORT, STANDINGRES  as all are: short ones are kept and completed
 *   TPN            a node is used when so many tasks would go there, at least; the tasks left for
 *                  the last node may be fewer when sharing them out otherwise does not help
 *   setres -E      (ACCESS=DEDICATED of an administrative one) alone on its nodes: not on a node on
 *                  which another reservation is at any moment of its time, not even beside it, and
 *                  others do not come to where it is, node-locked ones, SHARED and FORCE included.
 *                  Who is there first stays, whatever the PRIORITY; of those that are new in the
 *                  same plan node-locked ones come first. Our ruling, since the manual names the
 *                  option only: hosts that are held already are not refused as a whole but missing,
 *                  told with who holds them, and taken once they are free until its end. Jobs are
 *                  no hindrance on named hosts. A change of its times, or being made exclusive
 *                  later, loses the nodes on which others are in its time. Slurm's reservations
 *                  keep it off; those made later lie on top of it, both hold. That of a user who
 *                  is no administrator keeps off what users make, nothing else
 *   RESDEPTH       counts instances and Slurm's reservations, whenever they are, and bounds what is
 *                  chosen anew
 */
#ifndef MAUI_RESERVATION_PLACEMENT_PLACEMENT_H
#define MAUI_RESERVATION_PLACEMENT_PLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/rsv.h"
#include "model/snapshot.h"
#include "timeline/timeline.h"

/* What maui_standing_place() has to know of the snapshot's nodes: hosts matched, requests interned.
 * To be called once a snapshot is sealed, before it is planned. What is wrong with a reservation
 * (a HOSTLIST that matches nothing) is no error, it just gets no nodes: `missing` tells. -1 with
 * err without memory. Memory is the arena's. */
struct maui_standing_targets;
int maui_standing_targets(struct maui_snapshot *snapshot, const struct maui_rsv *const *list,
			  uint32_t count, struct maui_arena *arena,
			  struct maui_standing_targets **ret, struct maui_err *err);

/* Which nodes HOSTLISTs mean, kept from plan to plan: as long as the nodes have the same names, a
 * list is matched once. Has no influence on the result. NULL without memory. */
struct maui_standing_hosts;
struct maui_standing_hosts *maui_standing_hosts_create(void);
void maui_standing_hosts_destroy(struct maui_standing_hosts *hosts); /* NULL is fine */
/* maui_standing_targets() with it. */
int maui_standing_targets_with(struct maui_standing_hosts *hosts, struct maui_snapshot *snapshot,
			       const struct maui_rsv *const *list, uint32_t count,
			       struct maui_arena *arena, struct maui_standing_targets **ret,
			       struct maui_err *err);

/* A job that waits and has nodes promised for later: they are not free for what is chosen anew. */
struct maui_standing_promise {
	uint64_t job; /* id */
	int64_t start_s, end_s;
	const struct maui_piece *pieces;
	uint32_t piece_count;
};

/* An instance that is not to be: given back by hand, or used up (SINGLEUSE). */
struct maui_standing_skip {
	uint32_t rsv;
	int32_t day;
};

struct maui_standing_input {
	const struct maui_rsv *const *list; /* standing ones in the order of maui.cfg, then
					       administrative ones by the time they were made */
	uint32_t count;
	const struct maui_standing_targets *targets;
	const struct maui_rsv_instance *before; /* of the last plan: places as indices of this
						   snapshot; those of reservations that are gone
						   are left out by the caller */
	uint32_t before_count;
	const struct maui_standing_promise *promises; /* maui_plan() sets its own */
	uint32_t promise_count;
	const struct maui_standing_skip *skips;
	uint32_t skip_count;
	/* Flags of the QOS of snapshot->creds[creds], bits of enum maui_qos_flag; NULL: there are
	 * none. maui_plan() sets its own. */
	uint64_t (*qos_flags)(void *data, uint32_t creds);
	void *qos_data;
	int allocation;    /* NODEALLOCATIONPOLICY */
	int64_t res_depth; /* RESDEPTH as set; <= 0: none (there is no built-in limit) */
	int64_t clock_s;   /* the plan's 0 by the wall clock, since the epoch: 0, but for a
				   workload whose times count from its beginning */
};

/* maui_standing_next_of() the input's list, in the plan's time. */
int64_t maui_standing_due(const struct maui_standing_input *input, int64_t now_s);

/* Instances at `now` with their places, laid into the timeline (which has jobs and foreign claims
 * already) as claims of group = index in the list. In the order of the list, then by time. Memory
 * is the arena's. -1 without. */
int maui_standing_place(struct maui_timeline *t, const struct maui_snapshot *snapshot,
			const struct maui_standing_input *input, int64_t now_s,
			struct maui_arena *arena, struct maui_rsv_instance **ret,
			uint32_t *ret_count);

/* Processors that a reservation has of a node of the snapshot. */
int64_t maui_standing_procs(const struct maui_snapshot *snapshot, const struct maui_rsv *rsv,
			    const struct maui_rsv_place *place);

#endif
