/* SPDX-License-Identifier: GPL-2.0-or-later */
/* attributes.h - sets the attributes of a setres, which mean the same as those of a SRCFG */
#ifndef MAUI_ADMIN_ATTRIBUTES_H
#define MAUI_ADMIN_ATTRIBUTES_H

#include <stdbool.h>

#include "model/rsv.h"
#include "query/message.h"
#include "verbs/setres.h"

/* Whether this attribute is given, be it empty. */
bool maui_admin_names(const struct maui_setres_args *args, const char *attribute);
/* Whether the attributes name nodes: HOSTLIST or TASKCOUNT. */
bool maui_admin_has_place(const struct maui_setres_args *args);

/* Stores the attributes in `rsv`, which has its former values or a new one's defaults. A list
 * replaces the former list; an empty value removes the attribute. 0 with *ret_warning (the caller
 * frees it; NULL: none); -1 with error BAD, then `rsv` may be partly changed. */
int maui_admin_set_attributes(struct maui_rsv *rsv, const struct maui_setres_args *args,
			      char **ret_warning, struct maui_query_error *error);

#endif
