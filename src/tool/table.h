/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - columns wide enough for what is in them, never cut, never wrapped */
#ifndef MAUI_TOOL_TABLE_H
#define MAUI_TOOL_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct maui_column {
	const char *title;
	bool right;
};

struct maui_table;
struct maui_table *maui_table_create(const struct maui_column *columns, size_t count); /* copied */
void maui_table_destroy(struct maui_table *table);

/* A row of as many cells; copied. */
void maui_table_add(struct maui_table *table, const char *const *cells);

/* Shows only these columns, in this order: "Start,ReservationID", titles in any case. Call it
 * before the first row. -1 with the first name that is no title. */
int maui_table_select(struct maui_table *table, const char *format, char *unknown, size_t size);

/* What --format calls the column: its title, of "# Name" only the name. */
const char *maui_table_name(const struct maui_column *column);

/* The least width of each column of maui_table_create(); 0: as its cells need. */
void maui_table_widen(struct maui_table *table, const unsigned *widths);

/* All lines, the titles first unless `bare`, without blanks at their ends; what a terminal must not
 * be sent is escaped. `color`: the titles are bold. The caller frees. */
char *maui_table_text(struct maui_table *table, bool bare, bool color);
/* The same; without rows the titles alone. */
char *maui_table_text_titled(struct maui_table *table, bool bare, bool color);

#endif
