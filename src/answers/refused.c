/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused.c - since when maui.cfg is refused, and why
 *
 * Rules: CMD-9, CMD-32.
 */

#include "answers/refused.h"

#include "base/limits.h"
#include "config/status.h"

static const char *const *list_errors(const struct maui_question *q, size_t count)
{
	const struct maui_diag *list = q->document->config->errors.list;
	const char **texts = maui_question_alloc(q, count, sizeof(*texts));
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; texts && i < count; i++) {
		maui_diag_format(&list[i], text, sizeof(text));
		texts[i] = maui_question_copy(q, text);
		if (!texts[i])
			return NULL;
	}
	return texts;
}

int maui_refused_get(const struct maui_question *q, const struct maui_refused **ret)
{
	const struct maui_config_status *config = q->document->config;
	struct maui_refused *refused;

	*ret = NULL;
	if (!config || !config->refused_s)
		return 0;
	refused = maui_question_alloc(q, 1, sizeof(*refused));
	if (!refused)
		return -1;
	*refused = (struct maui_refused){
		.path = config->path,
		.since = config->refused_s,
		.kept_copy = config->kept_copy,
		.errors_count =
			maui_document_shows_lines(q->document, q->uid) ? config->errors.count : 0,
	};
	refused->errors = list_errors(q, refused->errors_count);
	*ret = refused;
	return refused->errors ? 0 : -1;
}
