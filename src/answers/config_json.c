/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_json.c - what is wrong with maui.cfg, in answers that are no records yet
 *
 * Rules: CMD-9, CMD-32.
 */

#include "answers/config_json.h"

#include <string.h>

#include "answers/refused.h"
#include "base/limits.h"
#include "config/status.h"
#include "record/write.h"

void maui_config_put_refused(struct maui_object *o, const struct maui_document *p, uid_t uid)
{
	struct maui_arena arena = { 0 };
	struct maui_query_error error;
	const struct maui_question q = {
		.document = p, .uid = uid, .arena = &arena, .error = &error
	};
	const struct maui_refused *refused;

	if (maui_refused_get(&q, &refused))
		o->failed = true;
	else if (refused)
		maui_object_put(o, "refused", maui_record_json(&maui_refused_type, refused));
	maui_arena_finish(&arena);
}

static json_object *diags_to_json(const struct maui_diags *diags)
{
	json_object *array = json_object_new_array();
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; array && i < diags->count; i++) {
		json_object *line;

		maui_diag_format(&diags->list[i], text, sizeof(text));
		line = json_object_new_string(text);
		if (!line || json_object_array_add(array, line) != 0) {
			json_object_put(line);
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

/* Diagnostics quote lines of all objects. */
static bool may_read_lines(const struct maui_document *p, uid_t uid)
{
	return (!p->hide_users && !p->hide_accounts && !p->hide_rsvs) ||
	       maui_document_sees_all(p, uid);
}

/* Whether a line at this position sets a family, or a weight. */
static bool sets(const struct maui_config *config, const struct maui_diag *diag, unsigned families,
		 bool weights)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->line == diag->line && diag->file && strcmp(s->file, diag->file) == 0 &&
		    ((s->param->family & families) ||
		     (weights && s->param->scope == MAUI_SCOPE_PRIORITY)))
			return true;
	}
	return false;
}

json_object *maui_config_warnings(const struct maui_document *p, unsigned families, bool weights,
				  uid_t uid)
{
	struct maui_diags chosen = { 0 };
	json_object *list;

	for (size_t i = 0; p->config && may_read_lines(p, uid) && i < p->config->warnings.count;
	     i++) {
		const struct maui_diag *one = &p->config->warnings.list[i];

		if (sets(p->config->config, one, families, weights))
			maui_diags_add(&chosen, one->severity, one->file, one->line, one->column,
				       "%s", one->text);
	}
	list = diags_to_json(&chosen);
	maui_diags_finish(&chosen);
	return list;
}
