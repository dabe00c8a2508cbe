/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.h - prints JSON for --json */
#ifndef MAUI_BASE_JSON_PRINT_H
#define MAUI_BASE_JSON_PRINT_H

#include <json-c/json.h>
#include <stdio.h>

/* Prints indented JSON and a newline, always as UTF-8 (base/utf8.h), and frees the object. -1
 * without memory: nothing is printed. */
int maui_json_print(FILE *out, json_object *root);

#endif
