/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showbf.c - showbf: how many processors are free now, and for how long
 *
 * Rules: CMD-40, CMD-43.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "base/terminal.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/query.h"
#include "explain/text.h"
#include "model/when.h"

enum { COLUMNS = 64, ROWS = 8, HORIZON = 86400 };

struct options {
	struct maui_fits_ask ask;
	int64_t duration_s;
	bool graph, ascii;
};

static int read_duration(struct maui_tool_common *common, void *opts,
			 const struct maui_option *option, const char *text)
{
	struct options *o = opts;
	struct maui_err err;

	(void)option;
	if (maui_duration_parse(text, &o->duration_s, &err))
		return maui_tool_misuse(common, "-d: %s", err.text);
	if (o->duration_s <= 0)
		return maui_tool_misuse(common, "-d %s: must be longer than 0", text);
	if (o->duration_s >= MAUI_TIME_INFINITY)
		o->duration_s = MAUI_NEVER;
	return MAUI_EXIT_OK;
}

/* Maui's comparisons: only "at least" is of use for a job. */
static int read_memory(struct maui_tool_common *common, void *opts,
		       const struct maui_option *option, const char *text)
{
	const char *number = text + (strncmp(text, ">=", 2) == 0 ? 2 : 0);
	struct maui_fits_ask *ask = &((struct options *)opts)->ask;

	int rc = maui_fits_read_memory(common, option, number, &ask->memory.mem);

	/* 0 of a job would be all memory of its nodes */
	ask->args.memory = ask->memory.mem > 0 ? &ask->memory : NULL;
	return rc;
}

static int read_partition(struct maui_tool_common *common, void *opts,
			  const struct maui_option *option, const char *text)
{
	const char **partition = &((struct options *)opts)->ask.args.partition;

	(void)option;
	if (*partition && strcmp(*partition, text) != 0)
		return maui_tool_misuse(common, "-p %s -c %s: a class is a partition of Slurm",
					*partition, text);
	*partition = text;
	return MAUI_EXIT_OK;
}

static const struct maui_option options[] = {
	MAUI_COUNT('n', NULL, "NODES", options, ask.args.least_nodes,
		   "only windows of so many nodes"),
	MAUI_READ('d', NULL, "DURATION", NULL, read_duration,
		  "only windows of at least this length, [[[DD:]HH:]MM:]SS"),
	MAUI_READ('p', NULL, "NAME", NULL, read_partition, NULL),
	MAUI_READ('c', NULL, "NAME", NULL, read_partition,
		  "a partition (Maui's class); default: each"),
	MAUI_TEXT('u', NULL, "USER", options, ask.user, "for another user's jobs"),
	MAUI_TEXT(0, "group", "GROUP", options, ask.group, "for this group; default: the user's"),
	MAUI_TEXT('a', NULL, "ACCOUNT", options, ask.args.account, "for jobs of this account"),
	MAUI_TEXT('q', NULL, "QOS", options, ask.args.qos, "for jobs of this QOS"),
	MAUI_READ('m', NULL, "MEMORY", NULL, read_memory,
		  "processors of nodes with so much memory free, in MB or with K, M, G, T"),
	MAUI_TEXT('f', NULL, "FEATURES", options, ask.args.features,
		  "nodes with these features only, as sbatch -C has them"),
	MAUI_FLAG('g', NULL, options, graph,
		  "draws the free processors over time; -d is the time shown"),
	MAUI_FLAG(0, "ascii", options, ascii, "draws with # only"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "showbf [-n NODES] [-d DURATION] [-p PARTITION] [-c CLASS] [-u USER]\n"
		    "       [-a ACCOUNT] [-q QOS] [-m MEMORY] [-f FEATURES] [-g [--ascii]]\n"
		    "       [--json]",
	.about = "Shows how many processors are free for the user's next job, and for how long.",
	.options = options,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no such user, group, partition, account, QOS "
			    "or feature.",
};

static void complete(struct options *o)
{
	bool ends = o->duration_s > 0 && o->duration_s < MAUI_NEVER;

	if (o->graph) {
		o->ask.args.horizon = ends ? o->duration_s : HORIZON;
		o->ask.args.parts = COLUMNS;
	} else {
		o->ask.args.least = o->duration_s;
	}
}

/* ---- Maui's table ---- */

static void print_windows(const struct maui_fits_partition *partition)
{
	for (size_t i = 0; i < partition->windows_count; i++) {
		const struct maui_fits_window *window = &partition->windows[i];
		char span[MAUI_DURATION_SIZE];

		if (window->seconds == MAUI_NEVER)
			printf("%5" PRId64 " procs available with no timelimit\n", window->procs);
		else
			printf("%5" PRId64 " procs available for %14s\n", window->procs,
			       maui_duration_as_maui(window->seconds, span, sizeof(span)));
	}
	if (partition->windows_count == 0)
		printf("no procs available\n");
	if (*partition->limit)
		printf("limited by %s\n", partition->limit);
}

static void print_reservations(const struct maui_fits *fits)
{
	for (size_t i = 0; i < fits->reservations_count; i++) {
		const struct maui_fits_reservation *rsv = &fits->reservations[i];
		char moment[MAUI_MOMENT_SIZE], span[MAUI_DURATION_SIZE];

		printf("reservation %s admits the user", rsv->name);
		if (rsv->longest != MAUI_NEVER)
			printf(" for jobs of at most %s",
			       maui_duration_as_maui(rsv->longest, span, sizeof(span)));
		printf(": %" PRId64 " proc%s on %" PRId64 " node%s, from %s", rsv->procs,
		       maui_plural(rsv->procs), rsv->nodes, maui_plural(rsv->nodes),
		       maui_moment_plain(rsv->start, MAUI_NOT_BEFORE, fits->time, moment,
					 sizeof(moment)));
		printf(" %s%s\n", rsv->end == MAUI_NEVER ? "on" : "to ",
		       rsv->end == MAUI_NEVER ?
			       "" :
			       maui_moment_plain(rsv->end, MAUI_NOT_AFTER, fits->time, moment,
						 sizeof(moment)));
	}
}

static void print_title(const struct maui_fits *fits, const struct maui_fits_partition *partition,
			const struct maui_fits_args *asked)
{
	bool one_of_all = asked->partition || fits->partitions_count > 1;
	char now[MAUI_MOMENT_SIZE];

	printf("backfill window (user: '%s'", fits->user);
	if (*fits->group)
		printf(" group: '%s'", fits->group);
	if (asked->account)
		printf(" account: '%s'", asked->account);
	printf(" partition: %s)", one_of_all ? partition->name : "ALL");
	printf(" %s\n\n", maui_moment_as_maui(fits->time, fits->time, now, sizeof(now)));
}

/* ---- the picture ---- */

/* The part of a row that a column fills, in eighths. */
static int eighths(int64_t procs, int64_t top, int row)
{
	int64_t filled = top > 0 ? (procs * ROWS * 8 + top / 2) / top - (int64_t)row * 8 : 0;

	if (row == 0 && filled == 0 && procs > 0)
		filled = 1; /* the smallest part still shows */
	return filled < 0 ? 0 : filled > 8 ? 8 : (int)filled;
}

static void print_row(const struct maui_fits_graph *graph, int64_t top, int row, bool ascii)
{
	static const char *const blocks[] = { " ",      "\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588" };
	char line[COLUMNS * 4 + 1] = "";
	size_t length = 0;

	for (size_t i = 0; i < graph->free_procs_count && i < COLUMNS; i++) {
		int part = eighths(graph->free_procs[i], top, row);

		length += (size_t)snprintf(line + length, sizeof(line) - length, "%s",
					   !ascii                              ? blocks[part] :
					   part >= 4 || (row == 0 && part > 0) ? "#" :
										 " ");
	}
	while (length > 0 && line[length - 1] == ' ')
		line[--length] = '\0';
	if (row == ROWS - 1)
		printf("%8" PRId64 " |%s\n", top, line);
	else if (row == ROWS / 2 - 1 && top % 2 == 0)
		printf("%8" PRId64 " |%s\n", top / 2, line);
	else
		printf("%8s |%s\n", "", line);
}

static void print_axis(int64_t step_s, int64_t now_s)
{
	char times[COLUMNS + 32];

	printf("%8d +", 0);
	for (int i = 0; i < COLUMNS; i++)
		putchar(i % (COLUMNS / 4) ? '-' : '+');
	printf("\n%9s", "");
	for (int i = 0; i < 4; i++) {
		int64_t when_s = now_s + step_s * i * (COLUMNS / 4);
		char moment[MAUI_MOMENT_SIZE];

		snprintf(times, sizeof(times), "%s",
			 maui_moment_plain(when_s, MAUI_NOT_AFTER, now_s, moment, sizeof(moment)));
		printf(" %-*s", i < 3 ? COLUMNS / 4 - 1 : 1, times);
	}
	printf("\n");
}

static void print_picture(const struct maui_fits_partition *partition, int64_t now_s, bool ascii)
{
	static const struct maui_fits_graph none = { .free_step = 1 };
	const struct maui_fits_graph *graph = partition->graph ? partition->graph : &none;

	for (int row = ROWS - 1; row >= 0; row--)
		print_row(graph, partition->procs, row, ascii);
	print_axis(graph->free_step, now_s);
}

static int print_answer(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *o = opts;
	const struct maui_fits *fits = record;
	char text[MAUI_NO_STARTS_SIZE];

	(void)common;
	for (size_t i = 0; i < fits->partitions_count; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (i > 0)
			printf("\n");
		print_title(fits, partition, &o->ask.args);
		if (o->graph)
			print_picture(partition, fits->time, o->ascii || !maui_terminal_is_utf8());
		else
			print_windows(partition);
		if (*partition->obstacle)
			printf("%s\n", partition->obstacle);
	}
	if (*fits->no_starts)
		printf("\n%s\n", maui_explain_no_starts(fits->no_starts, text, sizeof(text)));
	if (fits->reservations_count > 0)
		printf("\n");
	print_reservations(fits);
	return MAUI_EXIT_OK;
}

static int run_showbf(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "showbf", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	if (common.done)
		return rc;
	complete(&o);
	return maui_fits_show(&common, &o.ask, print_answer, &o);
}

MAUI_COMMAND(showbf, "show free processors, and for how long");
