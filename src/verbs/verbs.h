/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verbs.h - all verbs of the query socket */
#ifndef MAUI_VERBS_VERBS_H
#define MAUI_VERBS_VERBS_H

#include "verbs/verb.h"

/* By name; NULL behind the last. */
extern const struct maui_verb *const maui_verbs[];

#endif
