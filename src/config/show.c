/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show.c - a configuration as rows, for maui config show and showconfig */

#include "config/show.h"

#include <stdio.h>
#include <stdlib.h>

#include "config/quotes.h"

/* As maui.cfg may have it: show's rows are read again. */
static void set_name(struct maui_config_row *row, const struct maui_setting *s)
{
	char text[sizeof(row->name)];
	size_t at = (size_t)snprintf(row->name, sizeof(row->name), "%s", s->param->name);

	if (s->index && at < sizeof(row->name))
		at += (size_t)snprintf(row->name + at, sizeof(row->name) - at, "[%s]",
				       maui_quotes_index(s->index, text, sizeof(text)));
	if (s->attr && at < sizeof(row->name))
		at += (size_t)snprintf(row->name + at, sizeof(row->name) - at, " %s",
				       s->attr->name);
	if (s->sub && at < sizeof(row->name))
		snprintf(row->name + at, sizeof(row->name) - at, "[%s]",
			 maui_quotes_index(s->sub, text, sizeof(text)));
}

static void set_status(struct maui_config_row *row)
{
	enum maui_status status = row->row->status;

	row->honoured = status == MAUI_HONOURED || status == MAUI_DIFFERENT;
	row->status = maui_status_name(status);
	if (row->honoured && row->setting && row->setting->ignored) {
		row->honoured = false;
		row->status = "ignored";
	}
}

static void setting_row(const struct maui_setting *s, maui_config_row_fn call, void *arg)
{
	const struct maui_param *param = s->attr ? s->attr : s->param;
	struct maui_config_row row = {
		.value = s->value, .def = param->def, .row = param, .setting = s
	};
	char *quoted = NULL;

	/* without memory the value stands there as it is */
	if (maui_quotes_needed(param, s->value) && asprintf(&quoted, "\"%s\"", s->value) >= 0)
		row.value = quoted;
	set_name(&row, s);
	set_status(&row);
	if (s->line > 0)
		snprintf(row.origin, sizeof(row.origin), "%s:%u", s->file, s->line);
	else
		snprintf(row.origin, sizeof(row.origin), "%s", s->file);
	call(&row, arg);
	free(quoted);
}

/* The file's settings of a parameter that no later one replaced; returns how many are not
 * ignored. */
static size_t setting_rows(const struct maui_config *config, const struct maui_param *param,
			   maui_config_row_fn call, void *arg)
{
	size_t count = 0;

	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];

		if (s->param != param || s->replaced)
			continue;
		setting_row(s, call, arg);
		count += !s->ignored;
	}
	return count;
}

void maui_config_show(const struct maui_config *config, bool set_only, maui_config_row_fn call,
		      void *arg)
{
	for (size_t i = 0; i < maui_schema_param_count; i++) {
		const struct maui_param *param = &maui_schema_params[i];
		struct maui_config_row row = {
			.value = param->def, .def = param->def, .origin = "default", .row = param
		};

		if (setting_rows(config, param, call, arg) || set_only || param->of_moab)
			continue;
		snprintf(row.name, sizeof(row.name), "%s", param->name);
		set_status(&row);
		call(&row, arg);
	}
}
