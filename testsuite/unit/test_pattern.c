/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pattern.c - regular expressions: what they match, what is refused, what hostile ones
 * cost
 *
 * Matches are also compared with the C library's, for thousands of random expressions.
 */
#include "base/pattern.h"

#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "rows.h"

struct meaning {
	const char *pattern;
	const char *yes[5];
	const char *no[5];
};

static const struct meaning meanings[] = {
	{ "", { "", "a" }, { NULL } },
	{ "node1", { "node1", "node10", "mynode1" }, { "node2", "node", "" } },
	{ "NODE1", { "node1", "Node1", "nOdE10" }, { "node2" } },
	{ "^node1$", { "node1", "NODE1" }, { "node10", "anode1", "" } },
	{ "node0[1-4]$", { "node01", "node04", "xnode03" }, { "node05", "node00", "node011" } },
	{ "node.*", { "node", "node1" }, { "nod" } },
	{ "n.1", { "nx1", "n.1" }, { "n1", "nxx1" } },
	{ "n\\.1", { "n.1" }, { "nx1" } },
	{ "a|b", { "a", "b", "xa" }, { "c", "" } },
	{ "^(a|bc)$", { "a", "bc" }, { "b", "c", "abc" } },
	{ "^a|b$", { "ax", "xb" }, { "xa", "bx" } },
	{ "^(a|)$", { "a", "" }, { "b" } },
	{ "^(|a)b$", { "b", "ab" }, { "a", "aab" } },
	{ "^()$", { "" }, { "a" } },
	{ "(^|-)gpu(-|$)", { "gpu", "a-gpu", "gpu-1" }, { "agpu", "gpux" } },
	{ "^ab*$", { "a", "ab", "abbb" }, { "b", "aab" } },
	{ "^ab+$", { "ab", "abbb" }, { "a", "aab" } },
	{ "^ab?$", { "a", "ab" }, { "abb" } },
	{ "^(ab)+$", { "ab", "abab" }, { "", "aba" } },
	{ "^(a*)*$", { "", "a", "aaaa" }, { "b" } },
	{ "^(a|b*)+c$", { "c", "ac", "abbac" }, { "d" } },
	{ "^a{3}$", { "aaa" }, { "aa", "aaaa" } },
	{ "^a{2,3}$", { "aa", "aaa" }, { "a", "aaaa" } },
	{ "^a{2,}$", { "aa", "aaaaaaa" }, { "a" } },
	{ "^a{,2}$", { "", "a", "aa" }, { "aaa" } },
	{ "^a{0}b$", { "b" }, { "ab" } },
	{ "^a{0,}$", { "", "aaa" }, { "b" } },
	{ "^(a{1}){2}$", { "aa" }, { "a", "aaa" } },
	{ "^a{0002}$", { "aa" }, { "a" } },
	{ "^(a{2}){3}$", { "aaaaaa" }, { "aaaaa" } },
	{ "^(a?){3}$", { "", "a", "aaa" }, { "aaaa" } },
	{ "^(a|b){2}c{1,2}$", { "abc", "bacc" }, { "ac", "abccc" } },
	{ "^[0-9]{3,4}$", { "123", "1234" }, { "12", "12345", "12a" } },
	{ "^[abc]$", { "a", "B" }, { "d", "" } },
	{ "^[^abc]$", { "d", "-" }, { "a", "B", "" } },
	{ "^[a-c1-3]$", { "b", "C", "2" }, { "d", "4", "-" } },
	{ "^[A-C]$", { "a", "B" }, { "d" } },
	{ "^[]a]$", { "]", "a" }, { "b" } },
	{ "^[^]a]$", { "b" }, { "]", "a" } },
	{ "^[a-]$", { "a", "-" }, { "b" } },
	{ "^[-a]$", { "a", "-" }, { "b" } },
	{ "^[a^]$", { "a", "^" }, { "b" } },
	{ "^[+--]$", { "+", ",", "-" }, { "." } },
	{ "^[.*]$", { ".", "*" }, { "a" } },
	{ "^[\\.]$", { "\\", "." }, { "a" } },
	{ "^[[:digit:]]$", { "5" }, { "a", ":", "[" } },
	{ "^[[:alpha:]_]$", { "a", "Z", "_" }, { "5", ":" } },
	{ "^[^[:alnum:]]$", { "-", "_" }, { "a", "5" } },
	{ "^[[:upper:]]$", { "A", "a" }, { "5" } }, /* case does not matter */
	{ "^[[:digit:]-z]$", { "5", "-", "z" }, { "a", "y" } },
	{ "^[a-c-z]$", { "b", "-", "z" }, { "d", "y" } },
	{ "^[--/]$", { "-", ".", "/" }, { "," } },
	{ "^[[-]]$", { "[]", "-]" }, { "]" } },
	{ "^[[]$", { "[" }, { "a" } },
	{ "^[[a]$", { "[", "a" }, { "b" } },
	{ "^[(]$", { "(" }, { "a" } },
	{ "a]", { "a]" }, { "a" } },
	{ "a}", { "a}" }, { "a" } },
	{ "\\(\\)\\[\\{\\|\\*\\+\\?\\^\\$\\\\", { "()[{|*+?^$\\" }, { "()" } },
	{ "a$b", { NULL }, { "ab", "a$b", "a" } },
	{ "a^b", { NULL }, { "ab", "a^b" } },
	{ "^^a$$", { "a" }, { "aa" } },
	{ "(^(a$))", { "a" }, { "ab", "ba" } },
	{ "(^a){2}", { NULL }, { "aa", "a" } }, /* glibc finds "aa" */
	/* characters that PCRE2 would read differently */
	{ "^[\\d]$", { "\\", "d" }, { "5" } },
	{ "^[\\]$", { "\\" }, { "]" } },
	{ "^[\\]]$", { "\\]" }, { "]" } },
	{ "^[\\-a]$", { "\\", "]", "^", "_", "A" }, { "-", "[" } },
	{ "^[\\n]$", { "n", "\\" }, { "\n" } },
	{ "^[\\Qa\\E]$", { "q", "e", "\\" }, { "b" } },
	{ "^[&&a]$", { "&" }, { "&&a" } },
	{ "^[$]$", { "$" }, { "" } },
	{ "^[a|b]$", { "|" }, { "(" } },
	{ "a$", { "a" }, { "a\n" } },
	{ "^a", { "a" }, { "\na" } },
	{ "^.[^b]$", { "\n\n", "\r\n" }, { "\n" } },
	{ "a #b", { "a #b" }, { "a" } },
	{ "a\nb", { "a\nb" }, { "anb" } },
	{ "\\{2\\}", { "{2}" }, { "2" } },
	{ "^(:a|=b|<c>d|!e|#f|P<g>h|&i)$", { ":a", "=b", "<c>d", "P<g>h" }, { "a" } },
	{ "^a()*$", { "a" }, { "aa" } },
	{ "x\xc3\xa4", { "x\xc3\xa4" }, { "xa", "x\xc3\x84" } },
	{ "^[\xa0-\xff]$", { "\xc3" }, { "\x9f", "a" } },
	{ "^[[:alpha:]]$", { "a" }, { "\xe4", "\xc4" } },
	{ "^x..$", { "x\xc3\xa4" }, { "x\xc3" } }, /* bytes, not characters */
	{ "((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))", { "a" }, { "b" } },
};

TEST_ROWS(pattern, meaning, meanings, row)
{
	struct maui_pattern *pattern = NULL;
	struct maui_err err = { .text = "" };

	cr_assert(maui_pattern_create(row->pattern, &pattern, &err) == 0, "%s: refused: %s",
		  row->pattern, err.text);
	for (size_t i = 0; i < 5 && row->yes[i]; i++)
		cr_expect(maui_pattern_match(pattern, row->yes[i], NULL, NULL) == 1,
			  "%s: not found in '%s'", row->pattern, row->yes[i]);
	for (size_t i = 0; i < 5 && row->no[i]; i++)
		cr_expect(maui_pattern_match(pattern, row->no[i], NULL, NULL) == 0,
			  "%s: found in '%s'", row->pattern, row->no[i]);
	maui_pattern_destroy(pattern);
}

struct refused {
	const char *pattern;
	const char *reason;
};

static const struct refused refusals[] = {
	{ "[a", "unmatched [ at byte 1" },
	{ "x[]", "unmatched [ at byte 2" },
	{ "x[^]", "unmatched [ at byte 2" },
	{ "[", "unmatched [ at byte 1" },
	{ "[^", "unmatched [ at byte 1" },
	{ "[a-", "unmatched [ at byte 1" },
	{ "[5-3]", "invalid range at byte 2" },
	{ "[b-a]", "invalid range at byte 2" },
	{ "[a-[:digit:]]", "invalid range at byte 2" },
	{ "[[:nothing:]]", "unknown character class at byte 4" },
	{ "[[:alpha", "unknown character class at byte 4" },
	{ "[[:word:]]", "unknown character class at byte 4" },
	{ "[[:^alpha:]]", "unknown character class at byte 4" },
	{ "[[:Alpha:]]", "unknown character class at byte 4" },
	{ "[[:<:]]a", "unknown character class at byte 4" },
	{ "a[[:>:]]", "unknown character class at byte 5" },
	{ "[!-[.a.]]", "invalid range at byte 2" },
	{ "[[.a.]]", "[.x.] and [=x=] are not supported at byte 2" },
	{ "[[=a=]]", "[.x.] and [=x=] are not supported at byte 2" },
	{ "(a", "unmatched ( at byte 1" },
	{ "(a(b)", "unmatched ( at byte 1" },
	{ "a)", "unmatched ) at byte 2" },
	{ ")", "unmatched ) at byte 1" },
	{ "*", "nothing to repeat at byte 1" },
	{ "+a", "nothing to repeat at byte 1" },
	{ "a|?", "nothing to repeat at byte 3" },
	{ "(*)", "nothing to repeat at byte 2" },
	{ "{2}", "nothing to repeat at byte 1" },
	{ "(?:a)", "nothing to repeat at byte 2" },
	{ "(?i)a", "nothing to repeat at byte 2" },
	{ "(?R)", "nothing to repeat at byte 2" },
	{ "(?=a)", "nothing to repeat at byte 2" },
	{ "(?#)", "nothing to repeat at byte 2" },
	{ "(*UTF)a", "nothing to repeat at byte 2" },
	{ "(*LIMIT_MATCH=9)a", "nothing to repeat at byte 2" },
	{ "a(*ACCEPT)b", "nothing to repeat at byte 3" },
	{ "a(b|{2})", "nothing to repeat at byte 5" },
	{ "a*?", "repetition of a repetition at byte 3" },
	{ "a++", "repetition of a repetition at byte 3" },
	{ "a{2}?", "repetition of a repetition at byte 5" },
	{ "a{1}{2}", "repetition of a repetition at byte 5" },
	{ "(a)**", "repetition of a repetition at byte 5" },
	{ "^*", "nothing to repeat at byte 2" },
	{ "a$+", "nothing to repeat at byte 3" },
	{ "a{", "invalid repetition {} at byte 2" },
	{ "a{}", "invalid repetition {} at byte 2" },
	{ "a{,}", "invalid repetition {} at byte 2" },
	{ "a{x}", "invalid repetition {} at byte 2" },
	{ "a{1", "invalid repetition {} at byte 2" },
	{ "a{1,", "invalid repetition {} at byte 2" },
	{ "a{1,2", "invalid repetition {} at byte 2" },
	{ "a{1,x}", "invalid repetition {} at byte 2" },
	{ "a{-1}", "invalid repetition {} at byte 2" },
	{ "a{2,1}", "invalid repetition {} at byte 2" },
	{ "a{65}", "too many repetitions {} at byte 2" },
	{ "a{1,65}", "too many repetitions {} at byte 2" },
	{ "a{65,}", "too many repetitions {} at byte 2" },
	{ "a{99999999999999999999}", "too many repetitions {} at byte 2" },
	{ "(a)\\1", "back-references are not supported at byte 4" },
	{ "\\0", "back-references are not supported at byte 1" },
	{ "\\w", "\\ stands only before punctuation at byte 1" },
	{ "\\bx", "\\ stands only before punctuation at byte 1" },
	{ "\\Qa", "\\ stands only before punctuation at byte 1" },
	{ "a\\K", "\\ stands only before punctuation at byte 2" },
	{ "a\\ b", "\\ stands only before punctuation at byte 2" },
	{ "a\\\xc3", "\\ stands only before punctuation at byte 2" },
	{ "\\<x", "\\ stands only before punctuation at byte 1" },
	{ "x\\", "trailing \\ at byte 2" },
	{ "(((((((((((((((((((((((((((((((((a", "parentheses nested too deep at byte 33" },
	{ "((a{64}){64}){64}", "the repetitions make it too large" },
	{ "(a{64}){64}", "the repetitions make it too large" },
	{ "(((((((((((((a{2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2})",
	  "the repetitions make it too large" },
};

TEST_ROWS(pattern, refused, refusals, row)
{
	struct maui_pattern *pattern = NULL;
	struct maui_err err = { .text = "" };

	cr_expect(maui_pattern_create(row->pattern, &pattern, &err) == -1, "%s: accepted",
		  row->pattern);
	cr_expect(!strcmp(err.text, row->reason), "%s: got '%s'", row->pattern, err.text);
	cr_expect(!pattern, "%s: result touched", row->pattern);
}

/* Expressions that keep glibc busy for minutes or take a gigabyte there, or are hard to search
 * for. */
enum { FOUND = 1, NOT_FOUND = 0, TOO_COSTLY = -1, TOO_LARGE = -2 };

struct hostile {
	const char *name;
	const char *unit;
	size_t times; /* at most; 0: as often as possible */
	const char *end;
	size_t length; /* of the name, of "a" only */
	int result;
};

/* PCRE2 does not look for "[bc]" before everything else. */
static const struct hostile hostiles[] = {
	{ "anchors", "^", 0, "a", 256, FOUND },
	{ "repeated anchors", "(^|$|a)*", 0, "b", 256, NOT_FOUND },
	{ "repeated anchors, hidden end", "(^|$|a)*", 0, "[bc]", 256, TOO_COSTLY },
	{ "anchors, few", "(^|$|a)*", 3, "[bc]", 16, NOT_FOUND },
	{ "anchors in two levels", "((^|a)*($|b)*)*", 0, "[cd]", 256, TOO_COSTLY },
	{ "anchors in two levels, few", "((^|a)*($|b)*)*", 2, "[cd]", 16, NOT_FOUND },
	{ "options", "a?", 0, "b", 256, NOT_FOUND },
	{ "options, hidden end", "a?", 0, "[bc]", 256, TOO_COSTLY },
	{ "options, few", "a?", 30, "[bc]", 16, NOT_FOUND },
	{ "options, found", "a?", 60, "a{16}$", 16, FOUND },
	{ "stars", ".*", 0, "a", 256, TOO_COSTLY },
	{ "stars, few", ".*", 8, "[bc]", 256, NOT_FOUND },
	{ "stars, few, found", ".*", 8, "a[^b]", 256, FOUND },
	{ "stars of stars", "(a*)*", 0, "[bc]", 256, TOO_COSTLY },
	{ "stars of stars, few", "(a*)*", 2, "[bc]", 32, NOT_FOUND },
	{ "two ways", "(a|a)*", 1, "[bc]", 256, TOO_COSTLY },
	{ "two ways, shorter name", "(a|a)*", 1, "[bc]", 32, NOT_FOUND },
	{ "a word of words", "([a-z]+[0-9]*)+", 1, "[-]$", 32, NOT_FOUND },
	{ "plusses", "a+", 10, "[bc]", 256, TOO_COSTLY },
	{ "plusses, few", "a+", 3, "[bc]", 16, NOT_FOUND },
	{ "plusses in levels", "(((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)", 1, "[bc]", 10,
	  NOT_FOUND },
	{ "bounds", "a{0,60}", 8, "[bc]", 256, TOO_COSTLY },
	{ "bounds, few", "a{0,4}", 3, "[bc]", 16, NOT_FOUND },
	{ "optional groups", "(a|b){0,30}", 4, "[cd]", 256, TOO_COSTLY },
	{ "deep optional groups", "((a|b){0,30}){0,10}", 1, "[cd]", 256, TOO_COSTLY },
	{ "alternatives", "a|", 0, "b", 256, FOUND },
	{ "empty alternatives", "(||||)*", 0, "[bc]", 256, NOT_FOUND },
	{ "empty alternatives and more", "(||||)*", 0, "a*[bc]", 256, TOO_COSTLY },
	{ "sets", "[^b]", 0, "b", 256, NOT_FOUND },
	{ "nothing, often", "(){64}", 0, "b", 256, TOO_LARGE },
	{ "nothing, less often", "(){9}", 0, "a*[bc]", 256, TOO_COSTLY },
	{ "loops of nothing", "(a{0})*", 0, "a*[bc]", 256, TOO_COSTLY },
	{ "loops of nothing, few", "(a{0})*", 2, "a*[bc]", 16, NOT_FOUND },
	{ "sets written out", "[^b]{60}", 60, "b", 256, TOO_LARGE },
};

static void check_cost(const struct hostile *row, const char *text, const char *name)
{
	struct maui_pattern *pattern = NULL;
	struct maui_err err = { .text = "" };
	size_t visits = 7, again = 7;
	int result = maui_pattern_create(text, &pattern, &err) < 0 ? TOO_LARGE : 0;

	if (!result) {
		cr_expect(maui_pattern_steps(pattern) <= MAUI_PATTERN_MAX_STEPS, "%s: steps",
			  row->name);
		result = maui_pattern_match(pattern, name, &visits, &err);
		cr_expect(maui_pattern_match(pattern, name, &again, NULL) == result, "%s: again",
			  row->name);
	}
	cr_expect(result == row->result, "%s: expected %d, got %d '%s'", row->name, row->result,
		  result, err.text);
	cr_expect(visits - 7 <= 11 * (MAUI_PATTERN_MAX_VISITS + 1) && visits == again,
		  "%s: %zu visits", row->name, visits - 7);
	if (result == TOO_COSTLY)
		cr_expect(!strncmp(err.text, "too costly to search for in 'aaaa", 33), "%s: '%s'",
			  row->name, err.text);
	if (result == TOO_LARGE)
		cr_expect(strstr(err.text, "too large") != NULL, "%s: '%s'", row->name, err.text);
	maui_pattern_destroy(pattern);
}

TEST_ROWS(pattern, hostile, hostiles, row)
{
	char text[MAUI_HOSTEXPR_MAX_PATTERN + 1] = "", name[257];
	size_t used = 0, unit = strlen(row->unit);

	for (size_t n = 0; (!row->times || n < row->times) &&
			   used + unit + strlen(row->end) <= MAUI_HOSTEXPR_MAX_PATTERN;
	     n++, used += unit)
		memcpy(text + used, row->unit, unit);
	strcpy(text + used, row->end);
	memset(name, 'a', row->length);
	name[row->length] = '\0';
	check_cost(row, text, name);
}

Test(pattern, length)
{
	char text[MAUI_HOSTEXPR_MAX_PATTERN + 2];
	struct maui_pattern *pattern;
	struct maui_err err;

	memset(text, 'a', sizeof(text));
	text[MAUI_HOSTEXPR_MAX_PATTERN] = '\0';
	cr_assert(maui_pattern_create(text, &pattern, NULL) == 0, "the longest is refused");
	cr_expect(maui_pattern_match(pattern, text, NULL, NULL) == 1, "does not find itself");
	maui_pattern_destroy(pattern);
	text[MAUI_HOSTEXPR_MAX_PATTERN] = 'a';
	text[MAUI_HOSTEXPR_MAX_PATTERN + 1] = '\0';
	cr_expect(maui_pattern_create(text, &pattern, &err) == -1, "a longer one is accepted");
	cr_expect(!strcmp(err.text, "longer than 1024 bytes"), "got '%s'", err.text);
}

/* ---- against the C library ---- */

struct source {
	uint64_t seed;
	char text[2048];
	size_t length;
};

static unsigned draw(struct source *s, unsigned below)
{
	s->seed = s->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(s->seed >> 33) % below;
}

static void add(struct source *s, const char *text)
{
	strcpy(s->text + s->length, text);
	s->length += strlen(text);
}

static void add_alternatives(struct source *s, unsigned depth);

static void add_atom(struct source *s, unsigned depth)
{
	static const char *const atoms[] = {
		"a",
		"b",
		"c",
		"A",
		"1",
		"-",
		".",
		"\\.",
		"[ab]",
		"[^a]",
		"[a-c1]",
		"[^]b]",
		"[]a]",
		"[[:digit:]-]",
		"[^[:alpha:]]",
		"[A-B]",
	};
	unsigned k = draw(s, 20);

	if (k < 16) {
		add(s, atoms[k]);
	} else if (depth > 0) {
		add(s, "(");
		add_alternatives(s, depth - 1);
		add(s, ")");
	} else {
		add(s, "b");
	}
}

static void add_branch(struct source *s, unsigned depth)
{
	static const char *const repetitions[] = {
		"*", "+", "?", "{2}", "{0,2}", "{1,}", "{,1}", "{0}", "{2,3}", "", "", "",
	};

	for (unsigned i = draw(s, 4); i > 0; i--) {
		add_atom(s, depth);
		add(s, repetitions[draw(s, 12)]);
	}
}

static void add_alternatives(struct source *s, unsigned depth)
{
	add_branch(s, depth);
	for (unsigned i = draw(s, 3); i > 1; i--) {
		add(s, "|");
		add_branch(s, depth);
	}
}

static void compare_on_names(struct source *s, const struct maui_pattern *ours, const regex_t *libc)
{
	char name[16];
	int result;

	for (unsigned k = 0; k < 16; k++) {
		unsigned length = draw(s, sizeof(name));

		for (unsigned i = 0; i < length; i++)
			name[i] = "abcB1-.]"[draw(s, 8)];
		name[length] = '\0';
		result = maui_pattern_match(ours, name, NULL, NULL);
		cr_assert(result == !regexec(libc, name, 0, NULL, 0), "'%s' on '%s' is %d", s->text,
			  name, result);
	}
}

struct seed {
	const char *name;
	uint64_t seed;
	/* anchored as a whole, because glibc is wrong about an anchor in a repetition */
	bool anchored;
};

static const struct seed seeds[] = {
	{ "search 1", 1, false },
	{ "search 2", 2, false },
	{ "whole name 3", 3, true },
	{ "whole name 4", 4, true },
};

TEST_ROWS(pattern, agrees_with_libc, seeds, row)
{
	struct source s = { .seed = row->seed };
	struct maui_pattern *ours;
	struct maui_err err;
	regex_t libc;

	for (unsigned n = 0; n < 3000; n++) {
		s.length = 0;
		add(&s, row->anchored ? "^(" : "");
		add_alternatives(&s, 2);
		add(&s, row->anchored ? ")$" : "");
		cr_assert(maui_pattern_create(s.text, &ours, &err) == 0, "%s: %s", s.text,
			  err.text);
		cr_assert(regcomp(&libc, s.text, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0, "%s",
			  s.text);
		compare_on_names(&s, ours, &libc);
		maui_pattern_destroy(ours);
		regfree(&libc);
	}
}
