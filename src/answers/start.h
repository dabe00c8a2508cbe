/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - answers "start": when one job starts, what that rests on, and how it moved
 *
 * The start of a job without an estimate of the cycle is searched when it is asked for.
 *
 * Rules: CMD-25.
 */
#ifndef MAUI_ANSWERS_START_H
#define MAUI_ANSWERS_START_H

#include "answers/question.h"

/* In: struct maui_job_args. Out: struct maui_start_answer; NULL with an error: the job is unknown,
 * or PrivateData hides it from the user; there is no plan yet; no memory. */
const void *maui_answer_start(const struct maui_question *q, const void *args);

#endif
