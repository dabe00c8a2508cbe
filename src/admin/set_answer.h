/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_answer.h - what a setres is answered, from the plan that has its reservation
 *
 * Rules: RSV-38.
 */
#ifndef MAUI_ADMIN_SET_ANSWER_H
#define MAUI_ADMIN_SET_ANSWER_H

#include "answers/question.h"
#include "verbs/setres.h"

/* The answer to who asked for the reservation of this name; the question's document may be NULL:
 * nothing is planned. `warning` NULL: none. NULL without memory, with the error. */
const struct maui_setres *maui_admin_set_answer(const struct maui_question *q, const char *name,
						bool created, const char *warning);

#endif
