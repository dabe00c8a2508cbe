/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial_json.h - the answer for `maui trial`: the score of SERVERMODE TEST
 *
 * In: the published document. Out: JSON; README.md has the members. The score names jobs of all
 * users, so administrators and operators alone get it.
 *
 * Rules: CMD-57.
 */
#ifndef MAUI_ANSWERS_TRIAL_JSON_H
#define MAUI_ANSWERS_TRIAL_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

/* NULL with an error: not permitted, no plan yet, no trial, no memory. */
json_object *maui_trial_json(const struct maui_document *p, uid_t uid,
			     struct maui_query_error *error);

#endif
