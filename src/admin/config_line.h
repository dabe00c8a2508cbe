/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_line.h - changeparam: who may change the configuration, and by what line
 *
 * Rules: CMD-46.
 */
#ifndef MAUI_ADMIN_CONFIG_LINE_H
#define MAUI_ADMIN_CONFIG_LINE_H

#include <json-c/json.h>

#include "admin/rights.h"

/* The line of {"line": "MAXJOB 3"}, borrowed. -1 with error: not permitted, or it is not one line
 * with a setting. */
int maui_admin_config_line(json_object *args, const struct maui_rights *who, const char **ret,
			   struct maui_query_error *error);

#endif
