/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_json.h - the answer for showstate: the scheduler, active jobs on their nodes, what is wrong
 *
 * In: the published document. Out: JSON; README.md has the members. What PrivateData hides from the
 * user is not named: a node shows that a job is there, not whose.
 *
 * Rules: CMD-9, CMD-49.
 */
#ifndef MAUI_ANSWERS_STATE_JSON_H
#define MAUI_ANSWERS_STATE_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

struct maui_node_use;

/* NULL with an error: no plan yet, no memory. */
json_object *maui_state_json(const struct maui_document *p, uid_t uid,
			     struct maui_query_error *error);

/* state_problems.c: what is wrong, texts. `uses`: of each node; NULL: the user may not see nodes.
 * NULL without memory. */
json_object *maui_state_problems(const struct maui_document *p, const struct maui_node_use *uses,
				 uid_t uid);
#endif
