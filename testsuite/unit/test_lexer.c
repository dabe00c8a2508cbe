/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_lexer.c - logical lines and the positions of their parts
 *
 * Rules: CFG-2.
 */
#include "config/lexer.h"

#include <stdio.h>
#include <string.h>

#include "rows.h"

struct lines {
	const char *name, *text;
	const char *lines; /* each in <> */
	const char *find;  /* this word ... */
	uint32_t line, column;
};

static const struct lines lines[] = {
	{ "empty", "", "", NULL, 0, 0 },
	{ "blank lines", "\n \t\n\r\n\v\f\n", "", NULL, 0, 0 },
	{ "plain", "A 1\nB 2\n", "<A 1><B 2>", "2", 2, 3 },
	{ "no newline at the end", "A 1\nB 2", "<A 1><B 2>", "B", 2, 1 },
	{ "blanks around", "  A\t1 \t\n\tB 2\r\n", "<A 1><B 2>", "B", 2, 2 },
	{ "comments", "# A 1\nB 2 # C 3\n#\n  # D\nE 5#F", "<B 2><E 5>", "E", 5, 1 },
	{ "quotes make text", "A \"b # c\" d # \"", "<A \"b # c\" d>", "d", 1, 11 },
	{ "a quote without another is a blank", "A b\" # c", "<A b>", "b", 1, 3 },
	{ "a control character in quotes", "A \"b\tc\"", "<A \"b c\">", "c", 1, 6 },
	{ "a backslash in quotes", "A \"b\\c\\\"\nB", "<A \"b\\c\\\"><B>", "B", 2, 1 },
	{ "a quote over two lines", "A \"b\\ \nc\\ d\" e\nB", "<A \"b   c\\ d\" e><B>", "e", 2, 7 },
	{ "# in an index", "A[b#c] d#e\nF G[h#i]=j K[l#m]", "<A[b#c] d><F G[h#i]=j K[l>", "j", 2,
	  10 },
	{ "# behind a blank in no index", "A[b #c] d\n[b#c]", "<A[b><[b>", NULL, 0, 0 },
	{ "control characters are blanks",
	  "A\x01\x1f\x7f"
	  "B",
	  "<A   B>", "B", 1, 5 },
	{ "UTF-8 stays", "A \xc3\xbc", "<A \xc3\xbc>", "\xc3\xbc", 1, 3 },
	{ "byte order mark",
	  "\xef\xbb\xbf"
	  "A 1",
	  "<A 1>", "A", 1, 4 },
	{ "continued", "A \\\nB\nC",
	  "<A   B>"
	  "<C>",
	  "B", 2, 1 },
	{ "continued behind blanks", "A \\ \t\r\nB", "<A      B>", "B", 2, 1 },
	{ "continued twice", "A \\\n\\\nB\nC", "<A     B><C>", "C", 4, 1 },
	{ "continued into a comment", "A 1 \\\n# x\nB 2", "<A 1><B 2>", "B", 3, 1 },
	{ "no continuation in a comment", "A 1 # x \\\nB 2", "<A 1><B 2>", "B", 2, 1 },
	{ "a continued blank line", "A 1 \\\n\nB 2", "<A 1><B 2>", "B", 3, 1 },
	{ "backslash and blanks within a line", "A \\  B", "<A    B>", "B", 1, 6 },
	{ "backslash within a word", "A node\\d+", "<A node\\d+>", "node", 1, 3 },
	{ "continued at the end", "A 1 \\", "<A 1>", "1", 1, 3 },
	{ "CR LF", "A 1\r\nB 2\r\n", "<A 1><B 2>", "B", 2, 1 },
};

/* The last occurrence of the word. */
static void expect_position(const struct lines *row, const struct maui_lexer *lexer,
			    const char *found)
{
	uint32_t line = 0, column = 0;

	cr_assert(found != NULL, "%s: '%s' is not there", row->name, row->find);
	maui_lexer_position(lexer, found, &line, &column);
	cr_expect(line == row->line && column == row->column,
		  "%s: '%s' expected at %u:%u, got %u:%u", row->name, row->find, row->line,
		  row->column, line, column);
}

TEST_ROWS(lexer, lines, lines, row)
{
	struct maui_lexer lexer;
	char got[256] = "", *line;
	const char *found = NULL;

	cr_assert(maui_lexer_init(&lexer, row->text, strlen(row->text)) == 0);
	while ((line = maui_lexer_next(&lexer))) {
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "<%s>", line);
		if (row->find && strstr(line, row->find))
			found = strstr(line, row->find);
	}
	cr_expect(strcmp(got, row->lines) == 0, "%s: expected %s, got %s", row->name, row->lines,
		  got);
	if (row->find)
		expect_position(row, &lexer, found);
	maui_lexer_finish(&lexer);
}

struct ending {
	const char *text;
	bool open;
};

static const struct ending endings[] = {
	{ "A 1\n", false },   { "A 1", false },      { "A 1 \\", true },
	{ "A 1 \\\n", true }, { "A 1 \\ \t", true }, { "A 1 \\\n\n", false },
	{ "# A \\", false },  { "# A \\\n", false }, { "A 1 \\\n# x", false },
	{ "A \\\\", true },   { "", false },
};

/* A truncated file often ends in a continuation. */
TEST_ROWS(lexer, open_end, endings, row)
{
	struct maui_lexer lexer;

	cr_assert(maui_lexer_init(&lexer, row->text, strlen(row->text)) == 0);
	cr_expect(lexer.open_end == row->open, "'%s': expected %d", row->text, row->open);
	maui_lexer_finish(&lexer);
}

struct include {
	const char *name, *text, *files; /* each in <> */
};

static const struct include includes[] = {
	{ "none", "A 1\n# INCLUDE x\n", "" },
	{ "plain", "#INCLUDE a.cfg\nA 1\n#INCLUDE /etc/b.cfg\n", "<a.cfg></etc/b.cfg>" },
	{ "blanks", "#INCLUDE \t a.cfg \t\r\n", "<a.cfg>" },
	{ "blanks before", " #INCLUDE a.cfg\n\t#INCLUDE b.cfg\n#INCLUDE c.cfg\n", "<c.cfg>" },
	{ "byte order mark", "\xef\xbb\xbf#INCLUDE a.cfg\n", "<a.cfg>" },
	{ "comment behind", "#INCLUDE a.cfg # old\n", "<a.cfg>" },
	{ "at the end", "#INCLUDE a", "<a>" },
	{ "without a name", "#INCLUDE\n#INCLUDE  \n#INCLUDE", "" },
	{ "another word", "#INCLUDED x\n#INCLUDEx\n", "" },
	{ "behind something", "A 1 #INCLUDE x\n", "" },
	/* only capitals count, as in Maui; small letters are a comment */
	{ "a comment", "#include the old limits below\n#Include x\n", "" },
};

TEST_ROWS(lexer, include, includes, row)
{
	size_t at = 0, name, length;
	char got[256] = "";

	while (maui_lexer_include(row->text, strlen(row->text), &at, &name, &length))
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "<%.*s>", (int)length,
			 row->text + name);
	cr_expect(strcmp(got, row->files) == 0, "%s: expected %s, got %s", row->name, row->files,
		  got);
}

/* Indented #INCLUDE lines have no effect, and config check warns of them. */
Test(lexer, indented_include)
{
	static const char text[] = "#INCLUDE a\n #INCLUDE b\nA #INCLUDE c\n\t #INCLUDE d";
	size_t at = 0, name, length;
	char got[64] = "";

	while (maui_lexer_indented_include(text, strlen(text), &at, &name, &length))
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "<%.*s>", (int)length,
			 text + name);
	cr_expect_str_eq(got, "<b><d>", "%s", got);
}

struct mac {
	const char *text;
	bool old_mac;
};

static const struct mac macs[] = {
	{ "", false },        { "A 1", false },  { "A 1\n", false },     { "A 1\r\n", false },
	{ "A\r1\nB", false }, { "A 1\r", true }, { "A 1\rB 2\r", true },
};

TEST_ROWS(lexer, old_mac, macs, row)
{
	cr_expect(maui_lexer_old_mac(row->text, strlen(row->text)) == row->old_mac, "'%s'",
		  row->text);
}
