/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report_json.h - what the pictures of `maui report` and `showres -g` show, as JSON
 *
 * In: the published document with its finished plan. Out: the schedule (nodes by time), the queue,
 * the first waiting jobs and why they wait; README.md has the members. Rows, boxes and jobs are
 * bounded (base/limits.h), so that a page stays readable.
 *
 * Rules: CMD-37.
 */
#ifndef MAUI_ANSWERS_REPORT_JSON_H
#define MAUI_ANSWERS_REPORT_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

enum { MAUI_REPORT_HORIZON_S = 24 * 3600 };

struct maui_report_args {
	int64_t horizon_s;  /* 0: MAUI_REPORT_HORIZON_S */
	bool schedule_only; /* nothing but the schedule */
};

/* NULL with an error: the horizon is out of range; no memory. */
json_object *maui_report_json(const struct maui_document *p, const struct maui_report_args *args,
			      uid_t uid, struct maui_query_error *error);

/* report_queue.c: puts "queue", "reasons", "waiting" and "why_not": how much runs and waits, the
 * waiting jobs by reason, the first waiting jobs, and for the first of these nodes by reason. */
struct maui_object;
void maui_report_put_queue(struct maui_object *o, const struct maui_document *p, uid_t uid);

#endif
