/* SPDX-License-Identifier: GPL-2.0-or-later */
/* statistics_grid.c - Maui's grids: rows are processors, columns are time limits */

#include "cmd/statistics_grid.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <strings.h>

#include "base/duration.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "verbs/statistics.h"

enum { TIMES_MAX = 16, CELL = 32 };

#define NO_COUNT     SIZE_MAX
#define FIGURE(name) offsetof(struct maui_statistics_figures, name)

/* The figure `sum` divided by the figure `count` (NO_COUNT: 1), times `factor`. */
struct maui_grid_metric {
	const char *name, *what;
	size_t sum, count; /* in the figures */
	double factor;
	int digits;
};

static const struct maui_grid_metric metrics[] = {
	{ "AVGBYPASS", "average bypass count", FIGURE(bypass), FIGURE(jobs), 1, 2 },
	{ "AVGQTIME", "average queue time in hours", FIGURE(queue_time), FIGURE(jobs), 1.0 / 3600,
	  2 },
	{ "AVGXFACTOR", "average expansion factor", FIGURE(xfactor), FIGURE(jobs), 1, 2 },
	{ "BFCOUNT", "jobs started out of order", FIGURE(backfilled), NO_COUNT, 1, 0 },
	{ "BFPHRUN", "processor-hours of jobs started out of order", FIGURE(backfilled_used),
	  NO_COUNT, 1.0 / 3600, 2 },
	{ "JOBCOUNT", "jobs", FIGURE(jobs), NO_COUNT, 1, 0 },
	{ "MAXBYPASS", "largest bypass count", FIGURE(max_bypass), NO_COUNT, 1, 0 },
	{ "MAXXFACTOR", "largest expansion factor", FIGURE(max_xfactor), NO_COUNT, 1, 2 },
	{ "PHREQUEST", "processor-hours requested", FIGURE(requested), NO_COUNT, 1.0 / 3600, 2 },
	{ "PHRUN", "processor-hours used", FIGURE(used), NO_COUNT, 1.0 / 3600, 2 },
	{ "WCACCURACY", "percentage of the time limit that was used", FIGURE(accuracy),
	  FIGURE(limited_jobs), 100, 2 },
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

static double value_of(const struct maui_statistics_figures *figures, size_t at)
{
	return *(const double *)((const char *)figures + at);
}

/* "[NO DATA]" as Maui has it, where no job was. */
static void say_cell(const struct maui_grid_metric *metric,
		     const struct maui_statistics_figures *figures, char *buf)
{
	double count = !figures                  ? 0 :
		       metric->count == NO_COUNT ? 1 :
						   value_of(figures, metric->count);

	if (count <= 0 || figures->jobs <= 0)
		snprintf(buf, CELL, "[NO DATA]");
	else
		snprintf(buf, CELL, "%.*f", metric->digits,
			 value_of(figures, metric->sum) / count * metric->factor);
}

/* How many cells from the first on have the same number of processors. */
static size_t row_length(const struct maui_statistics_whole *whole)
{
	size_t count = 0;

	while (count < whole->grid_count && count < TIMES_MAX &&
	       whole->grid[count].procs == whole->grid[0].procs)
		count++;
	return count;
}

static void add_row(struct maui_table *table, const struct maui_grid_metric *metric,
		    const struct maui_statistics_cell *row, size_t times)
{
	char cells[TIMES_MAX + 1][CELL];
	const char *line[TIMES_MAX + 1];

	snprintf(cells[0], CELL, "%4" PRId64, row->procs);
	line[0] = cells[0];
	for (size_t i = 0; i < times; i++) {
		say_cell(metric, row[i].figures, cells[i + 1]);
		line[i + 1] = cells[i + 1];
	}
	maui_table_add(table, line);
}

/* A column for each time limit. NULL: --format names another one; prints an error. */
static struct maui_table *create_table(const struct maui_cmd_common *common,
				       const struct maui_statistics_cell *row, size_t times)
{
	struct maui_column columns[TIMES_MAX + 1] = { { "Procs", true } };
	char titles[TIMES_MAX][MAUI_DURATION_SIZE];

	for (size_t i = 0; i < times; i++) {
		maui_duration_as_maui(row[i].limit, titles[i], sizeof(titles[i]));
		columns[i + 1] = (struct maui_column){ titles[i], true };
	}
	return maui_cmd_table(common, columns, times + 1);
}

int maui_grid_print(const struct maui_cmd_common *common, const struct maui_grid_metric *metric,
		    const struct maui_statistics_answer *answer)
{
	static const struct maui_statistics_whole none;
	const struct maui_statistics_whole *whole = answer->whole ? answer->whole : &none;
	size_t times = row_length(whole);
	struct maui_table *table = create_table(common, whole->grid, times);
	char since[MAUI_MOMENT_SIZE];

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t at = 0; times > 0 && at + times <= whole->grid_count; at += times)
		add_row(table, metric, &whole->grid[at], times);
	if (!maui_cmd_rows_only(common))
		printf("Statistics since %s: %s\n"
		       "by processors (up to) and time limit (up to); the last have all larger "
		       "jobs\n\n",
		       maui_moment_as_maui(answer->since, answer->time, since, sizeof(since)),
		       metric->what);
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}
