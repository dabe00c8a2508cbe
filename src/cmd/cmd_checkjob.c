/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_checkjob.c - checkjob: one job with every reason why it waits; maui why: the same as a
 * paragraph
 *
 * Rules: CMD-21, CMD-68.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/moment.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/query.h"
#include "model/when.h"
#include "verbs/job.h"

struct options {
	bool verbose;
};

static const struct maui_option options[] = {
	MAUI_FLAG('v', NULL, options, verbose,
		  "also counts the nodes by reason, and shows how the start estimate moved"),
	{ 0 },
};

static const struct maui_command checkjob = {
	.synopsis = "checkjob [-v] [--json] JOBID",
	.about =
		"Shows a job that waits or runs: its request, priority and place in the queue, "
		"and every reason why it does not run now. JOBID may be a task of an array (17_3).",
	.options = options,
	.operands = 1,
	.missing = "name one job",
	.notes = MAUI_EXITS ", 5 no such job.",
};

static const struct maui_command why = {
	.synopsis = "maui why [--json] JOBID",
	.about = "Says in a few sentences why a job waits, when it may start, and what would help. "
		 "checkjob JOBID has the details.",
	.operands = 1,
	.missing = "name one job",
	.notes = MAUI_EXITS ", 5 no such job.",
};

static const char *moment(int64_t when_s, int64_t now_s, char *buf)
{
	return when_s == MAUI_NEVER ? "unknown" :
				      maui_moment_as_maui(when_s, now_s, buf, MAUI_MOMENT_SIZE);
}

/* " and 3 more" */
static void print_more(int64_t all, size_t listed)
{
	if (all > (int64_t)listed)
		printf(" and %" PRId64 " more", all - (int64_t)listed);
}

static void print_ahead(const struct maui_job_waiting *w)
{
	for (size_t i = 0; i < w->jobs_ahead_count; i++)
		printf("%s%s", i > 0 ? ", " : "", w->jobs_ahead[i]);
	print_more(w->ahead, w->jobs_ahead_count);
}

static void print_others_ahead(const struct maui_job_waiting *w, const char *end)
{
	if (w->others_ahead_count == 0)
		return;
	printf("Ahead of it in other partitions, for nodes that could serve it: ");
	for (size_t i = 0; i < w->others_ahead_count; i++)
		printf("%s%s", i > 0 ? ", " : "", w->others_ahead[i]);
	printf("%s\n", end);
}

/* "11 (until 15:00), 12 and 3 more" */
static void print_node_users(const struct maui_job_waiting *w, int64_t now_s)
{
	char end[MAUI_MOMENT_SIZE];

	for (size_t i = 0; i < w->node_users_count; i++) {
		printf("%s%s", i > 0 ? ", " : "", w->node_users[i].label);
		if (w->node_users[i].suspended)
			printf(" (suspended: its processors are free, its memory is not)");
		else if (w->node_users[i].end != MAUI_NEVER)
			printf(" (until %s)",
			       maui_moment_plain(w->node_users[i].end, MAUI_NOT_AFTER, now_s, end,
						 sizeof(end)));
		else
			printf(" (no time limit: planned with SYSTEMDEFAULTJOBWALLTIME)");
	}
	print_more(w->node_users_all, w->node_users_count);
}

/* ---- checkjob ---- */

static void print_credentials(const struct maui_job_details *job)
{
	const struct {
		const char *key, *name;
	} creds[] = {
		{ "user", job->user },       { "group", job->group },
		{ "account", job->account }, { "partition", job->partition },
		{ "qos", job->qos },
	};

	printf("Creds:");
	for (size_t i = 0; i < sizeof(creds) / sizeof(creds[0]); i++)
		if (*creds[i].name)
			printf("  %s:%s", creds[i].key, creds[i].name);
	printf("\n");
}

static void print_request(const struct maui_job_details *job)
{
	const struct maui_job_waiting *w = job->waiting;
	char limit[MAUI_DURATION_SIZE];

	printf("WallTime limit: %s\n", maui_duration_as_maui(job->limit, limit, sizeof(limit)));
	printf("Request: %" PRId64 " node%s, %" PRId64 " task%s, %" PRId64 " processor%s",
	       job->nodes, maui_plural(job->nodes), job->tasks, maui_plural(job->tasks), job->procs,
	       maui_plural(job->procs));
	if (w->gpus > 0)
		printf(", %" PRId64 " GPU%s", w->gpus, maui_plural(w->gpus));
	printf("\n");
	if (*w->features)
		printf("Features: %s\n", w->features);
	if (*w->reservation)
		printf("Reservation: %s\n", w->reservation);
}

static void print_queue(const struct maui_job_details *job, int64_t now_s)
{
	const struct maui_job_waiting *w = job->waiting;
	char submit[MAUI_MOMENT_SIZE], queued[MAUI_DURATION_SIZE], eligible[MAUI_DURATION_SIZE];

	printf("SubmitTime: %s\n", moment(w->submit, now_s, submit));
	printf("Time queued: %s", maui_duration_as_maui(now_s - w->submit, queued, sizeof(queued)));
	/* what QUEUETIMEWEIGHT multiplies: less than that of a job that was held or limited */
	if (w->queued_since > w->submit)
		printf(", eligible for %s of it",
		       maui_duration_as_maui(now_s - w->queued_since, eligible, sizeof(eligible)));
	printf("\n");
	printf("StartPriority: %" PRId64 "\n", w->priority);
	if (w->rank == MAUI_NEVER)
		return;
	printf("Rank: %" PRId64, w->rank);
	if (w->ahead > 0)
		printf(", %" PRId64 " job%s ahead in partition %s", w->ahead, maui_plural(w->ahead),
		       job->partition);
	if (w->jobs_ahead_count > 0) {
		printf(": ");
		print_ahead(w);
	}
	printf("\n");
}

static void print_outlook(const struct maui_job_waiting *w, int64_t now_s)
{
	char when[MAUI_MOMENT_SIZE];

	if (w->expected_start != MAUI_NEVER)
		printf("Expected start: %s\n", moment(w->expected_start, now_s, when));
	else if (w->earliest_start != MAUI_NEVER)
		printf("Earliest start: %s\n", moment(w->earliest_start, now_s, when));
	if (w->start_by != MAUI_NEVER)
		printf("Must start by: %s, or Slurm cancels it (deadline)\n",
		       moment(w->start_by, now_s, when));
	if (*w->with_shorter_limit)
		printf("%c%s\n", toupper((unsigned char)*w->with_shorter_limit),
		       w->with_shorter_limit + 1);
}

static void print_nodes(const struct maui_job_waiting *w)
{
	if (w->nodes_by_reason_count > 0)
		printf("Nodes by reason:\n");
	for (size_t i = 0; i < w->nodes_by_reason_count; i++)
		printf("  %6" PRId64 "  %s\n", w->nodes_by_reason[i].value,
		       w->nodes_by_reason[i].key);
}

static void print_estimates(const struct maui_job_waiting *w, int64_t now_s)
{
	char at[MAUI_MOMENT_SIZE], start[MAUI_MOMENT_SIZE];

	if (w->estimates_count > 0)
		printf("Start estimates:\n");
	for (size_t i = 0; i < w->estimates_count; i++)
		printf("  at %s: %s\n",
		       maui_moment_as_maui(w->estimates[i].at, now_s, at, sizeof(at)),
		       maui_moment_as_maui(w->estimates[i].start, now_s, start, sizeof(start)));
}

static void print_help_items(const struct maui_job_waiting *w)
{
	if (w->would_help_count > 0)
		printf("What would help:\n");
	for (size_t i = 0; i < w->would_help_count; i++) {
		printf("  %s\n", w->would_help[i].text);
		if (*w->would_help[i].command)
			printf("    %s\n", w->would_help[i].command);
	}
}

static void print_waiting(const struct maui_job_details *job, int64_t now_s, bool verbose)
{
	const struct maui_job_waiting *w = job->waiting;

	print_request(job);
	print_queue(job, now_s);
	if (w->reasons_count > 0)
		printf("Reasons:\n");
	for (size_t i = 0; i < w->reasons_count; i++)
		printf("  %s\n", w->reasons[i]);
	print_others_ahead(w, "");
	if (w->node_users_count > 0) {
		printf("Jobs on nodes that could serve it: ");
		print_node_users(w, now_s);
		printf("\n");
	}
	print_outlook(w, now_s);
	if (verbose) {
		print_nodes(w);
		print_estimates(w, now_s);
		print_help_items(w);
	}
}

static void print_gres(const struct maui_job_active *active)
{
	for (size_t i = 0; i < active->gres_count; i++)
		printf("%s%s", i ? ", " : "Generic resources: ", active->gres[i]);
	if (active->gres_count > 0)
		putchar('\n');
}

static void print_suspensions(const struct maui_job_active *active)
{
	char length[MAUI_DURATION_SIZE];

	if (active->suspensions > 0)
		printf("Suspended: %" PRId64 " time%s, %s in all\n", active->suspensions,
		       maui_plural(active->suspensions),
		       maui_duration_as_maui(active->suspended, length, sizeof(length)));
}

static void print_active(const struct maui_job_details *job, int64_t now_s)
{
	char when[MAUI_MOMENT_SIZE];

	printf("Allocated: %" PRId64 " node%s, %" PRId64 " processor%s", job->nodes,
	       maui_plural(job->nodes), job->procs, maui_plural(job->procs));
	if (job->active->resumes > 0)
		printf("; it takes %" PRId64 " when it resumes", job->active->resumes);
	putchar('\n');
	printf("Nodes: %s\n", job->node_names ? job->node_names : "");
	print_gres(job->active);
	printf("StartTime: %s\n", moment(job->active->start, now_s, when));
	print_suspensions(job->active);
	if (job->active->end != MAUI_NEVER)
		printf("End by its limit: %s\n", moment(job->active->end, now_s, when));
	else
		printf("End by its limit: none\n");
}

static int print_job(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct options *o = opts;
	const struct maui_job_answer *answer = record;
	const struct maui_job_details *job = answer->job;

	(void)common;
	printf("Job %s\n\nState: %s\n", job->label, maui_job_state_text(job->state, ""));
	print_credentials(job);
	if (job->waiting)
		print_waiting(job, answer->time, o->verbose);
	else if (job->active)
		print_active(job, answer->time);
	return MAUI_EXIT_OK;
}

/* ---- maui why ---- */

/* A reason as a sentence: "1 node has room" gets a full stop, "held" a capital. */
static void print_sentence(const char *text)
{
	if (*text)
		printf("%c%s.\n", toupper((unsigned char)*text), text + 1);
}

/* ": in use by 102": the jobs that use up the limit with which the reason ends; NULL: none are
 * known. */
static const char *find_limit_users(const struct maui_job_waiting *w, const char *reason)
{
	const char *at = reason;

	do {
		size_t length = strlen(at);
		const char *colon = strstr(at, ": ");

		for (size_t i = 0; i < w->would_help_count; i++) {
			const char *text = w->would_help[i].text;

			if (!*w->would_help[i].command && strncmp(text, at, length) == 0 &&
			    text[length] == ':')
				return text + length;
		}
		at = colon ? colon + 2 : NULL; /* "3 tasks wait: MAXIJOB USER bob" */
	} while (at);
	return NULL;
}

static void print_reason(const struct maui_job_waiting *w, const char *reason)
{
	const char *users = find_limit_users(w, reason);

	if (*reason)
		printf("%c%s%s.\n", toupper((unsigned char)*reason), reason + 1,
		       users ? users : "");
}

static void print_why_waiting(const struct maui_job_details *job, int64_t now_s)
{
	const struct maui_job_waiting *w = job->waiting;

	printf(" %s in partition %s with priority %" PRId64,
	       job->state == MAUI_JOB_BLOCKED ? "is blocked" : "waits", job->partition,
	       w->priority);
	if (w->ahead > 0)
		printf(", behind %" PRId64 " job%s", w->ahead, maui_plural(w->ahead));
	else if (w->rank == 1)
		printf(", the highest of those that wait");
	printf(".\n");
	for (size_t i = 0; i < w->reasons_count; i++)
		print_reason(w, w->reasons[i]);
	if (w->jobs_ahead_count > 0) {
		printf("Ahead of it: ");
		print_ahead(w);
		printf(".\n");
	}
	print_others_ahead(w, ".");
	if (w->node_users_count > 0) {
		printf("Jobs on nodes that could serve it: ");
		print_node_users(w, now_s);
		printf(".\n");
	}
	for (size_t i = 0; i < w->outlook_count; i++)
		print_sentence(w->outlook[i]);
}

static void print_why_active(const struct maui_job_details *job, int64_t now_s)
{
	char when[MAUI_MOMENT_SIZE], length[MAUI_DURATION_SIZE];

	if (job->state == MAUI_JOB_SUSPENDED) {
		printf(" is suspended. It started %s, was suspended %" PRId64
		       " time%s, %s in all, and "
		       "keeps its memory on %" PRId64 " node%s.\n",
		       moment(job->active->start, now_s, when), job->active->suspensions,
		       maui_plural(job->active->suspensions),
		       maui_duration_as_maui(job->active->suspended, length, sizeof(length)),
		       job->nodes, maui_plural(job->nodes));
		return;
	}
	printf(" does not wait: its state is %s, since %s.\n", maui_job_state_text(job->state, ""),
	       moment(job->active->start, now_s, when));
	printf("It has %" PRId64 " processor%s on %" PRId64 " node%s", job->procs,
	       maui_plural(job->procs), job->nodes, maui_plural(job->nodes));
	if (job->active->end != MAUI_NEVER)
		printf(", until %s at the latest", moment(job->active->end, now_s, when));
	else
		printf(", without a time limit");
	printf(".\n");
}

static int print_why(const struct maui_tool_common *common, const void *opts, const void *record)
{
	const struct maui_job_answer *answer = record;
	const struct maui_job_details *job = answer->job;

	(void)common;
	(void)opts;
	printf("Job %s of user %s", job->label, job->user);
	if (job->active)
		print_why_active(job, answer->time);
	else if (job->state == MAUI_JOB_STARTING)
		printf(" does not wait: it starts now.\n");
	else if (job->waiting)
		print_why_waiting(job, answer->time);
	return MAUI_EXIT_OK;
}

/* ---- both ---- */

static int check(int argc, char **argv, struct maui_tool_common *common, maui_cmd_print_fn print)
{
	struct options o = { 0 };
	int rc = maui_cmd_read(common, &o, argc, argv);
	struct maui_job_args args;

	if (common->done)
		return rc;
	if (maui_cmd_job_args(*common->operands, &args))
		return maui_tool_misuse(common, "'%s' is not the number of a job",
					*common->operands);
	return maui_cmd_show(common, &maui_verb_job, &args, print, &o);
}

static int run_checkjob(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "checkjob", .command = &checkjob };

	return check(argc, argv, &common, print_job);
}

MAUI_COMMAND(checkjob, "show a job, and every reason why it waits");

static int run_why(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui why", .command = &why };

	return check(argc, argv, &common, print_why);
}

MAUI_SUBCOMMAND(why, "say in a few sentences why a job waits");
