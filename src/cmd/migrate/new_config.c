/* SPDX-License-Identifier: GPL-2.0-or-later */
/* new_config.c - the old text, line by line, with reasons before the lines that go */

#include "cmd/migrate/new_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "config/check/check.h"
#include "config/lexer.h"
#include "config/schema/schema.h"

/* What is known of one line. */
struct verdict {
	bool used;         /* some setting of the line has an effect */
	const char *why;   /* why a setting of the line has none; NULL: no setting */
	const char *fault; /* an error, or a warning that no setting came of the line */
};

static bool has_effect(enum maui_status status)
{
	return status == MAUI_HONOURED || status == MAUI_DIFFERENT;
}

/* A time of two fields, with the third one: at its end, or of Moab at its beginning. */
static void add_three_fields(const char *part, size_t length, bool of_moab, struct maui_strbuf *out)
{
	if (of_moab)
		maui_strbuf_addf(out, "0:%s", part[1] == ':' ? "0" : "");
	maui_strbuf_add(out, part, length);
	if (!of_moab)
		maui_strbuf_add(out, ":00", 3);
}

bool maui_new_value(const struct maui_setting *s, const char *text, size_t length, bool of_moab,
		    struct maui_strbuf *out)
{
	size_t done = 0, at = 0, part;

	while (maui_config_two_fields(s, text, length, &at, &part)) {
		maui_strbuf_add(out, text + done, at - done);
		add_three_fields(text + at, part, of_moab, out);
		at += part;
		done = at;
	}
	maui_strbuf_add(out, text + done, length - done);
	return done > 0;
}

bool maui_setting_is_ignored(const struct maui_diags *diags, const struct maui_setting *s)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct maui_diag *d = &diags->list[i];

		if (d->severity == MAUI_WARNING && d->line == s->line && d->column == s->column &&
		    strcmp(d->file, s->file) == 0 && strstr(d->text, ", ignoring"))
			return true;
	}
	return false;
}

static void judge_settings(const struct maui_config *config, const struct maui_diags *diags,
			   struct verdict *verdicts, size_t line_count)
{
	for (size_t i = 0; i < config->setting_count; i++) {
		const struct maui_setting *s = &config->settings[i];
		const struct maui_param *row = s->attr ? s->attr : s->param;

		if (s->line == 0 || s->line > line_count)
			continue;
		if (has_effect(row->status) && !maui_setting_is_ignored(diags, s))
			verdicts[s->line - 1].used = true;
		else if (has_effect(row->status))
			verdicts[s->line - 1].why = maui_status_name(MAUI_UNSUPPORTED);
		else
			verdicts[s->line - 1].why = row->status == MAUI_SLURM_CONF ?
							    "belongs to slurm.conf" :
							    maui_status_name(row->status);
	}
}

static void judge_faults(const struct maui_diags *diags, struct verdict *verdicts,
			 size_t line_count)
{
	for (size_t i = 0; i < diags->count; i++) {
		const struct maui_diag *d = &diags->list[i];
		struct verdict *v;

		if (d->line == 0 || d->line > line_count)
			continue;
		v = &verdicts[d->line - 1];
		if (d->severity == MAUI_ERROR ||
		    (d->severity == MAUI_WARNING && !v->used && !v->why))
			v->fault = d->text;
	}
}

/* A line that goes on behind a backslash stays: its other half would be a line of its own. `end`:
 * the offset of its newline, which the lexer joined. */
static bool continues(const struct maui_lexer *lexer, size_t end)
{
	return end < lexer->length ? lexer->text[end] != '\0' : lexer->open_end;
}

static size_t count_lines(const char *text, size_t length)
{
	size_t count = 1;

	for (size_t i = 0; i < length; i++)
		count += text[i] == '\n';
	return count;
}

/* A line whose values are rewritten. *setting: the first one whose value is not above it. */
static void write_line(const struct maui_config *config, size_t number, const char *line,
		       size_t length, bool of_moab, size_t *setting, struct maui_strbuf *out)
{
	size_t done = 0;

	for (; *setting < config->setting_count && config->settings[*setting].value_line <= number;
	     ++*setting) {
		const struct maui_setting *s = &config->settings[*setting];
		size_t at = s->value_column > 0 ? s->value_column - 1 : 0;

		if (s->value_line < number || at < done || at + s->value_length > length ||
		    !has_effect(s->attr ? s->attr->status : s->param->status))
			continue;
		maui_strbuf_add(out, line + done, at - done);
		maui_new_value(s, line + at, s->value_length, of_moab, out);
		done = at + s->value_length;
	}
	maui_strbuf_add(out, line + done, length - done);
}

static void write_lines(const struct maui_config *config, const struct verdict *verdicts,
			bool of_moab, struct maui_strbuf *out)
{
	const char *at = config->text, *end = config->text + config->text_length;
	bool inside = false;     /* the line before goes on */
	struct maui_lexer lexer; /* of all lines: quotes may go on, too */
	size_t setting = 0;

	if (maui_lexer_init(&lexer, config->text, config->text_length))
		maui_out_of_memory();
	for (size_t n = 0; at < end; n++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t length = (size_t)((stop ? stop : end) - at);
		bool more = continues(&lexer, (size_t)(at - config->text) + length);
		const char *why = verdicts[n].fault ? verdicts[n].fault :
				  verdicts[n].used  ? NULL :
						      verdicts[n].why;

		if (why && !inside && !more)
			maui_strbuf_addf(out, "# %s:\n# ", why);
		write_line(config, n + 1, at, length, of_moab, &setting, out);
		maui_strbuf_add(out, "\n", 1);
		inside = more;
		at = stop ? stop + 1 : end;
	}
	maui_lexer_finish(&lexer);
}

static struct maui_config *parse(const char *text, size_t length, struct maui_diags *diags)
{
	const struct maui_config_context context = { .keep_faulty = true };

	return maui_config_parse("maui.cfg", text, length, &context, diags);
}

static int count_errors(const struct maui_strbuf *out)
{
	struct maui_diags diags = { 0 };
	struct maui_config *config = parse(out->text ? out->text : "", out->length, &diags);
	int errors = config ? (int)diags.seen[MAUI_ERROR] : -1;

	maui_config_unref(config);
	maui_diags_finish(&diags);
	return errors;
}

int maui_new_config(const struct maui_config *old, bool of_moab, struct maui_strbuf *out)
{
	struct maui_diags diags = { 0 };
	/* again, as one file: the lines of included files have numbers of their own */
	struct maui_config *config = maui_need(parse(old->text, old->text_length, &diags));
	size_t line_count = count_lines(old->text, old->text_length);
	struct verdict *verdicts = maui_need_list(line_count + 1, sizeof(*verdicts));

	judge_settings(config, &diags, verdicts, line_count);
	judge_faults(&diags, verdicts, line_count);
	maui_strbuf_addf(out, "# Made by maui migrate. Commented lines had no effect, or an error: "
			      "the line before says which.\n");
	write_lines(config, verdicts, of_moab, out);
	if (out->failed)
		maui_out_of_memory();
	free(verdicts);
	maui_config_unref(config);
	maui_diags_finish(&diags);
	return count_errors(out);
}
