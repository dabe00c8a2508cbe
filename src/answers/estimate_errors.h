/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.h - how far starts came from their estimates, for answers
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_ANSWERS_ESTIMATE_ERRORS_H
#define MAUI_ANSWERS_ESTIMATE_ERRORS_H

#include "answers/question.h"
#include "state/statistics.h"
#include "verbs/statistics.h"

/* Rows that have jobs: of all partitions together, then of each partition by name; of each the
 * first and the last estimates, from near to far. They lead to the view. -1 without memory. */
int maui_estimate_error_rows(struct maui_arena *arena, const struct maui_statistics_view *view,
			     const struct maui_statistics_estimate **ret, size_t *ret_count);

/* Half of the first estimates in this partition that were about as far ahead came within so many
 * seconds; MAUI_NEVER: fewer than ten jobs. */
int64_t maui_estimate_half_within(const struct maui_document *p, const char *partition,
				  int64_t ahead_s);

#endif
