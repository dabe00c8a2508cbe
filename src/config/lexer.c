/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lexer.c - cleans a maui.cfg byte by byte, in place, and cuts it into logical lines */

#include "config/lexer.h"

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

/* -1 without memory. */
static int clean(struct maui_lexer *lexer)
{
	bool comment = false, quoted = false;
	size_t quote = 0;

	for (size_t i = 0; i < lexer->length; i++) {
		char *c = &lexer->text[i];

		if (*c == '\n') {
			*c = '\0';
			if (quoted && add_open_quote(lexer, quote))
				return -1;
			comment = quoted = false;
			continue;
		}
		if (*c == '#')
			comment = true;
		if (*c == '"' && !comment) {
			quoted = !quoted;
			quote = i;
		}
		if (comment || *c == '"' || (unsigned char)*c < ' ' || *c == '\x7f')
			*c = ' ';
		else if (*c == '\\')
			i = join(lexer, i);
	}
	return quoted ? add_open_quote(lexer, quote) : 0;
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
