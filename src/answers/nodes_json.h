/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodes_json.h - the answer for diagnose -n: nodes, what is configured and available,
 * reservations */
#ifndef MAUI_ANSWERS_NODES_JSON_H
#define MAUI_ANSWERS_NODES_JSON_H

#include "answers/document.h"
#include "answers/object.h"
#include "query/message.h"

/* All nodes of the finished plan, or one with what is reserved on it. NULL with an error: no plan
 * yet, no such node, PrivateData=nodes, no memory. */
json_object *maui_nodes_json(const struct maui_document *p, const char *name, uid_t uid,
			     struct maui_query_error *error);

#endif
