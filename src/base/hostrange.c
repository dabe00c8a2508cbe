/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostrange.c - Slurm's node ranges
 *
 * A range is a row of parts. A part has some fixed text and a list of number spans; the last part
 * may have no spans. As in Slurm, numbers have at least as many digits as the span's first number.
 */
#include "base/hostrange.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/limits.h"
#include "base/search.h"
#include "base/strbuf.h"

#define DIGITS_MAX 18 /* fit into uint64_t; more digits are not a range */
#define PARTS_MAX  5  /* Slurm's own limit of dimensions; bounds the recursion of produces() */

struct span {
	uint64_t first;
	uint64_t last;
	size_t width;
	uint64_t before; /* numbers in the spans before this one */
};

struct part {
	char *text;
	size_t length;
	struct span *spans; /* NULL: fixed text only */
	size_t count;
	size_t alloc;
};

struct maui_hostrange {
	struct part parts[PARTS_MAX + 1];
	size_t count;
};

/* ---- reading ---- */

/* The numbers of the spans; there is one at least. */
static uint64_t numbers_of(const struct span *spans, size_t count)
{
	const struct span *last = &spans[count - 1];

	return last->before + (last->last - last->first) + 1;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Characters of node names. Any other character in the fixed text makes it a regular expression. */
static bool is_name_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	       c == '_' || c == '.';
}

/* Reads the number at *at. False when there are no digits, or too many. */
static bool read_number(const char **at, uint64_t *ret_number, size_t *ret_width)
{
	const char *start = *at;
	uint64_t number = 0;

	while (is_digit(**at)) {
		if (*at - start >= DIGITS_MAX)
			return false;
		number = number * 10 + (uint64_t)(*(*at)++ - '0');
	}
	*ret_number = number;
	*ret_width = (size_t)(*at - start);
	return *at > start;
}

/* "01-16" or "20" */
static bool read_span(const char **at, struct span *ret_span)
{
	struct span span = { 0 };
	size_t ignored;

	if (!read_number(at, &span.first, &span.width))
		return false;
	span.last = span.first;
	if (**at == '-') {
		++*at;
		if (!read_number(at, &span.last, &ignored) || span.last < span.first)
			return false;
	}
	*ret_span = span;
	return true;
}

/* "[01-16,20]" from the bracket on. Returns as maui_hostrange_parse(). */
static int read_spans(const char **at, struct part *part)
{
	struct span span, *grown;

	do {
		++*at; /* '[' or ',' */
		if (!read_span(at, &span))
			return 0;
		grown = maui_array_grow(part->spans, part->count, &part->alloc, sizeof(*grown));
		if (!grown)
			return -1;
		part->spans = grown;
		span.before = part->count > 0 ? numbers_of(grown, part->count) : 0;
		grown[part->count++] = span;
	} while (**at == ',');
	return *(*at)++ == ']' ? 1 : 0;
}

static int read_parts(const char *at, struct maui_hostrange *range)
{
	struct part *part;
	int found;

	do {
		part = &range->parts[range->count++];
		while (is_name_char(at[part->length]))
			part->length++;
		part->text = strndup(at, part->length);
		if (!part->text)
			return -1;
		at += part->length;
		if (*at == '[' && range->count <= PARTS_MAX) {
			found = read_spans(&at, part);
			if (found <= 0)
				return found;
		} else if (*at) {
			return 0;
		}
	} while (*at);
	return range->parts[0].spans ? 1 : 0;
}

int maui_hostrange_parse(const char *text, struct maui_hostrange **ret_range)
{
	struct maui_hostrange *range = calloc(1, sizeof(*range));
	int found;

	if (!range)
		return -1;
	found = read_parts(text, range);
	if (found == 1)
		*ret_range = range;
	else
		maui_hostrange_destroy(range);
	return found;
}

/* "16", "1-16", "1-16:2", of any numbers. */
static bool skip_numbers(const char **at, bool *ret_descends, bool *ret_step)
{
	uint64_t first, last;
	size_t ignored;

	if (!read_number(at, &first, &ignored))
		return false;
	if (**at == '-') {
		++*at;
		if (!read_number(at, &last, &ignored))
			return false;
		*ret_descends |= last < first;
	}
	if (**at == ':') {
		++*at;
		*ret_step = true;
		return read_number(at, &last, &ignored);
	}
	return true;
}

const char *maui_hostrange_mistake(const char *text)
{
	bool descends = false, step = false;

	for (; *text != '\0'; text++) {
		if (is_name_char(*text))
			continue;
		if (*text != '[')
			return NULL;
		do {
			text++;
			if (!skip_numbers(&text, &descends, &step))
				return NULL;
		} while (*text == ',');
		if (*text != ']')
			return NULL;
	}
	return descends ? "the range descends: the smaller number comes first" :
	       step     ? "a range of nodes has no step: write the numbers" :
			  NULL;
}

void maui_hostrange_destroy(struct maui_hostrange *range)
{
	if (!range)
		return;
	for (size_t i = 0; i < range->count; i++) {
		free(range->parts[i].text);
		free(range->parts[i].spans);
	}
	free(range);
}

/* ---- counting ---- */

uint64_t maui_hostrange_size(const struct maui_hostrange *range)
{
	uint64_t size = 1, numbers;

	for (size_t i = 0; i < range->count; i++) {
		const struct part *part = &range->parts[i];

		if (!part->spans)
			continue;
		numbers = 0;
		for (size_t k = 0; k < part->count; k++) {
			uint64_t length = part->spans[k].last - part->spans[k].first + 1;

			if (__builtin_add_overflow(numbers, length, &numbers))
				return UINT64_MAX;
		}
		if (__builtin_mul_overflow(size, numbers, &size))
			return UINT64_MAX;
	}
	return size;
}

bool maui_hostrange_is_digits(const struct maui_hostrange *range)
{
	for (size_t i = 0; i < range->count; i++) {
		for (size_t k = 0; k < range->parts[i].count; k++) {
			if (range->parts[i].spans[k].width > 1 || range->parts[i].spans[k].last > 9)
				return false;
		}
	}
	return true;
}

size_t maui_hostrange_sets(const struct maui_hostrange *range)
{
	size_t sets = 0;

	for (size_t i = 0; i < range->count; i++)
		sets += range->parts[i].spans != NULL;
	return sets;
}

/* Whether a span contains this number, written with so many digits. */
static bool has_number(const struct part *part, uint64_t number, size_t digits, bool zero)
{
	for (size_t i = 0; i < part->count; i++) {
		const struct span *span = &part->spans[i];
		/* padded to the width, or longer without a leading zero */
		bool written = digits == span->width || (digits > span->width && !zero);

		if (written && number >= span->first && number <= span->last)
			return true;
	}
	return false;
}

/* Whether the parts from `i` on produce the rest of a name. */
static bool produces(const struct maui_hostrange *range, size_t i, const char *name)
{
	const struct part *part = &range->parts[i];
	uint64_t number = 0;
	const char *digits;

	if (i == range->count)
		return *name == '\0';
	if (strncmp(name, part->text, part->length) != 0)
		return false;
	name += part->length;
	if (!part->spans)
		return *name == '\0';
	for (digits = name; is_digit(*name) && name - digits < DIGITS_MAX;) {
		number = number * 10 + (uint64_t)(*name++ - '0');
		if (has_number(part, number, (size_t)(name - digits), *digits == '0') &&
		    produces(range, i + 1, name))
			return true;
	}
	return false;
}

bool maui_hostrange_has(const struct maui_hostrange *range, const char *name)
{
	return produces(range, 0, name);
}

/* ---- writing ---- */

size_t maui_hostrange_cost(const struct maui_hostrange *range)
{
	size_t cost = 1;

	for (size_t i = 0; i < range->count; i++)
		cost += range->parts[i].count;
	return cost;
}

static bool begins_by(const void *span, const void *index)
{
	return ((const struct span *)span)->before <= *(const uint64_t *)index;
}

/* The span with the index-th number of a part, and that number. */
static const struct span *find_number(const struct part *part, uint64_t index, uint64_t *ret_number)
{
	size_t behind =
		maui_lower_bound(part->spans, part->count, sizeof(*part->spans), begins_by, &index);
	const struct span *span = &part->spans[behind > 0 ? behind - 1 : 0];

	*ret_number = span->first + (index - span->before);
	return span;
}

bool maui_hostrange_name(const struct maui_hostrange *range, uint64_t index, char *ret_name,
			 size_t size)
{
	uint64_t of_part[PARTS_MAX + 1] = { 0 }, number;
	size_t length = 0;

	for (size_t i = range->count; i-- > 0;) {
		const struct part *part = &range->parts[i];
		uint64_t numbers = part->spans ? numbers_of(part->spans, part->count) : 1;

		of_part[i] = index % numbers;
		index /= numbers;
	}
	for (size_t i = 0; i < range->count; i++) {
		const struct part *part = &range->parts[i];
		const struct span *span =
			part->spans ? find_number(part, of_part[i], &number) : NULL;
		int written = span ? snprintf(ret_name + length, size - length, "%s%0*" PRIu64,
					      part->text, (int)span->width, number) :
				     snprintf(ret_name + length, size - length, "%s", part->text);

		if (written < 0 || (size_t)written >= size - length)
			return false;
		length += (size_t)written;
	}
	return true;
}

/* ---- names as ranges ---- */

/* A name and the number at its end. */
struct tail {
	const char *name;
	size_t before; /* bytes */
	size_t width;  /* digits; 0: the name ends in no number */
	uint64_t number;
};

static struct tail tail_of(const char *name)
{
	struct tail tail = { .name = name, .before = strlen(name) };
	const char *digits;

	while (tail.before > 0 && tail.width < DIGITS_MAX && is_digit(name[tail.before - 1])) {
		tail.before--;
		tail.width++;
	}
	digits = name + tail.before;
	if (tail.width > 0)
		read_number(&digits, &tail.number, &tail.width);
	return tail;
}

static bool is_alike(const struct tail *a, const struct tail *b)
{
	return a->width > 0 && b->width > 0 && a->before == b->before &&
	       memcmp(a->name, b->name, a->before) == 0;
}

/* Writes the span that begins with names[0]; returns how many names it has. */
static size_t put_span(struct maui_strbuf *out, const char *const *names, size_t count)
{
	const struct tail first = tail_of(names[0]);
	struct tail last = first, next;
	size_t i;

	for (i = 1; i < count; i++) {
		next = tail_of(names[i]);
		if (next.number != last.number + 1 ||
		    (next.width != first.width &&
		     (next.width < first.width || next.name[next.before] == '0')))
			break;
		last = next;
	}
	maui_strbuf_addf(out, "%s", first.name + first.before);
	if (i > 1)
		maui_strbuf_addf(out, "-%s", last.name + last.before);
	return i;
}

/* Writes names[0] and the following names with the same prefix as a range; returns how many. */
static size_t put_alike(struct maui_strbuf *out, const char *const *names, size_t count)
{
	const struct tail first = tail_of(names[0]);
	size_t alike = 1;

	for (; alike < count; alike++) {
		const struct tail next = tail_of(names[alike]);

		if (!is_alike(&first, &next))
			break;
	}
	if (alike == 1) {
		maui_strbuf_addf(out, "%s", first.name);
		return 1;
	}
	maui_strbuf_addf(out, "%.*s[", (int)first.before, first.name);
	for (size_t i = 0; i < alike;) {
		maui_strbuf_addf(out, "%s", i > 0 ? "," : "");
		i += put_span(out, names + i, alike - i);
	}
	maui_strbuf_addf(out, "]");
	return alike;
}

char *maui_hostrange_fold(const char *const *names, size_t count)
{
	struct maui_strbuf out = { 0 };
	char *text = NULL;

	maui_strbuf_addf(&out, "%s", "");
	for (size_t i = 0; i < count;) {
		maui_strbuf_addf(&out, "%s", i > 0 ? "," : "");
		i += put_alike(&out, names + i, count - i);
	}
	if (!out.failed)
		text = maui_strbuf_steal(&out);
	maui_strbuf_finish(&out);
	return text;
}

/* ---- lists of ranges ---- */

struct expansion {
	struct maui_words names;
	size_t alloc;
	const char *text; /* the whole list, for messages */
	struct maui_err *err;
};

static int add_name(struct expansion *x, const char *name)
{
	char **grown = maui_array_grow(x->names.list, x->names.count, &x->alloc, sizeof(*grown));

	if (!grown)
		return maui_err_no_memory(x->err);
	x->names.list = grown;
	grown[x->names.count] = strdup(name);
	return grown[x->names.count++] ? 0 : maui_err_no_memory(x->err);
}

static int add_range(struct expansion *x, const struct maui_hostrange *range)
{
	uint64_t size = maui_hostrange_size(range);
	char name[MAUI_NAME_MAX];

	if (size > MAUI_HOSTEXPR_MAX_NAMES - x->names.count)
		return maui_err_set(x->err, "'%s': more than %d names", x->text,
				    MAUI_HOSTEXPR_MAX_NAMES);
	for (uint64_t i = 0; i < size; i++) {
		if (!maui_hostrange_name(range, i, name, sizeof(name)))
			return maui_err_set(x->err, "'%s': a name is too long", x->text);
		if (add_name(x, name))
			return -1;
	}
	return 0;
}

/* One element of the list: a range, or a name. */
static int add_element(struct expansion *x, const char *element)
{
	struct maui_hostrange *range;
	int found = maui_hostrange_parse(element, &range);

	if (found < 0)
		return maui_err_no_memory(x->err);
	if (found > 0) {
		found = add_range(x, range);
		maui_hostrange_destroy(range);
		return found;
	}
	if (strpbrk(element, "[]"))
		return maui_err_set(x->err, "'%s' is not a node list", x->text);
	if (x->names.count >= MAUI_HOSTEXPR_MAX_NAMES)
		return maui_err_set(x->err, "'%s': more than %d names", x->text,
				    MAUI_HOSTEXPR_MAX_NAMES);
	return add_name(x, element);
}

/* The length up to the next comma or blank outside of brackets. */
static size_t element_length(const char *text)
{
	size_t length = 0;
	int depth = 0;

	for (; text[length] != '\0' && (!strchr(", \t", text[length]) || depth > 0); length++)
		depth += (text[length] == '[') - (text[length] == ']');
	return length;
}

int maui_hostrange_expand(const char *text, struct maui_words *ret_names, struct maui_err *err)
{
	struct expansion x = { .text = text, .err = err };

	for (const char *at = text; *at != '\0';) {
		size_t length = element_length(at);
		char *element = strndup(at, length);
		int rc = element ? 0 : maui_err_no_memory(err);

		if (rc == 0 && length > 0)
			rc = add_element(&x, element);
		free(element);
		if (rc) {
			maui_words_finish(&x.names);
			return -1;
		}
		at += length + (at[length] != '\0');
	}
	*ret_names = x.names;
	return 0;
}
