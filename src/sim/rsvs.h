/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsvs.h - standing reservations of a simulation: the input of each plan, and its result
 *
 * Instances begin, end and keep their nodes as in slurmctld. Not simulated is what only a cluster
 * has: triggers, IDLETIME, SINGLEUSE, charges for idle time, jobs that name a reservation.
 */
#ifndef MAUI_SIM_RSVS_H
#define MAUI_SIM_RSVS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/err.h"
#include "config/config.h"
#include "model/decision.h"
#include "model/snapshot.h"
#include "reservation/placement/placement.h"
#include "state/saved_plan/saved_plan.h"

struct maui_sim_rsvs {
	struct maui_standing_input input; /* count 0: no reservations */
	struct maui_arena arena;
	int64_t moved_s; /* when a job last started, ended or arrived */
};

/* Prepares the reservations for a sealed snapshot. `epoch_s`: second 0 of the trace, since the
 * epoch. */
int maui_sim_rsvs_init(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
		       struct maui_snapshot *snapshot, int64_t epoch_s, struct maui_err *err);
/* The same for a saved plan: also its administrative reservations, the nodes that its instances
 * keep, and what was released. A reservation that maui.cfg no longer has is left out. `saved` must
 * stay. */
int maui_sim_rsvs_resume(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
			 struct maui_snapshot *snapshot, const struct maui_saved_plan *saved,
			 struct maui_err *err);
void maui_sim_rsvs_finish(struct maui_sim_rsvs *rsvs); /* a zeroed struct is fine */

/* The input for struct maui_plan_input; NULL: no reservations. */
const struct maui_standing_input *maui_sim_rsvs_input(const struct maui_sim_rsvs *rsvs);

/* Keeps the nodes that a plan has chosen; `d` is borrowed until the next call. */
void maui_sim_rsvs_keep(struct maui_sim_rsvs *rsvs, const struct maui_decisions *d);

/* Whether the begin or end of a window may still let a job start. Windows repeat each week, so
 * after weeks without any event no more jobs will start. */
bool maui_sim_rsvs_are_awaited(const struct maui_sim_rsvs *rsvs, int64_t now_s, bool any_runs);

/* Adds warnings: reservations that these nodes cannot hold, and settings that are not simulated. */
void maui_sim_rsvs_check(const struct maui_config *config, const struct maui_snapshot *snapshot,
			 struct maui_diags *diags);

#endif
