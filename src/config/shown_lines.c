/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shown_lines.c - reads each line by itself, as the whole was read, and asks about its settings */

#include "config/shown_lines.h"

#include <stdlib.h>
#include <string.h>

#include "config/lexer.h"
#include "config/parse.h"

/* Whether the line sets anything, and all of it is shown. */
static bool is_shown(const struct maui_config *line, size_t before, maui_config_line_fn shows,
		     void *arg)
{
	for (size_t i = before; i < line->setting_count; i++)
		if (!shows(&line->settings[i], arg))
			return false;
	return line->setting_count > before;
}

/* The text of a line has no comments any more. A backslash at its end belongs to a
 * value; behind an empty comment it does not join the next line. */
static void add_line(struct maui_strbuf *out, const char *line, size_t length)
{
	maui_strbuf_add(out, line, length);
	maui_strbuf_addf(out, length > 0 && line[length - 1] == '\\' ? "#\n" : "\n");
}

static int add_lines(struct maui_lexer *lexer, struct maui_config *settings,
		     maui_config_line_fn shows, void *arg, struct maui_strbuf *out)
{
	struct maui_diags diags = { 0 };
	char *line;
	int rc = 0;

	while (rc == 0 && (line = maui_lexer_next(lexer))) {
		size_t before = settings->setting_count, length = strlen(line);

		rc = maui_config_parse_text(settings, "maui.cfg", line, length, true, &diags);
		if (rc == 0 && is_shown(settings, before, shows, arg))
			add_line(out, line, length);
	}
	maui_diags_finish(&diags);
	return rc;
}

int maui_config_shown_lines(const struct maui_config *config, maui_config_line_fn shows, void *arg,
			    struct maui_strbuf *out)
{
	struct maui_config *settings = calloc(1, sizeof(*settings)); /* of all lines */
	struct maui_lexer lexer;
	int rc;

	if (!settings)
		return -1;
	settings->refs = 1;
	rc = maui_lexer_init(&lexer, config->text, config->text_length);
	if (rc == 0) {
		rc = add_lines(&lexer, settings, shows, arg, out);
		maui_lexer_finish(&lexer);
	}
	maui_config_unref(settings);
	return rc || out->failed ? -1 : 0;
}
