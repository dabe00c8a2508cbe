/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot_json.h - the answer to `snapshot`: the last plan's input as maui.snapshot.v1
 *
 * In: the document. Out: cluster, time, `complete`, and `snapshot` (doc/snapshot.md). What
 * PrivateData hides from the asker is there without names, because the plan would be wrong
 * without it; `complete` is then false.
 *
 * Rules: CMD-35.
 */
#ifndef MAUI_ANSWERS_SNAPSHOT_JSON_H
#define MAUI_ANSWERS_SNAPSHOT_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

/* NULL with error: there is no plan yet, the answer would be too large, no memory. */
json_object *maui_snapshot_json(const struct maui_document *p, uid_t uid,
				struct maui_query_error *error);

#endif
