/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_showq.c - showq: active, idle and blocked jobs, as Maui listed them
 *
 * Rules: CMD-23.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/queue_ask.h"
#include "cmd/rows.h"
#include "model/when.h"

static const char usage[] =
	"usage: showq [-r|-i|-b] [-u USER] [-g GROUP] [-a ACCOUNT] [-q QOS] [-p PARTITION]\n"
	"             [-o COLUMN,...] [--noheader] [--json]\n"
	"\n"
	"Lists active jobs by their end, idle jobs by priority, and blocked jobs, which something\n"
	"else than resources keeps waiting.\n"
	"\n" MAUI_QUEUE_USAGE MAUI_TABLE_USAGE "  --json        one JSON object\n"
	"\n"
	"Exit status: 0 done, 1 error, 2 usage, 3 slurmctld cannot be reached,\n"
	"5 no such user or partition.\n";

enum { CELL = 32, MOMENT = MAUI_CMD_TIME_SIZE, MOST_CELLS = 12 };

/* A cell of a row: how a value of the answer is shown. */
enum shown_as { TEXT, NUMBER, RATIO, SPAN, REMAINING, DATE, EARLIEST, UNKNOWN, LETTER, MARKED };

struct shown_column {
	struct maui_column column;
	const char *name; /* of the answer's column */
	enum shown_as as;
	unsigned width; /* at least */
};

struct shown_block {
	const char *rows, *columns; /* members of the answer */
	const char *heading, *noun; /* "ACTIVE JOBS-----", "Active" */
	const char *total;
	const struct shown_column *shown;
	size_t count;
};

static const struct shown_column active_columns[] = {
	{ { "JOBNAME", false }, "job", TEXT, 18 },
	{ { "USERNAME", true }, "user", TEXT, 11 },
	{ { "STATE", true }, "state", TEXT, 10 },
	{ { "PROC", true }, "procs", NUMBER, 5 },
	{ { "REMAINING", true }, "end", REMAINING, 11 },
	{ { "STARTTIME", true }, "start", DATE, 19 },
};
static const struct shown_column waiting_columns[] = {
	{ { "JOBNAME", false }, "job", TEXT, 18 },  { { "USERNAME", true }, "user", TEXT, 11 },
	{ { "STATE", true }, "state", TEXT, 10 },   { { "PROC", true }, "procs", NUMBER, 5 },
	{ { "WCLIMIT", true }, "limit", SPAN, 11 }, { { "QUEUETIME", true }, "submit", DATE, 19 },
};
static const struct shown_column running_columns[] = {
	{ { "JOBNAME", false }, "job", TEXT, 0 },       { { "S", false }, "state", LETTER, 0 },
	{ { "PAR", true }, "class", TEXT, 0 },          { { "EFFIC", true }, "", UNKNOWN, 0 },
	{ { "XFACTOR", true }, "xfactor", RATIO, 0 },   { { "Q", false }, "qos", TEXT, 0 },
	{ { "USER", true }, "user", TEXT, 0 },          { { "GROUP", true }, "group", TEXT, 0 },
	{ { "MHOST", true }, "first_node", TEXT, 0 },   { { "PROCS", true }, "procs", NUMBER, 0 },
	{ { "REMAINING", true }, "end", REMAINING, 0 }, { { "STARTTIME", true }, "start", DATE, 0 },
};
static const struct shown_column idle_columns[] = {
	{ { "JOBNAME", false }, "job", MARKED, 0 },
	{ { "PRIORITY", true }, "priority", NUMBER, 0 },
	{ { "XFACTOR", true }, "xfactor", RATIO, 0 },
	{ { "Q", false }, "qos", TEXT, 0 },
	{ { "USER", true }, "user", TEXT, 0 },
	{ { "GROUP", true }, "group", TEXT, 0 },
	{ { "PROCS", true }, "procs", NUMBER, 0 },
	{ { "WCLIMIT", true }, "limit", SPAN, 0 },
	{ { "CLASS", true }, "class", TEXT, 0 },
	{ { "SYSTEMQUEUETIME", true }, "queued_since", DATE, 0 },
	{ { "STARTTIME", true }, "expected_start", EARLIEST, 0 },
};
static const struct shown_column blocked_columns[] = {
	{ { "JOBNAME", false }, "job", TEXT, 0 },  { { "USERNAME", true }, "user", TEXT, 0 },
	{ { "STATE", true }, "state", TEXT, 0 },   { { "PROC", true }, "procs", NUMBER, 0 },
	{ { "WCLIMIT", true }, "limit", SPAN, 0 }, { { "REASON", false }, "reason", TEXT, 0 },
};

/* Of --format, for all jobs alike: what some jobs do not have is "-". */
static const struct shown_column all_columns[] = {
	{ { "JOBNAME", false }, "job", TEXT, 0 },
	{ { "USERNAME", true }, "user", TEXT, 0 },
	{ { "STATE", true }, "state", TEXT, 0 },
	{ { "PROC", true }, "procs", NUMBER, 0 },
	{ { "REMAINING", true }, "end", REMAINING, 0 },
	{ { "STARTTIME", true }, "start", DATE, 0 },
	{ { "WCLIMIT", true }, "limit", SPAN, 0 },
	{ { "QUEUETIME", true }, "submit", DATE, 0 },
};

#define SHOWN(list) (list), sizeof(list) / sizeof((list)[0])
static const struct shown_block active_block = {
	"active", "active_columns", "ACTIVE JOBS--------------------",
	"Active", "active_jobs",    SHOWN(active_columns),
};
static const struct shown_block running_block = {
	"active", "active_columns", "ACTIVE JOBS--------------------",
	"Active", "active_jobs",    SHOWN(running_columns),
};
static const struct shown_block idle_block = {
	"idle", "waiting_columns", "IDLE JOBS----------------------",
	"Idle", "idle_jobs",       SHOWN(waiting_columns),
};
static const struct shown_block idle_alone = {
	"idle", "waiting_columns", "IDLE JOBS----------------------",
	"Idle", "idle_jobs",       SHOWN(idle_columns),
};
static const struct shown_block blocked_block = {
	"blocked", "waiting_columns", "BLOCKED JOBS-------------------",
	"Blocked", "blocked_jobs",    SHOWN(waiting_columns),
};
static const struct shown_block blocked_alone = {
	"blocked", "waiting_columns", "BLOCKED JOBS-------------------",
	"Blocked", "blocked_jobs",    SHOWN(blocked_columns),
};

/* ---- cells ---- */

struct cells {
	struct maui_cmd_rows rows;
	size_t at[MOST_CELLS];     /* columns of the answer */
	size_t earliest, reserved; /* which other cells need */
	int64_t now_s;
	char text[MOST_CELLS][CELL + MOMENT];
	const char *list[MOST_CELLS];
};

/* The cycle's estimate, or with ">" the first moment at which the job fits. */
static const char *start_text(struct cells *c, size_t row, size_t column, char *buf)
{
	int64_t when_s = maui_cmd_rows_number(&c->rows, row, column);

	if (when_s != MAUI_NEVER)
		return maui_cmd_moment(when_s, c->now_s, buf, MOMENT);
	when_s = maui_cmd_rows_number(&c->rows, row, c->earliest);
	if (when_s == MAUI_NEVER)
		return "-";
	strcpy(buf, "> ");
	maui_cmd_moment(when_s, c->now_s, buf + 2, MOMENT);
	return buf;
}

static const char *state_letter(const char *state)
{
	return strcmp(state, "Suspended") == 0 ? "Z" : strcmp(state, "Starting") == 0 ? "S" : "R";
}

static const char *cell_text(struct cells *c, size_t row, size_t at, enum shown_as as, char *buf)
{
	int64_t number = as == TEXT || as == UNKNOWN ? 0 : maui_cmd_rows_number(&c->rows, row, at);

	if (at == SIZE_MAX && as != UNKNOWN)
		return "-";
	switch (as) {
	case TEXT:
		break;
	case NUMBER:
		snprintf(buf, CELL, "%" PRId64, number);
		return buf;
	case RATIO:
		snprintf(buf, CELL, "%.1f", maui_cmd_rows_double(&c->rows, row, at));
		return buf;
	case SPAN:
		return maui_cmd_span(number, buf, CELL);
	case REMAINING:
		return maui_cmd_span(number == MAUI_NEVER ? number : number - c->now_s, buf, CELL);
	case DATE:
		return number == MAUI_NEVER ? "-" : maui_cmd_moment(number, c->now_s, buf, MOMENT);
	case EARLIEST:
		return start_text(c, row, at, buf);
	case UNKNOWN:
		return "------";
	case LETTER:
		return state_letter(maui_cmd_rows_text(&c->rows, row, at));
	case MARKED:
		if (maui_cmd_rows_number(&c->rows, row, c->reserved) != 1)
			break;
		snprintf(buf, CELL + MOMENT, "%s*", maui_cmd_rows_text(&c->rows, row, at));
		return buf;
	}
	return *maui_cmd_rows_text(&c->rows, row, at) ? maui_cmd_rows_text(&c->rows, row, at) : "-";
}

static void add_rows(struct maui_table *table, json_object *result, const struct shown_block *block)
{
	struct cells c = { .rows = maui_cmd_rows(result, block->rows, block->columns),
			   .now_s = maui_cmd_number(result, "time", 0) };

	for (size_t i = 0; i < block->count; i++)
		c.at[i] = maui_cmd_rows_column(&c.rows, block->shown[i].name);
	c.earliest = maui_cmd_rows_column(&c.rows, "earliest_start");
	c.reserved = maui_cmd_rows_column(&c.rows, "reserved");
	for (size_t row = 0; row < c.rows.count; row++) {
		for (size_t i = 0; i < block->count; i++)
			c.list[i] = cell_text(&c, row, c.at[i], block->shown[i].as, c.text[i]);
		maui_table_add(table, c.list);
	}
}

/* ---- blocks ---- */

static struct maui_table *make_table(const struct maui_cmd_common *common,
				     const struct shown_block *block, struct maui_column *columns)
{
	unsigned widths[MOST_CELLS];
	struct maui_table *table;

	for (size_t i = 0; i < block->count; i++) {
		columns[i] = block->shown[i].column;
		widths[i] = common->format ? 0 : block->shown[i].width;
	}
	table = maui_cmd_table(common, columns, block->count);
	maui_table_widen(table, widths);
	return table;
}

static double percent(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static void print_use(json_object *totals, int64_t jobs)
{
	int64_t used = maui_cmd_number(totals, "active_procs", 0);
	int64_t procs = maui_cmd_number(totals, "procs", 0);
	int64_t active = maui_cmd_number(totals, "active_nodes", 0);
	int64_t nodes = maui_cmd_number(totals, "nodes", 0);

	printf("\n%6" PRId64 " Active Job%s %6" PRId64 " of %6" PRId64
	       " Processors Active (%.2f%%)\n",
	       jobs, jobs == 1 ? " " : "s", used, procs, percent(used, procs));
	printf("                   %6" PRId64 " of %6" PRId64 " Nodes Active      (%.2f%%)\n",
	       active, nodes, percent(active, nodes));
	for (size_t i = 0; i < maui_cmd_length(totals, "gres"); i++) {
		json_object *gres = maui_cmd_element(totals, "gres", i);
		int64_t total = maui_cmd_number(gres, "total", 0);
		int64_t held = total - maui_cmd_number(gres, "unused", 0);

		printf("                   %6" PRId64 " of %6" PRId64 " %-17s (%.2f%%)\n", held,
		       total, maui_cmd_text(gres, "name"), percent(held, total));
	}
	printf("\n");
}

/* Returns an exit status. */
static int print_block(const struct maui_cmd_common *common, json_object *result,
		       const struct shown_block *block)
{
	struct maui_column columns[MOST_CELLS];
	struct maui_table *table = make_table(common, block, columns);
	json_object *totals = NULL;
	int64_t jobs;

	if (!table)
		return MAUI_EXIT_USAGE;
	add_rows(table, result, block);
	if (maui_cmd_rows_only(common)) {
		maui_cmd_print_table(common, table);
		return MAUI_EXIT_OK;
	}
	json_object_object_get_ex(result, "totals", &totals);
	jobs = maui_cmd_number(totals, block->total, 0);
	printf("%s\n", block->heading);
	maui_cmd_print_table(common, table);
	if (strcmp(block->noun, "Active") == 0)
		print_use(totals, jobs);
	else
		printf("\n%" PRId64 " %s Job%s\n\n", jobs, block->noun, jobs == 1 ? "" : "s");
	return MAUI_EXIT_OK;
}

static void print_totals(json_object *result)
{
	json_object *totals = NULL;
	int64_t active, idle, blocked;

	json_object_object_get_ex(result, "totals", &totals);
	active = maui_cmd_number(totals, "active_jobs", 0);
	idle = maui_cmd_number(totals, "idle_jobs", 0);
	blocked = maui_cmd_number(totals, "blocked_jobs", 0);
	printf("Total Jobs: %" PRId64 "   Active Jobs: %" PRId64 "   Idle Jobs: %" PRId64
	       "   Blocked Jobs: %" PRId64 "\n",
	       active + idle + blocked, active, idle, blocked);
}

static void print_kept(json_object *result)
{
	int64_t now_s = maui_cmd_number(result, "time", 0);
	int64_t until_s = maui_cmd_number(result, "collecting_until", MAUI_NEVER);
	char moment[MOMENT];

	for (size_t i = 0; i < maui_cmd_length(result, "kept"); i++) {
		json_object *kept = maui_cmd_element(result, "kept", i);
		int64_t start_s = maui_cmd_number(kept, "start", 0);

		printf("%s kept for job %s", maui_cmd_text(kept, "nodes"),
		       maui_cmd_text(kept, "job"));
		printf(" of %s, which starts about %s\n", maui_cmd_text(kept, "user"),
		       start_s <= now_s ? "now" : maui_cmd_moment(start_s, now_s, moment, MOMENT));
	}
	if (until_s != MAUI_NEVER)
		printf("Idle processors are kept for large jobs (BFCHUNKSIZE) until %s\n",
		       maui_cmd_moment(until_s, now_s, moment, MOMENT));
}

/* --format: one table of all jobs. Returns an exit status. */
static int print_chosen(const struct maui_cmd_common *common, json_object *result)
{
	static const struct shown_block chosen[] = {
		{ .rows = "active", .columns = "active_columns", .shown = SHOWN(all_columns) },
		{ .rows = "idle", .columns = "waiting_columns", .shown = SHOWN(all_columns) },
		{ .rows = "blocked", .columns = "waiting_columns", .shown = SHOWN(all_columns) },
	};
	struct maui_column columns[MOST_CELLS];
	struct maui_table *table = make_table(common, &chosen[0], columns);

	if (!table)
		return MAUI_EXIT_USAGE;
	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++)
		add_rows(table, result, &chosen[i]);
	maui_cmd_print_table(common, table);
	return MAUI_EXIT_OK;
}

static int print_queue(const struct maui_queue_ask *ask, json_object *result)
{
	const struct maui_cmd_common *common = &ask->common;
	int rc;

	if (ask->running || ask->idle || ask->blocked)
		return print_block(common, result,
				   ask->running ? &running_block :
				   ask->idle    ? &idle_alone :
						  &blocked_alone);
	if (common->format)
		return print_chosen(common, result);
	rc = print_block(common, result, &active_block);
	if (rc == MAUI_EXIT_OK)
		rc = print_block(common, result, &idle_block);
	if (rc == MAUI_EXIT_OK)
		rc = print_block(common, result, &blocked_block);
	if (rc != MAUI_EXIT_OK || maui_cmd_rows_only(common))
		return rc;
	print_totals(result);
	print_kept(result);
	return MAUI_EXIT_OK;
}

int maui_cmd_showq(int argc, char **argv)
{
	struct maui_queue_ask ask = { .common = { .tool = "showq", .usage = usage } };
	json_object *result;
	int rc = maui_queue_options(&ask, argc, argv);

	if (ask.common.done)
		return rc;
	result = maui_queue_ask(&ask, ask.running || ask.idle || ask.blocked || ask.common.format,
				&rc);
	if (!result)
		return rc;
	if (ask.common.json) {
		maui_cmd_print_json(&ask.common, result);
		return MAUI_EXIT_OK;
	}
	rc = print_queue(&ask, result);
	json_object_put(result);
	return rc;
}
