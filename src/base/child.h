/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.h - runs a program as a child process: no shell, a time limit, its output by lines
 *
 * The caller does not wait, but polls the child. The child runs with the caller's identity in its
 * own process group, in "/", with only the given environment, empty input and none of the caller's
 * open files. Both outputs of the child are one stream.
 *
 * Thread safety: each child belongs to one thread; different children are independent.
 */
#ifndef MAUI_BASE_CHILD_H
#define MAUI_BASE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

enum {
	MAUI_CHILD_LINE_MAX = 1024, /* longer lines are cut into several */
	MAUI_CHILD_LINES_MAX = 100, /* further lines are counted and dropped */
	MAUI_CHILD_UNKNOWN = -1,    /* wait status of a child that other code has waited for */
};

struct maui_child {
	pid_t pid;       /* 0: no child runs */
	int output;      /* the pipe; -1: closed */
	int64_t until_s; /* when to kill the child, monotonic clock */
	bool killed;
	size_t length;
	unsigned long lines;
	char line[MAUI_CHILD_LINE_MAX];
};

/* Gets a line of output without the newline; unprintable bytes are '?'. */
typedef void (*maui_child_line_fn)(void *data, const char *line);

/* Starts argv[0], the absolute path of an executable regular file. -1 with err: the program is
 * missing or not a regular file, or no process can be made; then nothing runs. */
int maui_child_start(struct maui_child *child, const char *const *argv, const char *const *env,
		     int64_t limit_s, struct maui_err *err);

/* Polls the child: reads its output without waiting, and kills its process group after the time
 * limit. True: the child has ended with this wait status, and the struct can be used again; the
 * last line says how many lines were dropped. When other code has waited for the child, nothing
 * is killed, because another process may have its number. */
bool maui_child_look(struct maui_child *child, maui_child_line_fn line, void *data,
		     int *ret_status);

/* Kills the child, if there is one, and waits at most a second for its end. A process that hangs
 * in the kernel (a file system that does not answer) is left behind. */
void maui_child_kill(struct maui_child *child);

#endif
