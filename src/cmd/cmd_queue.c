/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_queue.c - maui queue: all jobs in one table, in squeue's words, with when and why
 *
 * Rules: CMD-24.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/fits_query.h"
#include "cmd/queue_ask.h"
#include "cmd/rows.h"
#include "model/when.h"

static const char usage[] =
	"usage: maui queue [-r|-i|-b] [-u USER] [-g GROUP] [-a ACCOUNT] [-q QOS] [-p PARTITION]\n"
	"                  [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Lists jobs as squeue does. WHEN is when a running job ends at the latest, or when a\n"
	"waiting job is expected to start; WHY is why it waits. A terminal cuts long rows.\n"
	"\n" MAUI_QUEUE_USAGE MAUI_TABLE_USAGE "  --json        one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached,\n"
	"5 no such user or partition.\n";

static const struct maui_column columns[] = {
	{ "JOBID", true }, { "PARTITION", false }, { "NAME", false },
	{ "USER", false }, { "ST", false },        { "TIME", true },
	{ "NODES", true }, { "WHEN", false },      { "WHY", false },
};
enum { COLUMNS = sizeof(columns) / sizeof(columns[0]), CELL = 32, CELLS = 3, NAME_MOST = 16 };

/* What both kinds of rows have; columns of the answer. */
struct list {
	struct maui_cmd_rows rows;
	size_t job, class, name, user, state, nodes;
	int64_t now_s;
};

static struct list list_of(json_object *result, const char *rows, const char *names)
{
	struct list l = { .rows = maui_cmd_rows(result, rows, names),
			  .now_s = maui_cmd_number(result, "time", 0) };

	l.job = maui_cmd_rows_column(&l.rows, "job");
	l.class = maui_cmd_rows_column(&l.rows, "class");
	l.name = maui_cmd_rows_column(&l.rows, "name");
	l.user = maui_cmd_rows_column(&l.rows, "user");
	l.state = maui_cmd_rows_column(&l.rows, "state");
	l.nodes = maui_cmd_rows_column(&l.rows, "nodes");
	return l;
}

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
static const char *short_name(const char *name, char *buf, size_t size)
{
	size_t length = prefix(name, NAME_MOST);

	if (!name[length])
		return name;
	snprintf(buf, size, "%.*s+", (int)prefix(name, NAME_MOST - 1), name);
	return buf;
}

static void add(struct maui_table *table, const struct list *l, size_t row, const char *state,
		const char *const *time_when_why)
{
	char nodes[CELL], name[4 * NAME_MOST + 2];
	const char *cells[COLUMNS] = { maui_cmd_rows_text(&l->rows, row, l->job),
				       maui_cmd_rows_text(&l->rows, row, l->class),
				       short_name(maui_cmd_rows_text(&l->rows, row, l->name), name,
						  sizeof(name)),
				       maui_cmd_rows_text(&l->rows, row, l->user),
				       state,
				       time_when_why[0],
				       nodes,
				       time_when_why[1],
				       time_when_why[2] };

	snprintf(nodes, sizeof(nodes), "%" PRId64, maui_cmd_rows_number(&l->rows, row, l->nodes));
	maui_table_add(table, cells);
}

/* squeue's state codes: R, PD. */
static const char *letters(const char *state)
{
	return strcmp(state, "Suspended") == 0 ? "S" : strcmp(state, "Starting") == 0 ? "CF" : "R";
}

/* As squeue shows times: "0:08", "1:05:00", "2-03:00:00". */
static const char *squeue_time(int64_t seconds, char *buf, size_t size)
{
	int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;

	if (days > 0)
		snprintf(buf, size, "%" PRId64 "-%02d:%02d:%02d", days, (int)(hours % 24),
			 (int)(minutes % 60), (int)(seconds % 60));
	else if (hours > 0)
		snprintf(buf, size, "%" PRId64 ":%02d:%02d", hours, (int)(minutes % 60),
			 (int)(seconds % 60));
	else
		snprintf(buf, size, "%" PRId64 ":%02d", minutes, (int)(seconds % 60));
	return buf;
}

static void add_active(struct maui_table *table, json_object *result)
{
	struct list l = list_of(result, "active", "active_columns");
	size_t start = maui_cmd_rows_column(&l.rows, "start"),
	       end = maui_cmd_rows_column(&l.rows, "end");

	for (size_t row = 0; row < l.rows.count; row++) {
		int64_t end_s = maui_cmd_rows_number(&l.rows, row, end);
		char time[CELL], when[CELL + MAUI_CMD_TIME_SIZE] = "ends ";
		const char *shown[CELLS] = { time, when, "" };

		squeue_time(l.now_s - maui_cmd_rows_number(&l.rows, row, start), time,
			    sizeof(time));
		if (end_s == MAUI_NEVER)
			shown[1] = "no limit";
		else
			maui_fits_moment(end_s, l.now_s, when + strlen(when), MAUI_CMD_TIME_SIZE);
		add(table, &l, row, letters(maui_cmd_rows_text(&l.rows, row, l.state)), shown);
	}
}

static void add_waiting(struct maui_table *table, json_object *result, const char *rows)
{
	struct list l = list_of(result, rows, "waiting_columns");
	size_t expected = maui_cmd_rows_column(&l.rows, "expected_start");
	size_t earliest = maui_cmd_rows_column(&l.rows, "earliest_start");
	size_t reason = maui_cmd_rows_column(&l.rows, "reason");

	for (size_t row = 0; row < l.rows.count; row++) {
		int64_t start_s = maui_cmd_rows_number(&l.rows, row, expected);
		const char *word = start_s == MAUI_NEVER ? "after " : "about ";
		char when[CELL + MAUI_CMD_TIME_SIZE];
		const char *shown[CELLS] = { "0:00", when,
					     maui_cmd_rows_text(&l.rows, row, reason) };

		if (start_s == MAUI_NEVER)
			start_s = maui_cmd_rows_number(&l.rows, row, earliest);
		strcpy(when, word);
		if (start_s == MAUI_NEVER)
			shown[1] = "unknown";
		else
			maui_fits_moment(start_s, l.now_s, when + strlen(when), MAUI_CMD_TIME_SIZE);
		add(table, &l, row, "PD", shown);
	}
}

int maui_cmd_queue(int argc, char **argv)
{
	struct maui_queue_ask ask = { .common = { .tool = "maui queue", .usage = usage } };
	struct maui_table *table;
	json_object *result;
	int rc = maui_queue_options(&ask, argc, argv);

	if (ask.common.done)
		return rc;
	result = maui_queue_ask(&ask, true, &rc);
	if (!result)
		return rc;
	if (ask.common.json) {
		maui_cmd_print_json(&ask.common, result);
		return MAUI_EXIT_OK;
	}
	table = maui_cmd_table(&ask.common, columns, COLUMNS);
	if (table) {
		add_active(table, result);
		add_waiting(table, result, "idle");
		add_waiting(table, result, "blocked");
		maui_cmd_print_list(&ask.common, table);
	}
	json_object_put(result);
	return table ? MAUI_EXIT_OK : MAUI_EXIT_USAGE;
}
