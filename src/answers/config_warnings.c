/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_warnings.c - what `maui config check` says of the maui.cfg in force, as texts
 *
 * Rules: CMD-9, CMD-32.
 */

#include "answers/config_warnings.h"

#include <string.h>

#include "base/limits.h"
#include "config/config.h"
#include "config/status.h"

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

int maui_config_warnings_list(const struct maui_question *q, unsigned families, bool weights,
			      const char *const **ret, size_t *ret_count)
{
	const struct maui_config_status *config = q->document->config;
	size_t all = config && maui_document_shows_lines(q->document, q->uid) ?
			     config->warnings.count :
			     0,
	       count = 0;
	const char **texts = maui_question_alloc(q, all, sizeof(*texts));
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; texts && i < all; i++) {
		const struct maui_diag *diag = &config->warnings.list[i];

		if (!sets(config->config, diag, families, weights))
			continue;
		maui_diag_format(diag, text, sizeof(text));
		if (!(texts[count++] = maui_question_copy(q, text)))
			return -1;
	}
	*ret = texts;
	*ret_count = count;
	return texts ? 0 : -1;
}
