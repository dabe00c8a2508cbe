/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedule.h - nodes by time: what each node does from now until a horizon, for pictures
 *
 * In: the published document with its finished plan. Out: the rows of rows/schedule.h.
 *
 * Rules: CMD-37.
 */
#ifndef MAUI_ANSWERS_SCHEDULE_H
#define MAUI_ANSWERS_SCHEDULE_H

#include "answers/question.h"
#include "rows/schedule.h"

/* What the user may see, from the document's moment on. -1 without memory; the caller finishes the
 * schedule in any case. */
int maui_schedule_make(const struct maui_question *q, int64_t horizon_s, struct maui_schedule *ret);

#endif
