/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.c - prints JSON for --json */
#include "base/json_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

int maui_json_print(FILE *out, json_object *root)
{
	const char *text = json_object_to_json_string_ext(
		root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *clean = text ? maui_utf8_clean(text, strlen(text), NULL) : NULL;

	if (clean)
		fprintf(out, "%s\n", clean);
	json_object_put(root);
	if (!clean)
		return -1;
	free(clean);
	return 0;
}
