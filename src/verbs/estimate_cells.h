/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_cells.h - a row about estimates as the cells of a table
 *
 * Rules: CMD-67.
 */
#ifndef MAUI_VERBS_ESTIMATE_CELLS_H
#define MAUI_VERBS_ESTIMATE_CELLS_H

#include "verbs/statistics.h"

enum { MAUI_ESTIMATE_CELL = 40 };

struct maui_estimate_cells {
	const char *partition, *estimate; /* the row's; "(all)" */
	char ahead[MAUI_ESTIMATE_CELL], jobs[MAUI_ESTIMATE_CELL];
	char p10[MAUI_ESTIMATE_CELL], p50[MAUI_ESTIMATE_CELL], p90[MAUI_ESTIMATE_CELL];
};

void maui_estimate_cells(const struct maui_statistics_estimate *row,
			 struct maui_estimate_cells *ret);

#endif
