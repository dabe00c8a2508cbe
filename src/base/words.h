/* SPDX-License-Identifier: GPL-2.0-or-later */
/* words.h - words of Maui's language: booleans, lists, "did you mean", the plural
 *
 * Rules: CFG-6.
 */
#ifndef MAUI_BASE_WORDS_H
#define MAUI_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* {1,true,on,yes} / {0,false,off,no}, any case (maui-3.3 manual, appendix F; our ruling on
 * spelling). Returns 0 and sets *ret, or -1. */
int maui_bool_parse(const char *text, bool *ret);

/* A list in a value: `,` `|` `:` are equal separators, of which `seps` names the allowed ones.
 * Empty entries are dropped. The caller owns the list. */
struct maui_words {
	char **list;
	size_t count;
};
int maui_words_split(const char *text, const char *seps, struct maui_words *ret_words);
/* The same, but between double quotes separators belong to the entry; the quotes do not. */
int maui_words_split_names(const char *text, const char *seps, struct maui_words *ret_words);
/* The length of the first entry: up to a separator outside of double quotes. */
size_t maui_word_length(const char *text, const char *seps);
void maui_words_finish(struct maui_words *words);
bool maui_words_contain(const struct maui_words *words, const char *word); /* case sensitive */

/* Whether a list `a,b`, as Slurm keeps lists, has the word. NULL: an empty list. */
bool maui_list_has(const char *list, const char *word);
bool maui_list_has_any_case(const char *list, const char *word);
/* The value of `key=value` in such a list, the key in any case; it ends at a comma or at the end of
 * the list. NULL: the list does not have the key. */
const char *maui_list_value(const char *list, const char *key);

/* Number of edits (insert, delete, replace, swap of neighbours) between two words without regard
 * to case, at most `max` + 1. Words longer than MAUI_NAME_MAX are not compared: `max` + 1. */
unsigned maui_words_distance(const char *a, const char *b, unsigned max);

/* The end of a noun behind a number, of any type: "1 node", "2 nodes". */
#define maui_plural(count) ((count) == 1 ? "" : "s")

#endif
