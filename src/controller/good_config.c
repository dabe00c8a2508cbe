/* SPDX-License-Identifier: GPL-2.0-or-later */
/* good_config.c - the last accepted maui.cfg, a copy in the state directory
 *
 * Rules: CFG-9.
 */

#include "slurm/compat.h"

#include "controller/good_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/strbuf.h"

/* The last line tells a complete file from a truncated one. */
static const char end_line[] = "# end of an accepted maui.cfg\n";

void maui_log_diags(const struct maui_diags *diags, bool quiet, bool again)
{
	char text[1024];

	for (size_t i = 0; i < diags->count; i++) {
		maui_diag_format(&diags->list[i], text, sizeof(text));
		if (diags->list[i].severity == MAUI_ERROR && !again)
			error("slurm-maui: %s", text);
		else if (diags->list[i].severity == MAUI_WARNING && !quiet)
			info("slurm-maui: %s", text);
		else
			debug("slurm-maui: %s", text);
	}
}

void maui_save_good(const struct maui_controller *c, const struct maui_config *config)
{
	char *path = maui_state_path(c, "maui.cfg.good");
	struct maui_strbuf text = { 0 };
	struct maui_err err;

	maui_strbuf_add(&text, config->text, config->text_length);
	maui_strbuf_addf(&text, "%s", end_line);
	if (!path || text.failed)
		error("slurm-maui: no memory to keep the accepted maui.cfg");
	else if (maui_file_write(path, text.text, text.length, 1, &err))
		error("slurm-maui: cannot keep the accepted maui.cfg: %s", err.text);
	maui_strbuf_finish(&text);
	free(path);
}

static bool is_complete(const char *text, size_t length)
{
	size_t end = strlen(end_line);

	return length >= end && memcmp(text + length - end, end_line, end) == 0;
}

struct maui_config *maui_load_good(const struct maui_controller *c, bool old, bool again,
				   struct maui_diags *diags)
{
	struct maui_config_context context = { .scheduler_type = c->scheduler_type };
	char *path = maui_state_path(c, old ? "maui.cfg.good.old" : "maui.cfg.good");
	char *text = NULL;
	struct maui_config *config = NULL;
	struct maui_err err;
	size_t length;

	if (!path || maui_file_read(path, MAUI_CONFIG_MAX_BYTES, &text, &length, &err))
		maui_log_again(again, "slurm-maui: %s", path ? err.text : "no memory");
	else if (!is_complete(text, length))
		maui_log_again(again, "slurm-maui: %s is not complete, not used", path);
	else
		config = maui_config_parse(path, text, length, &context, diags);
	maui_log_diags(diags, true, again);
	if (config)
		maui_log_again(again, "slurm-maui: running on the last good configuration, %s",
			       path);
	free(text);
	free(path);
	return config;
}
