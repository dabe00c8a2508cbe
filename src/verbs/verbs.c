/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - the verbs of the query socket, and the records of this folder
 *
 * Their headers say what they are; they are defined here.
 */

#define MAUI_RECORDS_HERE
#include "verbs/all.h"

#define ROW(tag) &maui_verb_##tag,
const struct maui_verb *const maui_verbs[MAUI_VERB_COUNT] = { MAUI_VERBS(ROW, ROW) };
