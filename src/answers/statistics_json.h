/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics_json.h - figures of jobs as JSON, which README.md describes
 *
 * In: the published document with its statistics, its record of the last day, and the finished plan
 * with the jobs that run now. Out: the whole and the grid of sizes, or one row for each credential
 * of a kind.
 *
 * Rules: CMD-28, CMD-29.
 */
#ifndef MAUI_ANSWERS_STATISTICS_JSON_H
#define MAUI_ANSWERS_STATISTICS_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

/* kind: NULL: the whole. NULL with an error: no such kind; nothing is known yet; no memory. */
json_object *maui_statistics_json(const struct maui_document *p, const char *kind, uid_t uid,
				  struct maui_query_error *error);

#endif
