/* SPDX-License-Identifier: GPL-2.0-or-later */
/* list.h - rows of an answer as a table: a line for each record */
#ifndef MAUI_CMD_LIST_H
#define MAUI_CMD_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "cmd/query.h"

enum maui_shown_as {
	MAUI_SHOWN_TEXT,      /* "-": "" */
	MAUI_SHOWN_STATE,     /* of enum maui_job_state, as a word; "-": none */
	MAUI_SHOWN_NUMBER,    /* of int64_t */
	MAUI_SHOWN_RATIO,     /* of double, one decimal */
	MAUI_SHOWN_SPAN,      /* of int64_t, a duration: "1:00:00" */
	MAUI_SHOWN_REMAINING, /* the same until this moment */
	MAUI_SHOWN_DATE,      /* of int64_t, a moment; "-": none */
	MAUI_SHOWN_FORMATTED, /* by a function */
};

enum { MAUI_SHOWN_CELL = 96, MAUI_SHOWN_MOST_COLUMNS = 16 };

/* A cell in buf, of MAUI_SHOWN_CELL bytes, or borrowed of the row. */
typedef const char *(*maui_shown_fn)(const void *row, int64_t now_s, char *buf);

struct maui_shown {
	struct maui_column column;
	enum maui_shown_as as;
	size_t at;            /* of the member in the row */
	unsigned width;       /* at least; not with --format */
	maui_shown_fn format; /* of MAUI_SHOWN_FORMATTED */
};

/* Columns of the same table for rows of another record have the same titles. */
struct maui_shown_list {
	const struct maui_shown *columns;
	size_t count;
};

#define MAUI_SHOWN_LIST(columns)                                  \
	{                                                         \
		(columns), sizeof(columns) / sizeof((columns)[0]) \
	}

/* A table with the columns of --format, or all of them. NULL: --format names something else; prints
 * an error; the exit status is MAUI_EXIT_USAGE. */
struct maui_table *maui_shown_table(const struct maui_tool_common *common,
				    const struct maui_shown_list *shown);

/* Adds `count` rows of `size` bytes each. */
void maui_shown_add(struct maui_table *table, const struct maui_shown_list *shown, const void *rows,
		    size_t count, size_t size, int64_t now_s);

#endif
