/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showres.c - showres: reservations, jobs' and others, as Maui listed them
 *
 * Rules: CMD-2, CMD-39.
 */

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/missing.h"
#include "cmd/query.h"
#include "chart/blocks.h"
#include "verbs/report.h"
#include "verbs/reservations.h"

struct options {
	struct maui_tool_common common;
	bool by_node, relative, summary;
	bool chart, ascii;
	int64_t horizon_s; /* of a chart; 0: a day */
};

static const struct maui_option known[] = {
	MAUI_FLAG('n', NULL, options, by_node, "a line for each node of each reservation"),
	MAUI_FLAG('r', NULL, options, relative, "relative times only"),
	MAUI_FLAG('s', NULL, options, summary, "a summary by type"),
	MAUI_FLAG('g', NULL, options, chart, "a chart of nodes over time"),
	MAUI_SPAN('t', NULL, "TIME", options, horizon_s,
		  "with -g: so far ahead, [[DD:]HH:]MM:SS (default: 24:00:00)"),
	MAUI_FLAG(0, "ascii", options, ascii, "with -g: without block characters"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "showres [-n | -s] [-r] [-o COLUMN,...] [--noheader] [--json] [NAME]\n"
		    "showres -g [-t TIME] [--ascii] [--noheader] [--json]",
	.about = "Lists reservations: running jobs, waiting jobs with a job reservation, standing "
		 "reservations of maui.cfg, reservations of setres, and Slurm's own. NAME is an "
		 "instance by its number (class.1) or day (maui.class.20261123), a standing "
		 "reservation with all instances (class), one of Slurm's own, or a job.",
	.options = known,
	.table = true,
	.operands = 1,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such reservation.",
};

/* ---- the list ---- */

#define RSV(member) offsetof(struct maui_rsv_row, member)

static const char *format_letter(const void *row, int64_t now_s, char *buf)
{
	const struct maui_rsv_row *rsv = row;

	(void)now_s;
	(void)buf;
	return maui_job_state_letter(rsv->job ? rsv->job->state : MAUI_JOB_NO_STATE);
}

static const char *format_size(const void *row, int64_t now_s, char *buf)
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
	{ { "S", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_letter },
	{ { "Start", true }, MAUI_SHOWN_REMAINING, RSV(start), 0, NULL },
	{ { "End", true }, MAUI_SHOWN_REMAINING, RSV(end), 0, NULL },
	{ { "Duration", true }, MAUI_SHOWN_SPAN, RSV(duration), 0, NULL },
	{ { "N/P", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_size },
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
	if (maui_tool_rows_only(&options->common)) {
		maui_tool_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("Reservations\n\n");
	maui_tool_print_table(&options->common, table);
	printf("\n%zu reservation%s located\n", count, maui_plural(count));
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
	enum maui_job_state state = rsv->job ? rsv->job->state : MAUI_JOB_NO_STATE;
	size_t count = 0;

	for (size_t r = 0; r < rsv->nodes_count; r++)
		for (size_t n = 0; n < rsv->nodes[r].names_count; n++)
			lines[count++] = (struct line){
				.node = rsv->nodes[r].names[n],
				.name = rsv->name,
				.type = rsv->type,
				.state = maui_job_state_text(state, "N/A"),
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
	if (maui_tool_rows_only(&options->common)) {
		maui_tool_print_table(&options->common, table);
		return MAUI_EXIT_OK;
	}
	printf("reservations on %s\n\n",
	       maui_moment_as_maui(answer->time, answer->time, moment, sizeof(moment)));
	maui_tool_print_table(&options->common, table);
	count = count_nodes(lines, count);
	printf("\n%zu node%s reserved\n", count, maui_plural(count));
	print_partial(answer);
	return MAUI_EXIT_OK;
}

static int print_nodes(const struct maui_reservations *answer, const struct options *options)
{
	struct line *lines = maui_need_list(count_lines(answer), sizeof(*lines));
	int rc = print_lines(answer, options, lines);

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

/* Always in this order, and with the total. */
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
	if (!maui_tool_rows_only(&options->common))
		printf("Reservations Summary\n\n");
	maui_tool_print_table(&options->common, table);
	if (!maui_tool_rows_only(&options->common))
		printf("\n");
	return MAUI_EXIT_OK;
}

static int print_chart(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *options = opts;
	const struct maui_blocks_options blocks = {
		.width = maui_tool_width(),
		.ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
		.bare = maui_tool_rows_only(common),
	};
	char *text = maui_blocks_make(record, &blocks);

	printf("%s", text);
	free(text);
	return MAUI_EXIT_OK;
}

static int check_options(const struct options *options)
{
	if (options->by_node + options->summary + options->chart > 1)
		return maui_tool_misuse(&options->common, "-n, -s or -g, not both");
	if (options->chart &&
	    (options->common.operand_count > 0 || options->relative || options->common.format))
		return maui_tool_misuse(&options->common, "-g shows all nodes: no NAME, -r or -o");
	if (!options->chart && (options->ascii || options->horizon_s))
		return maui_tool_misuse(&options->common, "-t and --ascii belong to -g");
	return MAUI_EXIT_OK;
}

static int print_answer(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *options = opts;

	(void)common;
	return options->by_node ? print_nodes(record, options) :
	       options->summary ? print_summary(record, options) :
				  print_reservations(record, options);
}

static int show(const struct options *options)
{
	const struct maui_report_args chart = { .horizon = options->horizon_s,
						.schedule_only = true };
	const struct maui_reservations_args args = {
		.name = *options->common.operands,
		.nodes = options->by_node,
		.summary = options->summary,
	};

	if (options->chart)
		return maui_cmd_show(&options->common, &maui_verb_report, &chart, print_chart,
				     options);
	return maui_cmd_show(&options->common, &maui_verb_reservations, &args, print_answer,
			     options);
}

static int run_showres(int argc, char **argv)
{
	struct options options = { .common = { .tool = "showres", .command = &command } };
	int rc = maui_cmd_read(&options.common, &options, argc, argv);

	if (options.common.done)
		return rc;
	rc = check_options(&options);
	if (rc != MAUI_EXIT_OK)
		return rc;
	setlocale(LC_CTYPE, "");
	return show(&options);
}

MAUI_COMMAND(showres, "list reservations");
