/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstats.c - showstats: figures of the whole machine, of credentials, and by size
 *
 * Rules: CMD-28, CMD-67.
 */

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "tool/estimate_table.h"
#include "verbs/gres.h"
#include "verbs/statistics.h"

/* ---- Maui's grids: rows are processors, columns are time limits ---- */

enum { TIMES_MAX = 16, CELL = 32 };

#define NO_COUNT     SIZE_MAX
#define FIGURE(name) offsetof(struct maui_statistics_figures, name)

/* The figure `sum` divided by the figure `count` (NO_COUNT: 1), times `factor`. */
struct find_metric {
	const char *name, *what;
	size_t sum, count; /* in the figures */
	double factor;
	int digits;
};

static const struct find_metric metrics[] = {
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

/* AVGQTIME, in any case; NULL: no such metric. */
static const struct find_metric *find_metric(const char *name)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strcasecmp(metrics[i].name, name) == 0)
			return &metrics[i];
	return NULL;
}

/* "AVGBYPASS, AVGQTIME, ...". */
static void list_metrics(char *buf, size_t size)
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
static void format_cell(const struct find_metric *metric,
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

static void add_row(struct maui_table *table, const struct find_metric *metric,
		    const struct maui_statistics_cell *row, size_t times)
{
	char cells[TIMES_MAX + 1][CELL];
	const char *line[TIMES_MAX + 1];

	snprintf(cells[0], CELL, "%4" PRId64, row->procs);
	line[0] = cells[0];
	for (size_t i = 0; i < times; i++) {
		format_cell(metric, row[i].figures, cells[i + 1]);
		line[i + 1] = cells[i + 1];
	}
	maui_table_add(table, line);
}

/* A column for each time limit. NULL: --format names another one; prints an error. */
static struct maui_table *create_grid(const struct maui_tool_common *common,
				      const struct maui_statistics_cell *row, size_t times)
{
	struct maui_column columns[TIMES_MAX + 1] = { { "Procs", true } };
	char titles[TIMES_MAX][MAUI_DURATION_SIZE];

	for (size_t i = 0; i < times; i++) {
		maui_duration_as_maui(row[i].limit, titles[i], sizeof(titles[i]));
		columns[i + 1] = (struct maui_column){ titles[i], true };
	}
	return maui_tool_table(common, columns, times + 1);
}

/* Prints the grid of an answer. Returns the exit status. */
static int print_grid(const struct maui_tool_common *common, const struct find_metric *metric,
		      const struct maui_statistics_answer *answer)
{
	static const struct maui_statistics_whole none;
	const struct maui_statistics_whole *whole = answer->whole ? answer->whole : &none;
	size_t times = row_length(whole);
	struct maui_table *table = create_grid(common, whole->grid, times);
	char since[MAUI_MOMENT_SIZE];

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t at = 0; times > 0 && at + times <= whole->grid_count; at += times)
		add_row(table, metric, &whole->grid[at], times);
	if (!maui_tool_rows_only(common))
		printf("Statistics since %s: %s\n"
		       "by processors (up to) and time limit (up to); the last have all larger "
		       "jobs\n\n",
		       maui_moment_as_maui(answer->since, answer->time, since, sizeof(since)),
		       metric->what);
	maui_tool_print_table(common, table);
	return MAUI_EXIT_OK;
}

/* ---- tables ---- */

struct options {
	struct maui_tool_common common;
	struct maui_statistics_args args; /* without a kind: the whole */
	const struct find_metric *metric; /* NULL: no grid */
	bool estimates;
};

static int read_metric(struct maui_tool_common *common, void *opts,
		       const struct maui_option *option, const char *text)
{
	struct options *o = opts;
	char names[256];

	(void)option;
	o->metric = find_metric(text);
	if (o->metric)
		return MAUI_EXIT_OK;
	list_metrics(names, sizeof(names));
	return maui_tool_misuse(common, "no metric '%.32s'; there are: %s", text, names);
}

static const struct maui_option known[] = {
	MAUI_CHOICE('u', NULL, options, args.kind, "user", NULL),
	MAUI_CHOICE('g', NULL, options, args.kind, "group", NULL),
	MAUI_CHOICE('a', NULL, options, args.kind, "account", NULL),
	MAUI_CHOICE('q', NULL, options, args.kind, "qos", NULL),
	MAUI_CHOICE('c', NULL, options, args.kind, "class",
		    "by user, group, account, QOS, class (partition), also of running jobs"),
	MAUI_READ('f', NULL, "METRIC", NULL, read_metric,
		  "by processors and time limit: AVGBYPASS, AVGQTIME, AVGXFACTOR, BFCOUNT, "
		  "BFPHRUN, JOBCOUNT, MAXBYPASS, MAXXFACTOR, PHREQUEST, PHRUN, WCACCURACY"),
	MAUI_FLAG(0, "estimates", options, estimates,
		  "how true the estimates of starts were, by partition and by how far ahead"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "showstats [-u|-g|-a|-q|-c|-f METRIC|--estimates] "
		    "[-o COLUMN,...] [--noheader] [--json]",
	.about = "Shows figures of the jobs that have ended since the statistics began.",
	.options = known,
	.table = true,
	.notes = MAUI_EXITS ".",
};

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static double mean(double sum, double count)
{
	return count > 0 ? sum / count : 0;
}

/* ---- the whole ---- */

static void print_since(const struct maui_statistics_answer *answer)
{
	char span[MAUI_DURATION_SIZE], moment[MAUI_MOMENT_SIZE];

	printf("Statistics of %s, since %s\n\n",
	       maui_duration_as_maui(answer->time - answer->since, span, sizeof(span)),
	       maui_moment_as_maui(answer->since, answer->time, moment, sizeof(moment)));
}

static void print_gres(const struct maui_gres *gres)
{
	int64_t held = gres->total - gres->unused;
	char name[32];

	snprintf(name, sizeof(name), "%s:", gres->name);
	printf("Current Active/Total %-16s %5" PRId64 "/%" PRId64 "  (%.2f%%)\n", name, held,
	       gres->total, share((double)held, (double)gres->total));
}

static void print_ended(const struct maui_statistics_figures *total)
{
	printf("Completed Jobs:                 %10.0f\n", total->jobs);
	printf("Backfilled Jobs:                %10.0f  (%.2f%%)\n", total->backfilled,
	       share(total->backfilled, total->jobs));
	printf("Avg/Max QTime (Hours):          %10.2f/%.2f\n",
	       mean(total->queue_time, total->jobs) / 3600, total->max_queue_time / 3600);
	printf("Avg/Max XFactor:                %10.2f/%.2f\n", mean(total->xfactor, total->jobs),
	       total->max_xfactor);
	printf("Avg/Max Bypass:                 %10.2f/%.0f\n", mean(total->bypass, total->jobs),
	       total->max_bypass);
}

static void print_whole(const struct maui_statistics_answer *answer)
{
	const struct maui_statistics_figures *total = answer->total;
	double capacity = answer->capacity / 3600, dedicated = answer->dedicated / 3600;

	print_since(answer);
	printf("Eligible/Idle Jobs:             %10" PRId64 "/%" PRId64 "\n", answer->eligible_jobs,
	       answer->waiting_jobs);
	printf("Active Jobs:                    %10" PRId64 "\n", answer->active_jobs);
	print_ended(total);
	printf("Dedicated/Total ProcHours:      %10.2f/%.2f  (%.2f%%)\n", dedicated, capacity,
	       share(dedicated, capacity));
	printf("Current Active/Total Procs:     %10.0f/%.0f  (%.2f%%)\n", answer->active_procs,
	       answer->procs, share(answer->active_procs, answer->procs));
	for (size_t i = 0; i < answer->gres_count; i++)
		print_gres(&answer->gres[i]);
	if (total->limited_jobs > 0)
		printf("Avg WallClock Accuracy:         %9.2f%%\n",
		       100 * mean(total->accuracy, total->limited_jobs));
	else
		printf("Avg WallClock Accuracy:                N/A\n");
}

/* ---- credentials ---- */

enum {
	NAME,
	ACTIVE_JOBS,
	ACTIVE_PROCS,
	ACTIVE_HOURS,
	JOBS,
	JOBS_SHARE,
	REQUESTED,
	REQUESTED_SHARE,
	DEDICATED,
	DEDICATED_SHARE,
	TARGET,
	XFACTOR,
	MAX_XFACTOR,
	QUEUE_TIME,
	ACCURACY,
	BACKFILLED,
	COLUMNS
};

/* Maui's titles, which repeat; --format and --noheader need each column to be named once. */
static const char *const titles[COLUMNS][2] = {
	[NAME] = { "name", "Name" },           [ACTIVE_JOBS] = { "Jobs", "ActiveJobs" },
	[ACTIVE_PROCS] = { "Procs", "Procs" }, [ACTIVE_HOURS] = { "ProcHours", "ProcHours" },
	[JOBS] = { "Jobs", "Jobs" },           [JOBS_SHARE] = { "%", "Jobs%" },
	[REQUESTED] = { "PHReq", "PHReq" },    [REQUESTED_SHARE] = { "%", "PHReq%" },
	[DEDICATED] = { "PHDed", "PHDed" },    [DEDICATED_SHARE] = { "%", "PHDed%" },
	[TARGET] = { "FSTgt", "FSTgt" },       [XFACTOR] = { "AvgXF", "AvgXF" },
	[MAX_XFACTOR] = { "MaxXF", "MaxXF" },  [QUEUE_TIME] = { "AvgQH", "AvgQH" },
	[ACCURACY] = { "WCAcc", "WCAcc" },     [BACKFILLED] = { "BF", "BF" },
};

/* Of jobs that ended. */
static void format_figures(const struct maui_statistics_figures *row,
			   const struct maui_statistics_figures *total, char (*cells)[CELL])
{
	snprintf(cells[JOBS], CELL, "%.0f", row->jobs);
	if (row->limited_jobs > 0)
		snprintf(cells[ACCURACY], CELL, "%.2f",
			 100 * mean(row->accuracy, row->limited_jobs));
	if (row->jobs <= 0)
		return;
	snprintf(cells[JOBS_SHARE], CELL, "%.2f", share(row->jobs, total->jobs));
	snprintf(cells[REQUESTED], CELL, "%.1f", row->requested / 3600);
	snprintf(cells[REQUESTED_SHARE], CELL, "%.2f", share(row->requested, total->requested));
	snprintf(cells[DEDICATED], CELL, "%.1f", row->used / 3600);
	snprintf(cells[DEDICATED_SHARE], CELL, "%.2f", share(row->used, total->used));
	snprintf(cells[XFACTOR], CELL, "%.2f", mean(row->xfactor, row->jobs));
	snprintf(cells[MAX_XFACTOR], CELL, "%.2f", row->max_xfactor);
	snprintf(cells[QUEUE_TIME], CELL, "%.2f", mean(row->queue_time, row->jobs) / 3600);
	snprintf(cells[BACKFILLED], CELL, "%.0f", row->backfilled);
}

static void add_credential(struct maui_table *table, const struct maui_statistics_credential *row,
			   const struct maui_statistics_figures *total)
{
	char cells[COLUMNS][CELL];
	const char *line[COLUMNS];

	for (int i = 0; i < COLUMNS; i++) {
		snprintf(cells[i], CELL, "-----");
		line[i] = cells[i];
	}
	line[NAME] = row->name;
	snprintf(cells[ACTIVE_JOBS], CELL, "%" PRId64, row->active_jobs);
	snprintf(cells[ACTIVE_PROCS], CELL, "%.0f", row->active_procs);
	snprintf(cells[ACTIVE_HOURS], CELL, "%.2f", row->active_remaining / 3600);
	if (!isnan(row->target))
		snprintf(cells[TARGET], CELL, "%g", row->target);
	if (row->figures)
		format_figures(row->figures, total, cells);
	maui_table_add(table, line);
}

static struct maui_table *create_table(const struct options *options)
{
	bool rows_only = maui_tool_rows_only(&options->common);
	struct maui_column columns[COLUMNS];

	for (int i = 0; i < COLUMNS; i++)
		columns[i] = (struct maui_column){ titles[i][rows_only], i != NAME };
	if (!rows_only)
		columns[NAME].title =
			strcmp(options->args.kind, "account") == 0 ? "acct" : options->args.kind;
	return maui_tool_table(&options->common, columns, COLUMNS);
}

/* Every job has a user, a group and a class, but not every one an account or a QOS. */
static void print_none(const char *kind)
{
	if (strcmp(kind, "account") == 0)
		printf("No job with an account has run since then.\n");
	else if (strcmp(kind, "qos") == 0)
		printf("No job with a QOS has run since then.\n");
	else
		printf("No job has run since then.\n");
}

static int print_credentials(const struct options *options,
			     const struct maui_statistics_answer *answer)
{
	const struct maui_statistics_kind *kind = answer->by_kind;
	bool rows_only = maui_tool_rows_only(&options->common);
	struct maui_table *table = create_table(options);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; kind && i < kind->credentials_count; i++)
		add_credential(table, &kind->credentials[i], answer->total);
	if (!rows_only)
		print_since(answer);
	if (!rows_only && (!kind || kind->credentials_count == 0))
		print_none(options->args.kind);
	maui_tool_print_table(&options->common, table);
	if (!rows_only && kind && kind->hidden)
		printf("\nPrivateData=usage hides the usage of others.\n");
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

static int check_options(const struct options *options)
{
	const struct maui_tool_common *common = &options->common;
	int tables = !!options->metric + !!options->args.kind + options->estimates;

	if (tables > 1)
		return maui_tool_misuse(common,
					"one of -u, -g, -a, -q, -c, -f, --estimates at a time");
	if (tables == 0 && (common->format || common->noheader))
		return maui_tool_misuse(common, "--format and --noheader need a table: -u, -g, -a, "
						"-q, -c, -f or --estimates");
	return MAUI_EXIT_OK;
}

static int print_answer(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *options = opts;
	const struct maui_statistics_answer *answer = record;
	const struct maui_statistics_whole *whole = answer->whole;

	if (options->metric)
		return print_grid(common, options->metric, answer);
	if (options->args.kind)
		return print_credentials(options, answer);
	if (options->estimates)
		return maui_estimate_table_print(common, whole ? whole->estimates : NULL,
						 whole ? whole->estimates_count : 0);
	print_whole(answer);
	return MAUI_EXIT_OK;
}

static int run_showstats(int argc, char **argv)
{
	struct options options = { .common = { .tool = "showstats", .command = &command } };
	int rc = maui_cmd_read(&options.common, &options, argc, argv);

	if (options.common.done)
		return rc;
	rc = check_options(&options);
	return rc != MAUI_EXIT_OK ? rc :
				    maui_cmd_show(&options.common, &maui_verb_statistics,
						  &options.args, print_answer, &options);
}

MAUI_COMMAND(showstats, "figures of jobs that have ended");
