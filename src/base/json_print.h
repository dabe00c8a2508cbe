/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.h - prints JSON for --json */
#ifndef MAUI_BASE_JSON_PRINT_H
#define MAUI_BASE_JSON_PRINT_H

#include <json-c/json.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "base/utf8.h"

/* Adds JSON with characters that must not be shown there (base/utf8.h) as \uXXXX: json-c leaves
 * U+007F and those above as they are. Newlines, which no string has as such, stay. */
void maui_json_escape(struct maui_strbuf *out, const char *text, enum maui_display display);

/* Prints indented JSON and a newline, always as UTF-8 (base/utf8.h), and frees the object. -1
 * without memory: nothing is printed. */
int maui_json_print(FILE *out, json_object *root, enum maui_display display);

#endif
