/* SPDX-License-Identifier: GPL-2.0-or-later */
/* as_user.c - what another user may do with a file, asked by a process that is this user
 *
 * Rules: CMD-63.
 */

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/preflight/preflight.h"

enum { EXIT_NOT_USER = 255 }; /* the process could not become the user */

static void ask_as(const struct passwd *user, const char *path, int mode)
{
	if (initgroups(user->pw_name, user->pw_gid) || setgid(user->pw_gid) || setuid(user->pw_uid))
		_exit(EXIT_NOT_USER);
	_exit(access(path, mode) ? errno : 0);
}

int maui_preflight_access(uid_t uid, const char *path, int mode)
{
	const struct passwd *user;
	int status;
	pid_t pid;

	if (geteuid() == uid)
		return access(path, mode) ? errno : 0;
	user = getpwuid(uid);
	if (geteuid() != 0 || !user)
		return MAUI_CANNOT_TELL;
	pid = fork();
	if (pid == 0)
		ask_as(user, path, mode);
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return MAUI_CANNOT_TELL;
	if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == EXIT_NOT_USER)
		return MAUI_CANNOT_TELL;
	return WEXITSTATUS(status);
}
