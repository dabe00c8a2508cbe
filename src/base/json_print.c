/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.c - prints JSON for --json */
#include "base/json_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* json-c up to 0.17 prints an empty array on two lines. A string holds no newline as such. */
static void join_empty(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		const char *end = from + 1;

		*to++ = *from;
		if ((*from == '[' || *from == '{') && *end == '\n') {
			end += 1 + strspn(end + 1, " ");
			if (*end != (*from == '[' ? ']' : '}'))
				end = from + 1;
		}
		from = end;
	}
	*to = '\0';
}

void maui_json_escape(struct maui_strbuf *out, const char *text)
{
	const char *from = text; /* what is not added yet */

	while (*text) {
		uint32_t c;
		size_t length = maui_utf8_decode(text, strnlen(text, 4), &c);

		if (length > 0 && c != '\n' && maui_utf8_is_hidden(c)) {
			maui_strbuf_add(out, from, (size_t)(text - from));
			maui_strbuf_addf(out, "\\u%04x", c);
			from = text + length;
		}
		text += length ? length : 1;
	}
	maui_strbuf_add(out, from, (size_t)(text - from));
}

/* Prints all or nothing. */
static int print_escaped(FILE *out, const char *text)
{
	struct maui_strbuf escaped = { 0 };
	int rc = 0;

	maui_json_escape(&escaped, text);
	maui_strbuf_add(&escaped, "\n", 1);
	if (escaped.failed)
		rc = -1;
	else
		fwrite(escaped.text, 1, escaped.length, out);
	maui_strbuf_finish(&escaped);
	return rc;
}

int maui_json_print(FILE *out, json_object *root)
{
	const char *text = json_object_to_json_string_ext(
		root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *clean = text ? maui_utf8_clean(text, strlen(text), NULL) : NULL;
	int rc = -1;

	if (clean) {
		join_empty(clean);
		rc = print_escaped(out, clean);
	}
	json_object_put(root);
	free(clean);
	return rc;
}
