/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.h - JSON for programs and people to read, with --json */
#ifndef MAUI_BASE_JSON_PRINT_H
#define MAUI_BASE_JSON_PRINT_H

#include <json-c/json.h>
#include <stdio.h>

/* Indented, with a line's end; always UTF-8 (base/utf8.h). Puts the object. -1 without memory:
 * nothing is written. */
int maui_json_print(FILE *out, json_object *root);

#endif
