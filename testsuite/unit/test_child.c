/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_child.c - runs programs as child processes */
#include "base/child.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rows.h"

static void collect(void *data, const char *line)
{
	char *text = data;
	size_t length = strlen(text);

	snprintf(text + length, 8192 - length, "%s|", line);
}

/* Runs a shell line as a program; returns its wait status. */
static int run(const char *line, int64_t limit_s, char *output)
{
	const char *const argv[] = { "/bin/sh", "-c", line, NULL };
	const char *const env[] = { "PATH=/usr/bin:/bin", "MAUI_EVENT=start", NULL };
	struct timespec pause = { .tv_nsec = 5000000 };
	struct maui_child child;
	struct maui_err err;
	int status = -1;

	output[0] = '\0';
	cr_assert(maui_child_start(&child, argv, env, limit_s, &err) == 0, "%s", err.text);
	while (!maui_child_look(&child, collect, output, &status))
		nanosleep(&pause, NULL);
	cr_expect(child.pid == 0 && child.output == -1);
	return status;
}

static const struct {
	const char *name, *line, *output;
	int status;
} runs[] = {
	{ "lines of both outputs", "echo one; echo two >&2", "one|two|", 0 },
	{ "a last line without an end", "printf one", "one|", 0 },
	{ "its status", "exit 7", "", 7 << 8 },
	{ "what does not print", "printf 'a\\033[1mb\\377'", "a?[1mb?|", 0 },
	{ "the given environment and no other", "echo $MAUI_EVENT$HOME$USER", "start|", 0 },
	{ "the root directory", "pwd", "/|", 0 },
	{ "nothing to read", "read x || echo none", "none|", 0 },
	{ "nobody else's files", "( : <&9 ) 2>/dev/null || echo closed", "closed|", 0 },
	{ "a child that it leaves behind", "sleep 60 & echo done", "done|", 0 },
};

TEST_ROWS(child, run, runs, row)
{
	char output[8192];
	int left = dup2(0, 9), status = run(row->line, 30, output);

	cr_expect(status == row->status, "%s: status %d", row->name, status);
	cr_expect(strcmp(output, row->output) == 0, "%s: \"%s\"", row->name, output);
	close(left);
}

Test(child, killed_with_its_whole_group_when_its_time_is_over)
{
	char output[8192];
	int status = run("echo begun; sleep 600 | sleep 600", 0, output);

	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == 9);
}

Test(child, killed_by_the_caller)
{
	const char *const argv[] = { "/bin/sleep", "600", NULL }, *const env[] = { NULL };
	struct maui_child child;

	cr_assert(maui_child_start(&child, argv, env, 600, NULL) == 0);
	maui_child_kill(&child);
	cr_expect(child.pid == 0);
	maui_child_kill(&child);
}

Test(child, endless_output_does_not_block)
{
	char output[8192] = "";
	const char *const argv[] = { "/usr/bin/yes", NULL }, *const env[] = { NULL };
	struct maui_child child;
	int status;

	cr_assert(maui_child_start(&child, argv, env, 600, NULL) == 0);
	while (child.lines <= MAUI_CHILD_LINES_MAX)
		cr_expect(!maui_child_look(&child, collect, output, &status));
	cr_expect(strlen(output) == 2 * MAUI_CHILD_LINES_MAX, "%zu", strlen(output));
	cr_expect(!strstr(output, "more lines"), "it has not ended");
	maui_child_kill(&child);
}

Test(child, lines_that_are_left_out_are_counted)
{
	char output[8192];

	run("for i in $(seq 100); do echo x; done", 30, output);
	cr_expect(strlen(output) == 200, "%s", output);
	run("for i in $(seq 250); do echo x; done", 30, output);
	cr_expect(strlen(output) > 200 && strcmp(output + 200, "150 more lines are left out|") == 0,
		  "%s", output);
}

Test(child, other_code_waited_for_the_child)
{
	const char *const argv[] = { "/bin/true", NULL }, *const env[] = { NULL };
	struct maui_child child;
	char output[8192] = "";
	int status = 0;

	cr_assert(maui_child_start(&child, argv, env, 600, NULL) == 0);
	cr_assert(waitpid(child.pid, &status, 0) == child.pid);
	cr_expect(maui_child_look(&child, collect, output, &status), "its place is free");
	cr_expect(status == MAUI_CHILD_UNKNOWN && child.pid == 0);
}

/* The pid now belongs to another process, which leads its own group and is not our child. */
Test(child, a_stranger_with_the_same_pid_is_not_killed)
{
	char output[8192] = "";
	struct maui_child child = { .output = -1 };
	int status = 0;

	run("at=$(setsid sh -c 'echo $$; exec sleep 600 >/dev/null 2>&1' &); echo $at", 30, output);
	child.pid = atoi(output);
	cr_assert(child.pid > 1);
	cr_expect(maui_child_look(&child, collect, output, &status));
	child.pid = atoi(output);
	maui_child_kill(&child);
	cr_expect(child.pid == 0);
	cr_expect(kill(atoi(output), 0) == 0, "killed");
	kill(atoi(output), SIGKILL);
}

static const struct {
	const char *path, *error;
} bad_programs[] = {
	{ "sleep", "sleep: not an absolute path" },
	{ "/no/such/program", "/no/such/program: No such file or directory" },
	{ "/etc/passwd", "/etc/passwd: not an executable file" },
	{ "/tmp", "/tmp: not an executable file" },
};

TEST_ROWS(child, bad_program, bad_programs, row)
{
	const char *const argv[] = { row->path, NULL }, *const env[] = { NULL };
	struct maui_child child;
	struct maui_err err;

	cr_expect(maui_child_start(&child, argv, env, 1, &err) == -1, "%s", row->path);
	EXPECT_TEXT("err.text", err.text, row->error);
}
