/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reservations.h - answers "reservations" */
#ifndef MAUI_ANSWERS_RESERVATIONS_H
#define MAUI_ANSWERS_RESERVATIONS_H

#include "answers/question.h"

/* Those that the asker may see, or of a summary how many there are. Fails if there is none of the
 * name, or if the answer would list more reservations or nodes than base/limits.h allows. */
const void *maui_answer_reservations(const struct maui_question *question, const void *arguments);

#endif
