/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showstart.c - showstart: when a job is expected to start, and why then
 *
 * A job of the queue is the server's answer; one that nobody has submitted, 16@1:00:00, is made one
 * of the answer that maui fits gets.
 *
 * Rules: CMD-25.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "base/limits.h"
#include "base/moment.h"
#include "base/need.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/job.h"
#include "cmd/query.h"
#include "model/when.h"
#include "verbs/start.h"

static const struct maui_command command = {
	.synopsis = "showstart [--json] JOBID | PROCS@DURATION",
	.about = "Shows when a job can start and end, what that rests on, and how the estimate "
		 "moved. JOBID may be a task of an array (17_3). 16@1:00:00 is a job of yours with "
		 "16 processors for an hour that is not submitted yet; 'maui fits' takes more of "
		 "its options.",
	.operands = 1,
	.missing = "name one job",
	.notes = MAUI_EXITS ", 5 no such job.",
};

static const struct {
	const char *name, *text;
} bases[] = {
	{ "starting", "it starts now" },
	{ "reservation", "job reservation: its nodes are kept from the jobs behind it, which may "
			 "still use up a limit of its credentials" },
	{ "limit", "projection: as if the jobs that use up its limit, and the jobs ahead of it, "
		   "all ran to their time limits" },
	{ "projection", "projection: as if the jobs ahead of it started in their order, and all "
			"jobs ran to their time limits" },
	{ "fit", "first room: when enough nodes are free for it; jobs ahead of it that have no "
		 "estimate may take them" },
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void print_moment(const char *what, int64_t when_s, int64_t now_s)
{
	char span[MAUI_DURATION_SIZE], moment[MAUI_MOMENT_SIZE];

	printf("%-22s %12s on %s\n", what,
	       maui_duration_as_maui(when_s > now_s ? when_s - now_s : 0, span, sizeof(span)),
	       maui_moment_as_maui(when_s, now_s, moment, sizeof(moment)));
}

static void print_history(const struct maui_job_start *start, int64_t now_s)
{
	char at[MAUI_MOMENT_SIZE], then[MAUI_MOMENT_SIZE];

	if (start->history_count < 2) /* it never moved */
		return;
	printf("The estimate moved:\n");
	for (size_t i = 0; i < start->history_count; i++)
		printf("  at %s: %s\n",
		       maui_moment_as_maui(start->history[i].at, now_s, at, sizeof(at)),
		       maui_moment_as_maui(start->history[i].start, now_s, then, sizeof(then)));
}

static void print_deadline(const struct maui_job_start *start, int64_t now_s)
{
	char moment[MAUI_MOMENT_SIZE];

	if (start->start_by == 0 || start->start_by == MAUI_NEVER)
		return;
	if (start->start_by <= now_s) {
		printf("It had to start by %s to end before its deadline: Slurm cancels the job\n",
		       maui_moment_as_maui(start->start_by, now_s, moment, sizeof(moment)));
		return;
	}
	print_moment("Must start in", start->start_by, now_s);
	if (start->start != MAUI_NEVER && start->start > start->start_by)
		printf("It will not start by then, as its deadline requires: Slurm cancels the "
		       "job\n");
}

static void print_waiting(const struct maui_job_start *start, int64_t now_s)
{
	const char *basis = or_empty(start->basis), *reason = or_empty(start->reason);
	char span[MAUI_DURATION_SIZE];

	if (start->start == MAUI_NEVER) {
		printf("Start cannot be estimated: %s\n", *reason ? reason : "it is blocked");
		print_deadline(start, now_s);
		return;
	}
	if (start->jobs > 1)
		printf("Of its %" PRId64 " tasks that wait, the first:\n", start->jobs);
	print_moment("Earliest start in", start->start, now_s);
	if (start->end != MAUI_NEVER)
		print_moment("Earliest completion in", start->end, now_s);
	print_deadline(start, now_s);
	printf("Partition: %s\n", start->partition);
	for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		if (strcmp(basis, bases[i].name) == 0)
			printf("Basis: %s\n", bases[i].text);
	if (start->half_within != MAUI_NEVER && start->half_within > 0)
		printf("Half of such estimates were off by %s at most\n",
		       maui_duration_as_maui(start->half_within, span, sizeof(span)));
	if (*reason)
		printf("Reason: %s\n", reason);
	print_history(start, now_s);
}

static void print_active(const struct maui_job_start *start, int64_t now_s)
{
	char moment[MAUI_MOMENT_SIZE];

	printf("It is active (%s) since %s\n", maui_job_state_text(start->state, ""),
	       maui_moment_as_maui(start->start, now_s, moment, sizeof(moment)));
	if (start->end != MAUI_NEVER)
		print_moment("Ends by its limit in", start->end, now_s);
}

static int print_start(const struct maui_tool_common *common, const void *options,
		       const void *record)
{
	const struct maui_start_answer *answer = record;
	const struct maui_job_start *start = answer->start;
	char limit[MAUI_DURATION_SIZE];

	(void)common;
	(void)options;
	printf("job %s requires %" PRId64 " proc%s for %s\n\n", start->label, start->procs,
	       maui_plural(start->procs),
	       maui_duration_as_maui(start->limit, limit, sizeof(limit)));
	if (strcmp(or_empty(start->basis), "active") == 0)
		print_active(start, answer->time);
	else
		print_waiting(start, answer->time);
	return MAUI_EXIT_OK;
}

/* ---- a job that is not submitted ---- */

/* "16@1:00:00"; -1: it is none. */
static int read_shape(const char *text, int64_t *ret_procs, int64_t *ret_limit_s)
{
	const char *at = strchr(text, '@');
	char *procs = maui_need(strndup(text, (size_t)(at - text)));
	int rc = maui_option_count(procs, 1, ret_procs);

	free(procs);
	if (rc || maui_duration_parse(at + 1, ret_limit_s, NULL))
		return -1;
	return *ret_limit_s > 0 && *ret_limit_s < MAUI_TIME_INFINITY ? 0 : -1;
}

/* When it starts in a partition; MAUI_NEVER: it cannot be estimated. */
static int64_t start_in(const struct maui_fits_partition *partition, int64_t limit_s, int64_t now_s)
{
	const struct maui_fits_shape *shape = partition->shape;

	if (!shape || !partition->up || *partition->kept_out_by || limit_s > partition->max_time)
		return MAUI_NEVER;
	return shape->starts_now ? now_s : shape->earliest > now_s ? shape->earliest : MAUI_NEVER;
}

/* The default partition; without one, the partition where the job starts first. NULL: none. */
static const struct maui_fits_partition *choose_partition(const struct maui_fits *fits,
							  int64_t limit_s)
{
	const struct maui_fits_partition *best = NULL;

	for (size_t i = 0; i < fits->partitions_count; i++) {
		const struct maui_fits_partition *partition = &fits->partitions[i];

		if (partition->is_default)
			return partition;
		if (!best ||
		    start_in(partition, limit_s, fits->time) < start_in(best, limit_s, fits->time))
			best = partition;
	}
	return best;
}

/* The answer of `fits` in the form of `start`; texts are borrowed of it. */
static struct maui_job_start start_of_shape(const struct maui_fits *fits, const char *label,
					    int64_t procs, int64_t limit_s)
{
	const struct maui_fits_partition *partition = choose_partition(fits, limit_s);
	const struct maui_fits_shape none = { 0 }, *shape = partition && partition->shape ?
								    partition->shape :
								    &none;
	int64_t start_s = partition ? start_in(partition, limit_s, fits->time) : MAUI_NEVER;

	return (struct maui_job_start){
		.label = label,
		.partition = partition ? partition->name : "",
		.procs = procs,
		.limit = limit_s,
		.basis = start_s == MAUI_NEVER ? NULL :
			 start_s == fits->time ? "starting" :
			 shape->limited        ? "limit" :
						 "fit",
		.start = start_s,
		.end = start_s == MAUI_NEVER ? MAUI_NEVER : start_s + limit_s,
		.reason = shape->reasons_count > 0 ? shape->reasons[0] : NULL,
		.ahead = -1,
	};
}

static int show_shape(const struct maui_tool_common *common, const char *text)
{
	struct maui_fits_ask ask = { 0 };
	struct maui_fits_args *args = &ask.args;
	const struct maui_fits *fits;
	struct maui_start_answer start;
	struct maui_cmd_answer answer;
	struct maui_job_start one;
	int rc;

	if (read_shape(text, &args->tasks, &args->limit))
		return maui_tool_misuse(
			common,
			"'%s' is not PROCS@DURATION, as 16@1:00:00 is: PROCS at most "
			"%d, DURATION below %" PRId64 " seconds",
			text, MAUI_OPTION_COUNT_MOST, MAUI_TIME_INFINITY);
	maui_fits_set_caller(&ask);
	rc = maui_cmd_ask_verb(common, &maui_verb_fits, args, &answer);
	if (rc != MAUI_EXIT_OK)
		return rc;
	fits = answer.record;
	one = start_of_shape(fits, text, args->tasks, args->limit);
	start = (struct maui_start_answer){ fits->cluster, fits->time, &one };
	if (common->json)
		maui_cmd_print_record_json(common, &maui_start_answer_type, &start);
	else
		print_start(common, NULL, &start);
	maui_cmd_answer_finish(&answer);
	return rc;
}

static int show_job(const struct maui_tool_common *common, const char *text)
{
	struct maui_job_args args;

	if (maui_cmd_job_args(text, &args))
		return maui_tool_misuse(common, "'%s' is not the number of a job", text);
	return maui_cmd_show(common, &maui_verb_start, &args, print_start, NULL);
}

static int run_showstart(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "showstart", .command = &command };
	int rc = maui_cmd_read(&common, NULL, argc, argv);

	if (common.done)
		return rc;
	return strchr(*common.operands, '@') ? show_shape(&common, *common.operands) :
					       show_job(&common, *common.operands);
}

MAUI_COMMAND(showstart, "show when a job is expected to start");
