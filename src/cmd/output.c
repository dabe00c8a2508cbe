/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output.c - tables on stdout: --format, --noheader, the terminal's width and colours; files */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/cmd.h"
#include "cmd/query.h"

enum { NAME_SIZE = 64, MIN_WIDTH = 80, MAX_WIDTH = 1000 };

struct maui_table *maui_cmd_table(const struct maui_cmd_common *common,
				  const struct maui_column *columns, size_t count)
{
	struct maui_table *table = maui_table_create(columns, count);
	char unknown[NAME_SIZE];

	if (!common->format ||
	    maui_table_select(table, common->format, unknown, sizeof(unknown)) == 0)
		return table;
	fprintf(stderr, "%s: error: no column '%s'; there are: ", common->tool, unknown);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%s%s", i ? "," : "", columns[i].title);
	fprintf(stderr, "\n");
	maui_table_destroy(table);
	return NULL;
}

void maui_cmd_print_table(const struct maui_cmd_common *common, struct maui_table *table)
{
	char *text = maui_table_text(table, common->noheader, maui_cmd_color());

	printf("%s", text ? text : "");
	free(text);
	maui_table_destroy(table);
}

bool maui_cmd_rows_only(const struct maui_cmd_common *common)
{
	return common->noheader || common->format;
}

unsigned maui_cmd_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };
	long width = columns ? strtol(columns, NULL, 10) : 0;

	if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		width = size.ws_col;
	return width < MIN_WIDTH ? MIN_WIDTH : width > MAX_WIDTH ? MAX_WIDTH : (unsigned)width;
}

bool maui_cmd_color(void)
{
	const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
	       !(terminal && strcmp(terminal, "dumb") == 0);
}

void maui_cmd_print_refused(json_object *result, const char *prefix)
{
	char since[MAUI_CMD_TIME_SIZE];
	json_object *refused;

	if (!json_object_object_get_ex(result, "refused", &refused))
		return;
	maui_cmd_moment(maui_cmd_number(refused, "since", 0), maui_cmd_number(result, "time", 0),
			since, sizeof(since));
	printf("%sREFUSED since %s: %s has errors.\n", prefix, since,
	       maui_cmd_text(refused, "path"));
	for (size_t i = 0; i < maui_cmd_length(refused, "errors"); i++)
		printf("%s  %s\n", prefix,
		       json_object_get_string(maui_cmd_element(refused, "errors", i)));
	printf("%sThe configuration in force stays. Mend the file, then run scontrol reconfigure.\n",
	       prefix);
}

int maui_cmd_write_file(const struct maui_cmd_common *common, const char *path, const char *text,
			size_t length)
{
	struct maui_err err;
	struct stat found;

	if (lstat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode)) {
		fprintf(stderr, "%s: error: %s is not a regular file\n", common->tool, path);
		return MAUI_EXIT_ERROR;
	}
	if (maui_file_replace(path, text, length, 0644, &err)) {
		fprintf(stderr, "%s: error: %s\n", common->tool, err.text);
		return MAUI_EXIT_ERROR;
	}
	return MAUI_EXIT_OK;
}
