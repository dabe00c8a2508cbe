/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs_json.h - the answer for diagnose -j and -q: jobs with their requests and what is wrong
 *
 * In: the published document with its finished plan. Out: an object for each job; of a job that
 * waits, what keeps it whatever is free, in Maui's words.
 */
#ifndef MAUI_ANSWERS_JOBS_JSON_H
#define MAUI_ANSWERS_JOBS_JSON_H

#include <stdbool.h>

#include "answers/document.h"
#include "answers/object.h"
#include "query/message.h"

/* All jobs that the user may see, or that of this number; `blocked`: those that something else than
 * a lack of resources keeps from starting. NULL with an error: no plan yet, no such job, no
 * memory. */
json_object *maui_jobs_json(const struct maui_document *p, int64_t id, bool blocked, uid_t uid,
			    struct maui_query_error *error);

#endif
