/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store.c - stores one value by its row of the schema, and reports what is wrong with it */

#include "config/build/private.h"

#include <string.h>

#include "config/parse.h"

void maui_build_report_at(const struct maui_setting *s, size_t offset,
			  enum maui_value_result result, const struct maui_err *err,
			  struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	bool honoured = row->status == MAUI_HONOURED || row->status == MAUI_DIFFERENT;
	bool warning = !honoured || result == MAUI_VALUE_IGNORED;
	uint32_t line, column;

	maui_setting_place(s, offset, &line, &column);
	diags->no_memory |= result == MAUI_VALUE_BAD && err->no_memory;
	if (result != MAUI_VALUE_OK)
		maui_diags_add(diags, warning ? MAUI_WARNING : MAUI_ERROR, s->file, line, column,
			       "%s%s", err->text,
			       warning && !strstr(err->text, ", ignoring") ? ", ignoring" : "");
}

void maui_build_report(const struct maui_setting *s, enum maui_value_result result,
		       const struct maui_err *err, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	struct maui_list_word word = { 0 };
	struct maui_err why;

	if (row->type != MAUI_TYPE_WORDS || result != MAUI_VALUE_IGNORED)
		maui_build_report_at(s, SIZE_MAX, result, err, diags);
	else
		while (maui_value_next_wrong(row, s->value, &word)) {
			maui_value_wrong(row, s->value + word.at, word.length, &why);
			maui_build_report_at(s, word.at, result, &why, diags);
		}
}

bool maui_build_store(struct maui_setting *s, void *base, struct maui_diags *diags)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	enum maui_value_result result;
	struct maui_err err;

	if (row->status == MAUI_SLURM_CONF || row->status == MAUI_UNSUPPORTED)
		return false; /* check.c reports the line, so a bad value in it does not matter */
	result = maui_value_parse(row, s->value, base, &err);
	maui_build_report(s, result, &err, diags);
	return result == MAUI_VALUE_OK;
}
