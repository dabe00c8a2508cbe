/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_runjob.c - runjob: a waiting job starts now, or why not
 *
 * slurmctld puts the job into one plan ahead of all others. The answer comes at the end of that
 * cycle, and says what has started, or why nothing has.
 *
 * Rules: CMD-52.
 */

#include <stdio.h>
#include <stdlib.h>

#include "cmd/change_job.h"
#include "base/need.h"
#include "cmd/cmd.h"
#include "cmd/job.h"

static int ignore(struct maui_tool_common *common, void *options, const struct maui_option *option,
		  const char *text)
{
	(void)common;
	(void)options;
	(void)option;
	(void)text;
	return MAUI_EXIT_OK;
}

static const struct maui_option options[] = {
	MAUI_FLAG('f', NULL, maui_changejob_run, force,
		  "past throttling policies and fairshare caps of maui.cfg, too"),
	MAUI_FLAG('x', NULL, maui_changejob_run, anywhere,
		  "like -f, and into reservations that do not admit the job"),
	MAUI_TEXT('n', NULL, "HOSTLIST", maui_changejob_run, hosts, "only on these nodes"),
	MAUI_READ('c', NULL, NULL, NULL, ignore, "forget refused starts; runjob always does"),
	{ 0 },
};

static const struct maui_command command = {
	.synopsis = "runjob [-c] [-f | -x] [-n HOSTLIST] [--json] JOB",
	.about =
		"Starts a waiting job now, ahead of all other jobs and of their job reservations; "
		"if it cannot start, says why and leaves it waiting. It never starts on nodes that "
		"are busy, nor past holds, dependencies and limits of Slurm. Needs ADMIN1 or "
		"ADMIN2 of maui.cfg, or the rights of an operator of Slurm.",
	.options = options,
	.operands = 1,
	.missing = "one JOB is expected",
	.notes = "scontrol suspend JOB suspends a job (Maui: runjob -s).\n"
		 "Exit status: 0 it has started, 1 it has not, 2 usage, 3 slurmctld cannot be "
		 "reached, 4 not permitted, 5 no such job.",
};

/* What slurmctld has answered about a job, or about each task of a list until one does not
 * start. */
struct outcome {
	struct maui_cmd_answer *answers; /* struct maui_changejob */
	size_t count;
	struct maui_query_error error; /* of a later task, that slurmctld refused; code 0: none */
};

static bool has_started(const struct maui_cmd_answer *answer)
{
	const struct maui_changejob *record = answer->record;

	return record->outcome && record->outcome->started;
}

static bool have_started(const struct outcome *o)
{
	return !o->error.code && has_started(&o->answers[o->count - 1]);
}

/* Why the last one has not started. */
static const char *reason_of(const struct outcome *o)
{
	const struct maui_changejob *last = o->answers[o->count - 1].record;

	if (o->error.code)
		return o->error.err.text;
	return last->outcome && last->outcome->reason ? last->outcome->reason : "";
}

/* Asks for the job, or for each task of a list until one does not start. -1 with o->error: the
 * first one was refused. */
static int start_jobs(const struct maui_cmd_jobs *jobs, const struct maui_changejob_args *change,
		      struct outcome *o)
{
	struct maui_changejob_args args = *change;

	for (size_t i = 0; i < jobs->count; i++) {
		struct maui_query_error error = { .code = MAUI_QUERY_ERROR };

		args.job = jobs->list[i].job;
		args.task = jobs->list[i].task;
		args.component = jobs->list[i].component;
		if (maui_cmd_change_job(&args, &o->answers[i], &error)) {
			o->error = error;
			return i == 0 ? -1 : 0;
		}
		o->count++;
		if (!has_started(&o->answers[i]))
			break;
	}
	return 0;
}

/* ---- the output ---- */

static void print_started(const struct outcome *o)
{
	for (size_t i = 0; i < o->count; i++) {
		const struct maui_changejob *one = o->answers[i].record;

		for (size_t s = 0; one->outcome && s < one->outcome->started_jobs_count; s++)
			printf("job %s successfully started\n", one->outcome->started_jobs[s]);
	}
}

static size_t count_started(const struct outcome *o)
{
	size_t count = 0;

	for (size_t i = 0; i < o->count; i++) {
		const struct maui_changejob *one = o->answers[i].record;

		count += one->outcome ? one->outcome->started_jobs_count : 0;
	}
	return count;
}

/* The answers about a list as one: with all that have started. */
static void print_joined(const struct maui_tool_common *common, const char *name,
			 const struct outcome *o)
{
	const char **started = maui_need_list(count_started(o), sizeof(*started));
	struct maui_changejob_outcome joined = {
		.started_jobs = started,
		.started = have_started(o),
		.reason = have_started(o) ? NULL : reason_of(o),
	};
	const struct maui_changejob *first = o->answers[0].record;
	const struct maui_changejob all = {
		.job = name, .action = first->action, .outcome = &joined, .warned = first->warned
	};

	for (size_t i = 0; i < o->count; i++) {
		const struct maui_changejob *one = o->answers[i].record;

		for (size_t s = 0; one->outcome && s < one->outcome->started_jobs_count; s++)
			started[joined.started_jobs_count++] = one->outcome->started_jobs[s];
	}
	maui_cmd_print_record_json(common, maui_verb_changejob.answer, &all);
	free(started);
}

static int report(const struct maui_tool_common *common, const char *name,
		  const struct maui_cmd_jobs *jobs, const struct outcome *o)
{
	if (!have_started(o))
		fprintf(stderr,
			"runjob: error: job %s does not start: %s; maui why %s may know more\n",
			name, reason_of(o), name);
	if (!common->json)
		print_started(o);
	else if (jobs->count > 1)
		print_joined(common, name, o);
	else
		maui_cmd_answer_print_json(common, &o->answers[0]);
	return have_started(o) ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
}

static int run(const struct maui_tool_common *common, const char *name,
	       const struct maui_cmd_jobs *jobs, const struct maui_changejob_args *change)
{
	struct outcome o = { .answers = maui_need_list(jobs->count, sizeof(*o.answers)) };
	int rc = start_jobs(jobs, change, &o) ? maui_cmd_failed(common, &o.error) :
						report(common, name, jobs, &o);

	for (size_t i = 0; i < o.count; i++)
		maui_cmd_answer_finish(&o.answers[i]);
	free(o.answers);
	return rc;
}

static int run_runjob(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "runjob", .command = &command };
	struct maui_changejob_run how = { 0 };
	const struct maui_changejob_args change = {
		.action = maui_changejob_actions[MAUI_JOB_RUN],
		.run = &how,
	};
	struct maui_cmd_jobs jobs = { 0 };
	int rc = maui_cmd_read(&common, &how, argc, argv);

	if (common.done)
		return rc;
	rc = maui_cmd_read_jobs(&common, *common.operands, &jobs);
	if (rc == MAUI_EXIT_OK)
		rc = run(&common, *common.operands, &jobs, &change);
	maui_cmd_jobs_finish(&jobs);
	return rc;
}

MAUI_COMMAND(runjob, "start a waiting job now");
