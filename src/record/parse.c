/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse.c - JSON texts as objects of json-c */

#include "record/parse.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct parser {
	const char *text, *at, *end;
	int depth;               /* levels that are left */
	size_t values, parents;  /* that are left; 0: any number */
	struct maui_strbuf word; /* of a string or a number */
	struct maui_err *err;
};

static int fault(const struct parser *p, const char *what)
{
	return maui_err_set(p->err, "%s at byte %zu", what, (size_t)(p->at - p->text));
}

static int is_cut(const struct parser *p)
{
	return fault(p, "it is not complete");
}

static void skip_blanks(struct parser *p)
{
	while (p->at < p->end && memchr(" \t\r\n", *p->at, 4))
		p->at++;
}

/* Whether this byte is next; it is skipped then. */
static bool take(struct parser *p, char byte)
{
	bool found = p->at < p->end && *p->at == byte;

	p->at += found;
	return found;
}

/* ---- strings ---- */

/* Four digits as a number. */
static int parse_hex(struct parser *p, uint32_t *ret)
{
	*ret = 0;
	for (int i = 0; i < 4; i++, p->at++) {
		static const char digits[] = "0123456789abcdefABCDEF";
		const char *digit;
		uint32_t value;

		if (p->at == p->end)
			return is_cut(p);
		digit = memchr(digits, *p->at, sizeof(digits) - 1);
		if (!digit)
			return fault(p, "no four hexadecimal digits");
		value = (uint32_t)(digit - digits);
		*ret = *ret * 16 + (value < 16 ? value : value - 6);
	}
	return 0;
}

static void add_character(struct maui_strbuf *out, uint32_t c)
{
	char bytes[4];
	size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = length; i-- > 1; c >>= 6)
		bytes[i] = (char)(0x80 | (c & 0x3f));
	bytes[0] = (char)(length == 1 ? c : (0xf00u >> length & 0xf0) | c);
	maui_strbuf_add(out, bytes, length);
}

/* Half a surrogate pair becomes U+FFFD. */
static int parse_escaped_character(struct parser *p)
{
	const uint32_t replacement = 0xfffd;
	uint32_t c, low;

	if (parse_hex(p, &c))
		return -1;
	while (c >= 0xd800 && c < 0xdc00 && p->end - p->at >= 2 && memcmp(p->at, "\\u", 2) == 0) {
		p->at += 2;
		if (parse_hex(p, &low))
			return -1;
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		} else {
			add_character(&p->word, replacement);
			c = low;
		}
	}
	add_character(&p->word, c >= 0xd800 && c < 0xe000 ? replacement : c);
	return 0;
}

static int parse_escape(struct parser *p)
{
	static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	const char *name;

	if (p->at == p->end)
		return is_cut(p);
	if (take(p, 'u'))
		return parse_escaped_character(p);
	name = memchr(names, *p->at, sizeof(names) - 1);
	if (!name)
		return fault(p, "an unknown escape");
	maui_strbuf_add(&p->word, &values[name - names], 1);
	p->at++;
	return 0;
}

/* Behind its first quote; into p->word. */
static int parse_string(struct parser *p)
{
	maui_strbuf_clear(&p->word);
	for (;;) {
		const char *from = p->at;

		while (p->at < p->end && *p->at != '"' && *p->at != '\\' &&
		       (unsigned char)*p->at >= 0x20)
			p->at++;
		maui_strbuf_add(&p->word, from, (size_t)(p->at - from));
		if (p->word.failed)
			return maui_err_no_memory(p->err);
		if (p->at == p->end)
			return is_cut(p);
		if (take(p, '"'))
			return 0;
		if (!take(p, '\\'))
			return fault(p, "a control character in a text");
		if (parse_escape(p))
			return -1;
	}
}

/* ---- numbers and words ---- */

static size_t skip_digits(struct parser *p)
{
	const char *from = p->at;

	while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
		p->at++;
	return (size_t)(p->at - from);
}

/* Skips a number; *ret_whole: it has no fraction and no exponent. */
static int skip_number(struct parser *p, bool *ret_whole)
{
	size_t digits;

	*ret_whole = true;
	take(p, '-');
	digits = take(p, '0') ? 1 : skip_digits(p);
	if (digits > 0 && take(p, '.')) {
		*ret_whole = false;
		digits = skip_digits(p);
	}
	if (digits > 0 && (take(p, 'e') || take(p, 'E'))) {
		*ret_whole = false;
		if (!take(p, '-'))
			take(p, '+');
		digits = skip_digits(p);
	}
	if (digits > 0)
		return 0;
	return p->at == p->end ? is_cut(p) : fault(p, "unexpected character");
}

/* strtod() goes by the locale's point. The text stays as it is. */
static double read_real(char *text)
{
	char *point = strchr(text, '.'), *end;
	double value = strtod(text, &end);

	if (*end != '.' || !point)
		return value;
	*point = ',';
	value = strtod(text, NULL);
	*point = '.';
	return value;
}

static int parse_number(struct parser *p, json_object **ret)
{
	const char *from = p->at;
	bool whole;

	if (skip_number(p, &whole))
		return -1;
	maui_strbuf_clear(&p->word);
	maui_strbuf_add(&p->word, from, (size_t)(p->at - from));
	if (p->word.failed)
		return maui_err_no_memory(p->err);
	*ret = whole ? json_object_new_int64(strtoll(p->word.text, NULL, 10)) :
		       json_object_new_double_s(read_real(p->word.text), p->word.text);
	return *ret ? 0 : maui_err_no_memory(p->err);
}

/* Whether this word is next; it is skipped then. */
static bool take_word(struct parser *p, const char *word)
{
	size_t length = strlen(word);
	bool found = (size_t)(p->end - p->at) >= length && memcmp(p->at, word, length) == 0;

	p->at += found ? length : 0;
	return found;
}

static int parse_word(struct parser *p, json_object **ret)
{
	static const char *const words[] = { "null", "true", "false", "NaN", "Infinity" };

	if (take_word(p, "null"))
		return 0;
	if (take_word(p, "true"))
		*ret = json_object_new_boolean(1);
	else if (take_word(p, "false"))
		*ret = json_object_new_boolean(0);
	else if (take_word(p, "NaN"))
		*ret = json_object_new_double(NAN);
	else if (take_word(p, "Infinity"))
		*ret = json_object_new_double(HUGE_VAL);
	else if (take_word(p, "-Infinity"))
		*ret = json_object_new_double(-HUGE_VAL);
	else {
		size_t left = (size_t)(p->end - p->at);

		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (left < strlen(words[i]) && memcmp(p->at, words[i], left) == 0)
				return is_cut(p);
		return fault(p, "unexpected character");
	}
	return *ret ? 0 : maui_err_no_memory(p->err);
}

/* ---- lists and objects ---- */

static int parse_value(struct parser *p, json_object **ret);

/* Behind a value: 1: another one follows, 0: the list is over. */
static int parse_comma(struct parser *p, char end)
{
	skip_blanks(p);
	if (take(p, ','))
		return 1;
	if (take(p, end))
		return 0;
	return p->at == p->end ? is_cut(p) : fault(p, "unexpected character");
}

static int parse_list(struct parser *p, json_object *list)
{
	int more = 1;

	skip_blanks(p);
	if (take(p, ']'))
		return 0;
	while (more > 0) {
		json_object *value = NULL;

		if (parse_value(p, &value))
			return -1;
		if (json_object_array_add(list, value)) {
			json_object_put(value);
			return maui_err_no_memory(p->err);
		}
		more = parse_comma(p, ']');
	}
	return more;
}

/* json-c would lose the name of a member for which it cannot make its table larger. */
static int make_room(json_object *object)
{
	struct lh_table *table = json_object_get_object(object);

	return table->count >= table->size * LH_LOAD_FACTOR ?
		       lh_table_resize(table, table->size * 2) :
		       0;
}

/* Takes the name over. */
static int parse_member(struct parser *p, json_object *object, char *name)
{
	json_object *value = NULL;
	int rc = -1;

	skip_blanks(p);
	if (!name)
		maui_err_no_memory(p->err);
	else if (!take(p, ':'))
		p->at == p->end ? is_cut(p) : fault(p, "no colon");
	else if (parse_value(p, &value))
		rc = -1;
	else if (make_room(object) || json_object_object_add(object, name, value)) {
		json_object_put(value);
		maui_err_no_memory(p->err);
	} else
		rc = 0;
	free(name);
	return rc;
}

static int parse_object(struct parser *p, json_object *object)
{
	int more = 1;

	skip_blanks(p);
	if (take(p, '}'))
		return 0;
	while (more > 0) {
		skip_blanks(p);
		if (!take(p, '"'))
			return p->at == p->end ? is_cut(p) : fault(p, "no name of a member");
		if (parse_string(p) || parse_member(p, object, strdup(p->word.text)))
			return -1;
		more = parse_comma(p, '}');
	}
	return more;
}

static int parse_text(struct parser *p, json_object **ret)
{
	if (parse_string(p))
		return -1;
	*ret = p->word.length <= INT32_MAX ?
		       json_object_new_string_len(p->word.text, (int)p->word.length) :
		       NULL;
	return *ret ? 0 : maui_err_no_memory(p->err);
}

static int parse_many(struct parser *p, json_object *many, json_object **ret,
		      int (*parse)(struct parser *p, json_object *into))
{
	*ret = many;
	return many ? parse(p, many) : maui_err_no_memory(p->err);
}

/* *ret is the caller's, with an error as well. */
static int parse_value(struct parser *p, json_object **ret)
{
	int rc;

	skip_blanks(p);
	if (p->at == p->end)
		return is_cut(p);
	if (p->depth-- <= 0)
		return fault(p, "nesting too deep");
	if (p->values > 0 && --p->values == 0)
		return fault(p, "too many values");
	if (p->parents > 0 && (*p->at == '{' || *p->at == '[') && --p->parents == 0)
		return fault(p, "too many lists and objects");
	if (take(p, '{'))
		rc = parse_many(p, json_object_new_object(), ret, parse_object);
	else if (take(p, '['))
		rc = parse_many(p, json_object_new_array(), ret, parse_list);
	else if (take(p, '"'))
		rc = parse_text(p, ret);
	else if ((*p->at == '-' && (p->end - p->at < 2 || p->at[1] != 'I')) ||
		 (*p->at >= '0' && *p->at <= '9'))
		rc = parse_number(p, ret);
	else
		rc = parse_word(p, ret);
	p->depth++;
	if (rc) {
		json_object_put(*ret);
		*ret = NULL;
	}
	return rc;
}

int maui_json_parse(const char *text, size_t length, const struct maui_json_bounds *bounds,
		    json_object **ret, struct maui_err *err)
{
	struct maui_err unseen = { .text = "" };
	struct parser p = {
		.text = text,
		.at = text,
		.end = text + length,
		.depth = bounds->depth,
		.values = bounds->values > 0 ? bounds->values + 1 : 0,
		.parents = bounds->parents > 0 ? bounds->parents + 1 : 0,
	};
	json_object *value = NULL;
	int rc;

	p.err = err ? err : &unseen;
	rc = parse_value(&p, &value);
	if (rc == 0) {
		skip_blanks(&p);
		if (p.at < p.end)
			rc = fault(&p, "something follows the JSON value");
	}
	maui_strbuf_finish(&p.word);
	if (rc)
		json_object_put(value);
	else
		*ret = value;
	return rc;
}

/* Behind the end of the string that begins before `at`. */
static const char *skip_string(const char *at, const char *end)
{
	for (; at < end && *at != '"'; at++)
		at += *at == '\\';
	return at < end ? at + 1 : end;
}

/* A list or object of n elements has n - 1 commas, unless it is empty. */
void maui_json_count(const char *text, size_t length, size_t *ret_values, size_t *ret_parents)
{
	const char *at = text, *end = text + length;
	size_t values = 1, parents = 0;
	bool is_first = false; /* a list or object has just begun */

	while (at < end) {
		unsigned char byte = (unsigned char)*at++;

		if (byte <= ' ') /* a blank */
			continue;
		values += byte == ',' || (is_first && byte != ']' && byte != '}');
		is_first = byte == '[' || byte == '{';
		parents += is_first;
		if (byte == '"')
			at = skip_string(at, end);
	}
	*ret_values = values;
	*ret_parents = parents;
}
