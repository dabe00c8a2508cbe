/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstats.c - showstats: figures of the whole machine, of credentials, and by size
 *
 * Rules: CMD-28.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "cmd/statistics_grid.h"

static const char usage[] =
	"usage: showstats [-u|-g|-a|-q|-c|-f METRIC] [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Shows figures of the jobs that have ended since the statistics began.\n"
	"\n"
	"  -u, -g, -a, -q, -c  by user, group, account, QOS, class (partition), also of running jobs\n"
	"  -f METRIC           by processors and time limit: AVGBYPASS, AVGQTIME, AVGXFACTOR,\n"
	"                      BFCOUNT, BFPHRUN, JOBCOUNT, MAXBYPASS, MAXXFACTOR, PHREQUEST, PHRUN,\n"
	"                      WCACCURACY\n" MAUI_TABLE_USAGE
	"  --json              one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached.\n";

enum { CELL = 32 };

struct options {
	struct maui_cmd_common common;
	const char *kind;                      /* NULL: the whole */
	const struct maui_grid_metric *metric; /* NULL: no grid */
};

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static double mean(json_object *figures, const char *key, const char *by)
{
	double count = maui_cmd_double(figures, by);

	return count > 0 ? maui_cmd_double(figures, key) / count : 0;
}

/* ---- the whole ---- */

static void print_since(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	int64_t since_s = maui_cmd_number(result, "since", now_s);
	char span[MAUI_CMD_TIME_SIZE], moment[MAUI_CMD_TIME_SIZE];

	printf("Statistics of %s, since %s\n\n", maui_cmd_span(now_s - since_s, span, sizeof(span)),
	       maui_cmd_moment(since_s, now_s, moment, sizeof(moment)));
}

static void print_gres(json_object *result)
{
	for (size_t i = 0; i < maui_cmd_length(result, "gres"); i++) {
		json_object *gres = maui_cmd_element(result, "gres", i);
		double total = maui_cmd_double(gres, "total");
		double held = total - maui_cmd_double(gres, "unused");
		char name[32];

		snprintf(name, sizeof(name), "%s:", maui_cmd_text(gres, "name"));
		printf("Current Active/Total %-16s %5.0f/%.0f  (%.2f%%)\n", name, held, total,
		       share(held, total));
	}
}

static void print_whole(json_object *result)
{
	json_object *total = maui_cmd_member(result, "total");
	double capacity = maui_cmd_double(result, "capacity") / 3600;
	double dedicated = maui_cmd_double(result, "dedicated") / 3600;
	double jobs = maui_cmd_double(total, "jobs");

	print_since(result);
	printf("Eligible/Idle Jobs:             %10" PRId64 "/%" PRId64 "\n",
	       maui_cmd_number(result, "eligible_jobs", 0),
	       maui_cmd_number(result, "waiting_jobs", 0));
	printf("Active Jobs:                    %10" PRId64 "\n",
	       maui_cmd_number(result, "active_jobs", 0));
	printf("Completed Jobs:                 %10.0f\n", jobs);
	printf("Backfilled Jobs:                %10.0f  (%.2f%%)\n",
	       maui_cmd_double(total, "backfilled"),
	       share(maui_cmd_double(total, "backfilled"), jobs));
	printf("Avg/Max QTime (Hours):          %10.2f/%.2f\n",
	       mean(total, "queue_time", "jobs") / 3600,
	       maui_cmd_double(total, "max_queue_time") / 3600);
	printf("Avg/Max XFactor:                %10.2f/%.2f\n", mean(total, "xfactor", "jobs"),
	       maui_cmd_double(total, "max_xfactor"));
	printf("Avg/Max Bypass:                 %10.2f/%.0f\n", mean(total, "bypass", "jobs"),
	       maui_cmd_double(total, "max_bypass"));
	printf("Dedicated/Total ProcHours:      %10.2f/%.2f  (%.2f%%)\n", dedicated, capacity,
	       share(dedicated, capacity));
	printf("Current Active/Total Procs:     %10.0f/%.0f  (%.2f%%)\n",
	       maui_cmd_double(result, "active_procs"), maui_cmd_double(result, "procs"),
	       share(maui_cmd_double(result, "active_procs"), maui_cmd_double(result, "procs")));
	print_gres(result);
	if (maui_cmd_double(total, "limited_jobs") > 0)
		printf("Avg WallClock Accuracy:         %9.2f%%\n",
		       100 * mean(total, "accuracy", "limited_jobs"));
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

static void add_credential(struct maui_table *table, json_object *row, json_object *total)
{
	char cells[COLUMNS][CELL];
	const char *line[COLUMNS];
	double jobs = maui_cmd_double(row, "jobs");

	for (int i = 0; i < COLUMNS; i++) {
		snprintf(cells[i], CELL, "-----");
		line[i] = cells[i];
	}
	line[NAME] = maui_cmd_text(row, "name");
	snprintf(cells[ACTIVE_JOBS], CELL, "%" PRId64, maui_cmd_number(row, "active_jobs", 0));
	snprintf(cells[ACTIVE_PROCS], CELL, "%.0f", maui_cmd_double(row, "active_procs"));
	snprintf(cells[ACTIVE_HOURS], CELL, "%.2f",
		 maui_cmd_double(row, "active_remaining") / 3600);
	snprintf(cells[JOBS], CELL, "%.0f", jobs);
	if (maui_cmd_member(row, "target"))
		snprintf(cells[TARGET], CELL, "%g", maui_cmd_double(row, "target"));
	if (jobs > 0) {
		snprintf(cells[JOBS_SHARE], CELL, "%.2f",
			 share(jobs, maui_cmd_double(total, "jobs")));
		snprintf(cells[REQUESTED], CELL, "%.1f", maui_cmd_double(row, "requested") / 3600);
		snprintf(cells[REQUESTED_SHARE], CELL, "%.2f",
			 share(maui_cmd_double(row, "requested"),
			       maui_cmd_double(total, "requested")));
		snprintf(cells[DEDICATED], CELL, "%.1f", maui_cmd_double(row, "used") / 3600);
		snprintf(cells[DEDICATED_SHARE], CELL, "%.2f",
			 share(maui_cmd_double(row, "used"), maui_cmd_double(total, "used")));
		snprintf(cells[XFACTOR], CELL, "%.2f", mean(row, "xfactor", "jobs"));
		snprintf(cells[MAX_XFACTOR], CELL, "%.2f", maui_cmd_double(row, "max_xfactor"));
		snprintf(cells[QUEUE_TIME], CELL, "%.2f", mean(row, "queue_time", "jobs") / 3600);
		snprintf(cells[BACKFILLED], CELL, "%.0f", maui_cmd_double(row, "backfilled"));
	}
	if (maui_cmd_double(row, "limited_jobs") > 0)
		snprintf(cells[ACCURACY], CELL, "%.2f",
			 100 * mean(row, "accuracy", "limited_jobs"));
	maui_table_add(table, line);
}

static int print_credentials(const struct options *options, json_object *result)
{
	bool rows_only = maui_cmd_rows_only(&options->common);
	struct maui_column columns[COLUMNS];
	struct maui_table *table;

	for (int i = 0; i < COLUMNS; i++)
		columns[i] = (struct maui_column){ titles[i][rows_only], i != NAME };
	if (!rows_only)
		columns[NAME].title =
			strcmp(options->kind, "account") == 0 ? "acct" : options->kind;
	table = maui_cmd_table(&options->common, columns, COLUMNS);
	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < maui_cmd_length(result, "credentials"); i++)
		add_credential(table, maui_cmd_element(result, "credentials", i),
			       maui_cmd_member(result, "total"));
	if (!rows_only)
		print_since(result);
	maui_cmd_print_table(&options->common, table);
	if (!rows_only && json_object_get_boolean(maui_cmd_member(result, "hidden")))
		printf("\nPrivateData=usage hides the usage of others.\n");
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		MAUI_TABLE_OPTIONS,
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	static const struct {
		int letter;
		const char *kind;
	} kinds[] = {
		{ 'u', "user" }, { 'g', "group" }, { 'a', "account" },
		{ 'q', "qos" },  { 'c', "class" },
	};
	int option, chosen = 0, rc = MAUI_EXIT_OK;
	char names[256];

	maui_cmd_begin(&options->common, argc, argv);
	while ((option = getopt_long(argc, argv, "hVugaqcf:o:", longs, NULL)) != -1) {
		const char *kind = NULL;

		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			kind = kinds[i].letter == option ? kinds[i].kind : kind;
		chosen += kind || option == 'f';
		if (kind) {
			options->kind = kind;
		} else if (option == 'f') {
			options->metric = maui_grid_metric(optarg);
			maui_grid_names(names, sizeof(names));
			if (!options->metric)
				return maui_cmd_misuse(&options->common,
						       "no metric '%.32s'; there are: %s", optarg,
						       names);
		} else {
			rc = maui_cmd_common_option(&options->common, option);
		}
		if (options->common.done)
			return rc;
	}
	if (argc > optind)
		return maui_cmd_misuse(&options->common, "no operand is expected");
	if (chosen > 1)
		return maui_cmd_misuse(&options->common, "one of -u, -g, -a, -q, -c, -f at a time");
	if (chosen == 0 && (options->common.format || options->common.noheader))
		return maui_cmd_misuse(&options->common,
				       "--format and --noheader need a table: -u, -g, -a, -q, -c "
				       "or -f");
	return rc;
}

int maui_cmd_showstats(int argc, char **argv)
{
	struct options options = { .common = { .tool = "showstats", .usage = usage } };
	int rc = parse(argc, argv, &options);
	json_object *args, *result;

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	args = json_object_new_object();
	if (options.kind)
		json_object_object_add(args, "kind", json_object_new_string(options.kind));
	result = maui_cmd_ask(&options.common, MAUI_VERB_STATISTICS, args, &rc);
	if (!result)
		return rc;
	if (options.common.json) {
		maui_cmd_print_json(&options.common, result);
		return MAUI_EXIT_OK;
	}
	if (options.metric)
		rc = maui_grid_print(&options.common, options.metric, result);
	else if (options.kind)
		rc = print_credentials(&options, result);
	else
		print_whole(result);
	json_object_put(result);
	return rc;
}
