/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstart.c - showstart: when a job is expected to start, and why then
 *
 * Rules: CMD-25.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: showstart [--json] JOBID\n"
	"\n"
	"Shows when a job can start and end, what that rests on, and how the estimate moved.\n"
	"JOBID may be a task of an array (17_3).\n"
	"\n"
	"  --json  one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 5 no such job.\n";

static const struct {
	const char *name, *text;
} bases[] = {
	{ "starting", "it starts now" },
	{ "reservation", "job reservation: jobs behind it cannot delay it" },
	{ "projection", "projection: the jobs ahead start in their order and run to their limits" },
	{ "fit", "the first room; jobs ahead without an estimate may take it" },
};

static void print_moment(const char *what, int64_t when_s, int64_t now_s)
{
	char span[MAUI_CMD_TIME_SIZE], moment[MAUI_CMD_TIME_SIZE];

	printf("%-22s %12s on %s\n", what,
	       maui_cmd_span(when_s > now_s ? when_s - now_s : 0, span, sizeof(span)),
	       maui_cmd_moment(when_s, now_s, moment, sizeof(moment)));
}

static void print_history(json_object *start, int64_t now_s)
{
	char at[MAUI_CMD_TIME_SIZE], then[MAUI_CMD_TIME_SIZE];

	if (maui_cmd_length(start, "history") < 2) /* it never moved */
		return;
	printf("The estimate moved:\n");
	for (size_t i = 0; i < maui_cmd_length(start, "history"); i++) {
		json_object *point = maui_cmd_element(start, "history", i);

		printf("  at %s: %s\n",
		       maui_cmd_moment(json_object_get_int64(json_object_array_get_idx(point, 0)),
				       now_s, at, sizeof(at)),
		       maui_cmd_moment(json_object_get_int64(json_object_array_get_idx(point, 1)),
				       now_s, then, sizeof(then)));
	}
}

static void print_waiting(json_object *start, int64_t now_s)
{
	int64_t start_s = maui_cmd_number(start, "start", MAUI_NEVER);
	int64_t end_s = maui_cmd_number(start, "end", MAUI_NEVER);
	const char *basis = maui_cmd_text(start, "basis"), *reason = maui_cmd_text(start, "reason");

	if (start_s == MAUI_NEVER) {
		printf("Start cannot be estimated: %s\n", *reason ? reason : "it is blocked");
		return;
	}
	print_moment("Earliest start in", start_s, now_s);
	if (end_s != MAUI_NEVER)
		print_moment("Earliest completion in", end_s, now_s);
	printf("Partition: %s\n", maui_cmd_text(start, "partition"));
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		if (strcmp(basis, bases[i].name) == 0)
			printf("Basis: %s\n", bases[i].text);
	if (*reason)
		printf("Reason: %s\n", reason);
	print_history(start, now_s);
}

static void print_active(json_object *start, int64_t now_s)
{
	int64_t end_s = maui_cmd_number(start, "end", MAUI_NEVER);
	char moment[MAUI_CMD_TIME_SIZE];

	printf("It is active (%s) since %s\n", maui_cmd_text(start, "state"),
	       maui_cmd_moment(maui_cmd_number(start, "start", now_s), now_s, moment,
			       sizeof(moment)));
	if (end_s != MAUI_NEVER)
		print_moment("Ends by its limit in", end_s, now_s);
}

static void print_start(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0), procs;
	char limit[MAUI_CMD_TIME_SIZE];
	json_object *start;

	if (!json_object_object_get_ex(result, "start", &start))
		return;
	procs = maui_cmd_number(start, "procs", 0);
	printf("job %s requires %" PRId64 " proc%s for %s\n\n", maui_cmd_job_label(start), procs,
	       procs == 1 ? "" : "s",
	       maui_cmd_span(maui_cmd_number(start, "limit", MAUI_NEVER), limit, sizeof(limit)));
	if (strcmp(maui_cmd_text(start, "basis"), "active") == 0)
		print_active(start, now_s);
	else
		print_waiting(start, now_s);
}

int maui_cmd_showstart(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "showstart", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	json_object *args, *result;
	int rc = maui_cmd_flags(&common, argc, argv, none, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind != 1)
		return maui_cmd_misuse(&common, "name one job");
	args = maui_cmd_job_args(argv[optind]);
	if (!args)
		return maui_cmd_misuse(&common, "'%s' is not the number of a job", argv[optind]);
	result = maui_cmd_ask(&common, MAUI_VERB_START, args, &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	print_start(result);
	json_object_put(result);
	return MAUI_EXIT_OK;
}
