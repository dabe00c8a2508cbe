/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lexer.c - cleans a maui.cfg byte by byte, in place, and cuts it into logical lines */

#include "config/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Some editors begin a file with a UTF-8 byte order mark. */
static bool has_byte_order_mark(const char *text, size_t length)
{
	return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
}

static int add_line_start(struct maui_lexer *lexer, size_t offset)
{
	size_t *grown = maui_array_grow(lexer->line_starts, lexer->line_count, &lexer->line_alloc,
					sizeof(*grown));

	if (!grown)
		return -1;
	lexer->line_starts = grown;
	lexer->line_starts[lexer->line_count++] = offset;
	return 0;
}

static int find_line_starts(struct maui_lexer *lexer)
{
	if (add_line_start(lexer, 0))
		return -1;
	for (size_t i = 0; i < lexer->length; i++)
		if (lexer->text[i] == '\n' && add_line_start(lexer, i + 1))
			return -1;
	return 0;
}

/* A backslash at `i` with only blanks between it and the newline joins two lines. */
static size_t join(struct maui_lexer *lexer, size_t i)
{
	size_t end = i + 1;

	while (end < lexer->length && is_blank(lexer->text[end]))
		end++;
	if (end == i + 1 && end < lexer->length && lexer->text[end] != '\n')
		return i; /* a backslash inside a value (a regular expression) stays */
	if (end < lexer->length && lexer->text[end] == '\n')
		end++;
	if (end >= lexer->length)
		lexer->open_end = true;
	memset(lexer->text + i, ' ', end - i);
	return end - 1;
}

static int add_open_quote(struct maui_lexer *lexer, size_t offset)
{
	size_t *grown = maui_array_grow(lexer->open_quotes, lexer->open_quote_count,
					&lexer->open_quote_alloc, sizeof(*grown));

	if (!grown)
		return -1;
	lexer->open_quotes = grown;
	lexer->open_quotes[lexer->open_quote_count++] = offset;
	return 0;
}

/* A control character reads as a blank. */
static bool is_control(char c)
{
	return (unsigned char)c < ' ' || c == '\x7f';
}

/* The offset of the newline of a line that the backslash at `i` continues; `i`: it does not. */
static size_t continued_at(const char *text, size_t length, size_t i)
{
	size_t end = i + 1;

	while (end < length && is_blank(text[end]))
		end++;
	return end < length && text[end] == '\n' ? end : i;
}

/* The offset of the quote that closes the one at `i`, which is like it, on its line, which may be
 * continued; `length`: none does. */
static size_t find_close(const char *text, size_t length, size_t i)
{
	const char quote = text[i];

	for (i++; i < length && text[i] != '\n'; i++) {
		if (text[i] == quote)
			return i;
		if (text[i] == '\\')
			i = continued_at(text, length, i);
	}
	return length;
}

static bool ends_index(const char *text, size_t length, size_t i)
{
	return i >= length || is_blank(text[i]) || strchr("=\n", text[i]);
}

/* A further ']' of the word belongs to the index: [a]b]. */
static size_t last_bracket(const char *text, size_t length, size_t close)
{
	for (size_t i = close + 1; !ends_index(text, length, i) && !strchr("[\"", text[i]); i++)
		if (text[i] == ']')
			close = i;
	return close;
}

size_t maui_lexer_index(const char *text, size_t length)
{
	size_t depth = 1, first = SIZE_MAX, end;

	for (size_t i = 0; i < length && text[i] != '\n'; i++) {
		if (text[i] == '#' && i > 0 && is_blank(text[i - 1]))
			break;
		if (text[i] == '"' && (end = find_close(text, length, i)) < length)
			i = end;
		else if (text[i] == '[')
			depth++;
		else if (text[i] == ']' && --depth == 0)
			return last_bracket(text, length, i);
		else if (text[i] == ']' && first == SIZE_MAX && ends_index(text, length, i + 1))
			first = i;
	}
	return first; /* a name has a '[' of its own */
}

/* What is known between two bytes of a line. */
struct place {
	size_t line, word; /* where they begin, without leading blanks */
	size_t index_end;  /* up to here an index goes, in which '#' is text */
	bool in_word;
};

static size_t at_most(size_t length, size_t most)
{
	return length < most ? length : most;
}

/* At the '[' at `i`: NAME[ at the beginning of a line has an index, and elsewhere, where a '='
 * follows. */
static void enter_index(const char *text, size_t length, size_t i, struct place *place)
{
	bool first = place->word == place->line;
	size_t limit = first ? length - i - 1 : at_most(length - i - 1, MAUI_LEXER_MAX_SUB);
	size_t end;

	for (size_t at = place->word; at < i; at++)
		if (!isalnum((unsigned char)text[at]) && !strchr("._-", text[at]))
			return;
	if (!place->in_word || i == place->word)
		return;
	end = maui_lexer_index(text + i + 1, limit);
	if (end != SIZE_MAX && (first || text[i + 1 + end + 1] == '='))
		place->index_end = i + 1 + end;
}

static void follow_word(const char *text, size_t i, struct place *place)
{
	bool blank = is_blank(text[i]);

	if (!blank && !place->in_word)
		place->word = i;
	if (!blank && place->line == SIZE_MAX)
		place->line = i;
	place->in_word = !blank;
}

static const struct place new_line = { .line = SIZE_MAX };

/* The offset of the last byte of what begins at `i`, one byte or a text in quotes. Quotes without
 * a partner read as blanks; SIZE_MAX: no memory. */
static size_t clean_quotes(struct maui_lexer *lexer, size_t i)
{
	size_t end = find_close(lexer->text, lexer->length, i);

	if (end == lexer->length) {
		lexer->text[i] = ' ';
		return add_open_quote(lexer, i) ? SIZE_MAX : i;
	}
	for (size_t at = i; at < end; at++) {
		size_t newline = lexer->text[at] == '\\' ? continued_at(lexer->text, end, at) : at;

		if (newline > at)
			memset(lexer->text + at, ' ', newline + 1 - at);
		else if (is_control(lexer->text[at]))
			lexer->text[at] = ' ';
	}
	return end;
}

/* Single quotes around a whole value, ATTR='a b', become double ones. Anywhere else, and around
 * double ones, they are text. */
static void turn_single_quotes(struct maui_lexer *lexer, size_t i)
{
	char *text = lexer->text;
	size_t end = find_close(text, lexer->length, i);

	if (i == 0 || text[i - 1] != '=' || end == lexer->length ||
	    memchr(text + i, '"', end - i) ||
	    !(end + 1 == lexer->length || is_blank(text[end + 1]) || is_control(text[end + 1])))
		return;
	text[i] = text[end] = '"';
}

/* Blanks the comment that begins at `i`; returns the offset of its last byte. */
static size_t clean_comment(struct maui_lexer *lexer, size_t i)
{
	for (; i < lexer->length && lexer->text[i] != '\n'; i++)
		lexer->text[i] = ' ';
	return i - 1;
}

/* -1 without memory. */
static int clean(struct maui_lexer *lexer)
{
	struct place place = new_line;

	for (size_t i = 0; i < lexer->length; i++) {
		char *c = &lexer->text[i];

		if (*c == '\n') {
			*c = '\0';
			place = new_line;
			continue;
		}
		follow_word(lexer->text, i, &place);
		if (*c == '\'' && i >= place.index_end)
			turn_single_quotes(lexer, i);
		if (*c == '#' && i >= place.index_end)
			i = clean_comment(lexer, i);
		else if (*c == '"')
			i = clean_quotes(lexer, i);
		else if (*c == '[')
			enter_index(lexer->text, lexer->length, i, &place);
		else if (is_control(*c))
			*c = ' ';
		else if (*c == '\\')
			i = join(lexer, i);
		if (i == SIZE_MAX)
			return -1;
		place.in_word &= !is_blank(lexer->text[i]);
	}
	return 0;
}

int maui_lexer_init(struct maui_lexer *lexer, const char *text, size_t length)
{
	*lexer = (struct maui_lexer){ .length = length };
	lexer->text = malloc(length + 1);
	if (!lexer->text)
		return -1;
	memcpy(lexer->text, text, length);
	lexer->text[length] = '\0';
	if (find_line_starts(lexer)) {
		maui_lexer_finish(lexer);
		return -1;
	}
	if (has_byte_order_mark(text, length))
		memset(lexer->text, ' ', 3);
	if (clean(lexer)) {
		maui_lexer_finish(lexer);
		return -1;
	}
	return 0;
}

void maui_lexer_finish(struct maui_lexer *lexer)
{
	free(lexer->text);
	free(lexer->line_starts);
	free(lexer->open_quotes);
	*lexer = (struct maui_lexer){ 0 };
}

char *maui_lexer_next(struct maui_lexer *lexer)
{
	while (lexer->at < lexer->length) {
		char *line = lexer->text + lexer->at;
		size_t length = strlen(line);

		lexer->at += length + 1;
		while (*line == ' ' || is_blank(*line))
			line++, length--;
		while (length > 0 && is_blank(line[length - 1]))
			line[--length] = '\0';
		if (length > 0)
			return line;
	}
	return NULL;
}

static bool begins_up_to(const void *line_start, const void *offset)
{
	return *(const size_t *)line_start <= *(const size_t *)offset;
}

void maui_lexer_position(const struct maui_lexer *lexer, const char *at, uint32_t *ret_line,
			 uint32_t *ret_column)
{
	size_t offset = (size_t)(at - lexer->text);
	size_t line = maui_lower_bound(lexer->line_starts, lexer->line_count,
				       sizeof(*lexer->line_starts), begins_up_to, &offset);

	*ret_line = (uint32_t)line;
	*ret_column = (uint32_t)(offset - lexer->line_starts[line - 1] + 1);
}

/* Only capitals count, as in Maui: "#include the old limits" is a comment. */
static bool include_at(const char *text, size_t length, size_t at, size_t *ret_name,
		       size_t *ret_name_length)
{
	static const char word[] = "#INCLUDE";
	size_t end, i = at + strlen(word);

	if (at + strlen(word) >= length || memcmp(text + at, word, strlen(word)) != 0 ||
	    !is_blank(text[i]))
		return false;
	while (i < length && is_blank(text[i]))
		i++;
	for (end = i; end < length && text[end] != '\n' && text[end] != '#'; end++)
		;
	while (end > i && is_blank(text[end - 1]))
		end--;
	*ret_name = i;
	*ret_name_length = end - i;
	return end > i;
}

/* The next #INCLUDE line, with blanks before the word (`indented`) or without. */
static bool next_include(const char *text, size_t length, bool indented, size_t *at,
			 size_t *ret_name, size_t *ret_name_length)
{
	while (*at < length) {
		const char *newline = memchr(text + *at, '\n', length - *at);
		size_t start = *at, line;

		if (start == 0 && has_byte_order_mark(text, length))
			start = 3;
		*at = newline ? (size_t)(newline - text) + 1 : length;
		for (line = start; line < length && is_blank(text[line]); line++)
			;
		if ((line > start) == indented &&
		    include_at(text, length, line, ret_name, ret_name_length))
			return true;
	}
	return false;
}

bool maui_lexer_include(const char *text, size_t length, size_t *at, size_t *ret_name,
			size_t *ret_name_length)
{
	return next_include(text, length, false, at, ret_name, ret_name_length);
}

bool maui_lexer_indented_include(const char *text, size_t length, size_t *at, size_t *ret_name,
				 size_t *ret_name_length)
{
	return next_include(text, length, true, at, ret_name, ret_name_length);
}

bool maui_lexer_old_mac(const char *text, size_t length)
{
	return memchr(text, '\r', length) && !memchr(text, '\n', length);
}
