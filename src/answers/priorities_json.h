/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities_json.h - the answer for diagnose -p: the priority of each job of the queue, with every
 * contribution to it
 */
#ifndef MAUI_ANSWERS_PRIORITIES_JSON_H
#define MAUI_ANSWERS_PRIORITIES_JSON_H

#include "answers/document.h"
#include "answers/object.h"
#include "query/message.h"

/* The queue in its order, as far as this user may see it; `id` > 0: one waiting job, in the queue
 * or not. NULL with an error: no plan yet, no such job, no memory. */
json_object *maui_priorities_json(const struct maui_document *p, int64_t id, uid_t uid,
				  struct maui_query_error *error);

#endif
