/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - what commands that change jobs have in common */

#include "cmd/change_job.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/ask.h"
#include "cmd/cmd.h"
#include "cmd/job.h"

/* Adds `action` and what `extra` (may be NULL) has. */
static void complete(json_object *args, const char *action, json_object *extra)
{
	json_object_object_add(args, "action", json_object_new_string(action));
	if (!extra)
		return;
	json_object_object_foreach(extra, key, value)
	{
		json_object_object_add(args, key, json_object_get(value));
	}
}

/* The exit status; the reply is added to the array `replies`, or what failed to `errors`. */
static int change_one(const struct maui_cmd_common *common, json_object *args, const char *done,
		      json_object *replies, json_object *errors)
{
	const struct maui_cmd_common quiet = { .tool = common->tool };
	struct maui_query_error error = { .code = MAUI_QUERY_ERROR };
	json_object *result = maui_cmd_ask_server(MAUI_VERB_CHANGEJOB, args, &error);

	if (!result) {
		json_object_array_add(errors, maui_cmd_json_error(&error));
		return maui_cmd_failed(&quiet, &error);
	}
	maui_cmd_clean(result);
	maui_cmd_print_warnings(common, result);
	if (!common->json) {
		/* Slurm makes a user's own hold of what users ask for */
		bool of_user = strcmp(maui_cmd_text(result, "action"), "hold-user") == 0;

		/* NOLINTNEXTLINE: `done` is a literal of the command */
		printf(of_user ? "user hold placed on job %s" : done, maui_cmd_text(result, "job"));
		puts(json_object_object_get_ex(result, "runs", NULL) ?
			     ": it runs on, and is held when it is requeued" :
			     "");
	}
	json_object_array_add(replies, result);
	return MAUI_EXIT_OK;
}

/* The whole line is read before the first job is changed. */
static int read_jobs(const struct maui_cmd_common *common, int argc, char **argv, json_object *jobs)
{
	if (optind >= argc)
		return maui_cmd_misuse(common, "which job?");
	for (int i = optind; i < argc; i++) {
		int status = maui_cmd_read_jobs(common, argv[i], jobs);

		if (status != MAUI_EXIT_OK)
			return status;
	}
	return MAUI_EXIT_OK;
}

int maui_cmd_change_jobs(const struct maui_cmd_common *common, int argc, char **argv,
			 const char *action, json_object *extra, const char *done)
{
	json_object *all = json_object_new_object(), *replies = json_object_new_array();
	json_object *jobs = json_object_new_array(), *errors = json_object_new_array();
	int status = read_jobs(common, argc, argv, jobs);

	json_object_object_add(all, "jobs", replies);
	json_object_object_add(all, "errors", errors);
	for (size_t i = 0; status != MAUI_EXIT_USAGE && i < json_object_array_length(jobs); i++) {
		json_object *args = json_object_array_get_idx(jobs, i);
		int rc;

		complete(args, action, extra);
		rc = change_one(common, json_object_get(args), done, replies, errors);
		if (status == MAUI_EXIT_OK)
			status = rc;
	}
	json_object_put(jobs);
	json_object_put(extra);
	if (common->json && status != MAUI_EXIT_USAGE)
		maui_cmd_print_json(common, all);
	else
		json_object_put(all);
	return status;
}
