/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report.c - what becomes of each setting of Maui's maui.cfg */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/migrate/migration.h"
#include "cmd/migrate/slurm_lines.h"

/* Lines that every site needs, whatever its maui.cfg says. */
static const char *const always[] = {
	"SchedulerType=sched/maui",
	"PriorityType=priority/maui",
	"JobSubmitPlugins=maui",
};

enum { ALWAYS = sizeof(always) / sizeof(always[0]) };

static int add_item(struct maui_migration_lines *list, char *item)
{
	char **grown = realloc(list->items, (list->count + 1) * sizeof(*grown));

	if (!grown) {
		free(item);
		return -1;
	}
	list->items = grown;
	grown[list->count++] = item;
	return 0;
}

/* Several parameters of Maui may mean one of Slurm: the last one counts, as in Maui. Lines of a
 * partition and commands stand beside each other. */
static int add_line(struct maui_migration_lines *list, const char *line, bool is_parameter)
{
	size_t length = is_parameter ? strcspn(line, "=") + 1 : strlen(line) + 1;
	char *copy = strdup(line);

	for (size_t i = 0; copy && i < list->count; i++)
		if (strncmp(list->items[i], line, length) == 0) {
			free(list->items[i]);
			list->items[i] = copy;
			return 0;
		}
	return copy ? add_item(list, copy) : -1;
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

/* "honoured", "error", "honoured in part", "replaced by a later line", ... */
static const char *status_of(const struct maui_migration *m, const struct maui_setting *s)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;

	if (maui_migration_has_error(m, s))
		return "error";
	if (s->replaced)
		return "replaced by a later line";
	if (row->status == MAUI_HONOURED && maui_migration_has_ignored_word(m, s))
		return "honoured in part";
	return maui_status_name(row->status);
}

static void report_json(struct maui_migration *m, const struct maui_setting *s, const char *name,
			const struct maui_param *row, const char *line)
{
	json_object *object = json_object_new_object();

	json_object_object_add(object, "file", json_object_new_string(s->file));
	json_object_object_add(object, "line", json_object_new_int64(s->line));
	json_object_object_add(object, "name", json_object_new_string(name));
	json_object_object_add(object, "value", json_object_new_string(s->value));
	json_object_object_add(object, "status", json_object_new_string(status_of(m, s)));
	json_object_object_add(object, "note", json_object_new_string(row->note));
	json_object_object_add(object, "slurm", line ? json_object_new_string(line) : NULL);
	json_object_array_add(m->rows, object);
}

static void report_text(const struct maui_migration *m, const struct maui_setting *s,
			const char *name, const struct maui_param *row, const char *line)
{
	const char *note = row->note[0] == ';' ? row->note + 1 : row->note;

	printf("%s:%u: %s: %s %s\n", s->file, s->line, status_of(m, s), name, s->value);
	if (line)
		printf("\t%s\n", line);
	else if (row->status != MAUI_HONOURED && *note)
		printf("\t%s\n", note + strspn(note, " "));
}

static int report_setting(struct maui_migration *m, const struct maui_setting *s)
{
	const struct maui_param *row = s->attr ? s->attr : s->param;
	enum maui_slurm_line_kind kind = MAUI_SLURM_LINE_CONF;
	bool counts = !s->replaced && !maui_migration_has_error(m, s);
	bool whole = counts && !maui_migration_has_ignored_word(m, s);
	char *line = counts && row->status == MAUI_SLURM_CONF ? maui_slurm_line(s, &kind) : NULL;
	struct maui_strbuf name = { 0 };
	int rc = 0;

	name_setting(s, &name);
	m->counts[row->status] += whole;
	if (m->json)
		report_json(m, s, name.text ? name.text : "", row, line);
	else
		report_text(m, s, name.text ? name.text : "", row, line);
	if (line)
		rc = add_line(kind == MAUI_SLURM_LINE_COMMAND ? &m->commands : &m->lines, line,
			      kind == MAUI_SLURM_LINE_CONF);
	free(line);
	maui_strbuf_finish(&name);
	return rc;
}

int maui_migration_report(struct maui_migration *m)
{
	for (size_t i = 0; i < ALWAYS; i++)
		if (add_line(&m->lines, always[i], true))
			return -1;
	for (size_t i = 0; i < m->config->setting_count; i++)
		if (report_setting(m, &m->config->settings[i]))
			return -1;
	return 0;
}
