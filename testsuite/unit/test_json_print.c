/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_json_print.c - JSON that a terminal may show */
#include "base/json_print.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

static const struct row {
	const char *text, *escaped;
	enum maui_display display;
} rows[] = {
	{ "", "", MAUI_DISPLAY_CHARACTERS },
	{ "\xc3\x9b n\xc3\xa4", "\xc3\x9b n\xc3\xa4", MAUI_DISPLAY_CHARACTERS },
	{ "\xc3\x9b n\xc3\xa4", "\\u00db n\xc3\xa4", MAUI_DISPLAY_BYTES },
	{ "{\n  \"a\":\"b\xc3\xbcro\"\n}", "{\n  \"a\":\"b\xc3\xbcro\"\n}",
	  MAUI_DISPLAY_CHARACTERS },
	{ "\x7f\xc2\x9b", "\\u007f\\u009b", MAUI_DISPLAY_CHARACTERS },
	{ "ann\xe2\x80\xae.", "ann\\u202e.", MAUI_DISPLAY_CHARACTERS },
	{ "\xd8\x9c\xe2\x80\x8f\xe2\x80\xa8\xe2\x81\xa6", "\\u061c\\u200f\\u2028\\u2066",
	  MAUI_DISPLAY_CHARACTERS },
};

TEST_ROWS(json_print, escape, rows, row)
{
	struct maui_strbuf out = { 0 };

	maui_json_escape(&out, row->text, row->display);
	cr_expect_str_eq(out.text ? out.text : "", row->escaped);
	maui_strbuf_finish(&out);
}

Test(json_print, a_reader_finds_the_same_text_again)
{
	static const char name[] = "a\x01\x7f\xc2\x85\xe2\x80\xae\xf0\x9f\x98\x80\n";
	json_object *root = json_object_new_object(), *read, *value;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	json_object_object_add(root, "name", json_object_new_string(name));
	cr_assert(out && maui_json_print(out, root, MAUI_DISPLAY_CHARACTERS) == 0 &&
		  fclose(out) == 0);
	cr_expect(!strstr(text, "\xe2\x80\xae") && !strchr(text, '\x7f'), "%s", text);
	read = json_tokener_parse(text);
	cr_assert(json_object_object_get_ex(read, "name", &value));
	cr_expect_str_eq(json_object_get_string(value), name);
	json_object_put(read);
	free(text);
}
