/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.h - reads the attributes of a setres like those of a SRCFG; for admin.c */
#ifndef MAUI_ADMIN_PARSE_H
#define MAUI_ADMIN_PARSE_H

#include <json-c/json.h>
#include <stdbool.h>

#include "model/rsv.h"
#include "query/message.h"

/* Whether the attributes name nodes: HOSTLIST or TASKCOUNT. `attributes` may be NULL. */
bool maui_admin_has_place(json_object *attributes);

/* Stores the attributes in `rsv`, which has its former values or a new one's defaults. A list
 * replaces the former list; an empty value removes the attribute. 0 with *ret_warning (the caller
 * frees it; NULL: none); -1 with error BAD, then `rsv` may be partly changed. */
int maui_admin_parse(struct maui_rsv *rsv, json_object *attributes, char **ret_warning,
		     struct maui_query_error *error);

#endif
