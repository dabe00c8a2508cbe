/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairshare.h - answers "fairshare": usage, targets and their effect
 *
 * In: the published document with its fairshare windows and its finished plan. Out: an element for
 * each credential that the asker may see; of few credentials also forecasts.
 *
 * Rules: CMD-26, CMD-27.
 */
#ifndef MAUI_ANSWERS_FAIRSHARE_H
#define MAUI_ANSWERS_FAIRSHARE_H

#include "answers/question.h"
#include "verbs/fairshare.h"

/* The same of at most so many credentials, those with the largest usage. NULL with the error: no
 * plan yet; no memory. */
const struct maui_fairshare *maui_fairshare_largest(const struct maui_question *q, size_t most);

#endif
