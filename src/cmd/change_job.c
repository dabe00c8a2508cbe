/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - what commands that change jobs have in common */

#include "cmd/change_job.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/warnings.h"

int maui_cmd_change_job(const struct maui_changejob_args *args, struct maui_cmd_answer *ret,
			struct maui_query_error *error)
{
	const struct maui_cmd_common for_terminal = { 0 };

	return maui_cmd_try_verb(&for_terminal, &maui_verb_changejob, args, ret, error);
}

static void print_done(const struct maui_changejob *answer, const char *done)
{
	/* Slurm makes a user's own hold of what users ask for */
	bool of_user = strcmp(answer->action, maui_changejob_actions[MAUI_JOB_HOLD_USER]) == 0;

	/* NOLINTNEXTLINE: `done` is a literal of the command */
	printf(of_user ? "user hold placed on job %s" : done, answer->job);
	puts(answer->runs ? ": it runs on, and is held when it is requeued" : "");
}

/* The exit status; the answer is added to the array `answers`, or what failed to `errors`. */
static int change_one(const struct maui_cmd_common *common, const struct maui_changejob_args *args,
		      const char *done, json_object *answers, json_object *errors)
{
	const struct maui_cmd_common quiet = { .tool = common->tool };
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR };
	const struct maui_changejob *record;
	struct maui_cmd_answer answer;

	if (maui_cmd_change_job(args, &answer, &error)) {
		json_object_array_add(errors, maui_cmd_json_error(&error));
		return maui_cmd_failed(&quiet, &error);
	}
	record = answer.record;
	maui_cmd_warn(common, record->warned);
	if (!common->json)
		print_done(record, done);
	json_object_array_add(answers, json_object_get(answer.json));
	maui_cmd_answer_finish(&answer);
	return MAUI_EXIT_OK;
}

/* The whole line is read before the first job is changed. */
static int read_jobs(const struct maui_cmd_common *common, struct maui_cmd_jobs *jobs)
{
	if (common->operand_count == 0)
		return maui_cmd_misuse(common, "which job?");
	for (int i = 0; i < common->operand_count; i++) {
		int status = maui_cmd_read_jobs(common, common->operands[i], jobs);

		if (status != MAUI_EXIT_OK)
			return status;
	}
	return MAUI_EXIT_OK;
}

static int change_all(const struct maui_cmd_common *common, const struct maui_cmd_jobs *jobs,
		      const struct maui_changejob_args *change, const char *done)
{
	json_object *all = json_object_new_object();
	json_object *answers = json_object_new_array(), *errors = json_object_new_array();
	struct maui_changejob_args args = *change;
	int status = MAUI_EXIT_OK;

	json_object_object_add(all, "jobs", answers);
	json_object_object_add(all, "errors", errors);
	for (size_t i = 0; i < jobs->count; i++) {
		int rc;

		args.job = jobs->list[i].job;
		args.task = jobs->list[i].task;
		args.component = jobs->list[i].component;
		rc = change_one(common, &args, done, answers, errors);
		if (status == MAUI_EXIT_OK)
			status = rc;
	}
	if (common->json)
		maui_cmd_print_json(common, all);
	else
		json_object_put(all);
	return status;
}

int maui_cmd_change_jobs(const struct maui_cmd_common *common,
			 const struct maui_changejob_args *change, const char *done)
{
	struct maui_cmd_jobs jobs = { 0 };
	int status = read_jobs(common, &jobs);

	if (status == MAUI_EXIT_OK)
		status = change_all(common, &jobs, change, done);
	maui_cmd_jobs_finish(&jobs);
	return status;
}
