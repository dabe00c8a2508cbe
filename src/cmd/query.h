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
#include "query/client.h"
#include "tool/option.h"
#include "tool/print.h"
#include "verbs/verb.h"

/* maui_options_read() of a command of maui. */
int maui_cmd_read(struct maui_tool_common *common, void *options, int argc, char **argv);

/* What slurmctld has answered. */
struct maui_cmd_answer {
	const void *record; /* of the verb's answer */
	json_object *json;
	struct maui_arena arena;
};
/* Asks slurmctld: `args` is the record of the verb's arguments. *ret is the caller's to finish; its
 * texts may be shown on a terminal. Returns an exit status; prints the error. */
int maui_cmd_ask_verb(const struct maui_tool_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret);
/* Asks, and with --json prints the answer; otherwise `print` prints it and returns the exit status.
 * Returns the exit status. */
typedef int (*maui_cmd_print_fn)(const struct maui_tool_common *common, const void *options,
				 const void *record);
int maui_cmd_show(const struct maui_tool_common *common, const struct maui_verb *verb,
		  const void *args, maui_cmd_print_fn print, const void *options);
/* The same with texts as they are: for what is written as JSON, never for a terminal. */
int maui_cmd_ask_verb_exact(const struct maui_tool_common *common, const struct maui_verb *verb,
			    const void *args, struct maui_cmd_answer *ret);
/* The same without a message: -1 with error. */
int maui_cmd_try_verb(const struct maui_tool_common *common, const struct maui_verb *verb,
		      const void *args, struct maui_cmd_answer *ret,
		      struct maui_query_error *error);
void maui_cmd_answer_finish(struct maui_cmd_answer *answer);
/* --json: the answer with meta, errors and warnings. */
void maui_cmd_answer_print_json(const struct maui_tool_common *common,
				const struct maui_cmd_answer *answer);
/* The same with the record's members in place of the answer's of the same keys, or behind all, and
 * without one member (NULL: with all). Changes answer->json. */
void maui_cmd_answer_print_changed(const struct maui_tool_common *common,
				   const struct maui_cmd_answer *answer, const char *without,
				   const struct maui_record_type *type, const void *record);
/* The same of a record that the command has made itself. */
void maui_cmd_print_record_json(const struct maui_tool_common *common,
				const struct maui_record_type *type, const void *record);
/* The same without errors and warnings but the record's own: reports about files. */
void maui_cmd_print_report_json(const struct maui_tool_common *common,
				const struct maui_record_type *type, const void *record);

/* An element of "errors" in JSON: struct maui_query_error. */
extern const struct maui_record_type maui_query_error_type;

/* Prints that no "user", "group" ... has this name; returns the exit status. */
int maui_cmd_no(const struct maui_tool_common *common, const char *kind, const char *name);

/* Says the error, with --json as JSON as well. Returns the exit status. */
int maui_cmd_failed(const struct maui_tool_common *common, const struct maui_query_error *error);

struct maui_refused;
void maui_cmd_show_refused(const struct maui_refused *refused, int64_t now_s, const char *prefix);

struct maui_gres;
void maui_cmd_show_gres(const struct maui_gres *list, size_t count, const char *before,
			const char *behind);

/* Replaces a file as a whole, readable for all (0644); not a symbolic link, a device or a
 * directory. Says what is wrong; returns an exit status. */
int maui_cmd_write_file(const struct maui_tool_common *common, const char *path, const char *text,
			size_t length);

/* The number of a job: "17", or before the task of an array, "17_3". -1: neither. */
int64_t maui_cmd_job_id(const char *text);

#endif
