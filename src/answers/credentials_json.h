/* SPDX-License-Identifier: GPL-2.0-or-later */
/* credentials_json.h - the answer for diagnose -u -g -a -c -Q: users, groups, accounts, classes,
 * QOS
 *
 * In: the published document: plan and configuration. Out: for each credential that maui.cfg names
 * or a job has: its settings, its limits and what is in use of them.
 */
#ifndef MAUI_ANSWERS_CREDENTIALS_JSON_H
#define MAUI_ANSWERS_CREDENTIALS_JSON_H

#include "answers/document.h"
#include "answers/object.h"
#include "query/message.h"

/* All of a kind ("user", ..., as maui_cred_name()), or one; README.md has the form. NULL with an
 * error: unknown kind or name, no plan yet, no memory. */
json_object *maui_credentials_json(const struct maui_document *p, const char *kind,
				   const char *name, uid_t uid, struct maui_query_error *error);

#endif
