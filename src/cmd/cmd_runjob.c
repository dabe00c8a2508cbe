/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_runjob.c - runjob: a waiting job starts now, or why not
 *
 * slurmctld puts the job into one plan ahead of all others. The answer comes at the end of that
 * cycle, and says what has started, or why nothing has.
 *
 * Rules: CMD-52.
 */

#include <getopt.h>
#include <stdio.h>
#include <string.h>

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
	"Exit status: 0 it has started, 1 it has not, 2 usage, 3 slurmctld cannot be reached, 4 not\n"
	"permitted, 5 no such job.\n";

static bool has_started(json_object *reply)
{
	json_object *started = NULL;

	return json_object_object_get_ex(reply, "started", &started) &&
	       json_object_get_boolean(started);
}

static int report(const struct maui_cmd_common *common, const char *name, json_object *reply)
{
	bool runs = has_started(reply);

	maui_cmd_clean(reply);
	if (!runs)
		fprintf(stderr,
			"runjob: error: job %s does not start: %s; maui why %s may know more\n",
			name, maui_cmd_text(reply, "reason"), name);
	if (common->json)
		maui_cmd_print_json(common, json_object_get(reply));
	for (size_t i = 0; !common->json && i < maui_cmd_length(reply, "started_jobs"); i++)
		printf("job %s successfully started\n",
		       json_object_get_string(maui_cmd_element(reply, "started_jobs", i)));
	return runs ? MAUI_EXIT_OK : MAUI_EXIT_ERROR;
}

/* Moves the started jobs of `reply`, which is freed, behind those of `all`. */
static void join(json_object *all, json_object *reply)
{
	json_object *list = NULL, *value = NULL;

	if (!json_object_object_get_ex(all, "started_jobs", &list))
		list = json_object_new_array();
	else
		json_object_get(list);
	for (size_t i = 0; i < maui_cmd_length(reply, "started_jobs"); i++)
		json_object_array_add(list,
				      json_object_get(maui_cmd_element(reply, "started_jobs", i)));
	json_object_object_add(all, "started_jobs", list);
	json_object_object_add(all, "started", json_object_new_boolean(has_started(reply)));
	if (json_object_object_get_ex(reply, "reason", &value))
		json_object_object_add(all, "reason", json_object_get(value));
	json_object_put(reply);
}

/* A later task of a list that slurmctld refuses does not start. */
static json_object *refused(const struct maui_query_error *error)
{
	json_object *reply = json_object_new_object();

	json_object_object_add(reply, "reason", json_object_new_string(error->err.text));
	return reply;
}

/* Asks for the job, or for each task of a list until one does not start. The reply has all that
 * have started; NULL with *ret_rc: an error is printed. */
static json_object *start_jobs(const struct maui_cmd_common *common, json_object *jobs,
			       json_object *options, int *ret_rc)
{
	size_t count = json_object_array_length(jobs);
	json_object *all = NULL, *reply;

	for (size_t i = 0; i < count && (!all || has_started(all)); i++) {
		struct maui_query_error error = { .code = MAUI_QUERY_ERROR };
		json_object *args = json_object_get(json_object_array_get_idx(jobs, i));

		json_object_object_foreach(options, key, value)
		{
			json_object_object_add(args, key, json_object_get(value));
		}
		reply = maui_cmd_ask_server(MAUI_VERB_CHANGEJOB, args, &error);
		if (!reply && !all) {
			*ret_rc = maui_cmd_failed(common, &error);
			return NULL;
		}
		if (all)
			join(all, reply ? reply : refused(&error));
		else
			all = reply;
	}
	return all;
}

static int run(struct maui_cmd_common *common, int argc, char **argv, json_object *args)
{
	static const struct option known[] = { MAUI_COMMON_OPTIONS, { 0 } };
	json_object *jobs, *reply;
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
	jobs = json_object_new_array();
	rc = maui_cmd_read_jobs(common, argv[optind], jobs);
	json_object_object_add(args, "action", json_object_new_string("run"));
	reply = rc == MAUI_EXIT_OK ? start_jobs(common, jobs, args, &rc) : NULL;
	if (reply && json_object_array_length(jobs) > 1)
		json_object_object_add(reply, "job", json_object_new_string(argv[optind]));
	json_object_put(jobs);
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
