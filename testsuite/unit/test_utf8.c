/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_utf8.c - bytes that are not UTF-8 are replaced */
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define BAD "\xef\xbf\xbd"

static const struct row {
	const char *text, *clean;
} rows[] = {
	{ "", "" },
	{ "plain \x01\x7f", "plain \x01\x7f" },
	{ "b\xc3\xbcro \xe2\x82\xac \xf0\x9f\x98\x80",
	  "b\xc3\xbcro \xe2\x82\xac \xf0\x9f\x98\x80" },
	{ "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
	  "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf" },
	{ "phys\xff", "phys" BAD },
	{ "b\xfcro", "b" BAD "ro" },
	{ "\x80\xbf", BAD BAD },
	{ "cut \xe2\x82", "cut " BAD BAD },
	{ "cut \xf0\x9f\x98\"", "cut " BAD BAD BAD "\"" },
	{ "long \xc0\xaf \xe0\x80\xaf", "long " BAD BAD " " BAD BAD BAD },
	{ "half \xed\xa0\x80", "half " BAD BAD BAD },
	{ "beyond \xf4\x90\x80\x80 \xf5", "beyond " BAD BAD BAD BAD " " BAD },
};

TEST_ROWS(utf8, clean, rows, row)
{
	size_t length;
	char *clean = maui_utf8_clean(row->text, strlen(row->text), &length), *again;

	cr_assert(clean && strcmp(clean, row->clean) == 0, "'%s': '%s'", row->text, clean);
	cr_expect(length == strlen(row->clean), "'%s': %zu", row->text, length);
	again = maui_utf8_clean(clean, length, NULL);
	cr_expect(strcmp(again, clean) == 0, "'%s' is not clean", clean);
	free(clean);
	free(again);
}

/* These end a line, change its direction or move the terminal's cursor. */
static const struct {
	const char *text;
	uint32_t character;
	size_t length;
	bool hidden;
} characters[] = {
	{ "a", 'a', 1, false },
	{ "\n", '\n', 1, true },
	{ "\x7f", 0x7f, 1, true },
	{ "\xc2\x9b", 0x9b, 2, true },
	{ "\xc2\xa0", 0xa0, 2, false },
	{ "\xd8\x9c", 0x61c, 2, true },
	{ "\xc2\xad", 0xad, 2, true },
	{ "\xe2\x80\x8b", 0x200b, 3, true },
	{ "\xe2\x80\x8e", 0x200e, 3, true },
	{ "\xef\xbb\xbf", 0xfeff, 3, true },
	{ "\xf3\xa0\x81\x81", 0xe0041, 4, true },
	{ "\xe2\x80\xa8", 0x2028, 3, true },
	{ "\xe2\x80\xae", 0x202e, 3, true },
	{ "\xe2\x81\xa9", 0x2069, 3, true },
	{ "\xe2\x82\xac", 0x20ac, 3, false },
	{ "\xf0\x9f\x98\x80", 0x1f600, 4, false },
	{ "\xe2\x80", 0xe2, 0, false },
};

Test(utf8, characters_that_must_not_be_shown)
{
	for (size_t i = 0; i < sizeof(characters) / sizeof(characters[0]); i++) {
		const char *text = characters[i].text;
		uint32_t c;

		cr_expect(maui_utf8_decode(text, strlen(text), &c) == characters[i].length,
			  "row %zu", i);
		cr_expect(c == characters[i].character, "row %zu: %x", i, c);
		cr_expect(maui_utf8_is_hidden(c) == characters[i].hidden, "row %zu", i);
	}
}

Test(utf8, a_text_with_a_hidden_character)
{
	cr_expect(maui_utf8_has_hidden("a\x1b[31m"));
	cr_expect(maui_utf8_has_hidden("\xff\xc2\x9b"));
	cr_expect(maui_utf8_has_hidden("a\xe2\x80\xae"));
	cr_expect_not(maui_utf8_has_hidden(""));
	cr_expect_not(maui_utf8_has_hidden("n\xc3\xa4"
					   "cht \xff\xe2"));
}

Test(utf8, what_must_not_be_shown_is_masked)
{
	char text[] = "a\x1b[31m\xe2\x80\xae\xff \xe2\x82\xac\n";

	maui_utf8_mask(text, strlen(text), MAUI_DISPLAY_CHARACTERS);
	cr_expect_str_eq(text, "a?[31m???? \xe2\x82\xac?");
}

Test(utf8, a_character_is_not_cut_in_two)
{
	static const struct {
		size_t size;
		const char *copy;
	} rows_of[] = { { 1, "" }, { 2, "a" }, { 3, "a" }, { 4, "a\u00e9" }, { 5, "a\u00e9\xff" } };
	char copy[8];

	for (size_t i = 0; i < sizeof(rows_of) / sizeof(rows_of[0]); i++) {
		maui_utf8_copy(copy, rows_of[i].size, "a\u00e9\xff");
		cr_expect_str_eq(copy, rows_of[i].copy, "%zu bytes", rows_of[i].size);
	}
}

/* U+00DB is c3 9b, and 9b is "ESC [" to a terminal of 8 bits; U+00E4 is c3 a4. */
Test(utf8, parts_of_characters_are_masked_where_they_are_shown_as_bytes)
{
	char text[] = "\xc3\x9b"
		      "31m n\xc3\xa4"
		      "cht \xe2\x82\xac";

	maui_utf8_mask(text, strlen(text), MAUI_DISPLAY_CHARACTERS);
	cr_expect_str_eq(text, "\xc3\x9b"
			       "31m n\xc3\xa4"
			       "cht \xe2\x82\xac");
	maui_utf8_mask(text, strlen(text), MAUI_DISPLAY_BYTES);
	cr_expect_str_eq(text, "??31m n\xc3\xa4"
			       "cht ???");
}
