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

#include "answers/verbs.h"
#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/missing.h"
#include "cmd/query.h"
#include "report/blocks.h"
#include "verbs/report.h"
#include "verbs/reservations.h"

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

enum { OPT_ASCII = MAUI_OPT_OWN };

struct options {
	struct maui_cmd_common common;
	bool by_node, relative, summary;
	bool chart, ascii;
	int64_t horizon_s; /* of a chart; 0: a day */
	const char *name;
};

static int no_memory(const struct options *options)
{
	fprintf(stderr, "%s: error: out of memory\n", options->common.tool);
	return MAUI_EXIT_ERROR;
}

/* ---- the list ---- */

#define RSV(member) offsetof(struct maui_rsv_row, member)

static const char *say_letter(const void *row, int64_t now_s, char *buf)
{
	static const char *const names[] = { "Running", "Starting", "Idle", "Suspended" };
	static const char letters[] = "RSIZ";
	const struct maui_rsv_row *rsv = row;

	(void)now_s;
	strcpy(buf, "-");
	for (size_t i = 0; rsv->job && i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(rsv->job->state, names[i]) == 0)
			*buf = letters[i];
	return buf;
}

static const char *say_size(const void *row, int64_t now_s, char *buf)
{
	const struct maui_rsv_row *rsv = row;

	(void)now_s;
	snprintf(buf, MAUI_SHOWN_CELL, "%" PRId64 "/%" PRId64, rsv->node_count, rsv->procs);
	return buf;
}

/* -r: without the last one */
static const struct maui_shown rsv_columns[] = {
	{ { "ReservationID", false }, MAUI_SHOWN_TEXT, RSV(name), 0, NULL },
	{ { "Type", true }, MAUI_SHOWN_TEXT, RSV(type), 0, NULL },
	{ { "S", false }, MAUI_SHOWN_AS_SAID, 0, 0, say_letter },
	{ { "Start", true }, MAUI_SHOWN_REMAINING, RSV(start), 0, NULL },
	{ { "End", true }, MAUI_SHOWN_REMAINING, RSV(end), 0, NULL },
	{ { "Duration", true }, MAUI_SHOWN_SPAN, RSV(duration), 0, NULL },
	{ { "N/P", true }, MAUI_SHOWN_AS_SAID, 0, 0, say_size },
	{ { "StartTime", false }, MAUI_SHOWN_DATE, RSV(start), 0, NULL },
};

/* Those that have not got all that they ask for. */
static void print_partial(const struct maui_reservations *answer)
{
	char buf[MAUI_MISSING_SIZE];
	const char *gap = "\n";

	for (size_t i = 0; i < answer->reservations_count; i++) {
		const struct maui_rsv_row *rsv = &answer->reservations[i];
		const char *missing = maui_missing(rsv, buf, sizeof(buf));

		if (!missing)
			continue;
		printf("%s%s is partial: %s\n", gap, rsv->name, missing);
		gap = "";
	}
}

static int print_reservations(const struct maui_reservations *answer, const struct options *options)
{
	const struct maui_shown_list shown = {
		rsv_columns,
		sizeof(rsv_columns) / sizeof(rsv_columns[0]) - (options->relative ? 1 : 0),
	};
	struct maui_table *table = maui_shown_table(&options->common, &shown);
	size_t count = answer->reservations_count;

	if (!table)
		return MAUI_EXIT_USAGE;
	maui_shown_add(table, &shown, answer->reservations, count, sizeof(*answer->reservations),
		       answer->time);
	if (maui_cmd_rows_only(&options->common)) {
		maui_cmd_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("Reservations\n\n");
	maui_cmd_print_table(&options->common, table);
	printf("\n%zu reservation%s located\n", count, count == 1 ? "" : "s");
	print_partial(answer);
	return MAUI_EXIT_OK;
}

/* ---- -n ---- */

/* A line: what a reservation has of one node. */
struct line {
	const char *node, *name, *type, *state;
	int64_t tasks, start, duration;
};

#define LINE(member) offsetof(struct line, member)

static const struct maui_shown line_columns[] = {
	{ { "NodeName", false }, MAUI_SHOWN_TEXT, LINE(node), 0, NULL },
	{ { "Type", true }, MAUI_SHOWN_TEXT, LINE(type), 0, NULL },
	{ { "ReservationID", true }, MAUI_SHOWN_TEXT, LINE(name), 0, NULL },
	{ { "JobState", true }, MAUI_SHOWN_TEXT, LINE(state), 0, NULL },
	{ { "Task", true }, MAUI_SHOWN_NUMBER, LINE(tasks), 0, NULL },
	{ { "Start", true }, MAUI_SHOWN_REMAINING, LINE(start), 0, NULL },
	{ { "Duration", true }, MAUI_SHOWN_SPAN, LINE(duration), 0, NULL },
	{ { "StartTime", false }, MAUI_SHOWN_DATE, LINE(start), 0, NULL },
};

static size_t count_lines(const struct maui_reservations *answer)
{
	size_t count = 0;

	for (size_t i = 0; i < answer->reservations_count; i++)
		for (size_t r = 0; r < answer->reservations[i].nodes_count; r++)
			count += answer->reservations[i].nodes[r].names_count;
	return count;
}

static size_t fill_lines(const struct maui_rsv_row *rsv, struct line *lines)
{
	const char *state = rsv->job ? rsv->job->state : "";
	size_t count = 0;

	for (size_t r = 0; r < rsv->nodes_count; r++)
		for (size_t n = 0; n < rsv->nodes[r].names_count; n++)
			lines[count++] = (struct line){
				.node = rsv->nodes[r].names[n],
				.name = rsv->name,
				.type = rsv->type,
				.state = *state ? state : "N/A",
				.tasks = rsv->nodes[r].tasks,
				.start = rsv->start,
				.duration = rsv->duration,
			};
	return count;
}

static int compare_nodes(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->node, ((const struct line *)b)->node);
}

/* Sorts the lines. */
static size_t count_nodes(struct line *lines, size_t count)
{
	size_t nodes = count > 0 ? 1 : 0;

	qsort(lines, count, sizeof(*lines), compare_nodes);
	for (size_t i = 1; i < count; i++)
		nodes += compare_nodes(&lines[i - 1], &lines[i]) != 0;
	return nodes;
}

static int print_lines(const struct maui_reservations *answer, const struct options *options,
		       struct line *lines)
{
	const struct maui_shown_list shown = {
		line_columns,
		sizeof(line_columns) / sizeof(line_columns[0]) - (options->relative ? 1 : 0),
	};
	struct maui_table *table = maui_shown_table(&options->common, &shown);
	char moment[MAUI_MOMENT_SIZE];
	size_t count = 0;

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < answer->reservations_count; i++)
		count += fill_lines(&answer->reservations[i], lines + count);
	maui_shown_add(table, &shown, lines, count, sizeof(*lines), answer->time);
	if (maui_cmd_rows_only(&options->common)) {
		maui_cmd_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("reservations on %s\n\n",
	       maui_moment_as_maui(answer->time, answer->time, moment, sizeof(moment)));
	maui_cmd_print_table(&options->common, table);
	count = count_nodes(lines, count);
	printf("\n%zu node%s reserved\n", count, count == 1 ? "" : "s");
	print_partial(answer);
	return MAUI_EXIT_OK;
}

static int print_nodes(const struct maui_reservations *answer, const struct options *options)
{
	struct line *lines = calloc(count_lines(answer) + 1, sizeof(*lines));
	int rc = lines ? print_lines(answer, options, lines) : no_memory(options);

	free(lines);
	return rc;
}

/* ---- -s ---- */

#define SUM(member) offsetof(struct maui_reservations_sum, member)

static const struct maui_shown sum_columns[] = {
	{ { "Type", false }, MAUI_SHOWN_TEXT, SUM(type), 0, NULL },
	{ { "Active", true }, MAUI_SHOWN_NUMBER, SUM(active), 0, NULL },
	{ { "Procs", true }, MAUI_SHOWN_NUMBER, SUM(active_procs), 0, NULL },
	{ { "Future", true }, MAUI_SHOWN_NUMBER, SUM(future), 0, NULL },
	{ { "FutureProcs", true }, MAUI_SHOWN_NUMBER, SUM(future_procs), 0, NULL },
};
static const struct maui_shown_list shown_sums = MAUI_SHOWN_LIST(sum_columns);

static void add_sum(struct maui_reservations_sum *to, const struct maui_reservations_sum *sum)
{
	to->active += sum->active;
	to->active_procs += sum->active_procs;
	to->future += sum->future;
	to->future_procs += sum->future_procs;
}

/* In this order, whatever slurmctld's is, and with the total. */
static int print_summary(const struct maui_reservations *answer, const struct options *options)
{
	struct maui_reservations_sum sums[] = {
		{ .type = "Job" },      { .type = "User" },  { .type = "System" },
		{ .type = "Standing" }, { .type = "Slurm" }, { .type = "Total" },
	};
	const size_t count = sizeof(sums) / sizeof(sums[0]), total = count - 1;
	struct maui_table *table = maui_shown_table(&options->common, &shown_sums);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t t = 0; t < total; t++) {
		for (size_t i = 0; i < answer->summary_count; i++)
			if (strcmp(answer->summary[i].type, sums[t].type) == 0)
				add_sum(&sums[t], &answer->summary[i]);
		add_sum(&sums[total], &sums[t]);
	}
	maui_shown_add(table, &shown_sums, sums, count, sizeof(*sums), answer->time);
	if (!maui_cmd_rows_only(&options->common))
		printf("Reservations Summary\n\n");
	maui_cmd_print_table(&options->common, table);
	if (!maui_cmd_rows_only(&options->common))
		printf("\n");
	return MAUI_EXIT_OK;
}

static int print_chart(const struct maui_report *report, const struct options *options)
{
	const struct maui_blocks_options blocks = {
		.width = maui_cmd_width(),
		.ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
		.bare = maui_cmd_rows_only(&options->common),
	};
	char *text = maui_blocks_make(report, &blocks);

	if (!text)
		return no_memory(options);
	printf("%s", text);
	free(text);
	return MAUI_EXIT_OK;
}

/* -g */
static int show_chart(const struct options *options)
{
	const struct maui_report_args args = { .horizon = options->horizon_s,
					       .schedule_only = true };
	struct maui_cmd_answer answer;
	int rc = maui_cmd_ask_verb(&options->common, &maui_verb_report, &args, &answer);

	if (rc != MAUI_EXIT_OK)
		return rc;
	if (options->common.json)
		maui_cmd_answer_print_json(&options->common, &answer);
	else
		rc = print_chart(answer.record, options);
	maui_cmd_answer_finish(&answer);
	return rc;
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

static int show_reservations(const struct options *options)
{
	const struct maui_reservations_args args = {
		.name = options->name,
		.nodes = options->by_node,
		.summary = options->summary,
	};
	struct maui_cmd_answer answer;
	int rc = maui_cmd_ask_verb(&options->common, &maui_verb_reservations, &args, &answer);

	if (rc != MAUI_EXIT_OK)
		return rc;
	if (options->common.json)
		maui_cmd_answer_print_json(&options->common, &answer);
	else if (options->by_node)
		rc = print_nodes(answer.record, options);
	else if (options->summary)
		rc = print_summary(answer.record, options);
	else
		rc = print_reservations(answer.record, options);
	maui_cmd_answer_finish(&answer);
	return rc;
}

int maui_cmd_showres(int argc, char **argv)
{
	struct options options = { .common = { .tool = "showres", .usage = usage } };
	int rc = parse(argc, argv, &options);

	if (rc != MAUI_EXIT_OK || options.common.done)
		return rc;
	setlocale(LC_CTYPE, "");
	return options.chart ? show_chart(&options) : show_reservations(&options);
}
