/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_trial.c - maui trial: the score of SERVERMODE TEST, and keeping what setres made in it
 *
 * Rules: CMD-57, CMD-58.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "cmd/warnings.h"
#include "model/when.h"
#include "verbs/keeptrial.h"

static const char usage[] =
	"usage: maui trial [--json] [--noheader] [-o COLUMN,...]\n"
	"       maui trial --keep [--json]\n"
	"\n"
	"Shows the score of SERVERMODE TEST: how many of the jobs that the other scheduler has\n"
	"started slurm-maui would have started sooner, later or at the same time, by how much, and\n"
	"what would have kept the later ones. For administrators and operators.\n"
	"\n"
	"  --keep      reservations that setres made in the trial stay when it ends; needs ADMIN1\n"
	"  --json      one JSON object\n" MAUI_TABLE_USAGE "\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 4 not permitted,\n"
	"5 no trial.\n";

enum { OPT_KEEP = MAUI_OPT_OWN };

static const struct option options[] = { { "keep", no_argument, NULL, OPT_KEEP },
					 MAUI_COMMON_OPTIONS,
					 MAUI_TABLE_OPTIONS,
					 { 0 } };

/* 35 -> "00:00:35"; "" without an amount. */
static const char *amount(int64_t seconds, char *buf, size_t size)
{
	if (seconds < 0)
		return "";
	return maui_cmd_span(seconds, buf, size);
}

/* "  sooner              12   mean 00:00:35, longest 00:01:00" */
static void print_sum(json_object *result, const char *key, const char *title)
{
	char mean[MAUI_CMD_TIME_SIZE], longest[MAUI_CMD_TIME_SIZE];
	json_object *sum = NULL;
	int64_t jobs, known;

	json_object_object_get_ex(result, key, &sum);
	jobs = maui_cmd_number(sum, "jobs", 0);
	known = jobs - maui_cmd_number(sum, "unknown", 0);
	printf("  %-18s %6" PRId64, title, jobs);
	if (known > 0 && maui_cmd_number(sum, "seconds", 0) > 0)
		printf("   mean %s, longest %s",
		       amount(maui_cmd_number(sum, "seconds", 0) / known, mean, sizeof(mean)),
		       amount(maui_cmd_number(sum, "longest", 0), longest, sizeof(longest)));
	if (known < jobs)
		printf("%s%" PRId64 " not known", known > 0 ? "; " : "   ", jobs - known);
	printf("\n");
}

static void print_head(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	int64_t begin_s = maui_cmd_number(result, "begin", 0);
	int64_t end_s = maui_cmd_number(result, "end", MAUI_NEVER);
	char begin[MAUI_CMD_TIME_SIZE], end[MAUI_CMD_TIME_SIZE];
	json_object *alone = NULL;

	printf("trial from %s ", maui_cmd_moment(begin_s, now_s, begin, sizeof(begin)));
	if (end_s == MAUI_NEVER)
		printf("on, for %s\n", maui_cmd_span(now_s - begin_s, end, sizeof(end)));
	else
		printf("to %s: SERVERMODE is no longer TEST\n",
		       maui_cmd_moment(end_s, now_s, end, sizeof(end)));
	json_object_object_get_ex(result, "alone", &alone);
	if (end_s == MAUI_NEVER && json_object_get_boolean(alone))
		printf("Nothing starts jobs: a trial needs another SchedulerType than sched/maui.\n");
}

static void print_score(json_object *result)
{
	char since[MAUI_CMD_TIME_SIZE];
	int64_t waiting = maui_cmd_number(result, "waiting", 0);

	printf("\n%" PRId64 " jobs have started. slurm-maui would have started them\n",
	       maui_cmd_number(result, "started", 0));
	print_sum(result, "same", "at the same time");
	print_sum(result, "sooner", "sooner");
	print_sum(result, "later", "later");
	if (maui_cmd_number(result, "not_compared", 0) > 0)
		printf("  %-18s %6" PRId64 "\n", "(not compared)",
		       maui_cmd_number(result, "not_compared", 0));
	printf("Waiting now that would have started: %" PRId64, waiting);
	if (waiting > 0)
		printf(", since %s",
		       maui_cmd_moment(maui_cmd_number(result, "waiting_since", 0),
				       maui_cmd_number(result, "time", 0), since, sizeof(since)));
	printf("\nStarts that Slurm would have refused: %" PRId64 "\n",
	       maui_cmd_number(result, "refused", 0));
}

static void print_causes(json_object *result, const char *key, const char *title)
{
	const struct maui_column columns[] = { { "Jobs", true },
					       { "Since", false },
					       { title, false } };
	size_t count = maui_cmd_length(result, key);
	struct maui_table *table;
	struct maui_cmd_common plain = { .tool = "maui trial" };

	if (count == 0)
		return;
	printf("\n");
	table = maui_table_create(columns, 3);
	for (size_t i = 0; i < count; i++) {
		json_object *one = maui_cmd_element(result, key, i);
		char jobs[32], since[MAUI_CMD_TIME_SIZE];
		const char *cells[] = { jobs, since, maui_cmd_text(one, "name") };

		snprintf(jobs, sizeof(jobs), "%" PRId64, maui_cmd_number(one, "jobs", 0));
		maui_cmd_moment(maui_cmd_number(one, "first", 0),
				maui_cmd_number(result, "time", 0), since, sizeof(since));
		maui_table_add(table, cells);
	}
	maui_cmd_print_table(&plain, table);
}

/* The last jobs that start at different times. */
static int print_jobs(const struct maui_cmd_common *common, json_object *result)
{
	static const struct maui_column columns[] = { { "JobID", true },    { "User", false },
						      { "Started", false }, { "Maui", false },
						      { "By", true },       { "Cause", false } };
	size_t count = maui_cmd_length(result, "jobs");
	struct maui_table *table = maui_cmd_table(common, columns, 6);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < count; i++) {
		json_object *job = maui_cmd_element(result, "jobs", i);
		char start[MAUI_CMD_TIME_SIZE], by[MAUI_CMD_TIME_SIZE];
		const char *cells[] = {
			maui_cmd_text(job, "label"),
			maui_cmd_text(job, "user"),
			start,
			maui_cmd_text(job, "outcome"),
			amount(maui_cmd_number(job, "seconds", -1), by, sizeof(by)),
			maui_cmd_text(job, "cause"),
		};

		maui_cmd_moment(maui_cmd_number(job, "start", 0),
				maui_cmd_number(result, "time", 0), start, sizeof(start));
		maui_table_add(table, cells);
	}
	if (count > 0 || maui_cmd_rows_only(common))
		maui_cmd_print_table(common, table);
	else
		maui_table_destroy(table);
	return MAUI_EXIT_OK;
}

static int print_trial(const struct maui_cmd_common *common, json_object *result)
{
	size_t count = maui_cmd_length(result, "reservations");

	if (maui_cmd_rows_only(common))
		return print_jobs(common, result);
	print_head(result);
	print_score(result);
	print_causes(result, "causes", "Would keep the later ones");
	print_causes(result, "refusals", "Slurm would say");
	if (maui_cmd_length(result, "jobs") > 0)
		printf("\n");
	print_jobs(common, result);
	if (count > 0)
		printf("\nReservations of the trial, gone when it ends unless maui trial --keep:");
	for (size_t i = 0; i < count; i++)
		printf(" %s", json_object_get_string(maui_cmd_element(result, "reservations", i)));
	printf(count > 0 ? "\n" : "");
	return MAUI_EXIT_OK;
}

static void print_kept(const struct maui_cmd_common *common, const struct maui_keeptrial *done)
{
	for (size_t i = 0; i < done->kept_count; i++)
		printf("reservation '%s' stays when the trial ends\n", done->kept[i]);
	if (done->kept_count == 0)
		printf("no reservation was made in a trial\n");
	maui_cmd_warn(common, done->warned);
}

/* --keep */
static int keep_reservations(const struct maui_cmd_common *common)
{
	struct maui_cmd_answer answer;
	int rc = maui_cmd_ask_verb(common, &maui_verb_keeptrial, NULL, &answer);

	if (rc != MAUI_EXIT_OK)
		return rc;
	if (common->json)
		maui_cmd_answer_print_json(common, &answer);
	else
		print_kept(common, answer.record);
	maui_cmd_answer_finish(&answer);
	return MAUI_EXIT_OK;
}

/* An exit status; common->done unless the command goes on. */
static int parse(struct maui_cmd_common *common, int argc, char **argv, bool *ret_keep)
{
	int option, rc;

	maui_cmd_begin(common, argc, argv);
	while ((option = getopt_long(argc, argv, "hVo:", options, NULL)) != -1) {
		if (option == OPT_KEEP) {
			*ret_keep = true;
			continue;
		}
		rc = maui_cmd_common_option(common, option);
		if (common->done || rc != MAUI_EXIT_OK)
			return rc;
	}
	return argc > optind ? maui_cmd_misuse(common, "no operand is expected") : MAUI_EXIT_OK;
}

int maui_cmd_trial(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "maui trial", .usage = usage };
	bool keep = false;
	int rc = parse(&common, argc, argv, &keep);
	json_object *result;

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (keep)
		return keep_reservations(&common);
	result = maui_cmd_ask(&common, MAUI_VERB_TRIAL, json_object_new_object(), &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_trial(&common, result);
	json_object_put(result);
	return rc;
}
