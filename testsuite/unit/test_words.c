/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_words.c - booleans, lists, "did you mean"
 *
 * Rules: CFG-6.
 */
#include "base/words.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"

struct boolean {
	const char *text;
	int expected; /* -1: refused */
};

static const struct boolean booleans[] = {
	{ "1", 1 },      { "true", 1 },    { "True", 1 },  { "TRUE", 1 },  { "on", 1 },
	{ "On", 1 },     { "ON", 1 },      { "yes", 1 },   { "Yes", 1 },   { "YES", 1 },
	{ "tRuE", 1 },   { "0", 0 },       { "false", 0 }, { "False", 0 }, { "FALSE", 0 },
	{ "off", 0 },    { "Off", 0 },     { "OFF", 0 },   { "no", 0 },    { "No", 0 },
	{ "NO", 0 },     { "", -1 },       { " ", -1 },    { "2", -1 },    { "-1", -1 },
	{ "01", -1 },    { "t", -1 },      { "y", -1 },    { "yes ", -1 }, { " yes", -1 },
	{ "truex", -1 }, { "enable", -1 },
};

TEST_ROWS(words, boolean, booleans, row)
{
	bool value = row->expected != 1;
	int result = maui_bool_parse(row->text, &value);

	if (row->expected < 0) {
		cr_expect(result == -1, "'%s': accepted", row->text);
		cr_expect(value, "'%s': result touched", row->text);
	} else {
		cr_expect(result == 0 && value == (row->expected == 1), "'%s': got %d, %d",
			  row->text, result, value);
	}
}

struct split {
	const char *text;
	const char *seps;
	const char *words; /* joined with '/' */
};

static const struct split splits[] = {
	{ "", ",", "" },
	{ ",", ",", "" },
	{ ",,::||", ",:|", "" },
	{ "a", ",", "a" },
	{ "a,b", ",", "a/b" },
	{ "a,b:c|d", ",|:", "a/b/c/d" },
	{ "a,b:c|d", ",|", "a/b:c/d" },
	{ ",a,,b,", ",", "a/b" },
	{ "a b", ",", "a b" },
	{ "normal= high debug= low-", " \t", "normal=/high/debug=/low-" },
	{ "  a\tb ", " \t", "a/b" },
	{ "a,b", "", "a,b" },
	{ "high,low,special-", ",:|", "high/low/special-" },
	{ "!projectX,!projectY", ",:|", "!projectX/!projectY" },
	{ "\xc3\xa4,\xff", ",", "\xc3\xa4/\xff" },
};

static void join(const struct maui_words *words, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < words->count && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? "/" : "",
					 words->list[i]);
}

TEST_ROWS(words, split, splits, row)
{
	struct maui_words words;
	char joined[200];

	cr_assert(maui_words_split(row->text, row->seps, &words) == 0, "'%s': failed", row->text);
	join(&words, joined, sizeof(joined));
	cr_expect(!strcmp(joined, row->words), "'%s': expected %s, got %s", row->text, row->words,
		  joined);
	maui_words_finish(&words);
	cr_expect(!words.list && !words.count, "'%s': not empty after finish", row->text);
}

Test(words, split_of_many)
{
	struct maui_words words;
	char text[20001];

	for (size_t i = 0; i < 20000; i += 2)
		memcpy(text + i, "w,", 2);
	text[20000] = '\0';
	cr_assert(maui_words_split(text, ",", &words) == 0, "failed");
	cr_expect(words.count == 10000, "got %zu", words.count);
	maui_words_finish(&words);
}

Test(words, contain)
{
	struct maui_words words = { 0 };

	cr_expect(!maui_words_contain(&words, "a"), "an empty list has a word");
	cr_assert(maui_words_split("alpha,Beta", ",", &words) == 0, "failed");
	cr_expect(maui_words_contain(&words, "alpha"), "alpha");
	cr_expect(maui_words_contain(&words, "Beta"), "Beta");
	cr_expect(!maui_words_contain(&words, "beta"), "names are case sensitive");
	cr_expect(!maui_words_contain(&words, "alph"), "a part of a word");
	cr_expect(!maui_words_contain(&words, ""), "the empty word");
	maui_words_finish(&words);
}

struct pair {
	const char *a;
	const char *b;
	unsigned max;
	unsigned expected;
};

static const struct pair pairs[] = {
	{ "", "", 3, 0 },
	{ "FSDEPTH", "FSDEPTH", 3, 0 },
	{ "FSDEPTH", "fsdepth", 3, 0 },
	{ "FSINTERVALL", "FSINTERVAL", 3, 1 },
	{ "FSINTERVL", "FSINTERVAL", 3, 1 },
	{ "FSINTERVEL", "FSINTERVAL", 3, 1 },
	{ "ACCCOUNTLIST", "ACCOUNTLIST", 3, 1 },
	{ "FSDETPH", "FSDEPTH", 3, 1 }, /* a swap is one edit */
	{ "SFDEPTH", "FSDEPTH", 3, 1 },
	{ "FSDEPHT", "FSDEPTH", 3, 1 },
	{ "fsDETph", "FSDEPTH", 3, 1 },
	{ "abcd", "badc", 3, 2 }, /* two swaps */
	{ "ca", "abc", 3, 3 },    /* no edit between swapped letters */
	{ "kitten", "sitting", 3, 3 },
	{ "", "abc", 3, 3 },
	{ "abc", "", 3, 3 },
	{ "abc", "xyz", 3, 3 },
	{ "", "abcd", 3, 4 }, /* over the bound: bound + 1 */
	{ "abcdefgh", "stuvwxyz", 3, 4 },
	{ "kitten", "sitting", 2, 3 },
	{ "kitten", "sitting", 1, 2 },
	{ "kitten", "sitting", 0, 1 },
	{ "same", "same", 0, 0 },
	{ "ab", "ba", 0, 1 },
	{ "ab", "ba", 1, 1 },
	{ "abcdefghij", "bacdefghji", 2, 2 },
};

TEST_ROWS(words, distance, pairs, row)
{
	unsigned there = maui_words_distance(row->a, row->b, row->max);
	unsigned back = maui_words_distance(row->b, row->a, row->max);

	cr_expect(there == row->expected, "%s - %s: expected %u, got %u", row->a, row->b,
		  row->expected, there);
	cr_expect(back == there, "%s - %s: %u there, %u back", row->a, row->b, there, back);
}

Test(words, distance_of_long_words)
{
	char a[MAUI_NAME_MAX + 2], b[MAUI_NAME_MAX + 2];

	memset(a, 'a', sizeof(a));
	a[MAUI_NAME_MAX] = '\0';
	memcpy(b, a, sizeof(a));
	cr_expect(maui_words_distance(a, b, 2) == 0, "the longest names");
	b[100] = 'b';
	cr_expect(maui_words_distance(a, b, 2) == 1, "one letter of the longest");
	memset(a, 'a', sizeof(a));
	a[MAUI_NAME_MAX + 1] = '\0';
	cr_expect(maui_words_distance(a, a, 2) == 3, "longer ones are not compared");
}

Test(words, a_list_has_whole_words)
{
	cr_expect(maui_list_has("a,bc", "a") && maui_list_has("a,bc", "bc"));
	cr_expect(maui_list_has("a,,bc", "bc"));
	cr_expect(!maui_list_has("a,bc", "b") && !maui_list_has("a,bc", "c"));
	cr_expect(!maui_list_has("bc", "bcd"));
	cr_expect(!maui_list_has("a,bc", "BC") && maui_list_has_any_case("a,bc", "BC"));
	cr_expect(!maui_list_has_any_case("a,bc", "B"));
	cr_expect(!maui_list_has("", "a") && !maui_list_has(NULL, "a"));
}

Test(words, a_value_belongs_to_a_whole_key)
{
	cr_expect_null(maui_list_value(NULL, "key"));
	cr_expect_null(maui_list_value("xkey=1,key,keys=2", "key"));
	cr_expect_str_eq(maui_list_value("keys=2,,Key=3,b", "key"), "3,b");
}
