/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share_json.h - usage, targets and their effect as JSON, which README.md describes
 *
 * In: the published document with its fairshare windows and its finished plan. Out: one row for
 * each credential that the asker may see; of few credentials also forecasts.
 *
 * Rules: CMD-26, CMD-27.
 */
#ifndef MAUI_ANSWERS_SHARE_JSON_H
#define MAUI_ANSWERS_SHARE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

struct maui_share_args {
	const char *kind, *name; /* "user"; NULL: all kinds, all names */
	bool own;                /* the name is the asker's: a row even without usage */
};

/* NULL with an error: no such credential; PrivateData=usage hides it; no plan yet; no memory. */
json_object *maui_share_json(const struct maui_document *p, const struct maui_share_args *args,
			     uid_t uid, struct maui_query_error *error);

/* The same of at most so many credentials, those with the largest usage. NULL: no plan yet; no
 * memory. */
json_object *maui_share_json_largest(const struct maui_document *p, size_t most, uid_t uid);

#endif
