/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_print.c - prints JSON for --json */
#include "base/json_print.h"

#include <stdbool.h>
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

/* json-c leaves U+007F to U+009F as they are, and terminals obey them. */
static void print_escaped(FILE *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		bool two = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;

		if (*c == 0x7f || two)
			fprintf(out, "\\u%04x", two ? *++c : *c);
		else
			putc(*c, out);
	}
	putc('\n', out);
}

int maui_json_print(FILE *out, json_object *root)
{
	const char *text = json_object_to_json_string_ext(
		root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE);
	char *clean = text ? maui_utf8_clean(text, strlen(text), NULL) : NULL;

	if (clean) {
		join_empty(clean);
		print_escaped(out, clean);
	}
	json_object_put(root);
	if (!clean)
		return -1;
	free(clean);
	return 0;
}
