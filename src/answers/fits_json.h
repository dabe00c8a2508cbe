/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fits_json.h - what is free now for a user's next job: the answer for showbf and maui fits
 *
 * In: the published document, credentials, the shape of a job. Out: JSON; README.md has its form.
 *
 * Rules: CMD-40, CMD-41.
 */
#ifndef MAUI_ANSWERS_FITS_JSON_H
#define MAUI_ANSWERS_FITS_JSON_H

#include <json-c/json.h>
#include <sys/types.h>

#include "answers/document.h"
#include "query/message.h"

/* `args` as in README.md, borrowed. NULL with error: wrong arguments, an unknown partition, no
 * plan, no memory. */
json_object *maui_fits_json(const struct maui_document *p, json_object *args, uid_t uid,
			    struct maui_query_error *error);

#endif
