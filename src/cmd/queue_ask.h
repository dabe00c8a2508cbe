/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.h - what showq and maui queue have in common: whose jobs are asked for
 *
 * Rules: CMD-23.
 */
#ifndef MAUI_CMD_QUEUE_ASK_H
#define MAUI_CMD_QUEUE_ASK_H

#include "cmd/query.h"

struct maui_queue_ask {
	struct maui_cmd_common common;
	bool running, idle, blocked; /* -r, -i, -b */
	const char *user;            /* -u; NULL: everybody */
	json_object *args;
};

#define MAUI_QUEUE_USAGE                                                                         \
	"  -r, -i, -b    active, idle, blocked jobs only\n"                                      \
	"  -u USER, -g GROUP, -a ACCOUNT, -q QOS, -p PARTITION (or -c)\n"                        \
	"                jobs of this user, group, account, QOS, partition, or of a list: a,b\n" \
	"  --me          your own jobs\n"

/* Reads the command line into `ask`; the caller has set tool and usage. Returns an exit status;
 * common.done: nothing is left to do. */
int maui_queue_options(struct maui_queue_ask *ask, int argc, char **argv);

/* Asks for the jobs; takes ask->args over. NULL: an error is printed, *ret_status is the exit
 * status. */
json_object *maui_queue_ask(struct maui_queue_ask *ask, bool wide, int *ret_status);

#endif
