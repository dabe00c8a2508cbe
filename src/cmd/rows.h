/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.h - lists of an answer whose values stand in rows, and their names in another list
 *
 * Long answers have this form: [[17,"ann"],[18,"bob"]] with ["job","user"].
 *
 * Rules: CMD-23, CMD-30.
 */
#ifndef MAUI_CMD_ROWS_H
#define MAUI_CMD_ROWS_H

#include <json-c/json.h>
#include <stddef.h>
#include <stdint.h>

struct maui_cmd_rows {
	json_object *rows, *columns;
	size_t count;
};

/* The members of a result with these keys. */
struct maui_cmd_rows maui_cmd_rows(json_object *result, const char *rows, const char *columns);
/* The index of a column; SIZE_MAX: none. */
size_t maui_cmd_rows_column(const struct maui_cmd_rows *rows, const char *name);
/* Values; "", MAUI_NEVER and 0 for null. */
const char *maui_cmd_rows_text(const struct maui_cmd_rows *rows, size_t row, size_t column);
int64_t maui_cmd_rows_number(const struct maui_cmd_rows *rows, size_t row, size_t column);
double maui_cmd_rows_double(const struct maui_cmd_rows *rows, size_t row, size_t column);

/* For --json: makes each row an object, and drops the columns. The value of a column "values.QOS"
 * becomes the member QOS of the row's object "values". */
void maui_cmd_rows_expand(json_object *result, const char *rows, const char *columns);

#endif
