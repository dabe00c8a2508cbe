/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.h - what showq and maui queue have in common: whose jobs, and rows of values
 *
 * Rules: CMD-23.
 */
#ifndef MAUI_CMD_QUEUE_ASK_H
#define MAUI_CMD_QUEUE_ASK_H

#include "cmd/query.h"
#include "model/when.h"

struct maui_queue_ask {
	struct maui_cmd_common common;
	bool running, idle, blocked; /* -r, -i, -b */
	json_object *args;
};

#define MAUI_QUEUE_USAGE                                                  \
	"  -r, -i, -b    active, idle, blocked jobs only\n"               \
	"  -u USER, -g GROUP, -a ACCOUNT, -q QOS, -p PARTITION (or -c)\n" \
	"                jobs of this user, group, account, QOS, partition\n"

/* Reads the command line into `ask`; the caller has set tool and usage. Returns an exit status;
 * common.done: nothing is left to do. */
int maui_queue_options(struct maui_queue_ask *ask, int argc, char **argv);

/* Asks for the jobs; takes ask->args over. NULL: it is said, *ret_status is the exit status. */
json_object *maui_queue_ask(struct maui_queue_ask *ask, bool wide, int *ret_status);

/* A list of rows of the answer, and where its columns stand. */
struct maui_queue_rows {
	json_object *rows, *columns;
	size_t count;
};
struct maui_queue_rows maui_queue_rows(json_object *result, const char *rows, const char *columns);
/* The index of a column; SIZE_MAX: none. */
size_t maui_queue_column(const struct maui_queue_rows *rows, const char *name);
/* Values; "" and MAUI_NEVER for null. */
const char *maui_queue_text(const struct maui_queue_rows *rows, size_t row, size_t column);
int64_t maui_queue_number(const struct maui_queue_rows *rows, size_t row, size_t column);
double maui_queue_ratio(const struct maui_queue_rows *rows, size_t row, size_t column);

#endif
