/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_diag.c - lists of errors and warnings about a text file
 *
 * Rules: CFG-8.
 */
#include "base/diag.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"

struct form {
	const char *name;
	enum maui_severity severity;
	const char *file;
	uint32_t line;
	uint32_t column;
	const char *text;
	const char *expected;
};

static const struct form forms[] = {
	{ "all", MAUI_ERROR, "maui.cfg", 42, 9, "FSDECAY must be in (0,1]",
	  "maui.cfg:42:9: error: FSDECAY must be in (0,1]" },
	{ "no column", MAUI_WARNING, "maui.cfg", 57, 0, "x", "maui.cfg:57: warning: x" },
	{ "no line", MAUI_NOTE, "maui.cfg", 0, 0, "x", "maui.cfg: note: x" },
	{ "column without line", MAUI_NOTE, "maui.cfg", 0, 7, "x", "maui.cfg: note: x" },
	{ "no file", MAUI_ERROR, NULL, 0, 0, "x", "error: x" },
	{ "line of no file", MAUI_ERROR, "", 3, 1, "x", "3:1: error: x" },
	{ "largest", MAUI_ERROR, "f", UINT32_MAX, UINT32_MAX, "x",
	  "f:4294967295:4294967295: error: x" },
	{ "percent sign", MAUI_ERROR, "f%s", 1, 1, "100%d", "f%s:1:1: error: 100%d" },
	{ "control characters", MAUI_ERROR, "f", 1, 1, "a\tb\nc\x1b[31m\x7f\r",
	  "f:1:1: error: a?b?c?[31m??" },
	{ "control in the file name", MAUI_ERROR, "a\nb", 1, 1, "x", "a?b:1:1: error: x" },
	{ "UTF-8 stays", MAUI_ERROR, "f", 1, 1, "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7",
	  "f:1:1: error: \xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa7" },
	{ "Latin-1", MAUI_ERROR, "f", 1, 1, "gr\xfc\xdf", "f:1:1: error: gr??" },
	{ "C1 control", MAUI_ERROR, "f", 1, 1,
	  "a\xc2\x9b"
	  "b",
	  "f:1:1: error: a??b" },
	{ "no-break space is none", MAUI_ERROR, "f", 1, 1,
	  "a\xc2\xa0"
	  "b",
	  "f:1:1: error: a\xc2\xa0"
	  "b" },
	{ "change of direction", MAUI_ERROR, "f", 1, 1,
	  "a\xe2\x80\xae"
	  "b",
	  "f:1:1: error: a???b" },
	{ "isolate", MAUI_ERROR, "f", 1, 1,
	  "a\xe2\x81\xa6"
	  "b",
	  "f:1:1: error: a???b" },
	{ "line separator", MAUI_ERROR, "f", 1, 1,
	  "a\xe2\x80\xa8"
	  "b",
	  "f:1:1: error: a???b" },
	{ "too long a form", MAUI_ERROR, "f", 1, 1, "\xc0\xaf \xe0\x80\xaf",
	  "f:1:1: error: ?? ???" },
	{ "surrogate", MAUI_ERROR, "f", 1, 1, "\xed\xa0\x80", "f:1:1: error: ???" },
	{ "past the last", MAUI_ERROR, "f", 1, 1, "\xf4\x90\x80\x80", "f:1:1: error: ????" },
	{ "cut sequence", MAUI_ERROR, "f", 1, 1, "\xe2\x82", "f:1:1: error: ??" },
	{ "lone tail", MAUI_ERROR, "f", 1, 1, "\x80z", "f:1:1: error: ?z" },
	{ "sequence broken by ASCII", MAUI_ERROR, "f", 1, 1, "\xe2\x82z", "f:1:1: error: ??z" },
};

TEST_ROWS(diag, form, forms, row)
{
	struct maui_diags diags = { 0 };
	char buf[200];
	size_t length;

	maui_diags_add(&diags, row->severity, row->file, row->line, row->column, "%s", row->text);
	cr_assert(diags.count == 1, "%s: %zu entries", row->name, diags.count);
	length = maui_diag_format(&diags.list[0], buf, sizeof(buf));
	cr_expect(!strcmp(buf, row->expected), "%s: got '%s'", row->name, buf);
	cr_expect(length == strlen(row->expected), "%s: length %zu", row->name, length);
	maui_diags_finish(&diags);
}

Test(diag, format_keeps_to_its_buffer)
{
	struct maui_diags diags = { 0 };
	char buf[10];

	maui_diags_add(&diags, MAUI_ERROR, "maui.cfg", 1, 2, "text");
	memset(buf, 'x', sizeof(buf));
	cr_expect(maui_diag_format(&diags.list[0], buf, 5) == strlen("maui.cfg:1:2: error: text"),
		  "not the full length");
	cr_expect(!strcmp(buf, "maui") && buf[5] == 'x', "got '%.9s'", buf);
	cr_expect(maui_diag_format(&diags.list[0], NULL, 0) == strlen("maui.cfg:1:2: error: text"),
		  "not the full length without a buffer");
	maui_diags_finish(&diags);
}

struct cut {
	const char *name;
	size_t shift; /* ASCII bytes in front of the two-byte characters */
};

static const struct cut cuts[] = { { "even", 0 }, { "odd", 1 } };

/* A value in a message can be a whole file. The text is cut between two characters. */
TEST_ROWS(diag, long_text, cuts, row)
{
	struct maui_diags diags = { 0 };
	char *text = malloc(100001);
	size_t length;

	cr_assert(text != NULL, "no memory");
	for (size_t i = 0; i < 100000; i += 2)
		memcpy(text + i, "\xc3\xa4", 2);
	text[100000] = '\0';
	maui_diags_add(&diags, MAUI_ERROR, "f", 1, 1, "%s%s", row->shift ? "x" : "", text);
	length = strlen(diags.list[0].text);
	cr_expect(length < MAUI_DIAG_MAX_TEXT && length > MAUI_DIAG_MAX_TEXT - 8, "%s: length %zu",
		  row->name, length);
	cr_expect(!strcmp(diags.list[0].text + length - 3, "..."), "%s: end not marked", row->name);
	cr_expect(!strchr(diags.list[0].text, '?'), "%s: cut inside a character", row->name);
	maui_diags_finish(&diags);
	free(text);
}

static void add_many(struct maui_diags *diags, enum maui_severity severity, uint32_t count)
{
	for (uint32_t i = 1; i <= count; i++) {
		size_t kept = diags->kept[severity];
		bool keep = maui_diags_keep(diags, severity);

		maui_diags_add(diags, severity, "f", i, 1, "%d: %u", (int)severity, i);
		cr_assert((diags->kept[severity] > kept) == keep, "%u", i);
	}
}

static size_t count_of(const struct maui_diags *diags, enum maui_severity severity)
{
	size_t count = 0;

	for (size_t i = 0; i < diags->count; i++)
		count += diags->list[i].severity == severity;
	return count;
}

struct full {
	const char *name;
	struct {
		enum maui_severity severity;
		uint32_t count;
	} add[4]; /* in this order */
	size_t kept[MAUI_SEVERITY_COUNT];
};

static const struct full fulls[] = {
	{ "errors only", { { MAUI_ERROR, 3000 } }, { 0, 0, 1000 } },
	{ "errors after warnings",
	  { { MAUI_WARNING, 3000 }, { MAUI_ERROR, 400 } },
	  { 0, 600, 400 } },
	{ "warnings after errors",
	  { { MAUI_ERROR, 400 }, { MAUI_WARNING, 3000 } },
	  { 0, 600, 400 } },
	{ "warnings cannot push errors out",
	  { { MAUI_ERROR, 1000 }, { MAUI_WARNING, 5 } },
	  { 0, 0, 1000 } },
	{ "notes go first",
	  { { MAUI_NOTE, 500 }, { MAUI_WARNING, 500 }, { MAUI_ERROR, 300 } },
	  { 200, 500, 300 } },
	{ "then warnings",
	  { { MAUI_WARNING, 500 }, { MAUI_NOTE, 500 }, { MAUI_ERROR, 700 } },
	  { 0, 300, 700 } },
	{ "warnings push notes out", { { MAUI_NOTE, 1000 }, { MAUI_WARNING, 1 } }, { 999, 1, 0 } },
};

TEST_ROWS(diag, full_list, fulls, row)
{
	struct maui_diags diags = { 0 };
	size_t seen[MAUI_SEVERITY_COUNT] = { 0 };

	for (size_t i = 0; i < 4; i++) {
		add_many(&diags, row->add[i].severity, row->add[i].count);
		seen[row->add[i].severity] += row->add[i].count;
	}
	for (int s = 0; s < MAUI_SEVERITY_COUNT; s++) {
		size_t kept = count_of(&diags, (enum maui_severity)s);

		cr_expect(kept == row->kept[s], "%s: %zu of severity %d kept", row->name, kept, s);
		cr_expect(diags.kept[s] == kept, "%s: kept[%d] is %zu", row->name, s,
			  diags.kept[s]);
		cr_expect(diags.seen[s] == seen[s], "%s: seen[%d] is %zu", row->name, s,
			  diags.seen[s]);
	}
	/* the latest are dropped, because the first fault explains the others */
	for (size_t i = 0; i < diags.count; i++)
		cr_assert(diags.list[i].line <= 1000, "%s: entry %zu is number %u", row->name, i,
			  diags.list[i].line);
	maui_diags_finish(&diags);
}

/* The letters say in which order the entries were added, the expected order is by sort. */
Test(diag, sort_is_stable)
{
	struct maui_diags diags = { 0 };
	char order[20] = "";

	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 9, 0, "a");
	maui_diags_add(&diags, MAUI_ERROR, "a.cfg", 1, 0, "b");
	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 2, 5, "c");
	maui_diags_add(&diags, MAUI_ERROR, "z.cfg", 2, 5, "d");
	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 2, 0, "e");
	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 0, 0, "f");
	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 2, 5, "g");
	maui_diags_add(&diags, MAUI_NOTE, "a.cfg", 0, 0, "h");
	maui_diags_add(&diags, MAUI_NOTE, "z.cfg", 10, 1, "i");
	maui_diags_sort(&diags);
	for (size_t i = 0; i < diags.count; i++)
		strcat(order, diags.list[i].text);
	cr_expect(!strcmp(order, "fecdgaihb"), "got %s", order);
	maui_diags_finish(&diags);
}

Test(diag, file_names_are_copied_once)
{
	struct maui_diags diags = { 0 };
	char name[] = "maui.cfg";

	maui_diags_add(&diags, MAUI_NOTE, name, 1, 1, "a");
	maui_diags_add(&diags, MAUI_NOTE, "other.cfg", 1, 1, "b");
	maui_diags_add(&diags, MAUI_NOTE, name, 2, 1, "c");
	memset(name, 'x', sizeof(name) - 1);
	cr_expect(!strcmp(diags.list[0].file, "maui.cfg"), "got %s", diags.list[0].file);
	cr_expect(diags.list[0].file == diags.list[2].file, "kept twice");
	cr_expect(diags.file_count == 2, "%zu files", diags.file_count);
	maui_diags_finish(&diags);
	cr_expect(!diags.list && !diags.files && !diags.count && !diags.seen[MAUI_NOTE],
		  "not empty after finish");
}

Test(diag, the_object_is_copied)
{
	struct maui_diags diags = { 0 };
	char name[] = "biz";
	const struct maui_diag_place place = {
		.file = "maui.cfg", .line = 3, .column = 7, .kind = 64, .name = name
	};

	maui_diags_add_at(&diags, MAUI_WARNING, &place, "SRCFG[%s] TPN", name);
	maui_diags_add(&diags, MAUI_WARNING, "maui.cfg", 4, 1, "b");
	memset(name, 'x', sizeof(name) - 1);
	cr_assert(diags.count == 2);
	cr_expect(diags.list[0].kind == 64 && !strcmp(diags.list[0].name, "biz"));
	cr_expect(diags.list[0].line == 3 && diags.list[0].column == 7);
	cr_expect(diags.list[1].kind == 0 && !diags.list[1].name);
	maui_diags_finish(&diags);
}
