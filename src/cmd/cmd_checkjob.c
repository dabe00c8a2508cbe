/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_checkjob.c - checkjob: one job with every reason why it waits; maui why: the same as a
 * paragraph
 *
 * Rules: CMD-21.
 */

#include <ctype.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/query.h"
#include "model/when.h"
#include "record/write.h"

static const char checkjob_usage[] =
	"usage: checkjob [-v] [--json] JOBID\n"
	"\n"
	"Shows a job that waits or runs: its request, priority and place in the queue, and every\n"
	"reason why it does not run now. JOBID may be a task of an array (17_3).\n"
	"\n"
	"  -v          also counts the nodes by reason, and shows how the start estimate moved\n"
	"  --json      one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 5 no such job.\n";

static const char why_usage[] =
	"usage: maui why [--json] JOBID\n"
	"\n"
	"Says in a few sentences why a job waits, when it may start, and what would help.\n"
	"checkjob JOBID has the details.\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 5 no such job.\n";

static const char *moment(json_object *job, const char *key, int64_t now_s, char *buf)
{
	int64_t when_s = maui_cmd_number(job, key, MAUI_NEVER);

	return when_s == MAUI_NEVER ? "unknown" :
				      maui_cmd_moment(when_s, now_s, buf, MAUI_CMD_TIME_SIZE);
}

/* Active jobs have no reasons, not even an empty list. */
static bool is_active(json_object *job)
{
	return !json_object_object_get_ex(job, "reasons", NULL);
}

/* ---- checkjob ---- */

static void print_credentials(json_object *job)
{
	static const char *const keys[] = { "user", "group", "account", "partition", "qos" };

	printf("Creds:");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!*maui_cmd_text(job, keys[i]))
			continue;
		printf("  %s:", keys[i]);
		printf("%s", maui_cmd_text(job, keys[i]));
	}
	printf("\n");
}

static void print_request(json_object *job)
{
	char limit[MAUI_CMD_TIME_SIZE];

	printf("WallTime limit: %s\n",
	       maui_cmd_span(maui_cmd_number(job, "limit", MAUI_NEVER), limit, sizeof(limit)));
	printf("Request: %" PRId64 " node%s, %" PRId64 " task%s, %" PRId64 " processor%s",
	       maui_cmd_number(job, "nodes", 0), maui_cmd_number(job, "nodes", 0) == 1 ? "" : "s",
	       maui_cmd_number(job, "tasks", 0), maui_cmd_number(job, "tasks", 0) == 1 ? "" : "s",
	       maui_cmd_number(job, "procs", 0), maui_cmd_number(job, "procs", 0) == 1 ? "" : "s");
	if (maui_cmd_number(job, "gpus", 0) > 0)
		printf(", %" PRId64 " GPU%s", maui_cmd_number(job, "gpus", 0),
		       maui_cmd_number(job, "gpus", 0) == 1 ? "" : "s");
	printf("\n");
	if (*maui_cmd_text(job, "features"))
		printf("Features: %s\n", maui_cmd_text(job, "features"));
	if (*maui_cmd_text(job, "reservation"))
		printf("Reservation: %s\n", maui_cmd_text(job, "reservation"));
}

static void print_queue(json_object *job, int64_t now_s)
{
	int64_t ahead = maui_cmd_number(job, "ahead", 0);
	char submit[MAUI_CMD_TIME_SIZE], queued[MAUI_CMD_TIME_SIZE];

	printf("SubmitTime: %s\n", moment(job, "submit", now_s, submit));
	printf("Time queued: %s\n",
	       maui_cmd_span(now_s - maui_cmd_number(job, "queued_since", now_s), queued,
			     sizeof(queued)));
	printf("StartPriority: %" PRId64 "\n", maui_cmd_number(job, "priority", 0));
	if (maui_cmd_number(job, "rank", 0) == 0)
		return;
	printf("Rank: %" PRId64, maui_cmd_number(job, "rank", 0));
	if (ahead > 0)
		printf(", %" PRId64 " job%s ahead in partition %s", ahead, ahead == 1 ? "" : "s",
		       maui_cmd_text(job, "partition"));
	printf("\n");
}

static void print_outlook(json_object *job, int64_t now_s)
{
	char when[MAUI_CMD_TIME_SIZE];

	if (maui_cmd_number(job, "expected_start", MAUI_NEVER) != MAUI_NEVER)
		printf("Expected start: %s\n", moment(job, "expected_start", now_s, when));
	else if (maui_cmd_number(job, "earliest_start", MAUI_NEVER) != MAUI_NEVER)
		printf("Earliest start: %s\n", moment(job, "earliest_start", now_s, when));
	if (maui_cmd_number(job, "start_by", MAUI_NEVER) != MAUI_NEVER)
		printf("Must start by: %s, or Slurm cancels it (deadline)\n",
		       moment(job, "start_by", now_s, when));
	if (maui_cmd_number(job, "fits_now_with_limit", MAUI_NEVER) != MAUI_NEVER)
		printf("Would start now with a time limit of at most %s\n",
		       maui_cmd_span(maui_cmd_number(job, "fits_now_with_limit", 0), when,
				     sizeof(when)));
}

static void print_nodes(json_object *job)
{
	json_object *counts;

	if (!json_object_object_get_ex(job, "nodes_by_reason", &counts) ||
	    json_object_object_length(counts) == 0)
		return;
	printf("Nodes by reason:\n");
	json_object_object_foreach(counts, reason, count)
	{
		printf("  %6" PRId64 "  %s\n", json_object_get_int64(count), reason);
	}
}

static void print_estimates(json_object *job, int64_t now_s)
{
	char at[MAUI_CMD_TIME_SIZE], start[MAUI_CMD_TIME_SIZE];

	if (maui_cmd_length(job, "estimates") > 0)
		printf("Start estimates:\n");
	for (size_t i = 0; i < maui_cmd_length(job, "estimates"); i++) {
		json_object *one = maui_cmd_element(job, "estimates", i);
		int64_t at_s = json_object_get_int64(json_object_array_get_idx(one, 0));
		int64_t start_s = json_object_get_int64(json_object_array_get_idx(one, 1));

		printf("  at %s: %s\n", maui_cmd_moment(at_s, now_s, at, sizeof(at)),
		       maui_cmd_moment(start_s, now_s, start, sizeof(start)));
	}
}

static void print_help_items(json_object *job)
{
	if (maui_cmd_length(job, "would_help") > 0)
		printf("What would help:\n");
	for (size_t i = 0; i < maui_cmd_length(job, "would_help"); i++) {
		json_object *item = maui_cmd_element(job, "would_help", i);

		printf("  %s\n", maui_cmd_text(item, "text"));
		if (*maui_cmd_text(item, "command"))
			printf("    %s\n", maui_cmd_text(item, "command"));
	}
}

static void print_waiting(json_object *job, int64_t now_s, bool verbose)
{
	print_request(job);
	print_queue(job, now_s);
	if (maui_cmd_length(job, "reasons") > 0)
		printf("Reasons:\n");
	for (size_t i = 0; i < maui_cmd_length(job, "reasons"); i++)
		printf("  %s\n", json_object_get_string(maui_cmd_element(job, "reasons", i)));
	print_outlook(job, now_s);
	if (verbose) {
		print_nodes(job);
		print_estimates(job, now_s);
		print_help_items(job);
	}
}

static void print_active(json_object *job, int64_t now_s)
{
	int64_t nodes = maui_cmd_number(job, "nodes", 0), procs = maui_cmd_number(job, "procs", 0);
	char when[MAUI_CMD_TIME_SIZE];

	printf("Allocated: %" PRId64 " node%s, %" PRId64 " processor%s\n", nodes,
	       nodes == 1 ? "" : "s", procs, procs == 1 ? "" : "s");
	printf("Nodes: %s\n", maui_cmd_text(job, "node_names"));
	printf("StartTime: %s\n", moment(job, "start", now_s, when));
	printf("End by its limit: %s\n", moment(job, "end", now_s, when));
}

static void print_job(json_object *result, bool verbose)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	json_object *job;

	if (!json_object_object_get_ex(result, "job", &job))
		return;
	printf("Job %s\n\nState: %s\n", maui_cmd_job_label(job), maui_cmd_text(job, "state"));
	print_credentials(job);
	if (is_active(job))
		print_active(job, now_s);
	else
		print_waiting(job, now_s, verbose);
}

/* ---- maui why ---- */

/* A reason as a sentence: "1 node has room" gets a full stop, "held" a capital. */
static void print_sentence(const char *text)
{
	printf("%c%s.\n", toupper((unsigned char)*text), *text ? text + 1 : "");
}

static void print_why_waiting(json_object *job)
{
	int64_t ahead = maui_cmd_number(job, "ahead", 0);

	printf(" %s in partition %s with priority %" PRId64,
	       strcmp(maui_cmd_text(job, "state"), "Blocked") == 0 ? "is blocked" : "waits",
	       maui_cmd_text(job, "partition"), maui_cmd_number(job, "priority", 0));
	if (ahead > 0)
		printf(", behind %" PRId64 " job%s", ahead, ahead == 1 ? "" : "s");
	else if (maui_cmd_number(job, "rank", 0) == 1)
		printf(", the highest of those that wait");
	printf(".\n");
	for (size_t i = 0; i < maui_cmd_length(job, "reasons"); i++)
		print_sentence(json_object_get_string(maui_cmd_element(job, "reasons", i)));
	for (size_t i = 0; i < maui_cmd_length(job, "outlook"); i++)
		print_sentence(json_object_get_string(maui_cmd_element(job, "outlook", i)));
}

static void print_why_active(json_object *job, int64_t now_s)
{
	int64_t nodes = maui_cmd_number(job, "nodes", 0), procs = maui_cmd_number(job, "procs", 0);
	char when[MAUI_CMD_TIME_SIZE];

	printf(" does not wait: its state is %s", maui_cmd_text(job, "state"));
	printf(", since %s.\n", moment(job, "start", now_s, when));
	printf("It has %" PRId64 " processor%s on %" PRId64 " node%s", procs, procs == 1 ? "" : "s",
	       nodes, nodes == 1 ? "" : "s");
	if (maui_cmd_number(job, "end", MAUI_NEVER) != MAUI_NEVER)
		printf(", until %s at the latest", moment(job, "end", now_s, when));
	printf(".\n");
}

static void print_why(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	json_object *job;

	if (!json_object_object_get_ex(result, "job", &job))
		return;
	printf("Job %s", maui_cmd_job_label(job));
	printf(" of user %s", maui_cmd_text(job, "user"));
	if (is_active(job)) {
		print_why_active(job, now_s);
	} else if (strcmp(maui_cmd_text(job, "state"), "Starting") == 0) {
		printf(" does not wait: it starts now.\n");
	} else {
		print_why_waiting(job);
	}
}

/* ---- both ---- */

static int check(int argc, char **argv, const char *tool, const char *usage, bool why)
{
	struct maui_cmd_common common = { .tool = tool, .usage = usage };
	bool verbose = false;
	const struct maui_cmd_flag flags[] = { { 'v', &verbose }, { 0, NULL } };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	struct maui_job_args args;
	json_object *result;
	int rc;

	maui_cmd_begin(&common, argc, argv);
	rc = maui_cmd_flags(&common, argc, argv, why ? none : flags, false);
	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind != 1)
		return maui_cmd_misuse(&common, "name one job");
	if (maui_cmd_job_args(argv[optind], &args))
		return maui_cmd_misuse(&common, "'%s' is not the number of a job", argv[optind]);
	result = maui_cmd_ask(&common, MAUI_VERB_JOB, maui_record_json(&maui_job_args_type, &args),
			      &rc);
	if (!result)
		return rc;
	if (common.json) {
		maui_cmd_print_json(&common, result);
		return MAUI_EXIT_OK;
	}
	if (why)
		print_why(result);
	else
		print_job(result, verbose);
	json_object_put(result);
	return MAUI_EXIT_OK;
}

int maui_cmd_checkjob(int argc, char **argv)
{
	return check(argc, argv, "checkjob", checkjob_usage, false);
}

int maui_cmd_why(int argc, char **argv)
{
	return check(argc, argv, "maui why", why_usage, true);
}
