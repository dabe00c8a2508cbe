/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics.h - answers "metrics": figures for a monitoring system
 *
 * Counters count since slurmctld started. Bounded: credentials are those with the largest usage
 * (base/limits.h), everything else is a number for the whole machine. What PrivateData hides from
 * the user is neither listed nor counted.
 *
 * Rules: CMD-9, CMD-48.
 */
#ifndef MAUI_ANSWERS_METRICS_H
#define MAUI_ANSWERS_METRICS_H

#include "answers/question.h"

/* Returns a struct maui_metrics; NULL with the error: no plan yet, no memory. */
const void *maui_answer_metrics(const struct maui_question *q, const void *args);

#endif
