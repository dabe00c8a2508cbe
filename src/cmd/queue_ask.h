/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue_ask.h - what showq and maui queue have in common: whose jobs are asked for
 *
 * Rules: CMD-23.
 */
#ifndef MAUI_CMD_QUEUE_ASK_H
#define MAUI_CMD_QUEUE_ASK_H

#include "cmd/query.h"
#include "verbs/queue.h"

/* For maui_queue_run(). */
extern const struct maui_option maui_queue_options[];

/* Reads the line, asks, and prints: struct maui_queue, for `print` with struct maui_queue_args.
 * `wide`: all columns are needed in any case. Returns an exit status. */
int maui_queue_run(struct maui_tool_common *common, int argc, char **argv, bool wide,
		   maui_cmd_print_fn print);

#endif
