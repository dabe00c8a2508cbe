/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child.c - runs a program by posix_spawn(), its output through a pipe
 *
 * fork() would copy the page tables of a process with many threads and gigabytes.
 */

#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"

static int check_program(const char *path, struct maui_err *err)
{
	struct stat seen;

	if (path[0] != '/')
		return maui_err_set(err, "%s: not an absolute path", path);
	if (stat(path, &seen))
		return maui_err_errno(err, "%s", path);
	if (!S_ISREG(seen.st_mode) || access(path, X_OK))
		return maui_err_set(err, "%s: not an executable file", path);
	return 0;
}

/* Default signals, even if the caller blocks or ignores some. */
static int set_attributes(posix_spawnattr_t *attr)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	return posix_spawnattr_setpgroup(attr, 0) || posix_spawnattr_setsigmask(attr, &none) ||
	       posix_spawnattr_setsigdefault(attr, &all) ||
	       posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
						      POSIX_SPAWN_SETSIGDEF);
}

/* Only files 0, 1 and 2 are open in the child. */
static int set_files(posix_spawn_file_actions_t *files, int output)
{
	return posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0) ||
	       posix_spawn_file_actions_adddup2(files, output, 1) ||
	       posix_spawn_file_actions_adddup2(files, output, 2) ||
	       posix_spawn_file_actions_addclosefrom_np(files, 3) ||
	       posix_spawn_file_actions_addchdir_np(files, "/");
}

static int spawn(pid_t *pid, const char *const *argv, const char *const *env, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	int rc;

	rc = posix_spawn_file_actions_init(&files);
	if (rc)
		return rc;
	rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		rc = set_attributes(&attr) || set_files(&files, output) ?
			     ENOMEM :
			     posix_spawn(pid, argv[0], &files, &attr, (char *const *)argv,
					 (char *const *)env);
		posix_spawnattr_destroy(&attr);
	}
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

int maui_child_start(struct maui_child *child, const char *const *argv, const char *const *env,
		     int64_t limit_s, struct maui_err *err)
{
	int ends[2], rc;
	pid_t pid;

	*child = (struct maui_child){ .output = -1 };
	if (check_program(argv[0], err))
		return -1;
	if (pipe2(ends, O_CLOEXEC))
		return maui_err_errno(err, "%s: no pipe", argv[0]);
	rc = spawn(&pid, argv, env, ends[1]);
	close(ends[1]);
	if (rc) {
		close(ends[0]);
		errno = rc;
		return maui_err_errno(err, "%s", argv[0]);
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*child = (struct maui_child){ .pid = pid,
				      .output = ends[0],
				      .until_s = maui_monotonic_s() + limit_s };
	return 0;
}

static void end_line(struct maui_child *child, maui_child_line_fn line, void *data)
{
	child->line[child->length] = '\0';
	if (child->length > 0 && child->lines++ < MAUI_CHILD_LINES_MAX)
		line(data, child->line);
	child->length = 0;
}

static void take(struct maui_child *child, const char *text, size_t length, maui_child_line_fn line,
		 void *data)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\n' || child->length + 1 == sizeof(child->line))
			end_line(child, line, data);
		if (c != '\n')
			child->line[child->length++] =
				c == '\t' || (c >= ' ' && c < 127) ? (char)c : '?';
	}
}

/* Reads what the pipe has now, up to a limit: a child that never stops writing must not keep the
 * caller busy. */
static void read_output(struct maui_child *child, maui_child_line_fn line, void *data)
{
	char text[4096];

	for (int turns = 0; turns < 64 && child->output >= 0; turns++) {
		ssize_t got = read(child->output, text, sizeof(text));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 && errno == EAGAIN)
			return;
		if (got <= 0) {
			end_line(child, line, data);
			close(child->output);
			child->output = -1;
			return;
		}
		take(child, text, (size_t)got, line, data);
	}
}

/* 1: the child has ended and waits to be reaped, so its number is still its own; 0: the child
 * runs; -1: other code has reaped the child. */
static int has_ended(const struct maui_child *child)
{
	siginfo_t info = { 0 };
	int rc;

	do
		rc = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
	while (rc && errno == EINTR);
	return rc ? -1 : info.si_pid == child->pid;
}

/* Called after has_ended(): kills the processes that the child has left behind. */
static int wait_status(const struct maui_child *child, int ended)
{
	int status;

	if (ended < 0)
		return MAUI_CHILD_UNKNOWN;
	kill(-child->pid, SIGKILL);
	return waitpid(child->pid, &status, WNOHANG) == child->pid ? status : MAUI_CHILD_UNKNOWN;
}

static void clear(struct maui_child *child)
{
	if (child->output >= 0)
		close(child->output);
	*child = (struct maui_child){ .output = -1 };
}

static void report_left_out(const struct maui_child *child, maui_child_line_fn line, void *data)
{
	char text[64];

	if (child->lines <= MAUI_CHILD_LINES_MAX)
		return;
	snprintf(text, sizeof(text), "%lu more lines are left out",
		 child->lines - MAUI_CHILD_LINES_MAX);
	line(data, text);
}

bool maui_child_look(struct maui_child *child, maui_child_line_fn line, void *data, int *ret_status)
{
	int ended;

	if (child->pid == 0)
		return false;
	ended = has_ended(child);
	if (ended == 0 && !child->killed && maui_monotonic_s() >= child->until_s) {
		kill(-child->pid, SIGKILL);
		child->killed = true;
	}
	/* After the wait everything that the child wrote is in the pipe. Output of its own
	 * children is not waited for. */
	read_output(child, line, data);
	if (ended == 0)
		return false;
	*ret_status = wait_status(child, ended);
	end_line(child, line, data);
	report_left_out(child, line, data);
	clear(child);
	return true;
}

void maui_child_kill(struct maui_child *child)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	int ended;

	if (child->pid == 0)
		return;
	ended = has_ended(child);
	if (ended == 0)
		kill(-child->pid, SIGKILL);
	for (int i = 0; i < 100 && ended == 0; i++) {
		nanosleep(&pause, NULL);
		ended = has_ended(child);
	}
	if (ended != 0)
		wait_status(child, ended);
	clear(child);
}
