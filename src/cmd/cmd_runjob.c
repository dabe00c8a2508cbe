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

static int report(const struct maui_cmd_common *common, const char *name, json_object *reply)
{
	json_object *started = NULL;
	bool runs = json_object_object_get_ex(reply, "started", &started) &&
		    json_object_get_boolean(started);

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
