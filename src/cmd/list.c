/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.c - rows of an answer as a table */

#include "cmd/list.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/moment.h"
#include "model/job_state.h"
#include "model/when.h"

#define VALUE(type, row, offset) (*(const type *)((const char *)(row) + (offset)))

static const char *cell(const struct maui_shown *shown, const void *row, int64_t now_s, char *buf)
{
	const char *text;
	int64_t number;

	switch (shown->as) {
	case MAUI_SHOWN_TEXT:
		text = VALUE(char *, row, shown->at);
		return *text ? text : "-";
	case MAUI_SHOWN_STATE:
		return maui_job_state_text(VALUE(enum maui_job_state, row, shown->at), "-");
	case MAUI_SHOWN_RATIO:
		snprintf(buf, MAUI_SHOWN_CELL, "%.1f", VALUE(double, row, shown->at));
		return buf;
	case MAUI_SHOWN_FORMATTED:
		return shown->format(row, now_s, buf);
	default:
		break;
	}
	number = VALUE(int64_t, row, shown->at);
	if (shown->as == MAUI_SHOWN_DATE)
		return number == MAUI_NEVER ?
			       "-" :
			       maui_moment_as_maui(number, now_s, buf, MAUI_SHOWN_CELL);
	if (shown->as == MAUI_SHOWN_REMAINING)
		return maui_duration_as_maui(number == MAUI_NEVER ? number : number - now_s, buf,
					     MAUI_SHOWN_CELL);
	if (shown->as == MAUI_SHOWN_SPAN)
		return maui_duration_as_maui(number, buf, MAUI_SHOWN_CELL);
	snprintf(buf, MAUI_SHOWN_CELL, "%" PRId64, number);
	return buf;
}

struct maui_table *maui_shown_table(const struct maui_tool_common *common,
				    const struct maui_shown_list *shown)
{
	struct maui_column columns[MAUI_SHOWN_MOST_COLUMNS];
	unsigned widths[MAUI_SHOWN_MOST_COLUMNS];
	struct maui_table *table;

	for (size_t i = 0; i < shown->count; i++) {
		columns[i] = shown->columns[i].column;
		widths[i] = common->format ? 0 : shown->columns[i].width;
	}
	table = maui_tool_table(common, columns, shown->count);
	if (table)
		maui_table_widen(table, widths);
	return table;
}

void maui_shown_add(struct maui_table *table, const struct maui_shown_list *shown, const void *rows,
		    size_t count, size_t size, int64_t now_s)
{
	char text[MAUI_SHOWN_MOST_COLUMNS][MAUI_SHOWN_CELL];
	const char *cells[MAUI_SHOWN_MOST_COLUMNS];

	for (size_t row = 0; row < count; row++) {
		for (size_t i = 0; i < shown->count; i++)
			cells[i] = cell(&shown->columns[i], (const char *)rows + row * size, now_s,
					text[i]);
		maui_table_add(table, cells);
	}
}
