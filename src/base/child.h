/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - a program run beside us: no shell, a time limit, its output by lines
 *
 * Nobody waits for it: the caller looks now and then. It runs with the caller's identity in a
 * process group of its own, in "/", with nothing but the given environment, an empty input, and
 * none of the caller's files open. What it writes, to either output, is one stream.
 * Thread safety: a child is one thread's; different children do not matter to each other.
 */
#ifndef MAUI_BASE_CHILD_H
#define MAUI_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

enum {
	MAUI_CHILD_LINE_MAX = 1024, /* what is longer is cut into several lines */
	MAUI_CHILD_LINES_MAX = 100, /* what comes after so many is counted and forgotten */
	MAUI_CHILD_UNKNOWN = -1,    /* wait status of one that somebody else waited for */
};

struct maui_child {
	pid_t pid;       /* 0: none */
	int output;      /* -1: at its end */
	int64_t until_s; /* killed then, monotonic */
	bool killed;
	size_t length;
	unsigned long lines;
	char line[MAUI_CHILD_LINE_MAX];
};

/* A line of its output, without its end; what does not print is '?'. */
typedef void (*maui_child_line_fn)(void *data, const char *line);

/* Starts argv[0], an absolute path to a regular file that is executable. -1 with err: there is no
 * such program, it is no regular file, no process can be made; nothing runs then. */
int maui_child_start(struct maui_child *child, const char *const *argv, const char *const *env,
		     int64_t limit_s, struct maui_err *err);

/* Reads what there is, without waiting; kills the whole group when its time is over. True: it has
 * ended, with this wait status, and the struct is free for another. The last line tells how many
 * were left out. Once somebody else has waited for it nothing is killed: its number may be
 * another's. */
bool maui_child_look(struct maui_child *child, maui_child_line_fn line, void *data,
		     int *ret_status);

/* Kills it (if there is one) and waits for its end, a second at most: what the kernel keeps, as in
 * a file system that does not answer, is left to it. */
void maui_child_kill(struct maui_child *child);

#endif
