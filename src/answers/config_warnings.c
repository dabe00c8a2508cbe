/* SPDX-License-Identifier: GPL-2.0-or-later */
/* config_warnings.c - what is wrong with the maui.cfg in force, and names that nothing has, as
 * texts
 *
 * Rules: ACL-15, CMD-9, CMD-32.
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
	bool shown = config && maui_document_shows_lines(q->document, q->uid);
	size_t all = shown ? config->warnings.count : 0, count = 0;
	size_t names = shown ? q->document->warning_count : 0;
	const char **texts = maui_question_alloc(q, all + names, sizeof(*texts));
	char text[2 * MAUI_DIAG_MAX_TEXT];

	for (size_t i = 0; texts && i < all; i++) {
		const struct maui_diag *diag = &config->warnings.list[i];

		if (!sets(config->config, diag, families, weights))
			continue;
		maui_diag_format(diag, text, sizeof(text));
		if (!(texts[count++] = maui_question_copy(q, text)))
			return -1;
	}
	for (size_t i = 0; texts && i < names; i++)
		if (q->document->warnings[i].family & families)
			texts[count++] = q->document->warnings[i].text;
	*ret = texts;
	*ret_count = count;
	return texts ? 0 : -1;
}
