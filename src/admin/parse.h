/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.h - the attributes of a setres, read as SRCFG's; for admin.c */
#ifndef MAUI_ADMIN_PARSE_H
#define MAUI_ADMIN_PARSE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "model/rsv.h"
#include "query/message.h"

/* Whether they say where: HOSTLIST or TASKCOUNT. NULL: they do not. */
bool maui_admin_has_place(json_object *attributes);

/* Puts what the attributes say into `rsv`, which has its former values or a new one's defaults; a
 * list that is given replaces the former one, an empty value takes the attribute away. 0 with
 * *ret_warning (caller frees; NULL: none); -1 with error BAD, then `rsv` may be half changed. */
int maui_admin_parse(struct maui_rsv *rsv, json_object *attributes, char **ret_warning,
		     struct maui_query_error *error);

#endif
