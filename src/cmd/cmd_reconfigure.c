/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_reconfigure.c - maui reconfigure: slurmctld reads maui.cfg, and is it in force?
 *
 * slurmctld reads maui.cfg behind `scontrol reconfigure`, which says nothing about it. This command
 * waits until the status of maui.cfg that slurmctld publishes is a new one.
 *
 * Rules: CMD-44.
 */

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/limits.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/query.h"
#include "cmd/slurm_command.h"
#include "cmd/socket.h"
#include "config/config.h"
#include "verbs/config.h"

static const struct maui_command command = {
	.synopsis = "maui reconfigure [--json]",
	.about = "Checks maui.cfg on slurmctld's machine, runs scontrol reconfigure, waits until "
		 "slurmctld has read the file, and says whether it is in force. A file with errors "
		 "is not in force: the lines are named, and the configuration before stays. Needs "
		 "the rights of scontrol reconfigure.",
	.notes = "Exit status: 0 in force, 1 refused or error, 2 usage, 3 slurmctld cannot be "
		 "reached.",
};

enum {
	WAIT_S = 120,
	START_S = 30,
	GONE_S =
		3, /* longer than slurmctld takes to restart, as it does with Slurm 23.11 and later */
	LOOK_MS = 200,
};

enum outcome { FAILED = -1, ANSWERED, TRIAL_IS_OVER };

/* The file's status; of the parameters only one. 0, or -1 with error. */
static int ask_status(const struct maui_tool_common *common, struct maui_cmd_answer *ret,
		      struct maui_query_error *error)
{
	const struct maui_config_args args = { .name = "SERVERMODE" };

	return maui_cmd_try_verb(common, &maui_verb_config, &args, ret, error);
}

static const struct maui_config_answer *status_of(const struct maui_cmd_answer *answer)
{
	return answer->record;
}

/* Whether slurmctld is on this machine: only then the path is that of its file. */
static bool is_here(void)
{
	struct maui_query_error ignored;
	char *path = maui_cmd_socket_path(&ignored);
	bool here = path && maui_client_is_answered(path);

	free(path);
	return here;
}

/* The errors that slurmctld would find, each a line. Their number. *ret_trial: the file has
 * SERVERMODE TEST. */
static size_t print_errors(const struct maui_tool_common *common, const char *path, bool *ret_trial)
{
	const struct maui_cmd_options options = { 0 };
	char *scheduler = maui_cmd_scheduler_type(&options);
	struct maui_config_context context = { .scheduler_type = scheduler,
					       .require_settings = true };
	struct maui_diags diags = { 0 };
	struct maui_config *config = maui_config_load(path, &context, &diags);
	char text[2 * MAUI_DIAG_MAX_TEXT];
	size_t count;

	*ret_trial = config && config->server_mode == MAUI_SERVER_TEST;
	maui_config_unref(config);
	for (size_t i = 0; i < diags.count; i++) {
		if (diags.list[i].severity != MAUI_ERROR)
			continue;
		maui_diag_format(&diags.list[i], text, sizeof(text));
		fprintf(stderr, "%s: %s\n", common->tool, text);
	}
	count = diags.seen[MAUI_ERROR];
	maui_diags_finish(&diags);
	free(scheduler);
	return count;
}

/* Until slurmctld has read the file again. With Slurm 23.11 and later slurmctld restarts
 * meanwhile. -1 with error: it did not within WAIT_S, or no server answers. */
static int wait_for_look(const struct maui_tool_common *common, int64_t before_us,
			 struct maui_cmd_answer *ret, struct maui_query_error *error)
{
	time_t until = time(NULL) + WAIT_S;
	bool answered;

	do {
		answered = ask_status(common, ret, error) == 0;
		if (answered && status_of(ret)->read_us != before_us)
			return 0;
		maui_cmd_answer_finish(ret);
		poll(NULL, 0, LOOK_MS);
	} while (time(NULL) < until);
	return answered ? maui_query_fail(error, MAUI_QUERY_ERROR,
					  "slurmctld has not read maui.cfg within %d s", WAIT_S) :
			  -1;
}

/* Until the server of a trial that SERVERMODE NORMAL ends is gone. -1 with error: it still answers
 * after WAIT_S. */
static int wait_for_end(struct maui_query_error *error)
{
	time_t until = time(NULL) + WAIT_S, gone_since = 0;

	while (time(NULL) < until) {
		if (is_here())
			gone_since = 0;
		else if (gone_since == 0)
			gone_since = time(NULL);
		else if (time(NULL) - gone_since >= GONE_S)
			return 0;
		poll(NULL, 0, LOOK_MS);
	}
	return maui_query_fail(error, MAUI_QUERY_ERROR,
			       "slurmctld has not ended the trial within %d s", WAIT_S);
}

#define RESULT_FIELDS(F, R) F(R, BOOL, in_force, "the file on the disk")
MAUI_RECORD(maui_reconfigure, RESULT_FIELDS);
MAUI_RECORD_TYPE(maui_reconfigure, RESULT_FIELDS);

static int print_result(const struct maui_tool_common *common, const struct maui_cmd_answer *answer)
{
	const struct maui_config_answer *status = status_of(answer);
	int64_t warnings = status->warning_count;
	bool in_force = !status->refused;
	const struct maui_reconfigure result = { .in_force = in_force };

	if (common->json) {
		maui_cmd_answer_print_changed(common, answer, "parameters", &maui_reconfigure_type,
					      &result);
	} else if (in_force) {
		printf("%s is in force", status->path);
		if (warnings > 0)
			printf(", with %" PRId64
			       " warning%s: maui config check and diagnose -r name %s",
			       warnings, maui_plural(warnings), warnings == 1 ? "it" : "them");
		printf("\n");
	} else {
		maui_cmd_show_refused(status->refused, status->time, "");
	}
	return in_force ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
}

/* Has slurmctld read the file, unless it has errors. 0, or -1 with error. *ret_trial: the file is
 * here, and has SERVERMODE TEST. */
static int ask_to_read(const struct maui_tool_common *common, const char *path, bool look,
		       bool *ret_trial, struct maui_query_error *error)
{
	bool readable = look && access(path, R_OK) == 0;
	size_t errors;

	*ret_trial = false;
	errors = readable ? print_errors(common, path, ret_trial) : 0;

	if (look && !readable && errno == ENOENT)
		return maui_query_fail(error, MAUI_QUERY_ERROR,
				       "%s does not exist: slurmctld was not asked to read it, the "
				       "running configuration is unchanged",
				       path);
	if (errors > 0)
		return maui_query_fail(
			error, MAUI_QUERY_ERROR,
			"%s has %zu error%s: slurmctld was not asked to read it, the "
			"running configuration is unchanged",
			path, errors, maui_plural(errors));
	if (maui_cmd_slurm_run(common->tool,
			       (char *[]){ (char *)"scontrol", (char *)"reconfigure", NULL }))
		return maui_query_fail(
			error, MAUI_QUERY_ERROR,
			"scontrol reconfigure failed: slurmctld was not asked to read %s", path);
	return 0;
}

/* Whether slurm.conf names another scheduler: then no server says what is in force. */
static bool is_elsewhere(const struct maui_cmd_options *options)
{
	char *type = maui_cmd_scheduler_type(options);
	bool elsewhere = type && strcasecmp(type, "sched/maui") != 0;

	free(type);
	return elsewhere;
}

/* Without sched/maui only a trial answers, which the file may begin. */
static enum outcome reconfigure_unseen(const struct maui_tool_common *common,
				       const struct maui_cmd_options *options,
				       struct maui_cmd_answer *ret, struct maui_query_error *error)
{
	char *path = maui_cmd_config_path(options);
	enum outcome outcome = FAILED;
	bool trial;

	if (ask_to_read(common, path, true, &trial, error))
		;
	else if (trial && wait_for_look(common, 0, ret, error) == 0)
		outcome = ANSWERED;
	else if (!trial)
		maui_query_fail(
			error, MAUI_QUERY_ERROR,
			"slurmctld was asked to read %s; its log says whether the file is in "
			"force, since without sched/maui nothing answers here",
			path);
	free(path);
	return outcome;
}

/* The status before. A slurmctld that has just started answers after its first plan. */
static int first_status(const struct maui_tool_common *common, struct maui_cmd_answer *ret,
			struct maui_query_error *error)
{
	time_t until = time(NULL) + START_S;
	int rc = ask_status(common, ret, error);

	while (rc && error->code == MAUI_QUERY_UNAVAILABLE && is_here() && time(NULL) < until) {
		poll(NULL, 0, LOOK_MS);
		rc = ask_status(common, ret, error);
	}
	return rc;
}

static enum outcome reconfigure(const struct maui_tool_common *common, struct maui_cmd_answer *ret,
				struct maui_query_error *error)
{
	const struct maui_cmd_options options = { 0 };
	bool here = is_here(), elsewhere = is_elsewhere(&options), trial;
	enum outcome outcome = FAILED;
	struct maui_cmd_answer before;

	if (first_status(common, &before, error)) {
		if (error->code == MAUI_QUERY_UNAVAILABLE && elsewhere)
			outcome = reconfigure_unseen(common, &options, ret, error);
	} else if (ask_to_read(common, status_of(&before)->path, here, &trial, error)) {
		;
	} else if (here && elsewhere && !trial) {
		outcome = wait_for_end(error) == 0 ? TRIAL_IS_OVER : FAILED;
	} else if (wait_for_look(common, status_of(&before)->read_us, ret, error) == 0) {
		outcome = ANSWERED;
	}
	maui_cmd_answer_finish(&before);
	return outcome;
}

static int print_end_of_trial(const struct maui_tool_common *common)
{
	const struct maui_reconfigure result = { .in_force = true };

	if (common->json)
		maui_cmd_print_record_json(common, &maui_reconfigure_type, &result);
	else
		printf("the trial is over: slurmctld has read SERVERMODE NORMAL\n");
	return MAUI_EXIT_OK;
}

static int run_reconfigure(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui reconfigure", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR };
	struct maui_cmd_answer answer;

	if (common.done)
		return rc;
	switch (reconfigure(&common, &answer, &error)) {
	case FAILED:
		return maui_cmd_failed(&common, &error);
	case TRIAL_IS_OVER:
		return print_end_of_trial(&common);
	case ANSWERED:
		break;
	}
	rc = print_result(&common, &answer);
	maui_cmd_answer_finish(&answer);
	return rc;
}

MAUI_SUBCOMMAND(reconfigure, "read maui.cfg again, and tell whether it is in force");
