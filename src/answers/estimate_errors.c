/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_errors.c - how true estimates were, for answers */

#include "answers/estimate_errors.h"

#include <math.h>
#include <string.h>

#include "model/when.h"
#include "state/statistics.h"

enum { LEAST_JOBS = 10 };

int64_t maui_estimate_half_within(const struct maui_document *p, const char *partition,
				  int64_t ahead_s)
{
	const struct maui_statistics_view *view = p->statistics;

	for (size_t i = 0; view && i < view->error_count; i++) {
		const struct maui_error_counts *counts =
			&view->errors[i].counts[MAUI_ESTIMATE_FIRST][maui_ahead_step(ahead_s)];

		if (strcmp(view->errors[i].partition, partition) == 0)
			return maui_error_counts_jobs(counts) < LEAST_JOBS ?
				       MAUI_NEVER :
				       (int64_t)ceil(maui_error_counts_within(counts, 0.5));
	}
	return MAUI_NEVER;
}
