/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print.h - tables on stdout: --format, --noheader, the terminal's width and colours */
#ifndef MAUI_TOOL_PRINT_H
#define MAUI_TOOL_PRINT_H

#include <stdbool.h>
#include <stddef.h>

#include "tool/table.h"

struct maui_tool_common;

/* A table with the columns of --format, or all of them. NULL: --format names something else; prints
 * an error; the exit status is MAUI_EXIT_USAGE. */
struct maui_table *maui_tool_table(const struct maui_tool_common *common,
				   const struct maui_column *columns, size_t count);
/* Prints and destroys it: --noheader without titles, on a terminal the titles bold (not with
 * NO_COLOR). */
void maui_tool_print_table(const struct maui_tool_common *common, struct maui_table *table);

/* The same with titles of an empty table as well. Rows are cut at the terminal's width, or at that
 * of COLUMNS, as under watch(1); never in a pipe without it. */
void maui_tool_print_list(const struct maui_tool_common *common, struct maui_table *table);

/* Whether only rows are wanted: then no line stands before or behind the table. */
bool maui_tool_rows_only(const struct maui_tool_common *common);

/* Closes stdout. What was printed counts only when it arrived: a full disk is an error of every
 * command. Returns the exit status, `rc` if all is well. */
int maui_tool_end(const char *tool, int rc);

/* Columns of the terminal or of COLUMNS, at least 80; 80 in a pipe. */
unsigned maui_tool_width(void);
/* Whether stdout may be coloured: a terminal, and NO_COLOR not set. */
bool maui_tool_color(void);

#endif
