/* SPDX-License-Identifier: GPL-2.0-or-later */
/* priorities.h - answers "priorities": the priority of each job of the queue, with every
 * contribution to it
 */
#ifndef MAUI_ANSWERS_PRIORITIES_H
#define MAUI_ANSWERS_PRIORITIES_H

#include "answers/question.h"

/* In and out: verbs/priorities.h. The queue in its order, as far as the user may see it, or one
 * waiting job, in the queue or not. NULL with the error: no plan yet, no such job, more jobs than
 * an answer may have, no memory. */
const void *maui_answer_priorities(const struct maui_question *q, const void *args);

#endif
