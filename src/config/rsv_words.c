/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_words.c - where the words of a reservation's lists begin and end (Maui manual 7.1.5; f.2) */

#include "config/rsv_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- days ---- */

enum { DAY_LETTERS = 3 };

static const char of_days[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";

/* Whether it is words of three letters on end: MONTUE, but not MONDAY. */
static bool is_run_of_days(const struct maui_param *row, const char *text, size_t length)
{
	if (length == 0 || length % DAY_LETTERS != 0)
		return false;
	for (size_t at = 0; at < length; at += DAY_LETTERS)
		if (maui_schema_word(row, text + at, DAY_LETTERS) < 0)
			return false;
	return true;
}

char *maui_rsv_spread_days(const struct maui_param *row, const char *text)
{
	char *spread = malloc(2 * strlen(text) + 1), *to = spread;

	while (spread && *text) {
		size_t length = strspn(text, of_days);
		bool run = is_run_of_days(row, text, length);

		for (size_t i = 0; i < length; i++) {
			if (run && i > 0 && i % DAY_LETTERS == 0)
				*to++ = ',';
			*to++ = text[i];
		}
		text += length;
		if (*text) {
			*to++ = ',';
			text++;
		}
	}
	if (spread)
		*to = '\0';
	return spread;
}

bool maui_rsv_next_wrong_day(const struct maui_param *row, const char *text,
			     struct maui_list_word *word)
{
	for (word->at += word->length; text[word->at] != '\0'; word->at += word->length) {
		if (!strchr(of_days, text[word->at])) {
			word->length = 1;
			continue;
		}
		word->length = strspn(text + word->at, of_days);
		if (maui_schema_word(row, text + word->at, word->length) < 0 &&
		    !is_run_of_days(row, text + word->at, word->length))
			return true;
	}
	word->length = 0;
	return false;
}

/* ---- access lists ---- */

bool maui_acl_next_word(int kind, const char *text, struct maui_list_word *word)
{
	const char *separators = maui_acl_separators(kind);

	word->at += word->length;
	word->at += strspn(text + word->at, separators);
	word->length = strcspn(text + word->at, separators);
	return word->length > 0;
}
