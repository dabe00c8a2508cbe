/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rows.c - lists of an answer whose values stand in rows, and their names in another list */

#include "cmd/rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/query.h"
#include "model/when.h"

enum { GROUP_SIZE = 64 };

struct maui_cmd_rows maui_cmd_rows(json_object *result, const char *rows, const char *columns)
{
	struct maui_cmd_rows ret = { 0 };

	json_object_object_get_ex(result, rows, &ret.rows);
	json_object_object_get_ex(result, columns, &ret.columns);
	ret.count = maui_cmd_length(result, rows);
	return ret;
}

static size_t count_columns(const struct maui_cmd_rows *rows)
{
	return json_object_is_type(rows->columns, json_type_array) ?
		       json_object_array_length(rows->columns) :
		       0;
}

static const char *column_name(const struct maui_cmd_rows *rows, size_t column)
{
	json_object *name = json_object_array_get_idx(rows->columns, column);

	return json_object_is_type(name, json_type_string) ? json_object_get_string(name) : "";
}

size_t maui_cmd_rows_column(const struct maui_cmd_rows *rows, const char *name)
{
	size_t count = count_columns(rows);

	for (size_t i = 0; i < count; i++)
		if (strcmp(column_name(rows, i), name) == 0)
			return i;
	return SIZE_MAX;
}

/* NULL: null, or not there. */
static json_object *value(const struct maui_cmd_rows *rows, size_t row, size_t column)
{
	json_object *values = row < rows->count ? json_object_array_get_idx(rows->rows, row) : NULL;

	return json_object_is_type(values, json_type_array) &&
			       column < json_object_array_length(values) ?
		       json_object_array_get_idx(values, column) :
		       NULL;
}

const char *maui_cmd_rows_text(const struct maui_cmd_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return json_object_is_type(found, json_type_string) ? json_object_get_string(found) : "";
}

int64_t maui_cmd_rows_number(const struct maui_cmd_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return found ? json_object_get_int64(found) : MAUI_NEVER;
}

double maui_cmd_rows_double(const struct maui_cmd_rows *rows, size_t row, size_t column)
{
	json_object *found = value(rows, row, column);

	return found ? json_object_get_double(found) : 0;
}

/* Takes the value over. */
static void put(json_object *object, const char *name, json_object *value)
{
	const char *dot = strchr(name, '.');
	char group[GROUP_SIZE];
	json_object *members;

	if (!dot) {
		json_object_object_add(object, name, value);
		return;
	}
	snprintf(group, sizeof(group), "%.*s", (int)(dot - name), name);
	if (!json_object_object_get_ex(object, group, &members)) {
		members = json_object_new_object();
		json_object_object_add(object, group, members);
	}
	json_object_object_add(members, dot + 1, value);
}

void maui_cmd_rows_expand(json_object *result, const char *rows, const char *columns)
{
	struct maui_cmd_rows list = maui_cmd_rows(result, rows, columns);
	size_t count = count_columns(&list);

	for (size_t row = 0; row < list.count; row++) {
		json_object *object = json_object_new_object();

		for (size_t i = 0; i < count; i++)
			put(object, column_name(&list, i), json_object_get(value(&list, row, i)));
		json_object_array_put_idx(list.rows, row, object);
	}
	json_object_object_del(result, columns);
}
