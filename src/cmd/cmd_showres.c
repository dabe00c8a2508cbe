/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showres.c - showres: reservations, jobs' and others, as Maui listed them
 *
 * Rules: CMD-2, CMD-39.
 */

#include <getopt.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "cmd/table.h"
#include "model/when.h"
#include "answers/verbs.h"
#include "report/blocks.h"

static const char usage[] =
	"usage: showres [-n | -s] [-r] [-o COLUMN,...] [--noheader] [--json] [NAME]\n"
	"       showres -g [-t TIME] [--ascii] [--noheader] [--json]\n"
	"\n"
	"Lists reservations: running jobs, waiting jobs with a job reservation, standing reservations\n"
	"of maui.cfg, reservations of setres, and Slurm's own. NAME is an instance by its number\n"
	"(class.1) or day (maui.class.20261123), a standing reservation with all instances (class),\n"
	"one of Slurm's own, or a job.\n"
	"\n"
	"  -n          a line for each node of each reservation\n"
	"  -r          relative times only\n"
	"  -s          a summary by type\n"
	"  -g          a chart of nodes over time; with -t TIME, [[DD:]HH:]MM:SS, so far ahead\n"
	"  --ascii     with -g: without block characters\n" MAUI_TABLE_USAGE
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such reservation.\n";

enum { CELL = 32, OPT_ASCII = MAUI_OPT_OWN };

struct options {
	struct maui_cmd_common common;
	bool by_node, relative, summary;
	bool chart, ascii;
	int64_t horizon_s; /* of a chart; 0: a day */
	const char *name;
};

static char state_letter(json_object *rsv)
{
	static const char *const names[] = { "Running", "Starting", "Idle", "Suspended" };
	static const char letters[] = "RSIZ";
	const char *state = maui_cmd_text(rsv, "state");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(state, names[i]) == 0)
			return letters[i];
	return '-';
}

static const char *relative_to(int64_t now_s, int64_t when_s, char *buf)
{
	return maui_cmd_span(when_s == MAUI_NEVER ? MAUI_NEVER : when_s - now_s, buf,
			     MAUI_CMD_TIME_SIZE);
}

static void add_reservation(struct maui_table *table, json_object *rsv, int64_t now_s)
{
	char state[2] = { state_letter(rsv), '\0' }, np[2 * CELL], moment[MAUI_CMD_TIME_SIZE];
	char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE], duration[MAUI_CMD_TIME_SIZE];
	int64_t start_s = maui_cmd_number(rsv, "start", 0);
	const char *cells[] = {
		maui_cmd_text(rsv, "name"),
		maui_cmd_text(rsv, "type"),
		state,
		relative_to(now_s, start_s, start),
		relative_to(now_s, maui_cmd_number(rsv, "end", MAUI_NEVER), end),
		maui_cmd_span(maui_cmd_number(rsv, "duration", MAUI_NEVER), duration,
			      sizeof(duration)),
		np,
		maui_cmd_moment(start_s, now_s, moment, sizeof(moment)),
	};

	snprintf(np, sizeof(np), "%" PRId64 "/%" PRId64, maui_cmd_number(rsv, "node_count", 0),
		 maui_cmd_number(rsv, "procs", 0));
	maui_table_add(table, cells);
}

/* Those that have not got all that they ask for. */
static void print_partial(json_object *result)
{
	char buf[MAUI_CMD_MISSING_SIZE];
	const char *gap = "\n";

	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++) {
		json_object *rsv = maui_cmd_element(result, "reservations", i);
		const char *missing = maui_cmd_missing(rsv, buf, sizeof(buf));

		if (!missing)
			continue;
		printf("%s%s is partial: %s\n", gap, maui_cmd_text(rsv, "name"), missing);
		gap = "";
	}
}

static int print_reservations(json_object *result, const struct options *options)
{
	static const struct maui_column columns[] = {
		{ "ReservationID", false },
		{ "Type", true },
		{ "S", false },
		{ "Start", true },
		{ "End", true },
		{ "Duration", true },
		{ "N/P", true },
		{ "StartTime", false },
	};
	size_t count = maui_cmd_length(result, "reservations");
	size_t shown = sizeof(columns) / sizeof(columns[0]) - (options->relative ? 1 : 0);
	struct maui_table *table = maui_cmd_table(&options->common, columns, shown);
	int64_t now_s = maui_cmd_number(result, "time", 0);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < count; i++)
		add_reservation(table, maui_cmd_element(result, "reservations", i), now_s);
	if (maui_cmd_rows_only(&options->common)) {
		maui_cmd_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("Reservations\n\n");
	maui_cmd_print_table(&options->common, table);
	printf("\n%zu reservation%s located\n", count, count == 1 ? "" : "s");
	print_partial(result);
	return MAUI_EXIT_OK;
}

/* One line a node, which is entered into `seen` too. */
static void add_nodes(struct maui_table *table, json_object *rsv, int64_t now_s, json_object *seen)
{
	char start[MAUI_CMD_TIME_SIZE], duration[MAUI_CMD_TIME_SIZE], moment[MAUI_CMD_TIME_SIZE];
	char tasks[CELL];
	int64_t start_s = maui_cmd_number(rsv, "start", 0);
	const char *state = maui_cmd_text(rsv, "state");
	const char *cells[] = { "",
				maui_cmd_text(rsv, "type"),
				maui_cmd_text(rsv, "name"),
				*state ? state : "N/A",
				tasks,
				relative_to(now_s, start_s, start),
				maui_cmd_span(maui_cmd_number(rsv, "duration", MAUI_NEVER),
					      duration, sizeof(duration)),
				maui_cmd_moment(start_s, now_s, moment, sizeof(moment)) };

	for (size_t r = 0; r < maui_cmd_length(rsv, "nodes"); r++) {
		json_object *run = maui_cmd_element(rsv, "nodes", r);

		snprintf(tasks, sizeof(tasks), "%" PRId64, maui_cmd_number(run, "tasks", 0));
		for (size_t n = 0; n < maui_cmd_length(run, "names"); n++) {
			cells[0] = json_object_get_string(maui_cmd_element(run, "names", n));
			json_object_object_add(seen, cells[0], NULL);
			maui_table_add(table, cells);
		}
	}
}

static int print_nodes(json_object *result, const struct options *options)
{
	static const struct maui_column columns[] = {
		{ "NodeName", false }, { "Type", true },       { "ReservationID", true },
		{ "JobState", true },  { "Task", true },       { "Start", true },
		{ "Duration", true },  { "StartTime", false },
	};
	size_t shown = sizeof(columns) / sizeof(columns[0]) - (options->relative ? 1 : 0);
	struct maui_table *table = maui_cmd_table(&options->common, columns, shown);
	int64_t now_s = maui_cmd_number(result, "time", 0);
	json_object *seen;
	char moment[MAUI_CMD_TIME_SIZE];
	int count;

	if (!table)
		return MAUI_EXIT_USAGE;
	seen = json_object_new_object();
	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++)
		add_nodes(table, maui_cmd_element(result, "reservations", i), now_s, seen);
	count = json_object_object_length(seen);
	json_object_put(seen);
	if (maui_cmd_rows_only(&options->common)) {
		maui_cmd_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("reservations on %s\n\n", maui_cmd_moment(now_s, now_s, moment, sizeof(moment)));
	maui_cmd_print_table(&options->common, table);
	printf("\n%d node%s reserved\n", count, count == 1 ? "" : "s");
	print_partial(result);
	return MAUI_EXIT_OK;
}

static void add_sum(struct maui_table *table, const char *type, const int64_t *numbers)
{
	char cells[4][CELL];
	const char *row[] = { type, cells[0], cells[1], cells[2], cells[3] };

	for (int i = 0; i < 4; i++)
		snprintf(cells[i], CELL, "%" PRId64, numbers[i]);
	maui_table_add(table, row);
}

/* In this order, whatever slurmctld's is, and with the total. */
static int print_summary(json_object *result, const struct options *options)
{
	static const struct maui_column columns[] = {
		{ "Type", false },  { "Active", true },      { "Procs", true },
		{ "Future", true }, { "FutureProcs", true },
	};
	static const char *const types[] = { "Job", "User", "System", "Standing", "Slurm" };
	static const char *const keys[] = { "active", "active_procs", "future", "future_procs" };
	struct maui_table *table =
		maui_cmd_table(&options->common, columns, sizeof(columns) / sizeof(columns[0]));
	int64_t total[4] = { 0 };

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++) {
		int64_t sum[4] = { 0 };

		for (size_t i = 0; i < maui_cmd_length(result, "summary"); i++) {
			json_object *one = maui_cmd_element(result, "summary", i);
			bool is = strcmp(maui_cmd_text(one, "type"), types[t]) == 0;

			for (int k = 0; k < 4 && is; k++)
				sum[k] += maui_cmd_number(one, keys[k], 0);
		}
		add_sum(table, types[t], sum);
		for (int k = 0; k < 4; k++)
			total[k] += sum[k];
	}
	add_sum(table, "Total", total);
	if (!maui_cmd_rows_only(&options->common))
		printf("Reservations Summary\n\n");
	maui_cmd_print_table(&options->common, table);
	if (!maui_cmd_rows_only(&options->common))
		printf("\n");
	return MAUI_EXIT_OK;
}

static int print_chart(json_object *result, const struct options *options)
{
	const struct maui_blocks_options blocks = {
		.width = maui_cmd_width(),
		.ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
		.bare = maui_cmd_rows_only(&options->common),
	};
	char *text = maui_blocks_make(result, &blocks);

	if (!text) {
		fprintf(stderr, "%s: error: out of memory\n", options->common.tool);
		return MAUI_EXIT_ERROR;
	}
	printf("%s", text);
	free(text);
	return MAUI_EXIT_OK;
}

static int take_horizon(struct options *options)
{
	struct maui_err err;

	if (maui_duration_parse(optarg, &options->horizon_s, &err) == 0 && options->horizon_s > 0 &&
	    options->horizon_s <= MAUI_REPORT_MAX_HORIZON_S)
		return MAUI_EXIT_OK;
	return maui_cmd_misuse(&options->common, "-t '%s' must be between 1 second and 1 year",
			       optarg);
}

static int take_option(struct options *options, int option)
{
	switch (option) {
	case 'n':
		options->by_node = true;
		return MAUI_EXIT_OK;
	case 'r':
		options->relative = true;
		return MAUI_EXIT_OK;
	case 's':
		options->summary = true;
		return MAUI_EXIT_OK;
	case 'g':
		options->chart = true;
		return MAUI_EXIT_OK;
	case 't':
		return take_horizon(options);
	case OPT_ASCII:
		options->ascii = true;
		return MAUI_EXIT_OK;
	default:
		return maui_cmd_common_option(&options->common, option);
	}
}

static int check_options(const struct options *options, int operands)
{
	if (operands > 1)
		return maui_cmd_misuse(&options->common, "one NAME at most");
	if (options->by_node + options->summary + options->chart > 1)
		return maui_cmd_misuse(&options->common, "-n, -s or -g, not both");
	if (options->chart && (operands > 0 || options->relative || options->common.format))
		return maui_cmd_misuse(&options->common, "-g shows all nodes: no NAME, -r or -o");
	if (!options->chart && (options->ascii || options->horizon_s))
		return maui_cmd_misuse(&options->common, "-t and --ascii belong to -g");
	return MAUI_EXIT_OK;
}

static int parse(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
		{ "ascii", no_argument, NULL, OPT_ASCII },
		MAUI_TABLE_OPTIONS,
		MAUI_COMMON_OPTIONS,
		{ 0 },
	};
	int option;

	maui_cmd_begin(&options->common, argc, argv);
	while ((option = getopt_long(argc, argv, "hVo:nrsgt:", longs, NULL)) != -1) {
		int rc = take_option(options, option);

		if (rc != MAUI_EXIT_OK || options->common.done)
			return rc;
	}
	options->name = argv[optind];
	return check_options(options, argc - optind);
}

static json_object *arguments(const struct options *options)
{
	json_object *args = json_object_new_object();

	if (options->name)
		json_object_object_add(args, "name", json_object_new_string(options->name));
	if (options->by_node)
		json_object_object_add(args, "nodes", json_object_new_boolean(1));
	if (options->summary)
		json_object_object_add(args, "summary", json_object_new_boolean(1));
	if (options->chart)
		json_object_object_add(args, "schedule_only", json_object_new_boolean(1));
	if (options->horizon_s)
		json_object_object_add(args, "horizon", json_object_new_int64(options->horizon_s));
	return args;
}

int maui_cmd_showres(int argc, char **argv)
{
	struct options options = { .common = { .tool = "showres", .usage = usage } };
	json_object *result;
	int rc = parse(argc, argv, &options);

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	setlocale(LC_CTYPE, "");
	result = maui_cmd_ask(&options.common,
			      options.chart ? MAUI_VERB_REPORT : MAUI_VERB_RESERVATIONS,
			      arguments(&options), &rc);
	if (!result)
		return rc;
	if (options.common.json) {
		maui_cmd_print_json(&options.common, result);
		return MAUI_EXIT_OK;
	}
	if (options.chart)
		rc = print_chart(result, &options);
	else if (options.by_node)
		rc = print_nodes(result, &options);
	else if (options.summary)
		rc = print_summary(result, &options);
	else
		rc = print_reservations(result, &options);
	json_object_put(result);
	return rc;
}
