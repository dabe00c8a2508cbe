/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showq.c - showq: active, idle and blocked jobs, as Maui listed them
 *
 * Rules: CMD-23.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/moment.h"
#include "base/words.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/queue_ask.h"
#include "model/when.h"

static const struct maui_command command = {
	.synopsis = "showq [-r|-i|-b] [-u USER] [-g GROUP] [-a ACCOUNT] [-q QOS] [-p PARTITION]\n"
		    "      [-o COLUMN,...] [--noheader] [--json]",
	.about = "Lists active jobs by their end, idle jobs by priority, and blocked jobs, which "
		 "something else than resources keeps waiting.",
	.options = maui_queue_options,
	.table = true,
	.notes = MAUI_EXITS ", 5 no such user or partition.",
};

#define ACTIVE(member)  offsetof(struct maui_queue_active, member)
#define WAITING(member) offsetof(struct maui_queue_waiting, member)

/* ---- cells ---- */

/* The cycle's estimate, or with ">" the first moment at which the job fits. */
static const char *format_start(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_waiting *job = row;

	if (job->expected_start != MAUI_NEVER)
		return maui_moment_as_maui(job->expected_start, now_s, buf, MAUI_SHOWN_CELL);
	if (job->earliest_start == MAUI_NEVER)
		return "-";
	strcpy(buf, "> ");
	maui_moment_as_maui(job->earliest_start, now_s, buf + 2, MAUI_SHOWN_CELL - 2);
	return buf;
}

static const char *format_state_letter(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_active *job = row;

	(void)now_s;
	(void)buf;
	return maui_job_state_letter(job->state);
}

/* Which Maui knew and slurmctld does not. */
static const char *format_efficiency(const void *row, int64_t now_s, char *buf)
{
	(void)row;
	(void)now_s;
	(void)buf;
	return "------";
}

/* With a "*" when it has a job reservation. */
static const char *format_marked_name(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_waiting *job = row;

	(void)now_s;
	if (job->reserved != 1)
		return *job->job ? job->job : "-";
	snprintf(buf, MAUI_SHOWN_CELL, "%s*", job->job);
	return buf;
}

static const char *format_nothing(const void *row, int64_t now_s, char *buf)
{
	(void)row;
	(void)now_s;
	(void)buf;
	return "-";
}

/* ---- columns ---- */

static const struct maui_shown active_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, ACTIVE(job), 18, NULL },
	{ { "USERNAME", true }, MAUI_SHOWN_TEXT, ACTIVE(user), 11, NULL },
	{ { "STATE", true }, MAUI_SHOWN_STATE, ACTIVE(state), 10, NULL },
	{ { "PROC", true }, MAUI_SHOWN_NUMBER, ACTIVE(procs), 5, NULL },
	{ { "REMAINING", true }, MAUI_SHOWN_REMAINING, ACTIVE(end), 11, NULL },
	{ { "STARTTIME", true }, MAUI_SHOWN_DATE, ACTIVE(start), 19, NULL },
};
static const struct maui_shown waiting_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, WAITING(job), 18, NULL },
	{ { "USERNAME", true }, MAUI_SHOWN_TEXT, WAITING(user), 11, NULL },
	{ { "STATE", true }, MAUI_SHOWN_STATE, WAITING(state), 10, NULL },
	{ { "PROC", true }, MAUI_SHOWN_NUMBER, WAITING(procs), 5, NULL },
	{ { "WCLIMIT", true }, MAUI_SHOWN_SPAN, WAITING(limit), 11, NULL },
	{ { "QUEUETIME", true }, MAUI_SHOWN_DATE, WAITING(submit), 19, NULL },
};
static const struct maui_shown running_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, ACTIVE(job), 0, NULL },
	{ { "S", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_state_letter },
	{ { "PAR", true }, MAUI_SHOWN_TEXT, ACTIVE(class), 0, NULL },
	{ { "EFFIC", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_efficiency },
	{ { "XFACTOR", true }, MAUI_SHOWN_RATIO, ACTIVE(xfactor), 0, NULL },
	{ { "Q", false }, MAUI_SHOWN_TEXT, ACTIVE(qos), 0, NULL },
	{ { "USER", true }, MAUI_SHOWN_TEXT, ACTIVE(user), 0, NULL },
	{ { "GROUP", true }, MAUI_SHOWN_TEXT, ACTIVE(group), 0, NULL },
	{ { "MHOST", true }, MAUI_SHOWN_TEXT, ACTIVE(first_node), 0, NULL },
	{ { "PROCS", true }, MAUI_SHOWN_NUMBER, ACTIVE(procs), 0, NULL },
	{ { "REMAINING", true }, MAUI_SHOWN_REMAINING, ACTIVE(end), 0, NULL },
	{ { "STARTTIME", true }, MAUI_SHOWN_DATE, ACTIVE(start), 0, NULL },
};
static const struct maui_shown idle_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_marked_name },
	{ { "PRIORITY", true }, MAUI_SHOWN_NUMBER, WAITING(priority), 0, NULL },
	{ { "XFACTOR", true }, MAUI_SHOWN_RATIO, WAITING(xfactor), 0, NULL },
	{ { "Q", false }, MAUI_SHOWN_TEXT, WAITING(qos), 0, NULL },
	{ { "USER", true }, MAUI_SHOWN_TEXT, WAITING(user), 0, NULL },
	{ { "GROUP", true }, MAUI_SHOWN_TEXT, WAITING(group), 0, NULL },
	{ { "PROCS", true }, MAUI_SHOWN_NUMBER, WAITING(procs), 0, NULL },
	{ { "WCLIMIT", true }, MAUI_SHOWN_SPAN, WAITING(limit), 0, NULL },
	{ { "CLASS", true }, MAUI_SHOWN_TEXT, WAITING(class), 0, NULL },
	{ { "SYSTEMQUEUETIME", true }, MAUI_SHOWN_DATE, WAITING(queued_since), 0, NULL },
	{ { "STARTTIME", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_start },
};
static const struct maui_shown blocked_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, WAITING(job), 0, NULL },
	{ { "USERNAME", true }, MAUI_SHOWN_TEXT, WAITING(user), 0, NULL },
	{ { "STATE", true }, MAUI_SHOWN_STATE, WAITING(state), 0, NULL },
	{ { "PROC", true }, MAUI_SHOWN_NUMBER, WAITING(procs), 0, NULL },
	{ { "WCLIMIT", true }, MAUI_SHOWN_SPAN, WAITING(limit), 0, NULL },
	{ { "REASON", false }, MAUI_SHOWN_TEXT, WAITING(reason), 0, NULL },
};

/* For --format, of all jobs: "-" for what a job does not have. */
static const struct maui_shown all_active_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, ACTIVE(job), 0, NULL },
	{ { "USERNAME", true }, MAUI_SHOWN_TEXT, ACTIVE(user), 0, NULL },
	{ { "STATE", true }, MAUI_SHOWN_STATE, ACTIVE(state), 0, NULL },
	{ { "PROC", true }, MAUI_SHOWN_NUMBER, ACTIVE(procs), 0, NULL },
	{ { "REMAINING", true }, MAUI_SHOWN_REMAINING, ACTIVE(end), 0, NULL },
	{ { "STARTTIME", true }, MAUI_SHOWN_DATE, ACTIVE(start), 0, NULL },
	{ { "WCLIMIT", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_nothing },
	{ { "QUEUETIME", true }, MAUI_SHOWN_DATE, ACTIVE(submit), 0, NULL },
};
static const struct maui_shown all_waiting_columns[] = {
	{ { "JOBNAME", false }, MAUI_SHOWN_TEXT, WAITING(job), 0, NULL },
	{ { "USERNAME", true }, MAUI_SHOWN_TEXT, WAITING(user), 0, NULL },
	{ { "STATE", true }, MAUI_SHOWN_STATE, WAITING(state), 0, NULL },
	{ { "PROC", true }, MAUI_SHOWN_NUMBER, WAITING(procs), 0, NULL },
	{ { "REMAINING", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_nothing },
	{ { "STARTTIME", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_nothing },
	{ { "WCLIMIT", true }, MAUI_SHOWN_SPAN, WAITING(limit), 0, NULL },
	{ { "QUEUETIME", true }, MAUI_SHOWN_DATE, WAITING(submit), 0, NULL },
};

static const struct maui_shown_list shown_active = MAUI_SHOWN_LIST(active_columns),
				    shown_waiting = MAUI_SHOWN_LIST(waiting_columns),
				    shown_running = MAUI_SHOWN_LIST(running_columns),
				    shown_idle = MAUI_SHOWN_LIST(idle_columns),
				    shown_blocked = MAUI_SHOWN_LIST(blocked_columns),
				    shown_all_active = MAUI_SHOWN_LIST(all_active_columns),
				    shown_all_waiting = MAUI_SHOWN_LIST(all_waiting_columns);

static void add_active(struct maui_table *table, const struct maui_shown_list *shown,
		       const struct maui_queue *queue)
{
	maui_shown_add(table, shown, queue->active, queue->active_count, sizeof(*queue->active),
		       queue->time);
}

static void add_waiting(struct maui_table *table, const struct maui_shown_list *shown,
			const struct maui_queue *queue, bool blocked)
{
	maui_shown_add(table, shown, blocked ? queue->blocked : queue->idle,
		       blocked ? queue->blocked_count : queue->idle_count, sizeof(*queue->idle),
		       queue->time);
}

/* ---- blocks ---- */

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_use(const struct maui_queue_totals *totals)
{
	printf("\n%6" PRId64 " Active Job%s %6" PRId64 " of %6" PRId64
	       " Processors Active (%.2f%%)\n",
	       totals->active_jobs, totals->active_jobs == 1 ? " " : "s", totals->active_procs,
	       totals->procs, percent(totals->active_procs, totals->procs));
	printf("                   %6" PRId64 " of %6" PRId64 " Nodes Active      (%.2f%%)\n",
	       totals->active_nodes, totals->nodes, percent(totals->active_nodes, totals->nodes));
	for (size_t i = 0; i < totals->gres_count; i++) {
		const struct maui_gres *gres = &totals->gres[i];
		int64_t held = gres->total - gres->unused;

		printf("                   %6" PRId64 " of %6" PRId64 " %-17s (%.2f%%)\n", held,
		       gres->total, gres->name, percent(held, gres->total));
	}
	printf("\n");
}

enum block { ACTIVE_JOBS, IDLE_JOBS, BLOCKED_JOBS };

/* Returns an exit status. */
static int print_block(const struct maui_tool_common *common, const struct maui_queue *queue,
		       enum block block, const struct maui_shown_list *shown)
{
	static const char *const headings[] = {
		"ACTIVE JOBS--------------------",
		"IDLE JOBS----------------------",
		"BLOCKED JOBS-------------------",
	};
	struct maui_table *table = maui_shown_table(common, shown);
	const struct maui_queue_totals *totals = queue->totals;
	int64_t jobs = block == IDLE_JOBS ? totals->idle_jobs : totals->blocked_jobs;

	if (!table)
		return MAUI_EXIT_USAGE;
	if (block == ACTIVE_JOBS)
		add_active(table, shown, queue);
	else
		add_waiting(table, shown, queue, block == BLOCKED_JOBS);
	if (!maui_tool_rows_only(common))
		printf("%s\n", headings[block]);
	maui_tool_print_table(common, table);
	if (maui_tool_rows_only(common))
		return MAUI_EXIT_OK;
	if (block == ACTIVE_JOBS)
		print_use(totals);
	else
		printf("\n%" PRId64 " %s Job%s\n\n", jobs, block == IDLE_JOBS ? "Idle" : "Blocked",
		       maui_plural(jobs));
	return MAUI_EXIT_OK;
}

static void print_totals(const struct maui_queue_totals *totals)
{
	printf("Total Jobs: %" PRId64 "   Active Jobs: %" PRId64 "   Idle Jobs: %" PRId64
	       "   Blocked Jobs: %" PRId64 "\n",
	       totals->active_jobs + totals->idle_jobs + totals->blocked_jobs, totals->active_jobs,
	       totals->idle_jobs, totals->blocked_jobs);
}

static void print_kept(const struct maui_queue *queue)
{
	char moment[MAUI_MOMENT_SIZE];

	for (size_t i = 0; i < queue->kept_count; i++) {
		const struct maui_queue_kept *kept = &queue->kept[i];

		printf("%s kept for job %s of %s, which starts about %s\n", kept->nodes, kept->job,
		       kept->user,
		       kept->start <= queue->time ? "now" :
						    maui_moment_as_maui(kept->start, queue->time,
									moment, sizeof(moment)));
	}
	if (queue->collecting_until != MAUI_NEVER)
		printf("Idle processors are kept for large jobs (BFCHUNKSIZE) until %s\n",
		       maui_moment_as_maui(queue->collecting_until, queue->time, moment,
					   sizeof(moment)));
}

/* --format: one table of all jobs. Returns an exit status. */
static int print_chosen(const struct maui_tool_common *common, const struct maui_queue *queue)
{
	struct maui_table *table = maui_shown_table(common, &shown_all_active);

	if (!table)
		return MAUI_EXIT_USAGE;
	add_active(table, &shown_all_active, queue);
	add_waiting(table, &shown_all_waiting, queue, false);
	add_waiting(table, &shown_all_waiting, queue, true);
	maui_tool_print_table(common, table);
	return MAUI_EXIT_OK;
}

static int print_queue(const struct maui_tool_common *common, const void *args, const void *record)
{
	const char *block = ((const struct maui_queue_args *)args)->block;
	const struct maui_queue *queue = record;
	int rc;

	if (block && strcmp(block, "active") == 0)
		return print_block(common, queue, ACTIVE_JOBS, &shown_running);
	if (block && strcmp(block, "idle") == 0)
		return print_block(common, queue, IDLE_JOBS, &shown_idle);
	if (block)
		return print_block(common, queue, BLOCKED_JOBS, &shown_blocked);
	if (common->format)
		return print_chosen(common, queue);
	rc = print_block(common, queue, ACTIVE_JOBS, &shown_active);
	if (rc == MAUI_EXIT_OK)
		rc = print_block(common, queue, IDLE_JOBS, &shown_waiting);
	if (rc == MAUI_EXIT_OK)
		rc = print_block(common, queue, BLOCKED_JOBS, &shown_waiting);
	if (rc != MAUI_EXIT_OK || maui_tool_rows_only(common))
		return rc;
	print_totals(queue->totals);
	print_kept(queue);
	return MAUI_EXIT_OK;
}

static int run_showq(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "showq", .command = &command };

	return maui_queue_run(&common, argc, argv, false, print_queue);
}

MAUI_COMMAND(showq, "list active, idle and blocked jobs");
