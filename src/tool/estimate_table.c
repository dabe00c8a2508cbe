/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_table.c - a row for each partition, first and last estimates, and how far ahead */

#include "tool/estimate_table.h"

#include <stdio.h>

#include "tool/option.h"
#include "tool/print.h"
#include "verbs/estimate_cells.h"

enum { PARTITION, ESTIMATE, AHEAD, JOBS, P10, P50, P90, COLUMNS };

static void add_row(struct maui_table *table, const struct maui_statistics_estimate *row)
{
	struct maui_estimate_cells cells;

	maui_estimate_cells(row, &cells);
	maui_table_add(table, (const char *const[COLUMNS]){
				      [PARTITION] = cells.partition,
				      [ESTIMATE] = cells.estimate,
				      [AHEAD] = cells.ahead,
				      [JOBS] = cells.jobs,
				      [P10] = cells.p10,
				      [P50] = cells.p50,
				      [P90] = cells.p90,
			      });
}

int maui_estimate_table_print(const struct maui_tool_common *common,
			      const struct maui_statistics_estimate *list, size_t count)
{
	static const struct maui_column columns[COLUMNS] = {
		[PARTITION] = { "PARTITION", false },
		[ESTIMATE] = { "ESTIMATE", false },
		[AHEAD] = { "AHEAD", true },
		[JOBS] = { "JOBS", true },
		[P10] = { "10%", true },
		[P50] = { "50%", true },
		[P90] = { "90%", true },
	};
	struct maui_table *table = maui_tool_table(common, columns, COLUMNS);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < count; i++)
		add_row(table, &list[i]);
	if (!maui_tool_rows_only(common))
		printf("Starts that were expected, and how much later they came (-: earlier)\n\n");
	if (!maui_tool_rows_only(common) && count == 0)
		printf("No job has started yet that had an estimate while it waited.\n");
	maui_tool_print_table(common, table);
	return MAUI_EXIT_OK;
}
