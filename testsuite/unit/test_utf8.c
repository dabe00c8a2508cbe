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
