/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_line.h - changeparam: what line may change the configuration
 *
 * Rules: CMD-46.
 */
#ifndef MAUI_ADMIN_CONFIG_LINE_H
#define MAUI_ADMIN_CONFIG_LINE_H

#include "query/message.h"

/* -1 with error: it is not one line with a setting (NULL: none at all). */
int maui_admin_config_line(const char *line, struct maui_query_error *error);

#endif
