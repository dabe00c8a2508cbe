/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics_json.h - figures for a monitoring system: families of samples, as Prometheus reads them
 *
 * In: the published document. Out: families with name, type, help and samples; `maui metrics`
 * prints them. Counters count since slurmctld started. Bounded: credentials are those with the
 * largest usage (base/limits.h), everything else is a number for the whole machine. What
 * PrivateData hides from the user is neither listed nor counted.
 *
 * Rules: CMD-9, CMD-48.
 */
#ifndef MAUI_ANSWERS_METRICS_JSON_H
#define MAUI_ANSWERS_METRICS_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

/* NULL with an error: no plan yet, no memory. */
json_object *maui_metrics_json(const struct maui_document *p, uid_t uid,
			       struct maui_query_error *error);

#endif
