/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - what commands that change jobs have in common */

#include "cmd/change_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/need.h"
#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/warnings.h"

int maui_cmd_change_job(const struct maui_changejob_args *args, struct maui_cmd_answer *ret,
			struct maui_query_error *error)
{
	const struct maui_tool_common for_terminal = { 0 };

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

#define JOB_FIELDS(F, R) F(R, RAW, answer, "as slurmctld wrote it")
MAUI_RECORD(maui_changed_job, JOB_FIELDS);
MAUI_RECORD_TYPE(maui_changed_job, JOB_FIELDS);

#define CHANGED_FIELDS(F, R)                     \
	F(R, LIST, errors, "", maui_query_error) \
	F(R, VALUES, jobs, "that were changed", maui_changed_job)
MAUI_RECORD(maui_changed_jobs, CHANGED_FIELDS);
MAUI_RECORD_TYPE(maui_changed_jobs, CHANGED_FIELDS);

/* What became of the jobs: of each an answer or an error. */
struct outcome {
	struct maui_cmd_answer *answers;
	struct maui_changed_job *jobs;
	struct maui_query_error *errors;
	size_t job_count, error_count;
};

static void init_outcome(struct outcome *o, size_t count)
{
	*o = (struct outcome){
		.answers = maui_need_list(count, sizeof(*o->answers)),
		.jobs = maui_need_list(count, sizeof(*o->jobs)),
		.errors = maui_need_list(count, sizeof(*o->errors)),
	};
}

static void finish_outcome(struct outcome *o)
{
	for (size_t i = 0; i < o->job_count; i++)
		maui_cmd_answer_finish(&o->answers[i]);
	free(o->answers);
	free(o->jobs);
	free(o->errors);
}

/* The exit status. */
static int change_one(const struct maui_tool_common *common, const struct maui_changejob_args *args,
		      const char *done, struct outcome *o)
{
	const struct maui_tool_common quiet = { .tool = common->tool };
	struct maui_query_error *error = &o->errors[o->error_count];
	struct maui_cmd_answer *answer = &o->answers[o->job_count];
	const struct maui_changejob *record;

	*error = (struct maui_query_error){ .code = MAUI_QUERY_ERROR };
	if (maui_cmd_change_job(args, answer, error)) {
		o->error_count++;
		return maui_cmd_failed(&quiet, error);
	}
	record = answer->record;
	maui_cmd_warn(common, record->warned);
	if (!common->json)
		print_done(record, done);
	o->jobs[o->job_count++].answer.text =
		json_object_to_json_string_ext(answer->json, JSON_C_TO_STRING_PLAIN);
	return MAUI_EXIT_OK;
}

static void print_json(const struct maui_tool_common *common, const struct outcome *o)
{
	const struct maui_changed_jobs changed = { .errors = o->errors,
						   .errors_count = o->error_count,
						   .jobs = o->jobs,
						   .jobs_count = o->job_count };

	maui_cmd_print_record_json(common, &maui_changed_jobs_type, &changed);
}

/* The whole line is read before the first job is changed. */
static int read_jobs(const struct maui_tool_common *common, struct maui_cmd_jobs *jobs)
{
	if (common->operand_count == 0)
		return maui_tool_misuse(common, "which job?");
	for (int i = 0; i < common->operand_count; i++) {
		int status = maui_cmd_read_jobs(common, common->operands[i], jobs);

		if (status != MAUI_EXIT_OK)
			return status;
	}
	return MAUI_EXIT_OK;
}

static int change_all(const struct maui_tool_common *common, const struct maui_cmd_jobs *jobs,
		      const struct maui_changejob_args *change, const char *done)
{
	struct maui_changejob_args args = *change;
	int status = MAUI_EXIT_OK;
	struct outcome outcome;

	init_outcome(&outcome, jobs->count);
	for (size_t i = 0; i < jobs->count; i++) {
		int rc;

		args.job = jobs->list[i].job;
		args.task = jobs->list[i].task;
		args.component = jobs->list[i].component;
		rc = change_one(common, &args, done, &outcome);
		if (status == MAUI_EXIT_OK)
			status = rc;
	}
	if (common->json)
		print_json(common, &outcome);
	finish_outcome(&outcome);
	return status;
}

int maui_cmd_change_jobs(const struct maui_tool_common *common,
			 const struct maui_changejob_args *change, const char *done)
{
	struct maui_cmd_jobs jobs = { 0 };
	int status = read_jobs(common, &jobs);

	if (status == MAUI_EXIT_OK)
		status = change_all(common, &jobs, change, done);
	maui_cmd_jobs_finish(&jobs);
	return status;
}
