/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.c - words of Maui's language: booleans, lists, "did you mean" */
#include "base/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/limits.h"

int maui_bool_parse(const char *text, bool *ret)
{
	static const char *const yes[] = {"1", "true", "on", "yes"};
	static const char *const no[] = {"0", "false", "off", "no"};

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

void maui_words_finish(struct maui_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->list[i]);
	free(words->list);
	*words = (struct maui_words){0};
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

int maui_words_split(const char *text, const char *seps, struct maui_words *ret_words)
{
	struct maui_words words = {0};
	size_t alloc = 0, length;

	for (text += strspn(text, seps); *text; text += strspn(text, seps)) {
		length = strcspn(text, seps);
		if (add_word(&words, &alloc, text, length) < 0) {
			maui_words_finish(&words);
			return -1;
		}
		text += length;
	}
	*ret_words = words;
	return 0;
}

bool maui_words_contain(const struct maui_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++) {
		if (!strcmp(words->list[i], word))
			return true;
	}
	return false;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* One row of the table of optimal string alignment: row[j] is the distance of a[0..i) to b[0..j);
 * above and above2 are the rows of i - 1 and i - 2. Returns the smallest of the row. */
static unsigned fill_row(unsigned *row, const unsigned *above, const unsigned *above2,
			 const char *a, size_t i, const char *b, size_t b_length)
{
	unsigned smallest = row[0] = (unsigned)i;

	for (size_t j = 1; j <= b_length; j++) {
		row[j] = least(above[j] + 1, row[j - 1] + 1,
			       above[j - 1] + !same(a[i - 1], b[j - 1]));
		if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
			row[j] = least(row[j], above2[j - 2] + 1, row[j]);
		if (row[j] < smallest)
			smallest = row[j];
	}
	return smallest;
}

unsigned maui_words_distance(const char *a, const char *b, unsigned max)
{
	unsigned rows[3][MAUI_NAME_MAX + 1];
	unsigned *above2 = rows[0], *above = rows[1], *row = rows[2], *spare, smallest;
	size_t a_length = strnlen(a, MAUI_NAME_MAX + 1);
	size_t b_length = strnlen(b, MAUI_NAME_MAX + 1);
	size_t differ = a_length > b_length ? a_length - b_length : b_length - a_length;

	if (differ > max || a_length > MAUI_NAME_MAX || b_length > MAUI_NAME_MAX)
		return max + 1;
	for (size_t j = 0; j <= b_length; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		smallest = fill_row(row, above, above2, a, i, b, b_length);
		/* a swap looks two rows back, at the cost of one edit: smallest - 1 is still possible */
		if (smallest > max + 1)
			return max + 1;
		spare = above2;
		above2 = above;
		above = row;
		row = spare;
	}
	return above[b_length] <= max ? above[b_length] : max + 1;
}
