/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value.h - parses one value by its schema row and stores it in the typed field */
#ifndef MAUI_CONFIG_VALUE_H
#define MAUI_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "config/schema/schema.h"

enum maui_value_result {
	MAUI_VALUE_OK,
	MAUI_VALUE_IGNORED, /* a word to be ignored by rule: the default stays, err is a warning */
	MAUI_VALUE_BAD,     /* the default stays, err has the reason */
};

/* Checks `text` by the row's type and bounds. With `base`, the struct that the row's offset counts
 * from, the value is stored and replaces the former one. On any result but MAUI_VALUE_OK nothing is
 * stored, except the known words of a MAUI_TYPE_WORDS value, if it has any. */
enum maui_value_result maui_value_parse(const struct maui_param *row, const char *text, void *base,
					struct maui_err *err);

/* Whether maui_value_parse() would store anything of the value. false with err->no_memory: not
 * known. */
bool maui_value_counts(const struct maui_param *row, const char *text, struct maui_err *err);

/* A word of a list; all zero stands before the first word. */
struct maui_list_word {
	size_t at, length; /* in the list */
	bool after_id;     /* about the next word: the word before takes a name */
};

/* The next word of a MAUI_TYPE_WORDS value that the row does not have; false: no more. */
bool maui_value_next_wrong(const struct maui_param *row, const char *text,
			   struct maui_list_word *word);
/* Reports a word that the row does not have: err has the effect of a word of Moab's, of another
 * the words of the row. Returns MAUI_VALUE_IGNORED: Maui keeps the former value, too (CFG-16); of
 * a row with word_needed, and no word of Moab's, MAUI_VALUE_BAD. */
enum maui_value_result maui_value_wrong(const struct maui_param *row, const char *word,
					size_t length, struct maui_err *err);

/* Reads a decimal number as Maui writes it: no hexadecimal, infinity or NaN, and a point in every
 * locale. Returns 0, or -1. */
int maui_number_parse(const char *text, double *ret);

#endif
