/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - the status of each setting of Maui's maui.cfg */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/need.h"
#include "cmd/migrate/migration.h"
#include "cmd/migrate/new_config.h"
#include "cmd/migrate/slurm_lines.h"
#include "cmd/query.h"

/* Lines that every site needs, for the trial as well. */
static const char *const always[] = {
	"PriorityType=priority/maui",
	"JobSubmitPlugins=maui",
};

enum { ALWAYS = sizeof(always) / sizeof(always[0]) };

static bool begins_with(const char *line, const char *word)
{
	return strncasecmp(line, word, strlen(word)) == 0;
}

static bool is_default(const char *line)
{
	return begins_with(line, "PartitionName=DEFAULT ") ||
	       begins_with(line, "NodeName=DEFAULT ");
}

/* slurmctld applies a DEFAULT line to the lines behind it. */
static size_t place_of(const struct maui_migration_lines *list, const char *line)
{
	size_t at = 0;

	if (!is_default(line))
		return list->count;
	while (at < list->count &&
	       (is_default(list->items[at]) || !(begins_with(list->items[at], "PartitionName=") ||
						 begins_with(list->items[at], "NodeName="))))
		at++;
	return at;
}

/* Several parameters of Maui may mean one of Slurm: the last one counts, as in Maui. Lines of a
 * partition and commands stand beside each other. */
static void add_line(struct maui_migration_lines *list, const char *line, bool is_parameter)
{
	size_t length = is_parameter ? strcspn(line, "=") + 1 : strlen(line) + 1;
	char *copy = maui_need_copy(line);
	size_t at;

	for (size_t i = 0; i < list->count; i++)
		if (strncmp(list->items[i], line, length) == 0) {
			free(list->items[i]);
			list->items[i] = copy;
			return;
		}
	list->items = maui_need_more(list->items, list->count, &list->alloc, sizeof(*list->items));
	at = place_of(list, line);
	memmove(list->items + at + 1, list->items + at,
		(list->count++ - at) * sizeof(*list->items));
	list->items[at] = copy;
}

static void name_setting(const struct maui_setting *s, struct maui_strbuf *out)
{
	maui_strbuf_addf(out, "%s", s->param->name);
	if (s->index)
		maui_strbuf_addf(out, "[%s]", s->index);
	if (s->attr)
		maui_strbuf_addf(out, " %s", s->attr->name);
	if (s->sub)
		maui_strbuf_addf(out, "[%s]", s->sub);
}

/* What becomes of a setting that has no error and was not replaced. */
static enum maui_status status_in_force(const struct maui_migration *m,
					const struct maui_setting *s, bool rewritten)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;

	if (row->status != MAUI_HONOURED)
		return row->status;
	return maui_setting_is_ignored(&m->diags, s) ? MAUI_UNSUPPORTED :
	       rewritten                             ? MAUI_DIFFERENT :
						       MAUI_HONOURED;
}

/* The text about one setting. */
struct account {
	const struct maui_setting *s;
	const struct maui_param *row;
	struct maui_strbuf name, value, note;
	const char *status; /* "honoured", "error", "replaced by a later line", ... */
	char *line;         /* of slurm.conf, or a command; NULL: none */
	bool rewritten;     /* the new maui.cfg has `value` */
};

/* What config check says of the setting. A time of two fields has a sentence of its own. */
static void add_warnings(struct maui_migration *m, struct account *a)
{
	bool any = false;

	for (size_t i = 0; i < m->diags.count; i++) {
		const struct maui_diag *d = &m->diags.list[i];

		if (d->severity != MAUI_WARNING || d->line != a->s->line ||
		    d->column != a->s->column || strcmp(d->file, a->s->file) != 0)
			continue;
		if (a->rewritten && strstr(d->text, "minutes and seconds"))
			continue;
		maui_strbuf_addf(&a->note, "%s%s", a->note.length ? "; " : "", d->text);
		any = true;
	}
	m->warned += any && strcmp(a->status, maui_status_name(MAUI_HONOURED)) == 0;
}

static void add_notes(struct maui_migration *m, struct account *a)
{
	const char *note = a->row->note[0] == ';' ? a->row->note + 1 : a->row->note;

	if (a->row->status != MAUI_HONOURED)
		maui_strbuf_addf(&a->note, "%s", note + strspn(note, " "));
	if (a->rewritten)
		maui_strbuf_addf(&a->note,
				 "%sMaui 3.x reads hours and minutes: the new maui.cfg has %s",
				 a->note.length ? "; " : "", a->value.text ? a->value.text : "");
	if (a->row->status == MAUI_HONOURED)
		add_warnings(m, a);
}

static const char *keep(struct maui_migration *m, const char *text)
{
	return maui_need(maui_arena_strdup(&m->arena, text));
}

static void report_json(struct maui_migration *m, const struct account *a)
{
	m->rows[m->row_count++] = (struct maui_migration_row){
		.file = a->s->file,
		.line = a->s->line,
		.name = keep(m, a->name.text ? a->name.text : ""),
		.value = a->s->value,
		.new_value = a->rewritten ? keep(m, a->value.text ? a->value.text : "") : NULL,
		.status = a->status,
		.note = keep(m, a->note.text ? a->note.text : a->row->note),
		.slurm = a->line ? keep(m, a->line) : NULL,
	};
}

static void report_text(const struct account *a)
{
	printf("%s:%u: %s: %s %s\n", a->s->file, a->s->line, a->status,
	       a->name.text ? a->name.text : "", a->s->value);
	if (a->line)
		printf("\t%s\n", a->line);
	else if (a->note.length > 0)
		printf("\t%s\n", a->note.text);
}

static bool is_in_value(const struct maui_diag *d, const struct maui_setting *s)
{
	return strcmp(d->file, s->file) == 0 && d->line == s->value_line &&
	       d->column >= s->value_column && d->column < s->value_column + s->value_length;
}

static bool has_error(const struct maui_migration *m, const struct maui_setting *s)
{
	for (size_t i = 0; i < m->diags.count; i++) {
		const struct maui_diag *d = &m->diags.list[i];
		bool at_name = strcmp(d->file, s->file) == 0 && d->line == s->line &&
			       d->column == s->column;

		if (d->severity == MAUI_ERROR && (at_name || is_in_value(d, s)))
			return true;
	}
	return false;
}

/* Whether a word of its value is ignored: such a setting is honoured in part. */
static bool has_ignored_word(const struct maui_migration *m, const struct maui_setting *s)
{
	for (size_t i = 0; i < m->diags.count; i++)
		if (m->diags.list[i].severity == MAUI_WARNING && is_in_value(&m->diags.list[i], s))
			return true;
	return false;
}

/* Sets the status and counts it. */
static void judge(struct maui_migration *m, struct account *a)
{
	bool in_part = a->row->status == MAUI_HONOURED && has_ignored_word(m, a->s);
	enum maui_status status = status_in_force(m, a->s, a->rewritten);

	if (has_error(m, a->s) || a->s->replaced) {
		a->status = a->s->replaced && !has_error(m, a->s) ? "replaced by a later line" :
								    "error";
		a->rewritten = false;
		return;
	}
	a->status = in_part ? "honoured in part" : maui_status_name(status);
	m->counts[status] += !has_ignored_word(m, a->s);
	a->rewritten &= status == MAUI_DIFFERENT;
	m->rewritten += a->rewritten;
}

static void report_setting(struct maui_migration *m, const struct maui_setting *s)
{
	struct account a = { .s = s, .row = s->attr ? s->attr : s->param };
	enum maui_slurm_line_kind kind = MAUI_SLURM_LINE_CONF;

	name_setting(s, &a.name);
	a.rewritten = (a.row->status == MAUI_HONOURED || a.row->status == MAUI_DIFFERENT) &&
		      maui_new_value(s, s->value, strlen(s->value), &a.value);
	judge(m, &a);
	add_notes(m, &a);
	if (a.row->status == MAUI_SLURM_CONF && !s->replaced && !has_error(m, s))
		a.line = maui_slurm_line(s, &kind);
	if (m->common->json)
		report_json(m, &a);
	else
		report_text(&a);
	if (a.line)
		add_line(kind == MAUI_SLURM_LINE_COMMAND ? &m->commands : &m->lines, a.line,
			 kind == MAUI_SLURM_LINE_CONF);
	free(a.line);
	maui_strbuf_finish(&a.name);
	maui_strbuf_finish(&a.value);
	maui_strbuf_finish(&a.note);
}

void maui_migration_report(struct maui_migration *m)
{
	if (m->common->json)
		m->rows = maui_need_list(m->config->setting_count, sizeof(*m->rows));
	for (size_t i = 0; i < ALWAYS; i++)
		add_line(&m->lines, always[i], true);
	for (size_t i = 0; i < m->config->setting_count; i++)
		report_setting(m, &m->config->settings[i]);
}
