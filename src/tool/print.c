/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print.c - tables on stdout: --format, --noheader, the terminal's width and colours */

#include "tool/print.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "tool/option.h"

enum { NAME_SIZE = 64, MIN_WIDTH = 80, MAX_WIDTH = 1000 };

struct maui_table *maui_tool_table(const struct maui_tool_common *common,
				   const struct maui_column *columns, size_t count)
{
	struct maui_table *table = maui_table_create(columns, count);
	char unknown[NAME_SIZE];

	if (!common->format ||
	    maui_table_select(table, common->format, unknown, sizeof(unknown)) == 0)
		return table;
	fprintf(stderr, "%s: error: no column '%s'; there are: ", common->tool, unknown);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%s%s", i ? "," : "", maui_table_name(&columns[i]));
	fprintf(stderr, "\n");
	maui_table_destroy(table);
	return NULL;
}

void maui_tool_print_table(const struct maui_tool_common *common, struct maui_table *table)
{
	char *text = maui_table_text(table, common->noheader, maui_tool_color());

	printf("%s", text);
	free(text);
	maui_table_destroy(table);
}

/* Bytes of the line that fill so many columns. Escapes, which only colour, fill none. */
static size_t fitting_length(const char *line, size_t length, unsigned width)
{
	unsigned column = 0;
	size_t at = 0;

	while (at < length) {
		size_t step = line[at] == '\033' ? strcspn(line + at, "m") + 1 : 0;
		wchar_t wide = 0;
		int bytes = step ? 0 : mbtowc(&wide, line + at, length - at);
		int cells = bytes > 0 ? wcwidth(wide) : 1;

		if (step == 0) {
			step = bytes > 0 ? (size_t)bytes : 1;
			column += cells > 0 ? (unsigned)cells : 0;
		}
		if (column > width)
			break;
		at += step < length - at ? step : length - at;
	}
	return at;
}

void maui_tool_print_list(const struct maui_tool_common *common, struct maui_table *table)
{
	const char *columns = getenv("COLUMNS");
	unsigned width = isatty(STDOUT_FILENO) || (columns && *columns) ? maui_tool_width() : 0;
	char *text = maui_table_text_titled(table, common->noheader, maui_tool_color());

	for (char *line = text; *line;) {
		size_t length = strcspn(line, "\n");
		size_t kept = width ? fitting_length(line, length, width) : length;

		printf("%.*s%s\n", (int)kept, line,
		       kept < length && memchr(line, '\033', length) ? "\033[0m" : "");
		line += length + (line[length] == '\n');
	}
	free(text);
	maui_table_destroy(table);
}

bool maui_tool_rows_only(const struct maui_tool_common *common)
{
	return common->noheader || common->format;
}

int maui_tool_end(const char *tool, int rc)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fclose(stdout) == 0 && !failed)
		return rc;
	fprintf(stderr, "%s: error: cannot write the output%s%s\n", tool, errno ? ": " : "",
		errno ? strerror(errno) : "");
	return rc == MAUI_EXIT_OK ? MAUI_EXIT_ERROR : rc;
}

unsigned maui_tool_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : (unsigned)width;
}

bool maui_tool_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}
