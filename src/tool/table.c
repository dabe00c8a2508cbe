/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - columns, by libsmartcols */

#include "tool/table.h"
#include "base/need.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct maui_table {
	struct libscols_table *scols;
	struct maui_column *columns;
	size_t count;
	size_t *shown; /* indices of `columns` */
	size_t shown_count;
};

/* A result of libsmartcols other than 0: no memory. */
static void need(int rc)
{
	if (rc != 0)
		maui_out_of_memory();
}

static void add_columns(struct maui_table *table)
{
	for (size_t i = 0; i < table->shown_count; i++) {
		const struct maui_column *column = &table->columns[table->shown[i]];

		maui_need(scols_table_new_column(table->scols, column->title, 0,
						 column->right ? SCOLS_FL_RIGHT : 0));
	}
}

struct maui_table *maui_table_create(const struct maui_column *columns, size_t count)
{
	struct maui_table *table = maui_need_list(1, sizeof(*table));

	setlocale(LC_CTYPE, ""); /* names in UTF-8 are as wide as they look */
	scols_init_debug(0);
	table->columns = maui_need_list(count, sizeof(*table->columns));
	table->count = table->shown_count = count;
	table->shown = maui_need_list(count, sizeof(*table->shown));
	table->scols = maui_need(scols_new_table());
	need(scols_table_enable_nowrap(table->scols, 1));
	for (size_t i = 0; i < count; i++) {
		table->columns[i] = columns[i];
		table->shown[i] = i;
	}
	/* else the library drops columns that a terminal has no room for */
	scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	add_columns(table);
	return table;
}

const char *maui_table_name(const struct maui_column *column)
{
	return column->title + strspn(column->title, "# ");
}

/* Index of the column with this title; table->count: none. */
static size_t find_column(const struct maui_table *table, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		const char *title = maui_table_name(&table->columns[i]);

		if (strlen(title) == length && strncasecmp(title, name, length) == 0)
			break;
	}
	return i;
}

int maui_table_select(struct maui_table *table, const char *format, char *unknown, size_t size)
{
	size_t commas = 0, length, column;

	for (const char *c = format; *c; c++)
		commas += *c == ',';
	free(table->shown);
	table->shown = maui_need_list(commas + 1, sizeof(*table->shown));
	need(scols_table_remove_columns(table->scols));
	table->shown_count = 0;
	for (const char *name = format;; name += length + 1) {
		length = strcspn(name, ",");
		column = find_column(table, name, length);
		if (column == table->count) {
			snprintf(unknown, size, "%.*s", (int)length, name);
			return -1;
		}
		table->shown[table->shown_count++] = column;
		if (name[length] == '\0')
			break;
	}
	add_columns(table);
	return 0;
}

void maui_table_widen(struct maui_table *table, const unsigned *widths)
{
	for (size_t i = 0; i < table->shown_count; i++) {
		struct libscols_column *column = scols_table_get_column(table->scols, i);

		if (widths[table->shown[i]] <= 1)
			continue;
		scols_column_set_whint(column, widths[table->shown[i]]);
		scols_column_set_flags(column,
				       scols_column_get_flags(column) | SCOLS_FL_STRICTWIDTH);
	}
}

void maui_table_destroy(struct maui_table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table->shown);
	free(table->columns);
	free(table);
}

void maui_table_add(struct maui_table *table, const char *const *cells)
{
	struct libscols_line *line = maui_need(scols_table_new_line(table->scols, NULL));

	for (size_t i = 0; i < table->shown_count; i++)
		need(scols_line_set_data(line, i, cells[table->shown[i]]));
}

/* In place. */
static void trim_lines(char *text)
{
	char *to = text;

	for (char *line = text; *line != '\0';) {
		size_t length = strcspn(line, "\n"), kept = length;

		while (kept > 0 && line[kept - 1] == ' ')
			kept--;
		memmove(to, line, kept);
		to += kept;
		*to++ = '\n';
		line += length + (line[length] == '\n');
	}
	*to = '\0';
}

/* The library makes an empty table no text at all, and ends the last line with nothing. */
char *maui_table_text(struct maui_table *table, bool bare, bool color)
{
	char *text = NULL, *whole;
	size_t length;

	scols_table_enable_noheadings(table->scols, bare);
	/* else columns are as wide as titles that nobody sees, up to util-linux 2.38 */
	for (size_t i = 0; bare && i < table->shown_count; i++)
		scols_cell_set_data(
			scols_column_get_header(scols_table_get_column(table->scols, i)), "");
	scols_table_enable_colors(table->scols, color);
	for (size_t i = 0; color && i < table->shown_count; i++)
		scols_cell_set_color(
			scols_column_get_header(scols_table_get_column(table->scols, i)), "bold");
	need(scols_print_table_to_string(table->scols, &text));
	length = strlen(maui_need(text));
	whole = maui_need(realloc(text, length + 2));
	if (length > 0 && whole[length - 1] != '\n')
		strcpy(whole + length, "\n");
	trim_lines(whole);
	return whole;
}

char *maui_table_text_titled(struct maui_table *table, bool bare, bool color)
{
	char *text = maui_table_text(table, bare, color);
	size_t size = 2, at = 0;

	if (*text || bare)
		return text;
	for (size_t i = 0; i < table->shown_count; i++)
		size += strlen(table->columns[table->shown[i]].title) + 1;
	free(text);
	text = maui_need_list(size, 1);
	for (size_t i = 0; i < table->shown_count; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%s", i > 0 ? " " : "",
				       table->columns[table->shown[i]].title);
	strcpy(text + at, "\n");
	return text;
}
