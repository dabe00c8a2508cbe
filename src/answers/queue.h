/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue.h - answers "queue": active, idle and blocked jobs
 *
 * A job is idle if it waits for resources only, and blocked if anything else keeps it: a hold, a
 * limit, Slurm's own checks, nodes that there are not.
 *
 * Rules: CMD-9, CMD-23.
 */
#ifndef MAUI_ANSWERS_QUEUE_H
#define MAUI_ANSWERS_QUEUE_H

#include "answers/question.h"

/* In: struct maui_queue_args. Out: struct maui_queue; NULL with an error: there is no plan yet; too
 * many jobs; no memory. */
const void *maui_answer_queue(const struct maui_question *q, const void *args);

#endif
