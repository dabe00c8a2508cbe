/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - `maui trial --keep`: what setres made under SERVERMODE TEST stays
 *
 * Rules: CMD-58.
 */
#ifndef MAUI_ADMIN_TRIAL_H
#define MAUI_ADMIN_TRIAL_H

#include <json-c/json.h>
#include <stddef.h>

#include "admin/rights.h"
#include "model/rsv.h"

/* The reply, {"kept": [NAME, ...]}; NULL with error: not permitted, no memory; then nothing has
 * changed. */
json_object *maui_admin_keep_trial(struct maui_rsv *rsvs, size_t count,
				   const struct maui_rights *who, struct maui_query_error *error);

#endif
