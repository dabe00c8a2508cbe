/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_json.h - the answer for showconfig: the maui.cfg that is in force, and one that was
 * refused */
#ifndef MAUI_ANSWERS_CONFIG_JSON_H
#define MAUI_ANSWERS_CONFIG_JSON_H

#include "answers/document.h"
#include "answers/object.h"
#include "answers/own_creds.h"
#include "config/config.h"
#include "query/message.h"

/* All parameters, or those of this name; README.md has the form. NULL with an error: no parameter
 * has the name, no memory. */
json_object *maui_config_json(const struct maui_document *p, const char *name, uid_t uid,
			      struct maui_query_error *error);

/* Whether a user who is not an administrator may see the line of a setting. */
bool maui_config_shows(const struct maui_own_creds *own, const struct maui_setting *setting);

/* Adds "refused": since when maui.cfg is refused and why; nothing when it is in force. Errors quote
 * lines, so users from whom PrivateData hides any do not get them. */
void maui_config_put_refused(struct maui_object *o, const struct maui_document *p, uid_t uid);

/* What `maui config check` says of lines that set one of these families (MAUI_FAMILY_*), with
 * `weights` of lines that set weights: a list of texts with their positions, empty for users from
 * whom PrivateData hides any lines. NULL without memory. */
json_object *maui_config_warnings(const struct maui_document *p, unsigned families, bool weights,
				  uid_t uid);

#endif
