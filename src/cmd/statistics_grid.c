/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics_grid.c - Maui's grids: rows are processors, columns are time limits */

#include "cmd/statistics_grid.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "cmd/cmd.h"

enum { TIMES_MAX = 16, CELL = 32 };

/* Sum of `key` divided by that of `by` (NULL: 1), times `factor`. */
struct maui_grid_metric {
	const char *name, *what, *key, *by;
	double factor;
	int digits;
};

static const struct maui_grid_metric metrics[] = {
	{ "AVGBYPASS", "average bypass count", "bypass", "jobs", 1, 2 },
	{ "AVGQTIME", "average queue time in hours", "queue_time", "jobs", 1.0 / 3600, 2 },
	{ "AVGXFACTOR", "average expansion factor", "xfactor", "jobs", 1, 2 },
	{ "BFCOUNT", "jobs started out of order", "backfilled", NULL, 1, 0 },
	{ "BFPHRUN", "processor-hours of jobs started out of order", "backfilled_used", NULL,
	  1.0 / 3600, 2 },
	{ "JOBCOUNT", "jobs", "jobs", NULL, 1, 0 },
	{ "MAXBYPASS", "largest bypass count", "max_bypass", NULL, 1, 0 },
	{ "MAXXFACTOR", "largest expansion factor", "max_xfactor", NULL, 1, 2 },
	{ "PHREQUEST", "processor-hours requested", "requested", NULL, 1.0 / 3600, 2 },
	{ "PHRUN", "processor-hours used", "used", NULL, 1.0 / 3600, 2 },
	{ "WCACCURACY", "percentage of the time limit that was used", "accuracy", "limited_jobs",
	  100, 2 },
};
enum { METRICS = sizeof(metrics) / sizeof(metrics[0]) };

const struct maui_grid_metric *maui_grid_metric(const char *name)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strcasecmp(metrics[i].name, name) == 0)
			return &metrics[i];
	return NULL;
}

void maui_grid_names(char *buf, size_t size)
{
	size_t at = 0;

	for (size_t i = 0; i < METRICS && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i ? ", " : "", metrics[i].name);
}

/* "[NO DATA]" as Maui has it, where no job was. */
static void print_cell(const struct maui_grid_metric *metric, json_object *cell, char *buf)
{
	double value = maui_cmd_double(cell, metric->key), jobs = maui_cmd_double(cell, "jobs");
	double by = metric->by ? maui_cmd_double(cell, metric->by) : 1;

	if (jobs <= 0 || by <= 0)
		snprintf(buf, CELL, "[NO DATA]");
	else
		snprintf(buf, CELL, "%.*f", metric->digits, value / by * metric->factor);
}

/* How many cells from `at` on have the same number of processors. */
static size_t row_length(json_object *result, size_t at)
{
	int64_t procs = maui_cmd_number(maui_cmd_element(result, "grid", at), "procs", 0);
	size_t count = 0;

	while (at + count < maui_cmd_length(result, "grid") && count < TIMES_MAX &&
	       maui_cmd_number(maui_cmd_element(result, "grid", at + count), "procs", 0) == procs)
		count++;
	return count;
}

static void add_row(struct maui_table *table, const struct maui_grid_metric *metric,
		    json_object *result, size_t at, size_t times)
{
	char cells[TIMES_MAX + 1][CELL];
	const char *row[TIMES_MAX + 1];

	snprintf(cells[0], CELL, "%4" PRId64,
		 maui_cmd_number(maui_cmd_element(result, "grid", at), "procs", 0));
	row[0] = cells[0];
	for (size_t i = 0; i < times; i++) {
		print_cell(metric, maui_cmd_element(result, "grid", at + i), cells[i + 1]);
		row[i + 1] = cells[i + 1];
	}
	maui_table_add(table, row);
}

int maui_grid_print(const struct maui_cmd_common *common, const struct maui_grid_metric *metric,
		    json_object *result)
{
	struct maui_column columns[TIMES_MAX + 1] = { { "Procs", true } };
	char titles[TIMES_MAX][MAUI_CMD_TIME_SIZE];
	size_t times = row_length(result, 0), count = maui_cmd_length(result, "grid");
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char since[MAUI_CMD_TIME_SIZE];
	struct maui_table *table;

	for (size_t i = 0; i < times; i++) {
		maui_cmd_span(maui_cmd_number(maui_cmd_element(result, "grid", i), "limit", 0),
			      titles[i], sizeof(titles[i]));
		columns[i + 1] = (struct maui_column){ titles[i], true };
	}
	table = maui_cmd_table(common, columns, times + 1);
	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t at = 0; times > 0 && at + times <= count; at += times)
		add_row(table, metric, result, at, times);
	if (!maui_cmd_rows_only(common))
		printf("Statistics since %s: %s\n"
		       "by processors (up to) and time limit (up to); the last have all larger "
		       "jobs\n\n",
		       maui_cmd_moment(maui_cmd_number(result, "since", 0), now_s, since,
				       sizeof(since)),
		       metric->what);
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}
