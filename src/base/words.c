/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - words of Maui's language: booleans, lists, "did you mean" */
#include "base/words.h"

#include <ctype.h>
#include <limits.h> /* for UINT_MAX */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/limits.h"

int maui_bool_parse(const char *text, bool *ret)
{
	static const char *const yes[] = { "1", "true", "on", "yes" };
	static const char *const no[] = { "0", "false", "off", "no" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (!strcasecmp(text, yes[i])) {
			*ret = true;
			return 0;
		}
		if (!strcasecmp(text, no[i])) {
			*ret = false;
			return 0;
		}
	}
	return -1;
}

typedef int (*compare_fn)(const char *, const char *, size_t);

static bool has(const char *list, const char *word, compare_fn compare)
{
	size_t length = strlen(word);

	for (const char *at = list ? list : ""; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && compare(at, word, length) == 0)
			return true;
	return false;
}

bool maui_list_has(const char *list, const char *word)
{
	return has(list, word, strncmp);
}

bool maui_list_has_any_case(const char *list, const char *word)
{
	return has(list, word, strncasecmp);
}

const char *maui_list_value(const char *list, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = list ? list : ""; *at; at += strcspn(at, ","), at += *at == ',')
		if (strncasecmp(at, key, length) == 0 && at[length] == '=')
			return at + length + 1;
	return NULL;
}

void maui_words_finish(struct maui_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct maui_words){ 0 };
}

static int add_word(struct maui_words *words, size_t *alloc, const char *text, size_t length)
{
	char **grown = maui_array_grow(words->list, words->count, alloc, sizeof(*grown));

	if (!grown)
		return -1;
	words->list = grown;
	grown[words->count] = strndup(text, length);
	if (!grown[words->count])
		return -1;
	words->count++;
	return 0;
}

size_t maui_word_length(const char *text, const char *seps)
{
	const char *at = text, *close;

	while (*at && !strchr(seps, *at)) {
		close = *at == '"' ? strchr(at + 1, '"') : NULL;
		at = close ? close + 1 : at + 1;
	}
	return (size_t)(at - text);
}

static void remove_quotes(char *word)
{
	char *to = word;

	for (; *word; word++)
		if (*word != '"')
			*to++ = *word;
	*to = '\0';
}

static int split(const char *text, const char *seps, bool quotes, struct maui_words *ret_words)
{
	struct maui_words words = { 0 };
	size_t alloc = 0, length;

	for (text += strspn(text, seps); *text; text += strspn(text, seps)) {
		length = quotes ? maui_word_length(text, seps) : strcspn(text, seps);
		if (add_word(&words, &alloc, text, length) < 0) {
			maui_words_finish(&words);
			return -1;
		}
		if (quotes)
			remove_quotes(words.list[words.count - 1]);
		text += length;
	}
	*ret_words = words;
	return 0;
}

int maui_words_split(const char *text, const char *seps, struct maui_words *ret_words)
{
	return split(text, seps, false, ret_words);
}

int maui_words_split_names(const char *text, const char *seps, struct maui_words *ret_words)
{
	return split(text, seps, true, ret_words);
}

bool maui_words_contain(const struct maui_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++) {
		if (!strcmp(words->list[i], word))
			return true;
	}
	return false;
}

static void fold(char *folded, const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		folded[i] = (char)tolower((unsigned char)word[i]);
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Row i of the table of optimal string alignment: row[j] is the distance of a[0..i) and b[0..j);
 * above and above2 are the two rows before. Only cells first..last are computed, the others are
 * too far. Returns the smallest cell. */
static unsigned fill_row(unsigned *row, const unsigned *above, const unsigned *above2,
			 const char *a, size_t i, const char *b, size_t first, size_t last)
{
	unsigned smallest = row[first - 1] = first == 1 ? (unsigned)i : UINT_MAX / 2;

	for (size_t j = first; j <= last; j++) {
		row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
			row[j] = least(row[j], above2[j - 2] + 1, row[j]);
		if (row[j] < smallest)
			smallest = row[j];
	}
	row[last + 1] = UINT_MAX / 2; /* the next row reaches one cell further */
	return smallest;
}

unsigned maui_words_distance(const char *a, const char *b, unsigned max)
{
	char a_word[MAUI_NAME_MAX], b_word[MAUI_NAME_MAX];
	size_t a_length = strnlen(a, MAUI_NAME_MAX + 1), b_length = strnlen(b, MAUI_NAME_MAX + 1);
	size_t differ = a_length > b_length ? a_length - b_length : b_length - a_length;
	unsigned rows[3][MAUI_NAME_MAX + 2];
	unsigned *above2 = rows[0], *above = rows[1], *row = rows[2], *spare;
	size_t last;

	if (differ > max || a_length > MAUI_NAME_MAX || b_length > MAUI_NAME_MAX)
		return max + 1;
	fold(a_word, a, a_length);
	fold(b_word, b, b_length);
	for (size_t j = 0; j <= b_length; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		last = b_length < i + max ? b_length : i + max;
		/* a swap looks two rows back, so the distance could still fall by one */
		if (fill_row(row, above, above2, a_word, i, b_word, i > max ? i - max : 1, last) >
		    max + 1)
			return max + 1;
		spare = above2;
		above2 = above;
		above = row;
		row = spare;
	}
	return above[b_length] <= max ? above[b_length] : max + 1;
}
