/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help_json.h - what would let a waiting job start now, for checkjob
 *
 * Rules: CMD-41, CMD-42.
 */
#ifndef MAUI_ANSWERS_HELP_JSON_H
#define MAUI_ANSWERS_HELP_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "explain/explain.h"

/* A list of `text` and `command`. `e` explains this job; it is no longer valid afterwards. NULL
 * without memory. */
json_object *maui_help_json(const struct maui_document *p, struct maui_explainer *x, uint32_t index,
			    const struct maui_explanation *e, uid_t uid);

#endif
