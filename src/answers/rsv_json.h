/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_json.h - rows of reservations as JSON, which README.md describes */
#ifndef MAUI_ANSWERS_RSV_JSON_H
#define MAUI_ANSWERS_RSV_JSON_H

#include <json-c/json.h>
#include <stdbool.h>

#include "base/err.h"
#include "answers/document.h"
#include "answers/object.h"

/* The row for this user, who may see it. `nodes`: with the list of nodes. NULL without memory. */
json_object *maui_rsv_json(const struct maui_document *p, const struct maui_document_rsv *row,
			   uid_t uid, bool nodes);

/* Puts its nodes in one text: "n[1-4],g1". */
void maui_rsv_put_node_names(struct maui_object *o, const char *key, const struct maui_document *p,
			     const struct maui_document_rsv *row);
/* Puts what it is, whose, and its times. */
void maui_rsv_put_short(struct maui_object *o, const struct maui_document_rsv *row);

/* {"cluster": ..., "time": ..., "reservations": [...], "warnings": [...]} of those that the user
 * may see; `name` NULL: all. *ret_count: how many there are. NULL with err: no memory, or the
 * answer would list more reservations or nodes than base/limits.h allows. */
json_object *maui_rsv_json_list(const struct maui_document *p, const char *name, bool nodes,
				uid_t uid, size_t *ret_count, struct maui_err *err);

/* {"cluster": ..., "time": ..., "summary": [{"type", "active", "active_procs", "future",
 * "future_procs"}, ...]}. Counts the same reservations: one element for each type. NULL without
 * memory. */
json_object *maui_rsv_json_summary(const struct maui_document *p, const char *name, uid_t uid,
				   size_t *ret_count);

#endif
