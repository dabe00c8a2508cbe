/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_comment.c - our keys in a job's AdminComment, beside a site's own text
 *
 * Rules: CMD-7.
 */
#include "model/comment.h"

#include <stdio.h>
#include <string.h>

#include "rows.h"

struct row {
	const char *comment;
	const char *qos, *advres; /* NULL: none */
	const char *rest;         /* without keys */
};

static const struct row rows[] = {
	{ "maui:qos=high", "high", NULL, "" },
	{ "maui:advres=biz,a.1", NULL, "biz,a.1", "" },
	{ "maui:advres=;x", NULL, "", "x" },
	{ "maui:qos=;x", NULL, NULL, "x" },
	{ "maui:qos=low;maui:advres=biz", "low", "biz", "" },
	{ "site=x,maui:advres=ann.1", NULL, "ann.1", "site=x" },
	{ "maui:advres=ann.1,site=x", NULL, "ann.1", "site=x" },
	{ "maui:advres=ann.1,b,site=x,y", NULL, "ann.1,b", "site=x,y" },
	{ "maui:qos=high,site=x", "high", NULL, "site=x" },
	{ "site=x maui:qos=high more", "high", NULL, "site=x more" },
	{ "bill:42;maui:advres=biz.1,a; note=x", NULL, "biz.1,a", "bill:42; note=x" },
	{ "xmaui:qos=high", NULL, NULL, "xmaui:qos=high" },
	{ "see maui: the docs", NULL, NULL, "see maui: the docs" },
	{ "maui:other=1", NULL, NULL, "maui:other=1" },
	{ "a;;b", NULL, NULL, "a;;b" },
	{ "", NULL, NULL, "" },
};

static void expect_value(const struct row *row, enum maui_comment_key key, const char *expected)
{
	const char *value = "";
	size_t length = 0;
	bool found = maui_comment_find(row->comment, key, &value, &length);

	cr_expect(found == (expected != NULL), "'%s', key %d: %s", row->comment, key,
		  found ? "found" : "not found");
	if (found && expected)
		cr_expect(strlen(expected) == length && strncmp(expected, value, length) == 0,
			  "'%s', key %d: got '%.*s'", row->comment, key, (int)length, value);
}

TEST_ROWS(comment, row, rows, row)
{
	char rest[200];
	bool any;

	expect_value(row, MAUI_COMMENT_QOS, row->qos);
	expect_value(row, MAUI_COMMENT_ADVRES, row->advres);
	snprintf(rest, sizeof(rest), "%s", row->comment);
	any = maui_comment_remove_keys(rest);
	cr_expect(any == (strcmp(row->rest, row->comment) != 0), "'%s': %d", row->comment, any);
	cr_expect(strcmp(rest, row->rest) == 0, "'%s': got '%s'", row->comment, rest);
}

Test(comment, no_comment_has_no_key)
{
	const char *value;
	size_t length;

	cr_expect(!maui_comment_find(NULL, MAUI_COMMENT_QOS, &value, &length));
}
