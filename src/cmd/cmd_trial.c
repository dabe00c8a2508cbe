/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_trial.c - maui trial: the score of SERVERMODE TEST, and keeping what setres made in it
 *
 * Rules: CMD-57, CMD-58.
 */

#include <inttypes.h>
#include <stdio.h>

#include "base/duration.h"
#include "base/moment.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/query.h"
#include "cmd/warnings.h"
#include "model/when.h"
#include "verbs/keeptrial.h"
#include "verbs/trial.h"

struct options {
	bool keep;
};

static const struct maui_option options[] = {
	MAUI_FLAG(0, "keep", options, keep,
		  "reservations that setres made in the trial stay when it ends; needs ADMIN1"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "maui trial [--json] [--noheader] [-o COLUMN,...]\n"
		    "maui trial --keep [--json]",
	.about =
		"Shows the score of SERVERMODE TEST: how many of the jobs that the other scheduler "
		"has started slurm-maui would have started sooner, later or at the same time, by "
		"how much, and what would have kept the later ones. For administrators and "
		"operators.",
	.options = options,
	.table = true,
	.notes = MAUI_EXITS ", 4 not permitted, 5 no trial.",
};

/* 35 -> "00:00:35"; "" without an amount. */
static const char *amount(int64_t seconds, char *buf, size_t size)
{
	if (seconds < 0)
		return "";
	return maui_duration_as_maui(seconds, buf, size);
}

/* "  sooner              12   mean 00:00:35, longest 00:01:00" */
static void print_sum(const struct maui_trial_answer_sum *sum, const char *title)
{
	char mean[MAUI_DURATION_SIZE], longest[MAUI_DURATION_SIZE];
	int64_t known = sum->jobs - sum->unknown;

	printf("  %-18s %6" PRId64, title, sum->jobs);
	if (known > 0 && sum->seconds > 0)
		printf("   mean %s, longest %s", amount(sum->seconds / known, mean, sizeof(mean)),
		       amount(sum->longest, longest, sizeof(longest)));
	if (known < sum->jobs)
		printf("%s%" PRId64 " not known", known > 0 ? "; " : "   ", sum->jobs - known);
	printf("\n");
}

static void print_head(const struct maui_trial_answer *trial)
{
	char begin[MAUI_MOMENT_SIZE], end[MAUI_MOMENT_SIZE];

	printf("trial from %s ",
	       maui_moment_as_maui(trial->begin, trial->time, begin, sizeof(begin)));
	if (trial->end == MAUI_NEVER)
		printf("on, for %s\n",
		       maui_duration_as_maui(trial->time - trial->begin, end, sizeof(end)));
	else
		printf("to %s: SERVERMODE is no longer TEST\n",
		       maui_moment_as_maui(trial->end, trial->time, end, sizeof(end)));
	if (trial->end == MAUI_NEVER && trial->alone)
		printf("Nothing starts jobs: a trial needs another SchedulerType than sched/maui.\n");
}

static void print_score(const struct maui_trial_answer *trial)
{
	char since[MAUI_MOMENT_SIZE];

	printf("\n%" PRId64 " jobs have started. slurm-maui would have started them\n",
	       trial->started);
	print_sum(trial->same, "at the same time");
	print_sum(trial->sooner, "sooner");
	print_sum(trial->later, "later");
	if (trial->not_compared > 0)
		printf("  %-18s %6" PRId64 "\n", "(not compared)", trial->not_compared);
	printf("Waiting now that would have started: %" PRId64, trial->waiting);
	if (trial->waiting > 0)
		printf(", since %s", maui_moment_as_maui(trial->waiting_since, trial->time, since,
							 sizeof(since)));
	printf("\nStarts that Slurm would have refused: %" PRId64 "\n", trial->refused);
}

#define CAUSE(member) offsetof(struct maui_trial_answer_cause, member)
#define JOB(member)   offsetof(struct maui_trial_answer_job, member)

static void print_causes(const struct maui_trial_answer_cause *causes, size_t count,
			 const char *title, int64_t now_s)
{
	const struct maui_shown columns[] = {
		{ { "Jobs", true }, MAUI_SHOWN_NUMBER, CAUSE(jobs), 0, NULL },
		{ { "Since", false }, MAUI_SHOWN_DATE, CAUSE(first), 0, NULL },
		{ { title, false }, MAUI_SHOWN_TEXT, CAUSE(name), 0, NULL },
	};
	const struct maui_shown_list shown = MAUI_SHOWN_LIST(columns);
	const struct maui_tool_common plain = { .tool = "maui trial" };
	struct maui_table *table;

	if (count == 0)
		return;
	printf("\n");
	table = maui_shown_table(&plain, &shown);
	maui_shown_add(table, &shown, causes, count, sizeof(*causes), now_s);
	maui_tool_print_table(&plain, table);
}

static const char *format_by(const void *row, int64_t now_s, char *buf)
{
	int64_t seconds = ((const struct maui_trial_answer_job *)row)->seconds;

	(void)now_s;
	return amount(seconds == MAUI_NEVER ? -1 : seconds, buf, MAUI_SHOWN_CELL);
}

static const char *format_cause(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	(void)buf;
	return ((const struct maui_trial_answer_job *)row)->cause;
}

/* The last jobs that start at different times. */
static int print_jobs(const struct maui_tool_common *common, const struct maui_trial_answer *trial)
{
	static const struct maui_shown columns[] = {
		{ { "JobID", true }, MAUI_SHOWN_TEXT, JOB(label), 0, NULL },
		{ { "User", false }, MAUI_SHOWN_TEXT, JOB(user), 0, NULL },
		{ { "Started", false }, MAUI_SHOWN_DATE, JOB(start), 0, NULL },
		{ { "Maui", false }, MAUI_SHOWN_TEXT, JOB(outcome), 0, NULL },
		{ { "By", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_by },
		{ { "Cause", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_cause },
	};
	static const struct maui_shown_list shown = MAUI_SHOWN_LIST(columns);
	struct maui_table *table = maui_shown_table(common, &shown);

	if (!table)
		return MAUI_EXIT_USAGE;
	maui_shown_add(table, &shown, trial->jobs, trial->jobs_count, sizeof(*trial->jobs),
		       trial->time);
	if (trial->jobs_count > 0 || maui_tool_rows_only(common))
		maui_tool_print_table(common, table);
	else
		maui_table_destroy(table);
	return MAUI_EXIT_OK;
}

static int print_trial(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct maui_trial_answer *trial = record;

	(void)opts;
	if (maui_tool_rows_only(common))
		return print_jobs(common, trial);
	print_head(trial);
	print_score(trial);
	print_causes(trial->causes, trial->causes_count, "Would keep the later ones", trial->time);
	print_causes(trial->refusals, trial->refusals_count, "Slurm would say", trial->time);
	if (trial->jobs_count > 0)
		printf("\n");
	print_jobs(common, trial);
	if (trial->reservations_count > 0)
		printf("\nReservations of the trial, gone when it ends unless maui trial --keep:");
	for (size_t i = 0; i < trial->reservations_count; i++)
		printf(" %s", trial->reservations[i]);
	if (trial->reservations_count > 0)
		printf("\n");
	return MAUI_EXIT_OK;
}

static void print_kept(const struct maui_tool_common *common, const struct maui_keeptrial *done)
{
	for (size_t i = 0; i < done->kept_count; i++)
		printf("reservation '%s' stays when the trial ends\n", done->kept[i]);
	if (done->kept_count == 0)
		printf("no reservation was made in a trial\n");
	maui_cmd_warn(common, done->warned);
}

/* --keep */
static int keep_reservations(const struct maui_tool_common *common)
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

static int run_trial(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui trial", .command = &command };
	struct options o = { 0 };
	int rc = maui_cmd_read(&common, &o, argc, argv);

	if (common.done)
		return rc;
	return o.keep ? keep_reservations(&common) :
			maui_cmd_show(&common, &maui_verb_trial, NULL, print_trial, NULL);
}

MAUI_SUBCOMMAND(trial, "the score of SERVERMODE TEST");
