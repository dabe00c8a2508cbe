/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.c - prints JSON for --json */
#include "base/json_print.h"

#include <stdlib.h>
#include <string.h>

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

static void add_escape(struct maui_strbuf *out, uint32_t c)
{
	if (c < 0x10000)
		maui_strbuf_addf(out, "\\u%04x", c);
	else /* a surrogate pair (RFC 8259, 7) */
		maui_strbuf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
				 0xdc00 + ((c - 0x10000) & 0x3ff));
}

void maui_json_escape(struct maui_strbuf *out, const char *text, enum maui_display display)
{
	const char *from = text; /* what is not added yet */

	while (*text) {
		uint32_t c;
		size_t length = maui_utf8_decode(text, strnlen(text, 4), &c);

		if (length > 0 && c != '\n' && maui_utf8_must_hide(text, length, c, display)) {
			maui_strbuf_add(out, from, (size_t)(text - from));
			add_escape(out, c);
			from = text + length;
		}
		text += length ? length : 1;
	}
	maui_strbuf_add(out, from, (size_t)(text - from));
}

/* Prints all or nothing. */
static int print_escaped(FILE *out, const char *text, enum maui_display display)
{
	struct maui_strbuf escaped = { 0 };
	int rc = 0;

	maui_json_escape(&escaped, text, display);
	maui_strbuf_add(&escaped, "\n", 1);
	if (escaped.failed)
		rc = -1;
	else
		fwrite(escaped.text, 1, escaped.length, out);
	maui_strbuf_finish(&escaped);
	return rc;
}

int maui_json_print(FILE *out, json_object *root, enum maui_display display)
{
	const char *text = json_object_to_json_string_ext(
		root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *clean = text ? maui_utf8_clean(text, strlen(text), NULL) : NULL;
	int rc = -1;

	if (clean) {
		join_empty(clean);
		rc = print_escaped(out, clean, display);
	}
	json_object_put(root);
	free(clean);
	return rc;
}
