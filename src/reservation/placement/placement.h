/* SPDX-License-Identifier: GPL-2.0-or-later */
/* placement.h - on which nodes reservations are (RSV-5 to RSV-13, RSV-22; Maui manual 7.1.5)
 *
 * In: the reservations, the nodes with what jobs and Slurm's reservations hold of them, and the
 * instances of the last plan. Out: the instances of now with their nodes, as a list and as claims
 * of the timeline.
 *
 * Every task fits on one node. Nodes are chosen once, by NODEALLOCATIONPOLICY, and kept while they
 * can be used, unless SPACEFLEX; each plan looks for missing tasks again.
 *   HOSTLIST alone    node-locked: all of the hosts is reserved, busy and down ones included
 *   TASKCOUNT alone   floating: nodes that are not down, without a conflicting reservation or job
 *                     in the time of the instance (ACCESS=SHARED: only jobs conflict)
 *   both              floating inside the list; a list that is too small is used up first, and
 *                     the other tasks float outside of it
 * Reservations stand side by side on a node before they are stacked. They are placed in the order
 * of PRIORITY, then of maui.cfg, then of time. Node-locked ones come first, because floating ones
 * can avoid them.
 *
 * Finer points:
 *   a HOSTLIST of which TASKCOUNT wants all, or more, is node-locked (7.1.5.2.5: floating needs
 *   "more resources than are needed")
 *   a new instance takes the nodes of a reservation with the same tasks that it adjoins by the
 *   clock (20:00-24:00 and 0:00-6:00 act as one), then those of the nearest instance of its own
 *   reservation, then others by NODEALLOCATIONPOLICY
 *   a silent node, as all nodes are when slurmctld starts, or one that is cleaned up after a job,
 *   is not down: it is chosen when the nodes that are up do not suffice. So the choice does not
 *   depend on which node answers first
 *   a kept node stays unless it is down, no longer listed, or no longer takes the tasks; when the
 *   times of the instance change, it stays only where a new instance could come
 *   ACCESS=SHARED  side by side where possible, then over other reservations
 *   FORCE          side by side where possible, then where jobs run, then over everything
 *   DEDICATEDNODE  whole nodes are held, however few tasks are on them
 *   DEDICATEDRESOURCE  never over another reservation: cancels SHARED and FORCE
 *   SPACEFLEX      see spaceflex.c
 *   TIMEFLEX       see timeflex.c
 *   BESTEFFORT, STANDINGRES  no effect here: all partial reservations are kept and completed
 *                  (admin/bounds.h refuses partial ones of setres without BESTEFFORT)
 *   TPN            a node is used when at least so many tasks go there; the last node may have
 *                  fewer when no other sharing helps
 *   setres -E      see exclusive.c
 *   RESDEPTH       bounds how many instances and Slurm reservations, at any time, a node may have
 *                  when a new one is placed
 *
 * Rules: RSV-7, RSV-8, RSV-9, RSV-10, RSV-11, RSV-25, RSV-27, RSV-28, RSV-29, RSV-34.
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

/* The nodes that each reservation of a list may use. Made for a sealed snapshot, before the plan. A
 * reservation that no node serves (a HOSTLIST that matches nothing) is no error: its instances miss
 * all tasks. Memory is the arena's; -1 with err without memory. */
struct maui_standing_targets;
int maui_standing_targets(struct maui_snapshot *snapshot, const struct maui_rsv *const *list,
			  uint32_t count, struct maui_arena *arena,
			  struct maui_standing_targets **ret, struct maui_err *err);

/* The nodes that each HOSTLIST matches, kept from plan to plan: matching a regular expression takes
 * a millisecond on ten thousand nodes, so each list is matched once as long as the nodes have the
 * same names. NULL without memory. */
struct maui_standing_hosts;
struct maui_standing_hosts *maui_standing_hosts_create(void);
void maui_standing_hosts_destroy(struct maui_standing_hosts *hosts); /* NULL is fine */
/* The same as maui_standing_targets(), with these matches. */
int maui_standing_targets_with(struct maui_standing_hosts *hosts, struct maui_snapshot *snapshot,
			       const struct maui_rsv *const *list, uint32_t count,
			       struct maui_arena *arena, struct maui_standing_targets **ret,
			       struct maui_err *err);

/* A waiting job with a job reservation: its nodes are not free when nodes are chosen. */
struct maui_standing_job_rsv {
	uint64_t job; /* id */
	int64_t start_s, end_s;
	const struct maui_piece *pieces;
	uint32_t piece_count;
};

/* A released instance: released by releaseres, or used up (SINGLEUSE). */
struct maui_standing_skip {
	uint32_t rsv;
	int32_t day;
};

struct maui_standing_input {
	/* standing reservations in the order of maui.cfg, then administrative ones in the order
	 * in which they were made */
	const struct maui_rsv *const *list;
	uint32_t count;
	const struct maui_standing_targets *targets;
	/* instances of the last plan, with places as indices of this snapshot; the caller leaves
	 * out instances of reservations that no longer exist */
	const struct maui_rsv_instance *before;
	uint32_t before_count;
	const struct maui_standing_job_rsv *job_rsvs; /* set by maui_plan() */
	uint32_t job_rsv_count;
	const struct maui_standing_skip *skips;
	uint32_t skip_count;
	/* Flags of the QOS of snapshot->creds[creds], bits of enum maui_qos_flag; NULL: no flags.
	 * Set by maui_plan(). */
	uint64_t (*qos_flags)(void *data, uint32_t creds);
	void *qos_data;
	int allocation;    /* NODEALLOCATIONPOLICY */
	int64_t res_depth; /* RESDEPTH as set; <= 0: no limit */
	/* epoch seconds at the plan's time 0; not 0 only for a trace whose times count from its
	 * beginning */
	int64_t clock_s;
};

/* The next moment > now at which windows of these reservations begin, end or roll, in the plan's
 * time; MAUI_NEVER: none. */
int64_t maui_standing_due(const struct maui_standing_input *input, int64_t now_s);

/* The instances at `now` with their places, in the order of the list, then by time. They are added
 * to the timeline, which already has the jobs and Slurm's reservations, as claims whose `rsv` is
 * the reservation's index in the list. Memory is the arena's; -1 without memory. */
int maui_standing_place(struct maui_timeline *t, const struct maui_snapshot *snapshot,
			const struct maui_standing_input *input, int64_t now_s,
			struct maui_arena *arena, struct maui_rsv_instance **ret,
			uint32_t *ret_count);

/* The processors of a node that a place of the reservation holds. */
int64_t maui_standing_procs(const struct maui_snapshot *snapshot, const struct maui_rsv *rsv,
			    const struct maui_rsv_place *place);

#endif
