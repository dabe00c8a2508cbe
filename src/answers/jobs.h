/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobs.h - answers "jobs": jobs with their requests and what is wrong, for diagnose -j and -q
 *
 * Of a job that waits, what keeps it whatever is free is told in Maui's words.
 *
 * Rules: CMD-9, CMD-33.
 */
#ifndef MAUI_ANSWERS_JOBS_H
#define MAUI_ANSWERS_JOBS_H

#include "answers/question.h"

/* In: struct maui_jobs_args. Out: struct maui_jobs, of all jobs that the asker may see, or of that
 * number; NULL with an error: there is no plan yet; no such job; too many; no memory. */
const void *maui_answer_jobs(const struct maui_question *q, const void *args);

#endif
