/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_rows.c - rows of values as JSON text */

#include "answers/json_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/when.h"

static void add(struct maui_json_rows *rows, const char *text)
{
	maui_strbuf_add(&rows->text, text, strlen(text));
}

void maui_json_rows_begin(struct maui_json_rows *rows)
{
	add(rows, rows->count++ ? ",[" : "[[");
}

void maui_json_rows_end(struct maui_json_rows *rows)
{
	add(rows, "]");
}

static void separate(struct maui_json_rows *rows)
{
	if (rows->text.length > 0 && rows->text.text[rows->text.length - 1] != '[')
		add(rows, ",");
}

/* Bytes that are not UTF-8 are replaced when the answer is sent. */
void maui_json_rows_text(struct maui_json_rows *rows, const char *text)
{
	size_t plain;

	separate(rows);
	if (!text) {
		add(rows, "null");
		return;
	}
	add(rows, "\"");
	for (; *text; text++) {
		for (plain = 0; (unsigned char)text[plain] >= 0x20 && text[plain] != '"' &&
				text[plain] != '\\' && text[plain] != 0x7f;
		     plain++)
			;
		maui_strbuf_add(&rows->text, text, plain);
		text += plain;
		if (!*text)
			break;
		maui_strbuf_addf(&rows->text, "\\u%04x", (unsigned)(unsigned char)*text);
	}
	add(rows, "\"");
}

void maui_json_rows_number(struct maui_json_rows *rows, int64_t number)
{
	char digits[24], *at = digits + sizeof(digits);
	uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

	separate(rows);
	do
		*--at = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (number < 0)
		*--at = '-';
	maui_strbuf_add(&rows->text, at, (size_t)(digits + sizeof(digits) - at));
}

void maui_json_rows_time(struct maui_json_rows *rows, int64_t when_s)
{
	if (when_s == MAUI_NEVER)
		maui_json_rows_text(rows, NULL);
	else
		maui_json_rows_number(rows, when_s);
}

void maui_json_rows_ratio(struct maui_json_rows *rows, double ratio)
{
	separate(rows);
	maui_strbuf_addf(&rows->text, "%.2f", isfinite(ratio) ? ratio : 0.0);
}

/* Whole numbers get a decimal, too: the type of a value does not change from job to job. */
void maui_json_rows_real(struct maui_json_rows *rows, double number)
{
	char text[32];

	if (fabs(number) < 1e15 && number == (double)(int64_t)number) {
		maui_json_rows_number(rows, (int64_t)number);
		add(rows, ".0");
		return;
	}
	separate(rows);
	snprintf(text, sizeof(text), "%.15g", isfinite(number) ? number : 0.0);
	add(rows, text);
}

void maui_json_rows_bool(struct maui_json_rows *rows, bool value)
{
	separate(rows);
	add(rows, value ? "true" : "false");
}

json_object *maui_json_rows_finish(struct maui_json_rows *rows)
{
	json_object *array = NULL;
	char *text;

	add(rows, rows->count ? "]" : "[]");
	text = maui_strbuf_steal(&rows->text);
	rows->count = 0;
	if (text)
		array = json_object_new_array();
	if (!array) {
		free(text);
		return NULL;
	}
	json_object_set_serializer(array, json_object_userdata_to_json_string, text,
				   json_object_free_userdata);
	return array;
}
