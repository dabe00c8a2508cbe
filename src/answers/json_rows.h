/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_rows.h - rows of values as JSON text: [[1,"a"],[2,"b"]]
 *
 * For answers with a row for each job of a long queue. The text becomes one object, which prints
 * itself as it is.
 */
#ifndef MAUI_ANSWERS_JSON_ROWS_H
#define MAUI_ANSWERS_JSON_ROWS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct maui_json_rows {
	struct maui_strbuf text;
	size_t count; /* rows */
};

void maui_json_rows_begin(struct maui_json_rows *rows); /* a row */
void maui_json_rows_end(struct maui_json_rows *rows);

/* Values of the row. */
void maui_json_rows_text(struct maui_json_rows *rows, const char *text); /* NULL: null */
void maui_json_rows_number(struct maui_json_rows *rows, int64_t number);
void maui_json_rows_time(struct maui_json_rows *rows, int64_t when_s); /* MAUI_NEVER: null */
void maui_json_rows_ratio(struct maui_json_rows *rows, double ratio);  /* two decimals */
void maui_json_rows_real(struct maui_json_rows *rows, double number);  /* 15 digits */
void maui_json_rows_bool(struct maui_json_rows *rows, bool value);

/* The array; empties the rows. NULL without memory. */
json_object *maui_json_rows_finish(struct maui_json_rows *rows);

#endif
