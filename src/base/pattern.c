/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern.c - extended POSIX regular expressions, searched without regard to case
 *
 * One pass over the text refuses what POSIX does not have, and translates the rest: a literal byte
 * that could mean something to PCRE2 gets a backslash. The translation uses only syntax on which
 * all versions of PCRE2 agree.
 *
 * A name is searched by backtracking, which is fast unless there are too many ways to try. Only
 * then all ways are followed at once. Both searches are stopped by counting steps, because PCRE2's
 * own limits bound neither of them (a row of empty groups takes a thousand times what PCRE2
 * counts).
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/pattern.h"

#include <ctype.h>
#include <pcre2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/strbuf.h"

struct maui_pattern {
	pcre2_code *code;
	size_t steps;
};

struct scan {
	const char *text;
	const char *at;
	struct maui_strbuf out;
	struct maui_err *err;
	size_t depth;
	const char *opening[MAUI_PATTERN_MAX_NESTING]; /* '(' of each open group */
	/* of each open group; [0]: of the whole text */
	size_t steps[MAUI_PATTERN_MAX_NESTING + 1];
	size_t atom;    /* steps of what a repetition would repeat; 0: nothing to repeat */
	size_t atom_at; /* where it begins in `out` */
	bool group;     /* the atom is a group; then atom_at is not used */
	bool repeated;  /* the last thing was a repetition */
};

static int fail(struct scan *s, const char *at, const char *reason)
{
	return maui_err_set(s->err, "%s at byte %zu", reason, (size_t)(at - s->text) + 1);
}

/* ---- writing ---- */

static bool is_punctuation(char c)
{
	return isascii(c) && ispunct(c);
}

static void put(struct scan *s, char c)
{
	maui_strbuf_add(&s->out, &c, 1);
}

static void put_literal(struct scan *s, char c)
{
	if (is_punctuation(c))
		put(s, '\\');
	put(s, c);
}

static int add_steps(struct scan *s, size_t steps)
{
	s->steps[s->depth] += steps;
	if (s->steps[s->depth] > MAUI_PATTERN_MAX_STEPS)
		return maui_err_set(s->err, "the repetitions make it too large");
	return 0;
}

/* Notes that an atom of so many steps was written. */
static int finish_atom(struct scan *s, size_t steps, bool repeatable)
{
	s->atom = repeatable ? steps : 0;
	s->repeated = false;
	return add_steps(s, steps);
}

/* ---- [...] ---- */

/* [:name:] */
static int scan_class(struct scan *s)
{
	static const char *const classes[] = {
		"[:alnum:]", "[:alpha:]", "[:blank:]", "[:cntrl:]", "[:digit:]", "[:graph:]",
		"[:lower:]", "[:print:]", "[:punct:]", "[:space:]", "[:upper:]", "[:xdigit:]",
	};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		size_t length = strlen(classes[i]);

		if (strncmp(s->at, classes[i], length) != 0)
			continue;
		maui_strbuf_add(&s->out, classes[i], length);
		s->at += length;
		return 0;
	}
	return fail(s, s->at + 2, "unknown character class");
}

/* One byte or one range of bytes. */
static int scan_member(struct scan *s)
{
	const char *at = s->at++;

	if (at[0] == '[' && (at[1] == '.' || at[1] == '='))
		return fail(s, at, "[.x.] and [=x=] are not supported");
	put_literal(s, at[0]);
	if (at[1] != '-' || !at[2] || at[2] == ']')
		return 0;
	if ((unsigned char)at[0] > (unsigned char)at[2] ||
	    (at[2] == '[' && at[3] && strchr(".=:", at[3])))
		return fail(s, at, "invalid range");
	put(s, '-');
	put_literal(s, at[2]);
	s->at = at + 3;
	return 0;
}

/* s->at is behind the '['. A ']' in the first place is a member, a '\' is itself. */
static int scan_set(struct scan *s)
{
	const char *opening = s->at - 1, *first;
	int result = 0;

	put(s, '[');
	if (*s->at == '^')
		put(s, *s->at++);
	for (first = s->at; !result && (*s->at != ']' || s->at == first);) {
		if (!*s->at)
			return fail(s, opening, "unmatched [");
		result = s->at[0] == '[' && s->at[1] == ':' ? scan_class(s) : scan_member(s);
	}
	if (result < 0)
		return -1;
	put(s, *s->at++);
	return finish_atom(s, 1, true);
}

/* ---- repetitions ---- */

#define NO_END -1

/* Reads a number; a number above the cap is one more than the cap. NO_END when there are no
 * digits. */
static int scan_count(struct scan *s)
{
	int n = NO_END;

	for (; *s->at >= '0' && *s->at <= '9'; s->at++) {
		n = (n == NO_END ? 0 : n) * 10 + (*s->at - '0');
		if (n > MAUI_HOSTEXPR_MAX_REPEAT)
			n = MAUI_HOSTEXPR_MAX_REPEAT + 1;
	}
	return n;
}

/* Reads {n} {n,} {n,m} {,m}, s->at at the '{'. *ret_copies: how often the atom is expanded. */
static int scan_interval(struct scan *s, int *ret_copies)
{
	const char *opening = s->at++;
	int least = scan_count(s), most = least;

	if (*s->at == ',') {
		s->at++;
		most = scan_count(s);
	}
	if (*s->at++ != '}' || (least == NO_END && most == NO_END) ||
	    (most != NO_END && least > most))
		return fail(s, opening, "invalid repetition {}");
	if (least > MAUI_HOSTEXPR_MAX_REPEAT || most > MAUI_HOSTEXPR_MAX_REPEAT)
		return fail(s, opening, "too many repetitions {}");
	maui_strbuf_addf(&s->out, "{%d", least == NO_END ? 0 : least);
	if (most == NO_END)
		put(s, ',');
	else if (most != least)
		maui_strbuf_addf(&s->out, ",%d", most);
	put(s, '}');
	*ret_copies = most > least ? most : least;
	return 0;
}

/* Puts the atom into a group. PCRE2 repeats a plain atom by a counter, and when it follows all
 * ways at once it keeps each count apart, which our steps do not count. It expands a group
 * instead. */
static void group_atom(struct scan *s)
{
	if (s->group)
		return;
	maui_strbuf_add(&s->out, "()", 2);
	if (s->out.failed)
		return;
	memmove(s->out.text + s->atom_at + 1, s->out.text + s->atom_at,
		s->out.length - s->atom_at - 2);
	s->out.text[s->atom_at] = '(';
}

/* At one of * + ? { */
static int scan_repetition(struct scan *s)
{
	int copies = 1;

	if (s->repeated)
		return fail(s, s->at, "repetition of a repetition");
	if (!s->atom)
		return fail(s, s->at, "nothing to repeat");
	if (*s->at == '+' || *s->at == '{')
		group_atom(s);
	if (*s->at != '{')
		put(s, *s->at++);
	else if (scan_interval(s, &copies) < 0)
		return -1;
	s->repeated = true;
	return copies > 1 ? add_steps(s, s->atom * (size_t)(copies - 1)) : 0;
}

/* ---- the grammar ---- */

/* s->at behind the '\' */
static int scan_escape(struct scan *s)
{
	if (!*s->at)
		return fail(s, s->at - 1, "trailing \\");
	if (isdigit((unsigned char)*s->at))
		return fail(s, s->at - 1, "back-references are not supported");
	if (!is_punctuation(*s->at) || strchr("<>`'", *s->at))
		return fail(s, s->at - 1, "\\ stands only before punctuation");
	put_literal(s, *s->at++);
	return finish_atom(s, 1, true);
}

/* s->at behind the '(' */
static int open_group(struct scan *s)
{
	if (s->depth >= MAUI_PATTERN_MAX_NESTING)
		return fail(s, s->at - 1, "parentheses nested too deep");
	put(s, '(');
	s->opening[s->depth++] = s->at - 1;
	s->steps[s->depth] = 0;
	return finish_atom(s, 1, false);
}

/* s->at behind the ')' */
static int close_group(struct scan *s)
{
	if (!s->depth)
		return fail(s, s->at - 1, "unmatched )");
	put(s, ')');
	s->depth--;
	s->group = true;
	return finish_atom(s, s->steps[s->depth + 1], true);
}

static int scan_next(struct scan *s)
{
	char c = *s->at;

	if (strchr("*+?{", c))
		return scan_repetition(s);
	s->at++;
	s->atom_at = s->out.length;
	s->group = false;
	switch (c) {
	case '(':
		return open_group(s);
	case ')':
		return close_group(s);
	case '[':
		return scan_set(s);
	case '\\':
		return scan_escape(s);
	case '^':
	case '$':
	case '|':
	case '.':
		put(s, c);
		return finish_atom(s, 1, c == '.');
	default:
		put_literal(s, c);
		return finish_atom(s, 1, true);
	}
}

static int scan_text(struct scan *s)
{
	if (strlen(s->text) > MAUI_HOSTEXPR_MAX_PATTERN)
		return maui_err_set(s->err, "longer than %d bytes", MAUI_HOSTEXPR_MAX_PATTERN);
	s->at = s->text;
	while (*s->at) {
		if (scan_next(s) < 0)
			return -1;
	}
	if (s->depth)
		return fail(s, s->opening[s->depth - 1], "unmatched (");
	return s->out.failed ? maui_err_no_memory(s->err) : 0;
}

/* ---- compiling ---- */

/* Reports PCRE2's error text; a position in the translation would mislead. */
static int fail_pcre2(struct maui_err *err, int code)
{
	char reason[256];

	if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
		return maui_err_no_memory(err);
	if (pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof(reason)) < 0)
		return maui_err_set(err, "PCRE2's error %d", code);
	return maui_err_set(err, "%s", reason);
}

/* Compiles with PCRE2's own tables, which are those of the C locale. Each step calls
 * count_visit(). */
static int compile(struct maui_pattern *pattern, const struct maui_strbuf *text,
		   struct maui_err *err)
{
	static const uint32_t options = PCRE2_AUTO_CALLOUT | PCRE2_CASELESS | PCRE2_DOLLAR_ENDONLY |
					PCRE2_DOTALL | PCRE2_NEVER_UTF | PCRE2_NO_AUTO_CAPTURE;
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	PCRE2_SIZE offset;
	int code;

	if (!context)
		return maui_err_no_memory(err);
	pcre2_set_max_pattern_length(context, 4 * MAUI_HOSTEXPR_MAX_PATTERN);
	pcre2_set_parens_nest_limit(context, MAUI_PATTERN_MAX_NESTING + 1);
	pattern->code = pcre2_compile((PCRE2_SPTR)(text->text ? text->text : ""), text->length,
				      options, &code, &offset, context);
	pcre2_compile_context_free(context);
	return pattern->code ? 0 : fail_pcre2(err, code);
}

int maui_pattern_create(const char *text, struct maui_pattern **ret_pattern, struct maui_err *err)
{
	struct maui_pattern *pattern = calloc(1, sizeof(*pattern));
	struct scan s = { .text = text, .err = err };
	int result;

	if (!pattern)
		return maui_err_no_memory(err);
	result = scan_text(&s);
	if (!result)
		result = compile(pattern, &s.out, err);
	maui_strbuf_finish(&s.out);
	if (result < 0) {
		maui_pattern_destroy(pattern);
		return -1;
	}
	pattern->steps = s.steps[0] + 1; /* the match itself */
	*ret_pattern = pattern;
	return 0;
}

void maui_pattern_destroy(struct maui_pattern *pattern)
{
	if (!pattern)
		return;
	pcre2_code_free(pattern->code);
	free(pattern);
}

size_t maui_pattern_steps(const struct maui_pattern *pattern)
{
	return pattern->steps;
}

/* ---- matching ---- */

static int count_visit(pcre2_callout_block *block, void *visits)
{
	size_t *count = visits;

	(void)block;
	return ++*count > MAUI_PATTERN_MAX_VISITS ? PCRE2_ERROR_MATCHLIMIT : 0;
}

static bool gave_up(int result)
{
	return result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT ||
	       result == PCRE2_ERROR_HEAPLIMIT || result == PCRE2_ERROR_DFA_WSSIZE;
}

/* Following all ways at once searches each way in a list, so a step costs more. */
#define VISITS_OF_A_WIDE_STEP 10

static int search_all_ways(const pcre2_code *code, const char *name, pcre2_match_data *data,
			   pcre2_match_context *context)
{
	int workspace[MAUI_PATTERN_MAX_WORKSPACE];

	return pcre2_dfa_match(code, (PCRE2_SPTR)name, strlen(name), 0, PCRE2_DFA_SHORTEST, data,
			       context, workspace, MAUI_PATTERN_MAX_WORKSPACE);
}

static int search(const pcre2_code *code, const char *name, pcre2_match_data *data,
		  pcre2_match_context *context, size_t *visits)
{
	size_t count = 0;
	int result;

	pcre2_set_callout(context, count_visit, &count);
	pcre2_set_match_limit(context, MAUI_PATTERN_MAX_VISITS);
	pcre2_set_heap_limit(context, MAUI_PATTERN_MAX_HEAP_KIB);
	result = pcre2_match(code, (PCRE2_SPTR)name, strlen(name), 0, 0, data, context);
	*visits += count;
	if (!gave_up(result))
		return result;
	count = 0;
	result = search_all_ways(code, name, data, context);
	*visits += VISITS_OF_A_WIDE_STEP * count;
	return result;
}

int maui_pattern_match(const struct maui_pattern *pattern, const char *name, size_t *visits,
		       struct maui_err *err)
{
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	pcre2_match_context *context = pcre2_match_context_create(NULL);
	int result = PCRE2_ERROR_NOMEMORY;
	size_t taken = 0;

	if (data && context)
		result = search(pattern->code, name, data, context, &taken);
	pcre2_match_context_free(context);
	pcre2_match_data_free(data);
	if (visits)
		*visits += taken;
	if (gave_up(result))
		return maui_err_set(err, "too costly to search for in '%.256s'", name);
	if (result < 0 && result != PCRE2_ERROR_NOMATCH)
		return fail_pcre2(err, result);
	return result >= 0;
}
