/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.h - how far starts came from their estimates, as rows of the verb "statistics"
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_ROWS_ESTIMATE_ERRORS_H
#define MAUI_ROWS_ESTIMATE_ERRORS_H

#include "base/arena.h"
#include "state/statistics.h"
#include "verbs/statistics.h"

/* Rows that have jobs: of all partitions together, then of each partition by name; of each the
 * first and the last estimates, from near to far. They lead to the view. -1 without memory. */
int maui_estimate_error_rows(struct maui_arena *arena, const struct maui_statistics_view *view,
			     const struct maui_statistics_estimate **ret, size_t *ret_count);

#endif
