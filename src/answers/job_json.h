/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_json.h - one job and why it waits, as JSON, which README.md describes
 *
 * In: the published document with its finished plan, and the number of a job or of a task. Out:
 * the job's request, its place in the queue, every reason, nodes by reason, and what would help.
 * The explanation is computed when it is asked for, in the thread that asks.
 *
 * Rules: CMD-21.
 */
#ifndef MAUI_ANSWERS_JOB_JSON_H
#define MAUI_ANSWERS_JOB_JSON_H

#include <json-c/json.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/document.h"
#include "answers/find_job.h"
#include "query/message.h"

/* {"cluster", "time", "job": {...}}. NULL with an error: the job is unknown, or PrivateData hides
 * it from the user; there is no plan yet; no memory. */
json_object *maui_job_json(const struct maui_document *p, const struct maui_job_name *name,
			   uid_t uid, struct maui_query_error *error);

#endif
