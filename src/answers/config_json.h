/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_json.h - what is wrong with maui.cfg, in answers that are no records yet */
#ifndef MAUI_ANSWERS_CONFIG_JSON_H
#define MAUI_ANSWERS_CONFIG_JSON_H

#include "answers/document.h"
#include "answers/object.h"

/* Adds "refused", a struct maui_refused (answers/refused.h), as an object that prints itself;
 * nothing when maui.cfg is in force. */
void maui_config_put_refused(struct maui_object *o, const struct maui_document *p, uid_t uid);

/* What `maui config check` says of lines that set one of these families (MAUI_FAMILY_*), with
 * `weights` of lines that set weights: a list of texts with their positions, empty for users from
 * whom PrivateData hides any lines. NULL without memory. */
json_object *maui_config_warnings(const struct maui_document *p, unsigned families, bool weights,
				  uid_t uid);

#endif
