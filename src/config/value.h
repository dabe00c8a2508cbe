/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value.h - one value's text into the typed place its schema row names */
#ifndef MAUI_CONFIG_VALUE_H
#define MAUI_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "config/schema/schema.h"

enum maui_value_result {
	MAUI_VALUE_OK,
	MAUI_VALUE_IGNORED, /* a word the rules tell to ignore: default kept, warn with err */
	MAUI_VALUE_BAD,     /* default kept, err says what is wrong */
};

/* Checks `text` by the row's type and bounds. With `base` (the struct the row's offset counts
 * from) it is stored as well, replacing what was there; on any other result nothing is, but of
 * MAUI_TYPE_WORDS the words that are known. */
enum maui_value_result maui_value_parse(const struct maui_param *row, const char *text, void *base,
					struct maui_err *err);

/* A word of a list; all zero is before the first. */
struct maui_list_word {
	size_t at, length; /* in the list */
	bool after_id;     /* said of the next one: the word before takes a name behind it */
};

/* The next word of a MAUI_TYPE_WORDS value that is none of the row's; false: there is none. */
bool maui_value_next_wrong(const struct maui_param *row, const char *text,
			   struct maui_list_word *word);
/* The same of words that others have cut out: err says which ones there are. MAUI_VALUE_BAD. */
enum maui_value_result maui_value_wrong(const struct maui_param *row, const char *word,
					size_t length, struct maui_err *err);

/* A decimal number as Maui writes them: no hexadecimal, infinity or NaN, point regardless of
 * locale. Returns 0, or -1. */
int maui_number_parse(const char *text, double *ret);

#endif
