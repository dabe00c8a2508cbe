/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lexer.h - a maui.cfg as logical lines
 *
 * '#' begins a comment, except between two double quotes of a line and in the index of a name. A
 * backslash and the blanks behind it read as blanks; if a newline is among them, the two lines are
 * joined. Control characters, and a quote that has no partner on its line, read as blanks (CFG-1,
 * CFG-2). Quotes stay in the line: quotes.h says what they mean. Single
 * quotes around the value of an attribute become double ones. Every byte keeps its offset, so
 * that any pointer into a line has a position in the file.
 *
 * Rules: CFG-2.
 */
#ifndef MAUI_CONFIG_LEXER_H
#define MAUI_CONFIG_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maui_lexer {
	char *text; /* cleaned copy, same length as the file; lines end in NUL */
	size_t length;
	size_t at;           /* next byte to read */
	size_t *line_starts; /* of the file's physical lines */
	size_t line_count, line_alloc;
	/* offset of the last quote of each line with an odd number of quotes outside its
	 * comment: it reads as a blank */
	size_t *open_quotes;
	size_t open_quote_count, open_quote_alloc;
	bool open_end; /* the last line ended in a continuation */
};

/* -1 without memory. */
int maui_lexer_init(struct maui_lexer *lexer, const char *text, size_t length);
void maui_lexer_finish(struct maui_lexer *lexer);

/* The next non-blank line, without leading and trailing blanks; NULL at the end. */
char *maui_lexer_next(struct maui_lexer *lexer);

/* Line and column, both from 1, of a pointer into a line. */
void maui_lexer_position(const struct maui_lexer *lexer, const char *at, uint32_t *ret_line,
			 uint32_t *ret_column);

/* The most bytes of an index that is not at the beginning of a line. */
#define MAUI_LEXER_MAX_SUB 1024u

/* The length of the index whose text begins at `text`, behind its '[', up to its ']' on the same
 * line. Brackets in it pair: [n[1-3]]. Without a pair a ']' before a blank, a '=' or the end of
 * the line closes the index. Between double quotes brackets are text. SIZE_MAX: the index has no
 * end. */
size_t maui_lexer_index(const char *text, size_t length);

/* The lexer treats "#INCLUDE <file>" as a comment. This function finds the next such line at or
 * behind *at in the original text and returns offset and length of the file name. Only lines that
 * begin with #INCLUDE count. false: no more. */
bool maui_lexer_include(const char *text, size_t length, size_t *at, size_t *ret_name,
			size_t *ret_name_length);

/* The same for lines with blanks before #INCLUDE, which have no effect but a warning. */
bool maui_lexer_indented_include(const char *text, size_t length, size_t *at, size_t *ret_name,
				 size_t *ret_name_length);

/* Whether the lines end in CR alone. The caller must rewrite such a text first, because the lexer
 * reads a CR as a blank. */
bool maui_lexer_old_mac(const char *text, size_t length);

#endif
