/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics.h - answers "statistics": figures of jobs that have ended
 *
 * In: the published document with its statistics, its record of the last day, and the finished plan
 * with the jobs that run now. Out: the whole and the grid of sizes, or one row for each credential
 * of a kind.
 *
 * Rules: CMD-28, CMD-29.
 */
#ifndef MAUI_ANSWERS_STATISTICS_H
#define MAUI_ANSWERS_STATISTICS_H

#include "answers/question.h"

/* In: struct maui_statistics_args. Out: struct maui_statistics_answer; NULL with an error: no such
 * kind; nothing is known yet; no memory. */
const void *maui_answer_statistics(const struct maui_question *q, const void *args);

#endif
