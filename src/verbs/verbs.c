/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.c - all verbs of the query socket */

#include "verbs/verb.h"

#define ROW(tag) &maui_verb_##tag,
const struct maui_verb *const maui_verbs[MAUI_VERB_COUNT] = { MAUI_VERBS(ROW, ROW) };
