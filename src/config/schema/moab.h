/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moab.h - words of Moab's that are right in a moab.cfg and have no equivalent here
 *
 * Words that mean the same under another name (INREPORTEDORDER) are spellings in the rows of the
 * schema.
 *
 * Rules: CFG-17.
 */
#ifndef MAUI_CONFIG_SCHEMA_MOAB_H
#define MAUI_CONFIG_SCHEMA_MOAB_H

#include <stddef.h>

/* What happens instead of what the word asks for; NULL: not a word that Moab has for this parameter
 * or attribute. Any case. */
const char *maui_moab_word(const char *row, const char *word, size_t length);

#endif
