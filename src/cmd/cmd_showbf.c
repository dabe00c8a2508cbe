/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showbf.c - showbf: how many processors are free now, and for how long
 *
 * Rules: CMD-40, CMD-43.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: showbf [-n NODES] [-d DURATION] [-p PARTITION] [-c CLASS] [-u USER]\n"
	"              [-a ACCOUNT] [-q QOS] [-m MEMORY] [-f FEATURES] [-g [--ascii]] [--json]\n"
	"\n"
	"Shows how many processors are free for the user's next job, and for how long.\n"
	"\n"
	"  -n NODES       only windows of so many nodes\n"
	"  -d DURATION    only windows of at least this length, [[[DD:]HH:]MM:]SS\n"
	"  -p, -c NAME    a partition (Maui's class); default: each\n"
	"  -u USER        for another user's jobs\n"
	"  --group GROUP  for this group; default: the user's\n"
	"  -a ACCOUNT, -q QOS   for jobs of this account, of this QOS\n"
	"  -m MEMORY      processors of nodes with so much memory free, in MB or with K, M, G, T\n"
	"  -f FEATURES    nodes with these features only, as sbatch -C has them\n"
	"  -g             draws the free processors over time; -d is the time shown\n"
	"  --ascii        draws with # only\n"
	"  --json         one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no such user or partition.\n";

enum { ASCII = MAUI_OPT_OWN, GROUP, COLUMNS = 64, ROWS = 8, HORIZON = 86400 };

struct options {
	struct maui_cmd_common common;
	const char *user, *group, *account, *qos, *partition, *features;
	int64_t nodes, duration_s, mem;
	bool graph, ascii;
};

static int read_duration(struct options *o, const char *text)
{
	struct maui_err err;

	if (maui_duration_parse(text, &o->duration_s, &err))
		return maui_cmd_misuse(&o->common, "-d: %s", err.text);
	if (o->duration_s <= 0)
		return maui_cmd_misuse(&o->common, "-d %s: no time at all", text);
	if (o->duration_s >= MAUI_TIME_INFINITY)
		o->duration_s = MAUI_NEVER;
	return MAUI_EXIT_OK;
}

/* Maui's comparisons: only "at least" is of use for a job. */
static int read_memory(struct options *o, const char *text)
{
	const char *number = text + (strncmp(text, ">=", 2) == 0 ? 2 : 0);

	if (maui_fits_read_memory(number, &o->mem))
		return maui_cmd_misuse(&o->common, "-m %s: not an amount of memory", text);
	return MAUI_EXIT_OK;
}

static int option_given(struct options *o, int option)
{
	switch (option) {
	case 'n':
		if (maui_fits_read_count(optarg, 1, &o->nodes))
			return maui_cmd_misuse(&o->common, "-n %s: not a number of nodes", optarg);
		return MAUI_EXIT_OK;
	case 'd':
		return read_duration(o, optarg);
	case 'm':
		return read_memory(o, optarg);
	case 'p':
	case 'c':
		if (o->partition && strcmp(o->partition, optarg) != 0)
			return maui_cmd_misuse(&o->common,
					       "-p %s -c %s: a class is a partition of Slurm",
					       o->partition, optarg);
		o->partition = optarg;
		return MAUI_EXIT_OK;
	case 'u':
		o->user = optarg;
		return MAUI_EXIT_OK;
	case GROUP:
		o->group = optarg;
		return MAUI_EXIT_OK;
	case 'a':
		o->account = optarg;
		return MAUI_EXIT_OK;
	case 'q':
		o->qos = optarg;
		return MAUI_EXIT_OK;
	case 'f':
		o->features = optarg;
		return MAUI_EXIT_OK;
	case 'g':
		o->graph = true;
		return MAUI_EXIT_OK;
	case ASCII:
		o->ascii = true;
		return MAUI_EXIT_OK;
	default:
		return maui_cmd_common_option(&o->common, option);
	}
}

static json_object *arguments(const struct options *o)
{
	json_object *args = json_object_new_object();
	int64_t horizon_s =
		o->duration_s > 0 && o->duration_s < MAUI_NEVER ? o->duration_s : HORIZON;

	maui_fits_add_caller(args, o->user, o->group);
	maui_fits_add_text(args, "account", o->account);
	maui_fits_add_text(args, "qos", o->qos);
	maui_fits_add_text(args, "partition", o->partition);
	maui_fits_add_text(args, "features", o->features);
	if (o->mem > 0)
		json_object_object_add(args, "mem", json_object_new_int64(o->mem));
	json_object_object_add(args, "least_nodes", json_object_new_int64(o->nodes));
	if (!o->graph)
		json_object_object_add(args, "least", json_object_new_int64(o->duration_s));
	if (o->graph) {
		json_object_object_add(args, "horizon", json_object_new_int64(horizon_s));
		json_object_object_add(args, "parts", json_object_new_int64(COLUMNS));
	}
	return args;
}

/* ---- Maui's table ---- */

static void print_windows(json_object *partition)
{
	size_t count = maui_cmd_length(partition, "windows");

	for (size_t i = 0; i < count; i++) {
		json_object *window = maui_cmd_element(partition, "windows", i);
		int64_t seconds = maui_cmd_number(window, "seconds", MAUI_NEVER);
		int64_t procs = maui_cmd_number(window, "procs", 0);
		char span[MAUI_CMD_TIME_SIZE];

		if (seconds == MAUI_NEVER)
			printf("%5" PRId64 " procs available with no timelimit\n", procs);
		else
			printf("%5" PRId64 " procs available for %14s\n", procs,
			       maui_cmd_span(seconds, span, sizeof(span)));
	}
	if (count == 0)
		printf("no procs available\n");
	if (*maui_cmd_text(partition, "limit"))
		printf("limited by %s\n", maui_cmd_text(partition, "limit"));
}

static void print_reservations(json_object *result, int64_t now_s)
{
	for (size_t i = 0; i < maui_cmd_length(result, "reservations"); i++) {
		json_object *rsv = maui_cmd_element(result, "reservations", i);
		int64_t end_s = maui_cmd_number(rsv, "end", MAUI_NEVER);
		char start[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE];

		int64_t procs = maui_cmd_number(rsv, "procs", 0);
		int64_t nodes = maui_cmd_number(rsv, "nodes", 0);

		printf("reservation %s admits the user: %" PRId64 " proc%s on %" PRId64
		       " node%s, from %s",
		       maui_cmd_text(rsv, "name"), procs, procs == 1 ? "" : "s", nodes,
		       nodes == 1 ? "" : "s",
		       maui_fits_moment(maui_cmd_number(rsv, "start", 0), now_s, start,
					sizeof(start)));
		printf(" %s%s\n", end_s == MAUI_NEVER ? "on" : "to ",
		       end_s == MAUI_NEVER ? "" : maui_fits_moment(end_s, now_s, end, sizeof(end)));
	}
}

static void print_title(json_object *result, json_object *partition, const struct options *o,
			int64_t now_s)
{
	size_t count = maui_cmd_length(result, "partitions");
	char now[MAUI_CMD_TIME_SIZE];

	printf("backfill window (user: '%s'", maui_cmd_text(result, "user"));
	if (*maui_cmd_text(result, "group"))
		printf(" group: '%s'", maui_cmd_text(result, "group"));
	if (o->account)
		printf(" account: '%s'", maui_cmd_text(result, "account"));
	printf(" partition: %s)",
	       o->partition || count > 1 ? maui_cmd_text(partition, "name") : "ALL");
	printf(" %s\n\n", maui_cmd_moment(now_s, now_s, now, sizeof(now)));
}

/* ---- the picture ---- */

static bool is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "UTF8");
	}
	return false;
}

/* The part of a row that a column fills, in eighths. */
static int eighths(int64_t procs, int64_t top, int row)
{
	int64_t filled = top > 0 ? (procs * ROWS * 8 + top / 2) / top - (int64_t)row * 8 : 0;

	if (row == 0 && filled == 0 && procs > 0)
		filled = 1; /* the smallest part still shows */
	return filled < 0 ? 0 : filled > 8 ? 8 : (int)filled;
}

static void print_row(json_object *partition, int64_t top, int row, bool ascii)
{
	static const char *const blocks[] = { " ",      "\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588" };
	char line[COLUMNS * 4 + 1] = "";
	size_t length = 0;

	for (size_t i = 0; i < maui_cmd_length(partition, "free_procs"); i++) {
		json_object *procs = maui_cmd_element(partition, "free_procs", i);
		int part = eighths(json_object_get_int64(procs), top, row);

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

static void print_axis(json_object *partition, int64_t now_s)
{
	int64_t step_s = maui_cmd_number(partition, "free_step", 1);
	char times[COLUMNS + 32];

	printf("%8d +", 0);
	for (int i = 0; i < COLUMNS; i++)
		putchar(i % (COLUMNS / 4) ? '-' : '+');
	printf("\n%9s", "");
	for (int i = 0; i < 4; i++) {
		int64_t when_s = now_s + step_s * i * (COLUMNS / 4);
		char moment[MAUI_CMD_TIME_SIZE];

		snprintf(times, sizeof(times), "%s",
			 maui_fits_moment(when_s, now_s, moment, sizeof(moment)));
		printf(" %-*s", i < 3 ? COLUMNS / 4 - 1 : 1, times);
	}
	printf("\n");
}

static void print_picture(json_object *partition, int64_t now_s, bool ascii)
{
	int64_t top = maui_cmd_number(partition, "procs", 0);

	for (int row = ROWS - 1; row >= 0; row--)
		print_row(partition, top, row, ascii);
	print_axis(partition, now_s);
}

static void print_answer(json_object *result, const struct options *o)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	size_t count = maui_cmd_length(result, "partitions");

	for (size_t i = 0; i < count; i++) {
		json_object *partition = maui_cmd_element(result, "partitions", i);

		if (i > 0)
			printf("\n");
		print_title(result, partition, o, now_s);
		if (o->graph)
			print_picture(partition, now_s, o->ascii || !is_utf8());
		else
			print_windows(partition);
		if (*maui_cmd_text(partition, "obstacle"))
			printf("%s\n", maui_cmd_text(partition, "obstacle"));
	}
	if (*maui_cmd_text(result, "no_starts"))
		printf("\nno job is started at present: %s\n", maui_cmd_text(result, "no_starts"));
	if (maui_cmd_length(result, "reservations") > 0)
		printf("\n");
	print_reservations(result, now_s);
}

int maui_cmd_showbf(int argc, char **argv)
{
	static const struct option longs[] = {
		MAUI_COMMON_OPTIONS,
		{ "ascii", no_argument, NULL, ASCII },
		{ "group", required_argument, NULL, GROUP },
		{ 0 },
	};
	struct options o = { .common = { .tool = "showbf", .usage = usage } };
	json_object *result;
	int option, rc;

	maui_cmd_begin(&o.common, argc, argv);
	while ((option = getopt_long(argc, argv, "a:c:d:f:ghVm:n:p:q:u:", longs, NULL)) != -1) {
		rc = option_given(&o, option);
		if (rc != MAUI_EXIT_OK || o.common.done)
			return rc;
	}
	if (optind < argc)
		return maui_cmd_misuse(&o.common, "'%s' is no option", argv[optind]);
	result = maui_fits_ask_for(&o.common, o.user, arguments(&o), &rc);
	if (!result)
		return rc;
	if (o.common.json) {
		maui_cmd_print_json(&o.common, result);
		return MAUI_EXIT_OK;
	}
	print_answer(result, &o);
	json_object_put(result);
	return MAUI_EXIT_OK;
}
