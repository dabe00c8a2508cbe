/* SPDX-License-Identifier: GPL-2.0-or-later */
/* refused.h - since when maui.cfg is refused, and why */
#ifndef MAUI_ANSWERS_REFUSED_H
#define MAUI_ANSWERS_REFUSED_H

#include "answers/question.h"
#include "verbs/refused.h"

/* *ret NULL: it is in force. Errors quote lines, so users from whom PrivateData hides any are not
 * told them. -1 without memory, with the error. */
int maui_refused_get(const struct maui_question *q, const struct maui_refused **ret);

#endif
