/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.h - what showq and maui queue have in common: whose jobs are asked for
 *
 * Rules: CMD-23.
 */
#ifndef MAUI_CMD_QUEUE_ASK_H
#define MAUI_CMD_QUEUE_ASK_H

#include "cmd/query.h"
#include "verbs/queue.h"

struct maui_queue_ask {
	struct maui_cmd_common common;
	bool running, idle, blocked; /* -r, -i, -b */
	struct maui_queue_args args;
	char me[256]; /* --me: args.user */
};

#define MAUI_QUEUE_USAGE                                                                         \
	"  -r, -i, -b    active, idle, blocked jobs only\n"                                      \
	"  -u USER, -g GROUP, -a ACCOUNT, -q QOS, -p PARTITION (or -c)\n"                        \
	"                jobs of this user, group, account, QOS, partition, or of a list: a,b\n" \
	"  --me          your own jobs\n"

/* Reads the command line into `ask`; the caller has set tool and usage. Returns an exit status;
 * common.done: nothing is left to do. */
int maui_queue_options(struct maui_queue_ask *ask, int argc, char **argv);

/* Asks for the jobs: a struct maui_queue, which the caller finishes. Returns an exit status; prints
 * an error. */
int maui_queue_ask(struct maui_queue_ask *ask, bool wide, struct maui_cmd_answer *ret);

#endif
