/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm_command.c - runs scontrol and its kin, as the user who runs our command */

#include "cmd/slurm_command.h"
#include "base/need.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Settings of the user that change what Slurm's commands print: SQUEUE_STATES=RUNNING hides
 * jobs. */
static bool is_habit(const char *setting)
{
	static const char *const prefixes[] = { "SQUEUE_", "SCONTROL_", "SLURM_CLUSTERS=" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (strncmp(setting, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* The environment without them; the caller frees the list. */
static char **without_habits(void)
{
	size_t count = 0, kept = 0;
	char **list;

	while (environ[count])
		count++;
	list = maui_need_list(count + 1, sizeof(*list));
	for (size_t i = 0; i < count; i++)
		if (!is_habit(environ[i]))
			list[kept++] = environ[i];
	return list;
}

/* Starts it, with its output to read when ret_out is not NULL. */
static int start(const char *tool, char *const *argv, FILE **ret_out, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int ends[2] = { -1, -1 }, rc = 0;
	char **environment = without_habits();

	if (ret_out && pipe2(ends, O_CLOEXEC))
		rc = errno;
	if (rc == 0) {
		posix_spawn_file_actions_init(&actions);
		if (ret_out)
			posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
		rc = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environment);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(environment);
	if (ends[1] >= 0)
		close(ends[1]);
	if (rc == 0 && ret_out && !(*ret_out = fdopen(ends[0], "r")))
		rc = errno;
	if (rc && ends[0] >= 0)
		close(ends[0]);
	if (rc)
		fprintf(stderr, "%s: error: %s: %s\n", tool, argv[0], strerror(rc));
	return rc ? -1 : 0;
}

static int finish(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

int maui_cmd_slurm_run(const char *tool, char *const *argv)
{
	pid_t pid;

	fflush(stdout);
	return start(tool, argv, NULL, &pid) ? -1 : finish(pid);
}

int maui_cmd_slurm_ask(const char *tool, char *const *argv, void (*line)(char *text, void *arg),
		       void *arg)
{
	char *text = NULL;
	size_t room = 0;
	FILE *out;
	pid_t pid;

	if (start(tool, argv, &out, &pid))
		return -1;
	while (getline(&text, &room, out) > 0)
		line(text, arg);
	free(text);
	fclose(out);
	return finish(pid);
}
