/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - the parts of reading a saved plan, for this folder only */
#ifndef MAUI_STATE_SAVED_PLAN_READ_H
#define MAUI_STATE_SAVED_PLAN_READ_H

#include "state/saved_plan/fields.h"
#include "state/saved_plan/saved_plan.h"

/* A sealed snapshot with all its jobs; sets r->amount_count. -1 with err: *ret is what was made so
 * far, or NULL. */
int maui_saved_read_snapshot(struct maui_saved_reader *r, json_object *root,
			     const struct maui_snapshot **ret);

/* What plan->waiting and plan->running have of the jobs, in the order of the snapshot. -1 with
 * err. */
int maui_saved_read_waiting(struct maui_saved_reader *r, json_object *root,
			    struct maui_saved_plan *ret);
int maui_saved_read_running(struct maui_saved_reader *r, json_object *root,
			    struct maui_saved_plan *ret);

/* `nodes` and `tasks` of an object. -1 with err. */
int maui_saved_get_places(const struct maui_saved_reader *r, json_object *object,
			  uint32_t node_count, const struct maui_rsv_place **ret,
			  uint32_t *ret_count);

#endif
