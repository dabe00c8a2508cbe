/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_queue.c - maui queue: all jobs in one table, in squeue's words, with when and why
 *
 * Rules: CMD-24.
 */

#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/moment.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/list.h"
#include "cmd/queue_ask.h"
#include "model/when.h"

static const struct maui_command command = {
	.synopsis = "maui queue [-r|-i|-b] [-u USER] [-g GROUP] [-a ACCOUNT] [-q QOS]\n"
		    "           [-p PARTITION] [-o COLUMN,...] [--noheader] [--json]",
	.about = "Lists jobs as squeue does. WHEN is when a running job ends at the latest, or "
		 "when a waiting job is expected to start; WHY is why it waits. A terminal cuts "
		 "long rows.",
	.options = maui_queue_options,
	.table = true,
	.notes = MAUI_EXITS ", 5 no such user or partition.",
};

enum { NAME_MOST = 16 };

/* ---- cells ---- */

/* The bytes of at most so many characters. */
static size_t prefix(const char *text, size_t characters)
{
	size_t left = strlen(text), at = 0;
	uint32_t character;

	while (characters-- > 0 && left > at) {
		size_t bytes = maui_utf8_decode(text + at, left - at, &character);

		at += bytes > 0 ? bytes : 1;
	}
	return at;
}

/* A long name of one job must not push all others' reasons out of the terminal. */
static const char *short_name(const char *name, char *buf)
{
	size_t length = prefix(name, NAME_MOST);

	if (!name[length])
		return name;
	snprintf(buf, MAUI_SHOWN_CELL, "%.*s+", (int)prefix(name, NAME_MOST - 1), name);
	return buf;
}

/* As squeue shortens them. */
static const char *short_state(enum maui_job_state state)
{
	return state == MAUI_JOB_SUSPENDED ? "S" : state == MAUI_JOB_STARTING ? "CF" : "R";
}

static const char *format_active_name(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	return short_name(((const struct maui_queue_active *)row)->name, buf);
}

static const char *format_active_state(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	(void)buf;
	return short_state(((const struct maui_queue_active *)row)->state);
}

static const char *format_elapsed(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_active *job = row;

	return maui_duration_as_squeue(now_s - job->start - job->suspended, buf, MAUI_SHOWN_CELL);
}

static const char *format_end(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_active *job = row;

	if (job->end == MAUI_NEVER)
		return "no limit";
	strcpy(buf, "ends ");
	maui_moment_plain(job->end, MAUI_NOT_AFTER, now_s, buf + strlen(buf), MAUI_MOMENT_SIZE);
	return buf;
}

static const char *format_waiting_name(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	return short_name(((const struct maui_queue_waiting *)row)->name, buf);
}

static const char *format_start(const void *row, int64_t now_s, char *buf)
{
	const struct maui_queue_waiting *job = row;
	bool expected = job->expected_start != MAUI_NEVER;
	int64_t start_s = expected ? job->expected_start : job->earliest_start;

	if (start_s == MAUI_NEVER)
		return "unknown";
	strcpy(buf, expected ? "about " : "after ");
	maui_moment_plain(start_s, MAUI_NOT_BEFORE, now_s, buf + strlen(buf), MAUI_MOMENT_SIZE);
	return buf;
}

static const char *format_why(const void *row, int64_t now_s, char *buf)
{
	(void)now_s;
	(void)buf;
	return ((const struct maui_queue_waiting *)row)->reason;
}

#define CONSTANT(name, text)                                               \
	static const char *name(const void *row, int64_t now_s, char *buf) \
	{                                                                  \
		(void)row;                                                 \
		(void)now_s;                                               \
		(void)buf;                                                 \
		return text;                                               \
	}
CONSTANT(format_no_reason, "")
CONSTANT(format_no_time, "0:00")
CONSTANT(format_pending, "PD")

/* ---- columns ---- */

#define ACTIVE(member)  offsetof(struct maui_queue_active, member)
#define WAITING(member) offsetof(struct maui_queue_waiting, member)

static const struct maui_shown active_columns[] = {
	{ { "JOBID", true }, MAUI_SHOWN_TEXT, ACTIVE(job), 0, NULL },
	{ { "PARTITION", false }, MAUI_SHOWN_TEXT, ACTIVE(class), 0, NULL },
	{ { "NAME", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_active_name },
	{ { "USER", false }, MAUI_SHOWN_TEXT, ACTIVE(user), 0, NULL },
	{ { "ST", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_active_state },
	{ { "TIME", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_elapsed },
	{ { "NODES", true }, MAUI_SHOWN_NUMBER, ACTIVE(nodes), 0, NULL },
	{ { "WHEN", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_end },
	{ { "WHY", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_no_reason },
};
static const struct maui_shown waiting_columns[] = {
	{ { "JOBID", true }, MAUI_SHOWN_TEXT, WAITING(job), 0, NULL },
	{ { "PARTITION", false }, MAUI_SHOWN_TEXT, WAITING(class), 0, NULL },
	{ { "NAME", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_waiting_name },
	{ { "USER", false }, MAUI_SHOWN_TEXT, WAITING(user), 0, NULL },
	{ { "ST", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_pending },
	{ { "TIME", true }, MAUI_SHOWN_FORMATTED, 0, 0, format_no_time },
	{ { "NODES", true }, MAUI_SHOWN_NUMBER, WAITING(nodes), 0, NULL },
	{ { "WHEN", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_start },
	{ { "WHY", false }, MAUI_SHOWN_FORMATTED, 0, 0, format_why },
};
static const struct maui_shown_list shown_active = MAUI_SHOWN_LIST(active_columns),
				    shown_waiting = MAUI_SHOWN_LIST(waiting_columns);

/* Returns an exit status. */
static int print_queue(const struct maui_tool_common *common, const void *args, const void *record)
{
	const struct maui_queue *queue = record;
	struct maui_table *table = maui_shown_table(common, &shown_active);

	(void)args;
	if (!table)
		return MAUI_EXIT_USAGE;
	maui_shown_add(table, &shown_active, queue->active, queue->active_count,
		       sizeof(*queue->active), queue->time);
	maui_shown_add(table, &shown_waiting, queue->idle, queue->idle_count, sizeof(*queue->idle),
		       queue->time);
	maui_shown_add(table, &shown_waiting, queue->blocked, queue->blocked_count,
		       sizeof(*queue->blocked), queue->time);
	maui_tool_print_list(common, table);
	return MAUI_EXIT_OK;
}

static int run_queue(int argc, char **argv)
{
	struct maui_tool_common common = { .tool = "maui queue", .command = &command };

	return maui_queue_run(&common, argc, argv, true, print_queue);
}

MAUI_SUBCOMMAND(queue, "list jobs as squeue does, with when and why");
