/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query.h - what commands that ask slurmctld have in common
 *
 * Each is a verb of maui and a name of its own: `maui showres`, `showres`. Messages begin with that
 * name. With --json stdout has one JSON object, of a failure too.
 */
#ifndef MAUI_CMD_QUERY_H
#define MAUI_CMD_QUERY_H

#include <json-c/json.h>
#include <stdbool.h>

#include "base/arena.h"
#include "cmd/option.h"
#include "cmd/table.h"
#include "query/client.h"
#include "verbs/verb.h"

/* --help, --version, wrong usage: the rest of the command is not run. */
struct maui_cmd_common {
	const char *tool; /* "showres" */
	const struct maui_command *command;
	char **operands; /* what stands behind the options; NULL behind the last */
	int operand_count;
	bool json;
	bool noheader;      /* rows only: no titles, no line before or behind them */
	const char *format; /* columns that are shown; NULL: all of the command's */
	bool done;          /* maui_cmd_read() has said all */
};

/* "showres: error: ..." on stderr, then how to ask for help, and with --json the error as JSON.
 * Returns MAUI_EXIT_USAGE. */
int maui_cmd_misuse(const struct maui_cmd_common *common, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* For an unknown option, or one without its value, which getopt_long() has reported. Returns
 * MAUI_EXIT_USAGE. */
int maui_cmd_refuse_option(const struct maui_cmd_common *common, const char *word);

/* What slurmctld has answered. */
struct maui_cmd_answer {
	const void *record; /* of the verb's answer */
	json_object *json;
	struct maui_arena arena;
};
/* Asks slurmctld: `args` is the record of the verb's arguments. *ret is the caller's to finish; its
 * texts may be shown on a terminal. Returns an exit status; prints the error. */
int maui_cmd_ask_verb(const struct maui_cmd_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret);
/* Asks, and with --json prints the answer; otherwise `print` prints it and returns the exit status.
 * Returns the exit status. */
typedef int (*maui_cmd_print_fn)(const struct maui_cmd_common *common, const void *options,
				 const void *record);
int maui_cmd_show(const struct maui_cmd_common *common, const struct maui_verb *verb,
		  const void *args, maui_cmd_print_fn print, const void *options);
/* The same with texts as they are: for what is written as JSON, never for a terminal. */
int maui_cmd_ask_verb_exact(const struct maui_cmd_common *common, const struct maui_verb *verb,
			    const void *args, struct maui_cmd_answer *ret);
/* The same without a message: -1 with error. */
int maui_cmd_try_verb(const struct maui_cmd_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret,
		      struct maui_query_error *error);
void maui_cmd_answer_finish(struct maui_cmd_answer *answer);
/* --json: the answer with meta, errors and warnings. */
void maui_cmd_answer_print_json(const struct maui_cmd_common *common,
				const struct maui_cmd_answer *answer);
/* The same with the record's members in place of the answer's of the same keys, or behind all, and
 * without one member (NULL: with all). Changes answer->json. */
void maui_cmd_answer_print_changed(const struct maui_cmd_common *common,
				   const struct maui_cmd_answer *answer, const char *without,
				   const struct maui_record_type *type, const void *record);
/* The same of a record that the command has made itself. */
void maui_cmd_print_record_json(const struct maui_cmd_common *common,
				const struct maui_record_type *type, const void *record);
/* The same without errors and warnings but the record's own: reports about files. */
void maui_cmd_print_report_json(const struct maui_cmd_common *common,
				const struct maui_record_type *type, const void *record);

/* An element of "errors" in JSON: struct maui_query_error. */
extern const struct maui_record_type maui_query_error_type;

/* Prints that no user has this name; returns the exit status. */
int maui_cmd_no_user(const struct maui_cmd_common *common, const char *name);

/* Says the error, with --json as JSON as well. Returns the exit status. */
int maui_cmd_failed(const struct maui_cmd_common *common, const struct maui_query_error *error);

/* A table with the columns of --format, or all of them. NULL: --format names something else; prints
 * an error; the exit status is MAUI_EXIT_USAGE. */
struct maui_table *maui_cmd_table(const struct maui_cmd_common *common,
				  const struct maui_column *columns, size_t count);
/* Prints and destroys it: --noheader without titles, on a terminal the titles bold (not with
 * NO_COLOR). */
void maui_cmd_print_table(const struct maui_cmd_common *common, struct maui_table *table);

/* The same with titles of an empty table as well. Rows are cut at the terminal's width, or at that
 * of COLUMNS, as under watch(1); never in a pipe without it. */
void maui_cmd_print_list(const struct maui_cmd_common *common, struct maui_table *table);

/* Whether only rows are wanted: then no line stands before or behind the table. */
bool maui_cmd_rows_only(const struct maui_cmd_common *common);

/* Columns of the terminal or of COLUMNS, at least 80; 80 in a pipe. */
unsigned maui_cmd_width(void);
/* Whether stdout may be coloured: a terminal, and NO_COLOR not set. */
bool maui_cmd_color(void);

struct maui_refused;
void maui_cmd_show_refused(const struct maui_refused *refused, int64_t now_s, const char *prefix);

struct maui_gres;
void maui_cmd_show_gres(const struct maui_gres *list, size_t count, const char *before,
			const char *behind);

/* Replaces a file as a whole, readable for all (0644); not a symbolic link, a device or a
 * directory. Says what is wrong; returns an exit status. */
int maui_cmd_write_file(const struct maui_cmd_common *common, const char *path, const char *text,
			size_t length);

/* The number of a job: "17", or before the task of an array, "17_3". -1: neither. */
int64_t maui_cmd_job_id(const char *text);

#endif
