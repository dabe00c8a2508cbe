/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - resetstats: resets the statistics
 *
 * Rules: CMD-28.
 */
#ifndef MAUI_ADMIN_STATISTICS_H
#define MAUI_ADMIN_STATISTICS_H

#include <json-c/json.h>
#include <stdint.h>

#include "admin/rights.h"
#include "state/statistics.h"

/* The reply, {"since": now_s}; NULL with error: not permitted, no memory. */
json_object *maui_admin_reset_statistics(struct maui_statistics *statistics,
					 const struct maui_rights *who, int64_t now_s,
					 struct maui_query_error *error);

#endif
