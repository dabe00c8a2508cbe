/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lines.h - the lines of a text as a JSON list */
#ifndef MAUI_ANSWERS_LINES_H
#define MAUI_ANSWERS_LINES_H

#include <json-c/json.h>

/* NULL without memory. */
json_object *maui_lines_to_json(const char *text);

#endif
