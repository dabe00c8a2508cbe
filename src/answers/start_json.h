/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_json.h - when one job starts, what that rests on, and how it moved, as JSON: README.md
 *
 * In: the published document with its finished plan, and the number of a job or of a task. The
 * start of a job without an estimate of the cycle is searched when it is asked for.
 *
 * Rules: CMD-25.
 */
#ifndef MAUI_ANSWERS_START_JSON_H
#define MAUI_ANSWERS_START_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "answers/find_job.h"
#include "query/message.h"

/* {"cluster", "time", "start": {...}}. NULL with an error: as maui_job_json(). */
json_object *maui_start_json(const struct maui_document *p, const struct maui_job_name *name,
			     uid_t uid, struct maui_query_error *error);

/* How the estimate of a waiting job moved: [[at, start], ...]. NULL without memory. */
json_object *maui_start_history_json(const struct maui_document *p, uint32_t index);

#endif
