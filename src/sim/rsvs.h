/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsvs.h - standing reservations of a simulation: what goes into each plan and comes out of it
 *
 * Instances come, go and keep their nodes as in slurmctld. What only a cluster has is left out:
 * triggers, IDLETIME, SINGLEUSE, charges for what is idle, jobs that name a reservation.
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

struct maui_sim_rsvs {
	struct maui_standing_input input; /* count 0: there are none */
	struct maui_arena arena;
	int64_t moved_s; /* when something last happened to a job */
};

/* Of a sealed snapshot. `epoch_s`: second 0 of the trace by the wall clock. */
int maui_sim_rsvs_init(struct maui_sim_rsvs *rsvs, const struct maui_config *config,
		       struct maui_snapshot *snapshot, int64_t epoch_s, struct maui_err *err);
void maui_sim_rsvs_finish(struct maui_sim_rsvs *rsvs); /* a zeroed struct is fine */

/* For struct maui_plan_input; NULL: none. */
const struct maui_standing_input *maui_sim_rsvs_input(const struct maui_sim_rsvs *rsvs);

/* Nodes are kept from here on: borrowed until the next call. */
void maui_sim_rsvs_keep(struct maui_sim_rsvs *rsvs, const struct maui_decisions *d);

/* Whether it is worth waiting for their begins and ends: not when nothing has happened to any job
 * for so long that nothing will, since windows come again each week. */
bool maui_sim_rsvs_are_awaited(const struct maui_sim_rsvs *rsvs, int64_t now_s, bool any_runs);

/* Warnings: reservations that these nodes cannot hold, and settings that are not simulated. */
void maui_sim_rsvs_check(const struct maui_config *config, const struct maui_snapshot *snapshot,
			 struct maui_diags *diags);

#endif
