/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial.h - answers "trial": the score of SERVERMODE TEST
 *
 * The score names jobs of all users, so administrators and operators alone get it.
 *
 * Rules: CMD-57.
 */
#ifndef MAUI_ANSWERS_TRIAL_H
#define MAUI_ANSWERS_TRIAL_H

#include "answers/question.h"

/* Out: struct maui_trial_answer; NULL with an error: not permitted, no plan yet, no trial, no
 * memory. */
const void *maui_answer_trial(const struct maui_question *q, const void *args);

#endif
