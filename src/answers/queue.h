/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_json.h - the whole queue as JSON: active, idle and blocked jobs, which README.md describes
 *
 * In: the published document with its finished plan, and whose jobs are wanted. Out: a list of
 * column names for active and for waiting jobs, and a row of values for each job; totals; which
 * nodes are kept for which jobs. Rows are written as text at once: an object a value would take ten
 * times the time and memory.
 *
 * A job is idle if it waits for resources only, and blocked if anything else keeps it: a hold, a
 * limit, Slurm's own checks, nodes that there are not.
 *
 * Rules: CMD-9, CMD-23.
 */
#ifndef MAUI_ANSWERS_QUEUE_JSON_H
#define MAUI_ANSWERS_QUEUE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

struct maui_queue_args {
	const char *cred[MAUI_CRED_COUNT]; /* of each kind one of "a,b"; NULL: any */
	bool active, idle, blocked;        /* which rows; totals count all */
	bool wide;                         /* all columns, not only those of showq */
};

/* NULL with an error: there is no plan yet; too many jobs; no memory. */
json_object *maui_queue_json(const struct maui_document *p, const struct maui_queue_args *args,
			     uid_t uid, struct maui_query_error *error);

#endif
