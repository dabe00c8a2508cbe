/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.h - how true estimates of starts were, for answers
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_ANSWERS_ESTIMATE_ERRORS_H
#define MAUI_ANSWERS_ESTIMATE_ERRORS_H

#include "answers/question.h"

/* Half of the first estimates in this partition that were about as far ahead came within so many
 * seconds; MAUI_NEVER: fewer than ten jobs. */
int64_t maui_estimate_half_within(const struct maui_document *p, const char *partition,
				  int64_t ahead_s);

#endif
