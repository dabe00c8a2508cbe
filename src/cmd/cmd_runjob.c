/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_runjob.c - runjob: a waiting job starts now, or why not
 *
 * slurmctld puts the job into one plan ahead of all others. The answer comes when that plan is
 * published; whether the job runs is then read from it.
 *
 * Rules: CMD-52.
 */

#include <getopt.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "answers/verbs.h"
#include "cmd/ask.h"
#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/query.h"

static const char usage[] =
	"usage: runjob [-c] [-f | -x] [-n HOSTLIST] [--json] JOB\n"
	"\n"
	"Starts a waiting job now, ahead of all other jobs and of their job reservations; if it cannot\n"
	"start, says why and leaves it waiting. It never starts on nodes that are busy, nor past holds,\n"
	"dependencies and limits of Slurm. Needs ADMIN1 or ADMIN2 of maui.cfg, or the rights of an\n"
	"operator of Slurm.\n"
	"\n"
	"  -f          past throttling policies and fairshare caps of maui.cfg, too\n"
	"  -x          like -f, and into reservations that do not admit the job\n"
	"  -n HOSTLIST only on these nodes\n"
	"  -c          forget refused starts; runjob always does\n"
	"  --json      one JSON object\n"
	"\n"
	"scontrol suspend JOB suspends a job (Maui: runjob -s).\n"
	"Exit status: 0 it starts, 1 it does not, 2 usage, 3 slurmctld cannot be reached, 4 not\n"
	"permitted, 5 no such job.\n";

enum { WAIT_S = 10, LOOK_MS = 100 };

static bool is_running(json_object *result)
{
	json_object *job;

	return json_object_object_get_ex(result, "job", &job) &&
	       strcmp(maui_cmd_text(job, "state"), "Running") == 0;
}

/* What checkjob knows once the start is carried out; NULL with error. */
static json_object *look(const char *name, struct maui_query_error *error)
{
	time_t until = time(NULL) + WAIT_S;
	json_object *result;

	for (;;) {
		json_object *job;

		result = maui_cmd_ask_server(MAUI_VERB_JOB, maui_cmd_job_args(name), error);
		if (!result || !json_object_object_get_ex(result, "job", &job) ||
		    strcmp(maui_cmd_text(job, "state"), "Starting") != 0 || time(NULL) >= until)
			return result;
		json_object_put(result);
		poll(NULL, 0, LOOK_MS);
	}
}

/* The reply says that the plan does not start the job, and why. Without that Slurm may have
 * refused: then a later plan says why the job waits. */
static int report(const struct maui_cmd_common *common, const char *name, json_object *reply)
{
	struct maui_query_error error;
	json_object *result = look(name, &error), *refused, *job;
	bool planned = !json_object_object_get_ex(reply, "started", &refused);
	const char *reason = maui_cmd_text(reply, "reason");
	bool runs;

	if (!result)
		return maui_cmd_failed(common, &error);
	runs = planned && is_running(result);
	maui_cmd_clean(result);
	json_object_object_get_ex(result, "job", &job);
	if (!*reason && maui_cmd_length(job, "reasons") > 0)
		reason = json_object_get_string(maui_cmd_element(job, "reasons", 0));
	if (!*reason)
		reason = "Slurm refused the start";
	if (!runs)
		fprintf(stderr, "runjob: error: job %s does not start: %s\n", name, reason);
	json_object_object_add(result, "started", json_object_new_boolean(runs));
	if (common->json) {
		maui_cmd_print_json(common, result);
		return runs ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
	}
	if (runs)
		printf("job %s successfully started\n", name);
	json_object_put(result);
	return runs ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
}

static int run(struct maui_cmd_common *common, int argc, char **argv, json_object *args)
{
	static const struct option known[] = { MAUI_COMMON_OPTIONS, { 0 } };
	json_object *named, *reply;
	int option, rc;

	maui_cmd_begin(common, argc, argv);
	while ((option = getopt_long(argc, argv, "cfxn:hV", known, NULL)) != -1) {
		if (option == 'f')
			json_object_object_add(args, "force", json_object_new_boolean(true));
		else if (option == 'x')
			json_object_object_add(args, "anywhere", json_object_new_boolean(true));
		else if (option == 'n')
			json_object_object_add(args, "hosts", json_object_new_string(optarg));
		else if (option != 'c')
			rc = maui_cmd_common_option(common, option);
		if (common->done)
			return rc;
	}
	if (argc - optind != 1)
		return maui_cmd_misuse(common, "one JOB is expected");
	named = strchr(argv[optind], '[') ? NULL : maui_cmd_job_args(argv[optind]);
	if (!named)
		return maui_cmd_misuse(common, "%s: not the number of one job", argv[optind]);
	json_object_object_foreach(named, key, value)
	{
		json_object_object_add(args, key, json_object_get(value));
	}
	json_object_put(named);
	json_object_object_add(args, "action", json_object_new_string("run"));
	reply = maui_cmd_ask(common, MAUI_VERB_CHANGEJOB, json_object_get(args), &rc);
	if (!reply)
		return rc;
	rc = report(common, argv[optind], reply);
	json_object_put(reply);
	return rc;
}

int maui_cmd_runjob(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "runjob", .usage = usage };
	json_object *args = json_object_new_object();
	int rc = run(&common, argc, argv, args);

	json_object_put(args);
	return rc;
}
