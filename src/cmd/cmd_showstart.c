/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstart.c - showstart: when a job is expected to start, and why then
 *
 * A job of the queue is the server's answer; one that nobody has submitted, 16@1:00:00, is made one
 * of the answer that maui fits gets.
 *
 * Rules: CMD-25.
 */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/verbs.h"
#include "base/duration.h"
#include "base/limits.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/job.h"
#include "cmd/query.h"
#include "model/when.h"

static const char usage[] =
	"usage: showstart [--json] JOBID | PROCS@DURATION\n"
	"\n"
	"Shows when a job can start and end, what that rests on, and how the estimate moved.\n"
	"JOBID may be a task of an array (17_3). 16@1:00:00 is a job of yours with 16 processors for\n"
	"an hour that is not submitted yet; 'maui fits' takes more of its options.\n"
	"\n"
	"  --json  one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached, 5 no such job.\n";

static const struct {
	const char *name, *text;
} bases[] = {
	{ "starting", "it starts now" },
	{ "reservation",
	  "job reservation: jobs behind it take none of its nodes, but may use up its limits" },
	{ "limit",
	  "projection: the jobs that use up its limit and the jobs ahead run to their limits" },
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

static void print_deadline(int64_t start_by_s, int64_t start_s, int64_t now_s)
{
	if (start_by_s == MAUI_NEVER)
		return;
	print_moment("Must start in", start_by_s, now_s);
	if (start_s != MAUI_NEVER && start_s > start_by_s)
		printf("The start is after its deadline: Slurm cancels the job\n");
}

static void print_waiting(json_object *start, int64_t now_s)
{
	int64_t start_s = maui_cmd_number(start, "start", MAUI_NEVER);
	int64_t end_s = maui_cmd_number(start, "end", MAUI_NEVER);
	int64_t start_by_s = maui_cmd_number(start, "start_by", MAUI_NEVER);
	const char *basis = maui_cmd_text(start, "basis"), *reason = maui_cmd_text(start, "reason");

	if (start_s == MAUI_NEVER) {
		printf("Start cannot be estimated: %s\n", *reason ? reason : "it is blocked");
		print_deadline(start_by_s, start_s, now_s);
		return;
	}
	if (maui_cmd_number(start, "jobs", 1) > 1)
		printf("Of its %" PRId64 " tasks that wait, the first:\n",
		       maui_cmd_number(start, "jobs", 0));
	print_moment("Earliest start in", start_s, now_s);
	if (end_s != MAUI_NEVER)
		print_moment("Earliest completion in", end_s, now_s);
	print_deadline(start_by_s, start_s, now_s);
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

/* ---- a job that is not submitted ---- */

/* "16@1:00:00"; -1: it is none. */
static int read_shape(const char *text, int64_t *ret_procs, int64_t *ret_limit_s)
{
	const char *at = strchr(text, '@');
	char *procs = strndup(text, (size_t)(at - text));
	int rc = procs ? maui_fits_read_count(procs, 1, ret_procs) : -1;

	free(procs);
	if (rc || maui_duration_parse(at + 1, ret_limit_s, NULL))
		return -1;
	return *ret_limit_s > 0 && *ret_limit_s < MAUI_TIME_INFINITY ? 0 : -1;
}

static bool is_true(json_object *object, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(object, key, &value) && json_object_get_boolean(value);
}

/* When it starts in a partition; MAUI_NEVER: it cannot be estimated. */
static int64_t start_in(json_object *partition, int64_t limit_s, int64_t now_s)
{
	int64_t earliest_s;
	json_object *shape;

	if (!json_object_object_get_ex(partition, "shape", &shape) || !is_true(partition, "up") ||
	    limit_s > maui_cmd_number(partition, "max_time", MAUI_NEVER))
		return MAUI_NEVER;
	earliest_s = maui_cmd_number(shape, "earliest", MAUI_NEVER);
	return is_true(shape, "starts_now") ? now_s : earliest_s > now_s ? earliest_s : MAUI_NEVER;
}

/* The default partition; without one, that where it starts first. */
static json_object *choose_partition(json_object *result, int64_t limit_s, int64_t now_s)
{
	json_object *best = NULL;

	for (size_t i = 0; i < maui_cmd_length(result, "partitions"); i++) {
		json_object *partition = maui_cmd_element(result, "partitions", i);

		if (is_true(partition, "default"))
			return partition;
		if (!best || start_in(partition, limit_s, now_s) < start_in(best, limit_s, now_s))
			best = partition;
	}
	return best;
}

static void put_time(json_object *object, const char *key, int64_t when_s)
{
	json_object_object_add(object, key,
			       when_s == MAUI_NEVER ? NULL : json_object_new_int64(when_s));
}

static void put_text(json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, text ? json_object_new_string(text) : NULL);
}

/* The answer of `fits` in the form of `start`. */
static json_object *start_of_shape(json_object *fits, const char *label, int64_t procs,
				   int64_t limit_s)
{
	int64_t now_s = maui_cmd_number(fits, "time", 0), start_s = MAUI_NEVER;
	json_object *partition = choose_partition(fits, limit_s, now_s), *shape = NULL;
	json_object *result = json_object_new_object(), *start = json_object_new_object();
	const char *reason;

	if (partition)
		start_s = start_in(partition, limit_s, now_s);
	json_object_object_get_ex(partition, "shape", &shape);
	reason = json_object_get_string(maui_cmd_element(shape, "reasons", 0));
	put_text(result, "cluster", maui_cmd_text(fits, "cluster"));
	json_object_object_add(result, "time", json_object_new_int64(now_s));
	put_text(start, "label", label);
	json_object_object_add(start, "state", NULL);
	put_text(start, "partition", maui_cmd_text(partition, "name"));
	json_object_object_add(start, "procs", json_object_new_int64(procs));
	json_object_object_add(start, "limit", json_object_new_int64(limit_s));
	put_text(start, "basis",
		 start_s == MAUI_NEVER     ? NULL :
		 start_s == now_s          ? "starting" :
		 is_true(shape, "limited") ? "limit" :
					     "fit");
	put_time(start, "start", start_s);
	put_time(start, "end", start_s == MAUI_NEVER ? MAUI_NEVER : start_s + limit_s);
	put_text(start, "reason", reason);
	json_object_object_add(result, "start", start);
	json_object_put(fits);
	return result;
}

static json_object *ask_shape(const struct maui_cmd_common *common, const char *text, int *ret_rc)
{
	json_object *args, *fits;
	int64_t procs, limit_s;

	if (read_shape(text, &procs, &limit_s)) {
		*ret_rc = maui_cmd_misuse(common, "'%s' is not PROCS@DURATION, as 16@1:00:00 is",
					  text);
		return NULL;
	}
	args = json_object_new_object();
	json_object_object_add(args, "tasks", json_object_new_int64(procs));
	json_object_object_add(args, "limit", json_object_new_int64(limit_s));
	maui_fits_add_caller(args, NULL, NULL);
	fits = maui_cmd_ask(common, MAUI_VERB_FITS, args, ret_rc);
	return fits ? start_of_shape(fits, text, procs, limit_s) : NULL;
}

static json_object *ask_job(const struct maui_cmd_common *common, const char *text, int *ret_rc)
{
	json_object *args = maui_cmd_job_args(text);

	if (args)
		return maui_cmd_ask(common, MAUI_VERB_START, args, ret_rc);
	*ret_rc = maui_cmd_misuse(common, "'%s' is not the number of a job", text);
	return NULL;
}

int maui_cmd_showstart(int argc, char **argv)
{
	struct maui_cmd_common common = { .tool = "showstart", .usage = usage };
	const struct maui_cmd_flag none[] = { { 0, NULL } };
	json_object *result;
	int rc = maui_cmd_flags(&common, argc, argv, none, false);

	if (common.done || rc != MAUI_EXIT_OK)
		return rc;
	if (argc - optind != 1)
		return maui_cmd_misuse(&common, "name one job");
	result = strchr(argv[optind], '@') ? ask_shape(&common, argv[optind], &rc) :
					     ask_job(&common, argv[optind], &rc);
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
