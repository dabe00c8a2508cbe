/* SPDX-License-Identifier: GPL-2.0-or-later */
/* change_job.c - what commands that change jobs have in common */

#include "cmd/change_job.h"

#include <getopt.h>
#include <stdio.h>

#include "answers/verbs.h"
#include "cmd/ask.h"
#include "cmd/cmd.h"
#include "cmd/job.h"

static json_object *make_args(const char *name, const char *action, json_object *extra)
{
	json_object *args = maui_cmd_job_args(name);

	if (!args)
		return NULL;
	json_object_object_add(args, "action", json_object_new_string(action));
	if (extra) {
		json_object_object_foreach(extra, key, value)
		{
			json_object_object_add(args, key, json_object_get(value));
		}
	}
	return args;
}

static void print_warnings(const struct maui_cmd_common *common, json_object *result)
{
	for (size_t i = 0; i < maui_cmd_length(result, "warnings"); i++)
		fprintf(stderr, "%s: warning: %s\n", common->tool,
			json_object_get_string(maui_cmd_element(result, "warnings", i)));
}

/* The exit status; the reply is added to `replies`. */
static int change_one(const struct maui_cmd_common *common, json_object *args, const char *done,
		      json_object *replies)
{
	const struct maui_cmd_common quiet = { .tool = common->tool };
	int rc;
	json_object *result = maui_cmd_ask(&quiet, MAUI_VERB_CHANGEJOB, args, &rc);

	if (!result)
		return rc;
	print_warnings(common, result);
	if (!common->json) {
		/* NOLINTNEXTLINE: `done` is a literal of the command */
		printf(done, maui_cmd_text(result, "job"));
		putchar('\n');
	}
	json_object_array_add(replies, result);
	return MAUI_EXIT_OK;
}

int maui_cmd_change_jobs(const struct maui_cmd_common *common, int argc, char **argv,
			 const char *action, json_object *extra, const char *done)
{
	json_object *all = json_object_new_object(), *replies = json_object_new_array();
	int status = MAUI_EXIT_OK;

	json_object_object_add(all, "jobs", replies);
	if (optind >= argc)
		status = maui_cmd_misuse(common, "which job?");
	for (int i = optind; i < argc && status != MAUI_EXIT_USAGE; i++) {
		json_object *args = make_args(argv[i], action, extra);
		int rc = args ? change_one(common, args, done, replies) :
				maui_cmd_misuse(common, "%s: not the number of a job", argv[i]);

		if (status == MAUI_EXIT_OK)
			status = rc;
	}
	json_object_put(extra);
	if (common->json && status != MAUI_EXIT_USAGE)
		maui_cmd_print_json(common, all);
	else
		json_object_put(all);
	return status;
}
