/* SPDX-License-Identifier: GPL-2.0-or-later */
/* quotes.h - what double quotes mean in a value and in an index of maui.cfg
 *
 * Quotes make text of blanks and '#'. By the type of the row: in a list of names they stay around
 * the names that need them, so that a blank separates names only outside of quotes; a comma, a bar
 * and a colon separate names in any case, since no name has one. Of any other value the quotes are
 * removed, and its own grammar decides what a blank means: FLAGS="A B" are two flags, QDEF="a b" is
 * one name.
 *
 * Rules: CFG-1, CFG-6.
 */
#ifndef MAUI_CONFIG_QUOTES_H
#define MAUI_CONFIG_QUOTES_H

#include <stdbool.h>
#include <stddef.h>

#include "config/schema/schema.h"

/* Removes the quotes, and blanks at both ends. */
void maui_quotes_remove(char *text);

/* Whether each quote has a partner. */
bool maui_quotes_pair(const char *text);

/* The text of a value as settings keep it. *ret_known: how many bytes of it stand where they stood
 * in `text` from *ret_skipped on. The caller owns the result; NULL without memory. */
char *maui_quotes_store(const struct maui_param *row, const char *text, size_t *ret_skipped,
			size_t *ret_known);

/* Writes an index so that maui.cfg may have it: in quotes, if it needs them. Returns `buf`. */
const char *maui_quotes_index(const char *index, char *buf, size_t size);

/* Whether a kept value needs quotes around it in maui.cfg. A list of names has its own. */
bool maui_quotes_needed(const struct maui_param *row, const char *value);

#endif
