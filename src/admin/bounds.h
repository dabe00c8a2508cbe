/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bounds.h - how much users may reserve, and whether a setres got what it asked for
 *
 * Bounds hold for reservations that a user makes or changes under RESCTLPOLICY ANY (RESCTLMAX...).
 * What a reservation has is known only after the plan, so some bounds are checked then, and the
 * caller takes the change back.
 *
 * Rules: RSV-31, RSV-38.
 */
#ifndef MAUI_ADMIN_BOUNDS_H
#define MAUI_ADMIN_BOUNDS_H

#include "admin/admin.h"
#include "reservation/placement/placement.h"

/* Whether the user may make one more reservation. 0, or -1 with error. */
int maui_bounds_count(const struct maui_admin *admin, const struct maui_rights *who,
		      const struct maui_config *config, struct maui_query_error *error);

/* Whether a user's reservation has an end, is short and soon enough. 0, or -1 with error. */
int maui_bounds_times(const struct maui_rsv *rsv, const struct maui_rights *who,
		      const struct maui_config *config, int64_t now_s,
		      struct maui_query_error *error);

/* What was planned: instances of these reservations. */
struct maui_bounds_plan {
	const struct maui_snapshot *snapshot;
	const struct maui_standing_input *standing;
	const struct maui_rsv_instance *instances;
	uint32_t instance_count;
	int64_t now_s;
	const struct maui_document *published; /* PrivateData; NULL: nothing is hidden */
	int64_t missing_before; /* of the reservation before it was changed; 0: it is new */
};

/* Whether the reservation `rsv` of the plan's list has all that was asked for, or lacks no more
 * than before its change, unless it has FLAGS=BESTEFFORT; of a user (`who`) also, whether it lies
 * on no standing or administrative one and on none of Slurm's own, and whether all reservations
 * that the user made stay within the bounds, with the tasks that are still missing. 0, or -1 with
 * error. */
int maui_bounds_planned(const struct maui_bounds_plan *plan, uint32_t rsv,
			const struct maui_rights *who, const struct maui_config *config,
			struct maui_query_error *error);

#endif
