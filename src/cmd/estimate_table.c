/* SPDX-License-Identifier: GPL-2.0-or-later */
/* estimate_table.c - a row for each partition, first and last estimates, and how far ahead */

#include "cmd/estimate_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/duration.h"
#include "cmd/cmd.h"
#include "model/when.h"
#include "verbs/statistics.h"

enum { PARTITION, ESTIMATE, AHEAD, JOBS, P10, P50, P90, COLUMNS };
enum { CELL = 40 };

/* "-0:05:00": five minutes earlier than expected. */
static char *say_error(double error_s, char *buf)
{
	int64_t size_s = isnan(error_s) ? 0 : (int64_t)round(fabs(error_s));
	char span[MAUI_DURATION_SIZE];

	snprintf(buf, CELL, "%s%s",
		 size_s == 0 ? "" :
		 error_s < 0 ? "-" :
			       "+",
		 maui_duration_as_maui(size_s, span, sizeof(span)));
	return buf;
}

static void add_row(struct maui_table *table, const struct maui_statistics_estimate *row)
{
	char ahead[CELL], jobs[CELL], p10[CELL], p50[CELL], p90[CELL], span[MAUI_DURATION_SIZE];

	if (row->ahead == MAUI_NEVER)
		snprintf(ahead, sizeof(ahead), "longer");
	else
		snprintf(ahead, sizeof(ahead), "<=%s",
			 maui_duration_as_maui(row->ahead, span, sizeof(span)));
	snprintf(jobs, sizeof(jobs), "%" PRId64, row->jobs);
	maui_table_add(table, (const char *const[COLUMNS]){
				      [PARTITION] = row->partition ? row->partition : "(all)",
				      [ESTIMATE] = row->estimate,
				      [AHEAD] = ahead,
				      [JOBS] = jobs,
				      [P10] = say_error(row->p10, p10),
				      [P50] = say_error(row->p50, p50),
				      [P90] = say_error(row->p90, p90),
			      });
}

int maui_estimate_table_print(const struct maui_cmd_common *common,
			      const struct maui_statistics_answer *answer)
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
	const struct maui_statistics_whole *whole = answer->whole;
	struct maui_table *table = maui_cmd_table(common, columns, COLUMNS);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; whole && i < whole->estimates_count; i++)
		add_row(table, &whole->estimates[i]);
	if (!maui_cmd_rows_only(common))
		printf("Starts that were expected, and how much later they came (-: earlier)\n\n");
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}
