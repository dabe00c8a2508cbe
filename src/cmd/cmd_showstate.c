/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstate.c - showstate: active jobs on a map of the nodes, the scheduler, what is wrong
 *
 * Each of the largest jobs has a letter, which stands on the nodes that the job has alone. Above
 * 200 nodes, nodes with the same sign share a line.
 *
 * Rules: CMD-49.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answers/verbs.h"
#include "base/hostrange.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: showstate [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Shows the largest active jobs and the nodes that they have, how the scheduler does, and\n"
	"what is wrong. With --noheader or --format it lists the jobs only.\n"
	"\n" MAUI_TABLE_USAGE "  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached.\n";

enum {
	CELL = 32,
	CELLS_OF_A_LINE = 16, /* of the map: as Maui, and within 80 columns */
	MAP_MAX = 200,        /* nodes with a cell of their own */
	OLD_S = 300,          /* a plan of this age is a problem */
	NODE_NAME = 0,        /* members of a row of `nodes` */
	NODE_STATE,
	NODE_JOB,
	NODE_JOBS,
	NODE_RESERVED,
};

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/* Characters other than letters; Maui's own where Maui has them. */
static const struct {
	char sign;
	const char *meaning;
} signs[] = {
	{ ' ', "idle" },        { '=', "idle, reserved" },     { '&', "several jobs" },
	{ '+', "another job" }, { '@', "busy without a job" }, { '!', "drained" },
	{ '#', "down" },        { '*', "down with a job" },    { '?', "no answer yet" },
};

/* ---- jobs ---- */

static int print_jobs(const struct maui_cmd_common *common, json_object *result)
{
	bool rows_only = maui_cmd_rows_only(common);
	const struct maui_column columns[] = {
		{ rows_only ? "Map" : "", false },
		{ "JobName", false },
		{ "S", false },
		{ "User", true },
		{ "Group", true },
		{ "Procs", true },
		{ "Remaining", true },
		{ "StartTime", true },
	};
	struct maui_table *table =
		maui_cmd_table(common, columns, sizeof(columns) / sizeof(columns[0]));
	const unsigned widths[] = { 3, 15, 1, 9, 8, 6, 11, 19 }; /* Maui's, in 80 columns */
	int64_t now_s = maui_cmd_number(result, "time", 0);

	if (!table)
		return MAUI_EXIT_USAGE;
	if (!rows_only)
		maui_table_widen(table, widths);
	for (size_t i = 0; i < maui_cmd_length(result, "jobs") && letters[i]; i++) {
		json_object *job = maui_cmd_element(result, "jobs", i);
		int64_t end_s = maui_cmd_number(job, "end", MAUI_NEVER);
		const char *state = maui_cmd_text(job, "state");
		char map[CELL], procs[CELL], left[MAUI_CMD_TIME_SIZE], start[MAUI_CMD_TIME_SIZE];

		snprintf(map, sizeof(map), "(%c)", letters[i]);
		snprintf(procs, sizeof(procs), "%" PRId64, maui_cmd_number(job, "procs", 0));
		maui_table_add(table,
			       (const char *const[]){
				       map, maui_cmd_text(job, "job"),
				       strcmp(state, "Suspended") == 0 ? "Z" :
				       strcmp(state, "Starting") == 0  ? "S" :
									 "R",
				       maui_cmd_text(job, "user"), maui_cmd_text(job, "group"),
				       procs,
				       maui_cmd_span(end_s == MAUI_NEVER ? end_s : end_s - now_s,
						     left, sizeof(left)),
				       maui_cmd_moment(maui_cmd_number(job, "start", 0), now_s,
						       start, sizeof(start)) });
	}
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}

static void print_usage(json_object *result)
{
	int64_t jobs = maui_cmd_number(result, "active_jobs", 0);
	int64_t listed = (int64_t)maui_cmd_length(result, "jobs");
	int64_t nodes = maui_cmd_number(result, "active_nodes", -1);

	if (jobs > listed)
		printf("and %" PRId64 " smaller jobs: showq -r lists all\n", jobs - listed);
	printf("\nusage summary:  %" PRId64 " active job%s", jobs, jobs == 1 ? "" : "s");
	if (nodes >= 0)
		printf("  %" PRId64 " of %" PRId64 " nodes active", nodes,
		       maui_cmd_number(result, "node_count", 0));
	printf("  %" PRId64 " of %" PRId64 " processors in use\n",
	       maui_cmd_number(result, "active_procs", 0), maui_cmd_number(result, "procs", 0));
	maui_cmd_print_gres(result, "  not in use: ", "");
	printf("\n");
}

/* ---- nodes ---- */

static json_object *cell_of(json_object *row, size_t at)
{
	return json_object_is_type(row, json_type_array) ? json_object_array_get_idx(row, at) :
							   NULL;
}

static const char *name_of(json_object *row)
{
	const char *name = json_object_get_string(cell_of(row, NODE_NAME));

	return name ? name : "";
}

static char sign_of(json_object *row)
{
	const char *state = json_object_get_string(cell_of(row, NODE_STATE));
	json_object *job = cell_of(row, NODE_JOB);
	int64_t jobs = json_object_get_int64(cell_of(row, NODE_JOBS));
	size_t letter = job ? (size_t)json_object_get_int64(job) : sizeof(letters);

	if (!state || strcmp(state, "Unknown") == 0)
		return '?';
	if (strcmp(state, "Down") == 0)
		return jobs > 0 ? '*' : '#';
	if (strcmp(state, "Drained") == 0 || strcmp(state, "Draining") == 0)
		return '!';
	if (jobs == 0 && strcmp(state, "Idle") != 0)
		return '@';
	if (jobs == 0)
		return json_object_get_int64(cell_of(row, NODE_RESERVED)) ? '=' : ' ';
	if (jobs > 1)
		return '&';
	return letter < sizeof(letters) - 1 ? letters[letter] : '+';
}

/* Nodes folded ("n[1-16]"); the caller frees. NULL without memory. */
static char *fold(json_object *nodes, const size_t *which, size_t count)
{
	const char **names = malloc((count + 1) * sizeof(*names));
	char *text = NULL;

	for (size_t i = 0; names && i < count; i++)
		names[i] = name_of(json_object_array_get_idx(nodes, which[i]));
	if (names)
		text = maui_hostrange_fold(names, count);
	free(names);
	return text;
}

/* A line of the map: nodes from `first` on. The label is as wide as the widest one. */
static void print_line(json_object *nodes, size_t first, size_t count, int *width, bool print)
{
	size_t which[CELLS_OF_A_LINE];
	char *text;

	for (size_t i = 0; i < count; i++)
		which[i] = first + i;
	text = fold(nodes, which, count);
	if (text && (int)strlen(text) > *width)
		*width = (int)strlen(text);
	if (print) {
		printf("%-*s  ", *width, text ? text : "");
		for (size_t i = 0; i < count; i++)
			printf("[%c]", sign_of(json_object_array_get_idx(nodes, first + i)));
		printf("\n");
	}
	free(text);
}

static void print_map(json_object *nodes, size_t count)
{
	int width = 0;

	for (int print = 0; print < 2; print++)
		for (size_t i = 0; i < count; i += CELLS_OF_A_LINE)
			print_line(nodes, i,
				   count - i < CELLS_OF_A_LINE ? count - i : CELLS_OF_A_LINE,
				   &width, print);
}

/* A line for each sign, in the order of the first node that has it. */
static void print_folded(json_object *nodes, size_t count)
{
	size_t *which = malloc(count * sizeof(*which));
	bool done[256] = { false };

	for (size_t i = 0; which && i < count; i++) {
		char sign = sign_of(json_object_array_get_idx(nodes, i));
		size_t found = 0;
		char *text;

		if (done[(unsigned char)sign])
			continue;
		done[(unsigned char)sign] = true;
		for (size_t k = i; k < count; k++)
			if (sign_of(json_object_array_get_idx(nodes, k)) == sign)
				which[found++] = k;
		text = fold(nodes, which, found);
		printf("[%c] %6zu node%s  %s\n", sign, found, found == 1 ? " " : "s",
		       text ? text : "");
		free(text);
	}
	free(which);
}

static void print_key(json_object *nodes, size_t count)
{
	const char *separator = "\nKey:  ";

	for (size_t s = 0; s < sizeof(signs) / sizeof(signs[0]); s++) {
		size_t i = 0;

		while (i < count && sign_of(json_object_array_get_idx(nodes, i)) != signs[s].sign)
			i++;
		if (i == count)
			continue;
		printf("%s[%c] %s", separator, signs[s].sign, signs[s].meaning);
		separator = "  ";
	}
	printf("%s", *separator == ' ' ? "\n" : "");
}

static void print_nodes(json_object *result)
{
	json_object *nodes = NULL;
	size_t count = maui_cmd_length(result, "nodes");

	if (!json_object_object_get_ex(result, "nodes", &nodes) || !nodes) {
		printf("PrivateData=nodes: nodes are shown to operators only\n");
		return;
	}
	if (count > MAP_MAX)
		print_folded(nodes, count);
	else
		print_map(nodes, count);
	print_key(nodes, count);
}

/* ---- the scheduler ---- */

static json_object *scheduler_of(json_object *result)
{
	json_object *scheduler = NULL;

	json_object_object_get_ex(result, "scheduler", &scheduler);
	return scheduler;
}

/* By this machine's clock, which may be behind slurmctld's. */
static int64_t age_of(json_object *result)
{
	int64_t age_s = (int64_t)time(NULL) - maui_cmd_number(result, "time", 0);

	return age_s > 0 ? age_s : 0;
}

static void print_scheduler(json_object *result)
{
	json_object *s = scheduler_of(result);
	int64_t now_s = maui_cmd_number(result, "time", 0);
	int64_t since_s = maui_cmd_number(s, "since", 0);
	char moment[MAUI_CMD_TIME_SIZE], span[MAUI_CMD_TIME_SIZE];

	printf("\nScheduler:   SERVERMODE %s\n", maui_cmd_text(s, "server_mode"));
	printf("Plan:        of %s, %s old\n",
	       maui_cmd_moment(now_s, now_s, moment, sizeof(moment)),
	       maui_cmd_span(age_of(result), span, sizeof(span)));
	if (since_s == 0)
		return;
	printf("Last cycle:  %.3f s, planning %.3f s; lock holds: read %.1f ms, write %.1f ms\n",
	       maui_cmd_double(s, "last_cycle"), maui_cmd_double(s, "last_plan"),
	       1000 * maui_cmd_double(s, "last_read_hold"),
	       1000 * maui_cmd_double(s, "last_write_hold"));
	printf("Longest:     %.3f s; lock holds: read %.1f ms, write %.1f ms\n",
	       maui_cmd_double(s, "longest_cycle"), 1000 * maui_cmd_double(s, "longest_read_hold"),
	       1000 * maui_cmd_double(s, "longest_write_hold"));
	printf("Since %s: %" PRId64 " cycles, %" PRId64 " failed;\n",
	       maui_cmd_moment(since_s, now_s, moment, sizeof(moment)),
	       maui_cmd_number(s, "cycles", 0), maui_cmd_number(s, "failed_cycles", 0));
	printf("    jobs started %" PRId64 ", backfilled %" PRId64 ", preempted %" PRId64
	       "; starts refused by Slurm %" PRId64 "\n",
	       maui_cmd_number(s, "started", 0), maui_cmd_number(s, "backfilled", 0),
	       maui_cmd_number(s, "preempted", 0), maui_cmd_number(s, "refused", 0));
}

static void print_problems(json_object *result)
{
	int64_t age_s = age_of(result);
	int64_t poll_s = maui_cmd_number(scheduler_of(result), "poll_interval", 0);
	bool old = age_s > OLD_S && age_s / 4 > poll_s;
	size_t count = maui_cmd_length(result, "problems");

	printf("\n%s\n", count || old ? "Problems:" : "No problems.");
	if (old)
		printf("  the plan is old: slurmctld makes no new one, and its log says why\n");
	for (size_t i = 0; i < count; i++)
		printf("  %s\n", json_object_get_string(maui_cmd_element(result, "problems", i)));
}

static int print_state(const struct maui_cmd_common *common, json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	char moment[MAUI_CMD_TIME_SIZE];
	int rc;

	if (maui_cmd_rows_only(common) || common->format)
		return print_jobs(common, result);
	printf("cluster state summary for %s\n\n",
	       maui_cmd_moment(now_s, now_s, moment, sizeof(moment)));
	rc = print_jobs(common, result);
	print_usage(result);
	print_nodes(result);
	print_scheduler(result);
	print_problems(result);
	return rc;
}

int maui_cmd_showstate(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "showstate", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0 } };
	int rc = maui_cmd_flags(&common, argc, argv, none, true);
	json_object *result;

	if (rc != MAUI_EXIT_OK || common.done)
		return rc;
	if (argc > optind)
		return maui_cmd_misuse(&common, "no operand is expected");
	result = maui_cmd_ask(&common, MAUI_VERB_STATE, NULL, &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_state(&common, result);
	json_object_put(result);
	return rc;
}
