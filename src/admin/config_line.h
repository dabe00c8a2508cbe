/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_line.h - changeparam: who may change the configuration, and by what line
 *
 * Rules: CMD-46.
 */
#ifndef MAUI_ADMIN_CONFIG_LINE_H
#define MAUI_ADMIN_CONFIG_LINE_H

#include "admin/rights.h"

/* Whether this user may put the line in force. -1 with error: not permitted, or it is not one line
 * with a setting (NULL: none at all). */
int maui_admin_config_line(const char *line, const struct maui_rights *who,
			   struct maui_query_error *error);

#endif
