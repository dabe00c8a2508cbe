/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rsv_words.c - cuts the lists of a reservation into words (CFG-6) */

#include "config/rsv_value.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- days ---- */

enum { DAY_LETTERS = 3 };

static const char of_days[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-";

/* Whether the word consists of several three-letter days: MONTUE, but not MONDAY. */
static bool is_run_of_days(const struct maui_param *row, const char *text, size_t length)
{
	if (length == 0 || length % DAY_LETTERS != 0)
		return false;
	for (size_t at = 0; at < length; at += DAY_LETTERS)
		if (maui_schema_word(row, text + at, DAY_LETTERS) < 0)
			return false;
	return true;
}

/* Moab's words for several days. */
static const struct {
	const char *word, *days;
} many_days[] = {
	{ "WEEKDAY", "MON,TUE,WED,THU,FRI" },
	{ "WEEKDAYS", "MON,TUE,WED,THU,FRI" },
	{ "WEEKEND", "SAT,SUN" },
	{ "WEEKENDS", "SAT,SUN" },
};
enum { MANY_DAYS = sizeof(many_days) / sizeof(many_days[0]) };

/* The days that the word means; NULL: no such word. */
static const char *days_of(const char *text, size_t length)
{
	for (int i = 0; i < MANY_DAYS; i++)
		if (strlen(many_days[i].word) == length &&
		    strncasecmp(many_days[i].word, text, length) == 0)
			return many_days[i].days;
	return NULL;
}

char *maui_rsv_spread_days(const struct maui_param *row, const char *text)
{
	/* WEEKDAY becomes less than three times as long */
	char *spread = malloc(3 * strlen(text) + 1), *to = spread;

	while (spread && *text) {
		size_t length = strspn(text, of_days);
		bool run = is_run_of_days(row, text, length);
		const char *days = days_of(text, length);

		if (days) {
			to = stpcpy(to, days);
			text += length;
			length = 0;
		}
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
		    !days_of(text + word->at, word->length) &&
		    !is_run_of_days(row, text + word->at, word->length))
			return true;
	}
	word->length = 0;
	return false;
}

/* ---- access lists ---- */

/* The length of the word. Separators between brackets or quotes belong to the word. */
static size_t word_length(const char *text, const char *separators)
{
	size_t length = 0;

	while (text[length] != '\0' && !strchr(separators, text[length])) {
		const char *close = text[length] == '[' ? strchr(text + length, ']') :
				    text[length] == '"' ? strchr(text + length + 1, '"') :
							  NULL;

		length = close ? (size_t)(close - text) + 1 : length + 1;
	}
	return length;
}

bool maui_acl_next_word(int kind, const char *text, struct maui_list_word *word)
{
	const char *separators = maui_acl_separators(kind);

	word->at += word->length;
	word->at += strspn(text + word->at, separators);
	word->length = word_length(text + word->at, separators);
	return word->length > 0;
}

/* The length of a count (":2") before the end of a name in brackets; 0: there is no count. */
static size_t count_length(const char *text)
{
	size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;

	return digits > 0 && strchr(",|]", text[1 + digits]) ? 1 + digits : 0;
}

char *maui_rsv_strip_brackets(const char *text)
{
	char *names = malloc(strlen(text) + 1), *to = names;

	while (names && *text != '\0') {
		const char *close = *text == '[' ? strchr(text, ']') : NULL;

		if (!close) {
			*to++ = *text++;
			continue;
		}
		for (text++, text += count_length(text); text < close; text += count_length(text))
			*to++ = *text++;
		text++;
		if (*text == '[')
			*to++ = ',';
	}
	if (names)
		*to = '\0';
	return names;
}
