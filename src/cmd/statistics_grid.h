/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics_grid.h - showstats -f: one figure by processors and time limit
 *
 * Rules: CMD-28.
 */
#ifndef MAUI_CMD_STATISTICS_GRID_H
#define MAUI_CMD_STATISTICS_GRID_H

#include "cmd/query.h"

struct maui_grid_metric;
struct maui_statistics_answer;

/* AVGQTIME, in any case; NULL: no such metric. */
const struct maui_grid_metric *maui_grid_metric(const char *name);
/* "AVGBYPASS, AVGQTIME, ...". */
void maui_grid_names(char *buf, size_t size);

/* Prints the grid of an answer. Returns the exit status. */
int maui_grid_print(const struct maui_cmd_common *common, const struct maui_grid_metric *metric,
		    const struct maui_statistics_answer *answer);

#endif
