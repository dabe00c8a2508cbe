/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.c - the lines of a text as a JSON list */

#include "answers/lines.h"

#include <string.h>

json_object *maui_lines_to_json(const char *text)
{
	json_object *array = json_object_new_array();

	while (array && text && *text) {
		size_t length = strcspn(text, "\n");
		json_object *line = json_object_new_string_len(text, (int)length);

		if (!line || json_object_array_add(array, line) != 0) {
			json_object_put(line);
			json_object_put(array);
			return NULL;
		}
		text += length + (text[length] == '\n');
	}
	return array;
}
