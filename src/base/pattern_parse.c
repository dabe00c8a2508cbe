/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern_parse.c - from an extended POSIX regular expression to a program
 *
 * The program is written as the text is read. Jumps are relative, so a finished piece of it can be
 * moved (a fork goes in front) or copied (a repetition) as it is.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/pattern_private.h"

struct parser {
	struct maui_pattern *pattern;
	const char *text;
	const char *at;
	unsigned nesting;
	struct maui_err *err;
};

static int parse_alternatives(struct parser *p);

/* ---- emitting ---- */

static int fail(struct parser *p, const char *at, const char *reason)
{
	return maui_err_set(p->err, "%s at byte %zu", reason, (size_t)(at - p->text) + 1);
}

/* Opens a gap of one step at `where` and fills it. Steps in front must not jump over it yet. */
static int insert(struct parser *p, size_t where, enum maui_step_kind kind, int arg)
{
	struct maui_pattern *to = p->pattern;
	struct maui_pattern_step *grown;

	if (to->count >= MAUI_PATTERN_MAX_STEPS)
		return maui_err_set(p->err, "the repetitions make it too large");
	grown = maui_array_grow(to->steps, to->count, &to->alloc, sizeof(*grown));
	if (!grown)
		return maui_err_set(p->err, "out of memory");
	to->steps = grown;
	memmove(grown + where + 1, grown + where, (to->count - where) * sizeof(*grown));
	grown[where] = (struct maui_pattern_step){ kind, arg };
	to->count++;
	return 0;
}

static int emit(struct parser *p, enum maui_step_kind kind, int arg)
{
	return insert(p, p->pattern->count, kind, arg);
}

static int emit_copy(struct parser *p, size_t start, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		struct maui_pattern_step copied = p->pattern->steps[start + i];

		if (emit(p, copied.kind, copied.arg) < 0)
			return -1;
	}
	return 0;
}

/* ---- [...] ---- */

static void set_add(struct maui_pattern_set *set, int c)
{
	set->bits[c / 8] |= (uint8_t)(1u << c % 8);
}

/* [:name:], p->at behind the "[:" */
static int parse_class(struct parser *p, struct maui_pattern_set *set)
{
	static const struct {
		const char *name;
		int (*holds)(int c);
	} class[] = {
		{ "alnum:]", isalnum }, { "alpha:]", isalpha }, { "blank:]", isblank },
		{ "cntrl:]", iscntrl }, { "digit:]", isdigit }, { "graph:]", isgraph },
		{ "lower:]", islower }, { "print:]", isprint }, { "punct:]", ispunct },
		{ "space:]", isspace }, { "upper:]", isupper }, { "xdigit:]", isxdigit },
	};

	for (size_t i = 0; i < sizeof(class) / sizeof(class[0]); i++) {
		if (strncmp(p->at, class[i].name, strlen(class[i].name)) != 0)
			continue;
		p->at += strlen(class[i].name);
		for (int c = 0; c < 128; c++) {
			if (class[i].holds(c))
				set_add(set, c);
		}
		return 0;
	}
	return fail(p, p->at, "unknown character class");
}

/* One byte or one range of bytes. */
static int parse_member(struct parser *p, struct maui_pattern_set *set)
{
	const char *at = p->at;
	int from = (unsigned char)*p->at++, to = from;

	if (from == '[' && (*p->at == '.' || *p->at == '='))
		return fail(p, at, "[.x.] and [=x=] are not supported");
	if (p->at[0] == '-' && p->at[1] && p->at[1] != ']') {
		to = (unsigned char)p->at[1];
		p->at += 2;
		if (to == '[' && (*p->at == '.' || *p->at == '=' || *p->at == ':'))
			return fail(p, at, "invalid range");
	}
	if (from > to)
		return fail(p, at, "invalid range");
	for (int c = from; c <= to; c++)
		set_add(set, c);
	return 0;
}

/* Both cases of each letter, then the opposite of all that if so wanted. */
static void finish_set(struct maui_pattern_set *set, bool negated)
{
	for (int c = 'a'; c <= 'z'; c++) {
		if (maui_pattern_set_has(set, c) || maui_pattern_set_has(set, c - 'a' + 'A')) {
			set_add(set, c);
			set_add(set, c - 'a' + 'A');
		}
	}
	for (size_t i = 0; negated && i < sizeof(set->bits); i++)
		set->bits[i] = (uint8_t)~set->bits[i];
}

/* p->at behind the '['. A ']' in the first place is a member. */
static int parse_set(struct parser *p)
{
	struct maui_pattern *to = p->pattern;
	const char *opening = p->at - 1, *first;
	struct maui_pattern_set set = { { 0 } }, *grown;
	bool negated = *p->at == '^';
	int result = 0;

	p->at += negated;
	for (first = p->at; !result && (*p->at != ']' || p->at == first);) {
		if (!*p->at)
			return fail(p, opening, "unmatched [");
		if (p->at[0] == '[' && p->at[1] == ':') {
			p->at += 2;
			result = parse_class(p, &set);
		} else {
			result = parse_member(p, &set);
		}
	}
	if (result < 0)
		return -1;
	p->at++;
	finish_set(&set, negated);
	grown = maui_array_grow(to->sets, to->set_count, &to->set_alloc, sizeof(*grown));
	if (!grown)
		return maui_err_set(p->err, "out of memory");
	to->sets = grown;
	grown[to->set_count] = set;
	return emit(p, MAUI_STEP_SET, (int)to->set_count++);
}

/* ---- repetitions ---- */

#define NO_END -1

/* Digits to a number; all above the cap is one more than the cap. NO_END when there are none. */
static int parse_count(struct parser *p)
{
	int n = NO_END;

	for (; *p->at >= '0' && *p->at <= '9'; p->at++) {
		n = (n == NO_END ? 0 : n) * 10 + (*p->at - '0');
		if (n > MAUI_HOSTEXPR_MAX_REPEAT)
			n = MAUI_HOSTEXPR_MAX_REPEAT + 1;
	}
	return n;
}

/* {n} {n,} {n,m} {,m}, p->at behind the '{' */
static int parse_interval(struct parser *p, int *ret_least, int *ret_most)
{
	const char *opening = p->at - 1;
	int least = parse_count(p), most = least;

	if (*p->at == ',') {
		p->at++;
		most = parse_count(p);
		if (least == NO_END && most != NO_END)
			least = 0;
	}
	if (*p->at != '}' || least == NO_END || (most != NO_END && least > most))
		return fail(p, opening, "invalid repetition {}");
	if (least > MAUI_HOSTEXPR_MAX_REPEAT || most > MAUI_HOSTEXPR_MAX_REPEAT)
		return fail(p, opening, "too many repetitions {}");
	p->at++;
	*ret_least = least;
	*ret_most = most;
	return 0;
}

/* Returns 1 when there is a repetition, 0 when there is none, -1 when it is wrong. */
static int parse_repetition(struct parser *p, int *ret_least, int *ret_most)
{
	char sign = *p->at;

	if (!sign || !strchr("*+?{", sign))
		return 0;
	p->at++;
	if (sign == '{')
		return parse_interval(p, ret_least, ret_most) < 0 ? -1 : 1;
	*ret_least = sign == '+' ? 1 : 0;
	*ret_most = sign == '?' ? 1 : NO_END;
	return 1;
}

/* x? and x* of the steps from `start` to the end: fork x, and for a loop: jump back to the fork. */
static int make_optional(struct parser *p, size_t start, bool loop)
{
	int length = (int)(p->pattern->count - start);

	if (insert(p, start, MAUI_STEP_FORK, length + (loop ? 2 : 1)) < 0)
		return -1;
	return loop ? emit(p, MAUI_STEP_JUMP, -(length + 1)) : 0;
}

/* Replaces x, the steps from `start` to the end, by xxx and as many x? as needed, or a last x*. */
static int repeat(struct parser *p, size_t start, int least, int most)
{
	size_t length = p->pattern->count - start, copy;
	int copies = most == NO_END ? least + 1 : most;

	if (copies == 0)
		p->pattern->count = start;
	for (int i = 1; i < copies; i++) {
		copy = p->pattern->count;
		if (emit_copy(p, start, length) < 0)
			return -1;
		if (i >= least && make_optional(p, copy, most == NO_END) < 0)
			return -1;
	}
	/* the first x last: it was the model of the others */
	if (copies > 0 && least == 0)
		return make_optional(p, start, most == NO_END);
	return 0;
}

/* ---- the grammar ---- */

/* p->at behind the '\' */
static int parse_escape(struct parser *p)
{
	if (!*p->at)
		return fail(p, p->at - 1, "trailing \\");
	if (isdigit((unsigned char)*p->at))
		return fail(p, p->at - 1, "back-references are not supported");
	if (!isascii(*p->at) || !ispunct(*p->at) || strchr("<>`'", *p->at))
		return fail(p, p->at - 1, "\\ stands only before punctuation");
	return emit(p, MAUI_STEP_BYTE, maui_pattern_lower(*p->at++));
}

/* p->at behind the '(' */
static int parse_group(struct parser *p)
{
	const char *opening = p->at - 1;

	if (++p->nesting > MAUI_PATTERN_MAX_NESTING)
		return fail(p, opening, "parentheses nested too deep");
	if (parse_alternatives(p) < 0)
		return -1;
	if (*p->at != ')')
		return fail(p, opening, "unmatched (");
	p->at++;
	p->nesting--;
	return 0;
}

static int parse_atom(struct parser *p)
{
	char c = *p->at++;

	switch (c) {
	case '(':
		return parse_group(p);
	case '[':
		return parse_set(p);
	case '\\':
		return parse_escape(p);
	case '.':
		return emit(p, MAUI_STEP_ANY, 0);
	case '*':
	case '+':
	case '?':
	case '{':
		return fail(p, p->at - 1, "nothing to repeat");
	default:
		return emit(p, MAUI_STEP_BYTE, maui_pattern_lower(c));
	}
}

/* An atom with its repetitions, or an anchor, which has none. */
static int parse_piece(struct parser *p)
{
	size_t start = p->pattern->count;
	int least = 0, most = 0, found;

	if (*p->at == '^' || *p->at == '$')
		return emit(p, *p->at++ == '^' ? MAUI_STEP_START : MAUI_STEP_END, 0);
	if (parse_atom(p) < 0)
		return -1;
	while ((found = parse_repetition(p, &least, &most)) > 0) {
		if (repeat(p, start, least, most) < 0)
			return -1;
	}
	return found;
}

static int parse_branch(struct parser *p)
{
	while (*p->at && *p->at != '|' && *p->at != ')') {
		if (parse_piece(p) < 0)
			return -1;
	}
	return 0;
}

/* a|b|c: fork a jump fork b jump c. The jumps to the end are chained by `arg` until it is known. */
static int parse_alternatives(struct parser *p)
{
	size_t start, end;
	int chain = -1, next;

	for (;;) {
		start = p->pattern->count;
		if (parse_branch(p) < 0)
			return -1;
		if (*p->at != '|')
			break;
		p->at++;
		if (insert(p, start, MAUI_STEP_FORK, (int)(p->pattern->count - start) + 2) < 0)
			return -1;
		if (emit(p, MAUI_STEP_JUMP, chain) < 0)
			return -1;
		chain = (int)p->pattern->count - 1;
	}
	for (end = p->pattern->count; chain >= 0; chain = next) {
		next = p->pattern->steps[chain].arg;
		p->pattern->steps[chain].arg = (int)end - chain;
	}
	return 0;
}

int maui_pattern_parse(struct maui_pattern *pattern, const char *text, struct maui_err *err)
{
	struct parser p = { .pattern = pattern, .text = text, .at = text, .err = err };

	if (strlen(text) > MAUI_HOSTEXPR_MAX_PATTERN)
		return maui_err_set(err, "longer than %d bytes", MAUI_HOSTEXPR_MAX_PATTERN);
	if (parse_alternatives(&p) < 0)
		return -1;
	if (*p.at)
		return fail(&p, p.at, "unmatched )");
	return emit(&p, MAUI_STEP_MATCH, 0);
}
