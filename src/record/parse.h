/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.h - JSON texts as objects of json-c
 *
 * The tokener of json-c does not say that it ran out of memory: it gives an object that lacks a
 * member, or none at all, as if the text were at fault. Here it is an error of its own.
 */
#ifndef MAUI_RECORD_PARSE_H
#define MAUI_RECORD_PARSE_H

#include <json-c/json.h>
#include <stddef.h>

#include "base/err.h"

struct maui_json_bounds {
	int depth;      /* levels of lists and objects, and the values in them */
	size_t values;  /* in all, of up to 100 bytes beside their text; 0: any number */
	size_t parents; /* of these, lists and objects, which take up to a KiB; 0: any number */
};

/* RFC 8259, with blanks around it. A text need not be UTF-8; the last of several members of one
 * name counts; numbers out of range are the largest, or smallest, of their kind; NaN, Infinity and
 * -Infinity are numbers. The caller puts the value, which for "null" is NULL. -1 with err: a fault
 * with its byte, or no memory (err->no_memory). */
int maui_json_parse(const char *text, size_t length, const struct maui_json_bounds *bounds,
		    json_object **ret, struct maui_err *err);

/* How many values, and lists and objects among them, a JSON text has. */
void maui_json_count(const char *text, size_t length, size_t *ret_values, size_t *ret_parents);

#endif
