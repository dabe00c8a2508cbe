/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.c - columns, by libsmartcols */

#include "cmd/table.h"

#include <libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

struct maui_table {
	struct libscols_table *scols;
	size_t columns;
	bool failed;
};

struct maui_table *maui_table_create(const struct maui_column *columns, size_t count)
{
	struct maui_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	setlocale(LC_CTYPE, ""); /* names in UTF-8 are as wide as they look */
	scols_init_debug(0);
	table->columns = count;
	table->scols = scols_new_table();
	table->failed = !table->scols || scols_table_enable_nowrap(table->scols, 1) != 0;
	for (size_t i = 0; i < count && !table->failed; i++)
		table->failed = !scols_table_new_column(table->scols, columns[i].title, 0,
							columns[i].right ? SCOLS_FL_RIGHT : 0);
	return table;
}

void maui_table_destroy(struct maui_table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table);
}

void maui_table_add(struct maui_table *table, const char *const *cells)
{
	struct libscols_line *line;

	if (!table || table->failed)
		return;
	line = scols_table_new_line(table->scols, NULL);
	table->failed = !line;
	for (size_t i = 0; i < table->columns && !table->failed; i++)
		table->failed = scols_line_set_data(line, i, cells[i]) != 0;
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
char *maui_table_text(struct maui_table *table, bool bare)
{
	char *text = NULL, *whole;
	size_t length;

	if (!table || table->failed)
		return NULL;
	scols_table_enable_noheadings(table->scols, bare);
	if (scols_print_table_to_string(table->scols, &text) != 0 || !text)
		return NULL;
	length = strlen(text);
	whole = realloc(text, length + 2);
	if (!whole) {
		free(text);
		return NULL;
	}
	if (length > 0 && whole[length - 1] != '\n')
		strcpy(whole + length, "\n");
	trim_lines(whole);
	return whole;
}
