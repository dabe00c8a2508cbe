/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listen.c - the socket's directory and the socket
 *
 * The server makes the directory if it is missing. The directory must belong to the server's user,
 * and no other user may write to it, so every file in it comes from slurmctld. It must not be a
 * symbolic link; links on the way to it are the administrator's choice (/var/run is one).
 */
#include "query/server_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Opens the directory; its last component is no link. */
static int open_directory(const char *path, struct maui_err *err)
{
	struct stat st;
	int fd;

	if (mkdir(path, 0755) == 0 && chmod(path, 0755) != 0) /* without the umask */
		return maui_err_errno(err, "%s: cannot set its mode", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return maui_err_errno(err, "%s: cannot open the directory", path);
	if (fstat(fd, &st) != 0)
		maui_err_errno(err, "%s", path);
	else if (st.st_uid != geteuid())
		maui_err_set(err, "%s: belongs to user %u, not to %u (SlurmUser)", path,
			     (unsigned)st.st_uid, (unsigned)geteuid());
	else if (st.st_mode & (S_IWGRP | S_IWOTH))
		maui_err_set(
			err,
			"%s: users other than its owner may write there (mode %04o): set it to 0755",
			path, (unsigned)(st.st_mode & 07777));
	else
		return fd;
	close(fd);
	return -1;
}

static int new_socket(struct maui_err *err)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return maui_err_errno(err, "no socket");
	return fd;
}

/* Whether a process answers at the address; -1 with err: unknown. */
static int is_answered(const struct sockaddr_un *address, struct maui_err *err)
{
	int fd = new_socket(err), rc;

	if (fd < 0)
		return -1;
	rc = connect(fd, (const struct sockaddr *)address, sizeof(*address));
	if (rc == 0 || errno == EAGAIN || errno == EINPROGRESS)
		rc = 1;
	else if (errno == ECONNREFUSED || errno == ENOENT)
		rc = 0;
	else
		maui_err_errno(err, "%s", address->sun_path);
	close(fd);
	return rc;
}

/* Removes an existing socket at which no process answers. */
static int clear_place(int dir, const char *name, const struct sockaddr_un *address,
		       struct maui_err *err)
{
	struct stat st;
	int answered;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? 0 : maui_err_errno(err, "%s", address->sun_path);
	if (!S_ISSOCK(st.st_mode))
		return maui_err_set(err, "%s: exists and is not a socket: not touched",
				    address->sun_path);
	answered = is_answered(address, err);
	if (answered < 0)
		return -1;
	if (answered)
		return maui_err_set(err, "%s: another process answers there", address->sun_path);
	if (unlinkat(dir, name, 0) != 0)
		return maui_err_errno(err, "%s: cannot remove the old socket", address->sun_path);
	return 0;
}

static int bind_in(int dir, const char *name, const struct sockaddr_un *address,
		   struct maui_query_listener *l, struct maui_err *err)
{
	struct stat st;
	int fd;

	if (clear_place(dir, name, address, err))
		return -1;
	fd = new_socket(err);
	if (fd < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)address, sizeof(*address)) != 0)
		maui_err_errno(err, "%s: cannot bind", address->sun_path);
	else if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(st.st_mode) ||
		 fchmodat(dir, name, 0666, 0) != 0 || listen(fd, MAUI_QUERY_BACKLOG) != 0)
		maui_err_errno(err, "%s: cannot listen", address->sun_path);
	else {
		l->fd = fd;
		l->dev = st.st_dev;
		l->ino = st.st_ino;
		return 0;
	}
	close(fd);
	return -1;
}

/* Splits "/a/b/socket". -1: not of this form. */
static int split(char *path, char **ret_dir, char **ret_name)
{
	char *slash = strrchr(path, '/');

	if (!slash || path[0] != '/' || slash[1] == '\0' || slash == path ||
	    !strcmp(slash + 1, ".") || !strcmp(slash + 1, ".."))
		return -1;
	*slash = '\0';
	*ret_dir = path;
	*ret_name = slash + 1;
	return 0;
}

int maui_query_listen(struct maui_query_listener *l, const char *path, struct maui_err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char copy[sizeof(address.sun_path)], *folder, *name;
	int dir, rc;

	*l = (struct maui_query_listener){ .fd = -1 };
	if (strlen(path) >= sizeof(address.sun_path))
		return maui_err_set(err,
				    "%.128s: a socket's path has at most %zu bytes, this one has "
				    "%zu: set QUERYSOCKET in maui.cfg to a shorter one",
				    path, sizeof(address.sun_path) - 1, strlen(path));
	strcpy(address.sun_path, path);
	strcpy(copy, path);
	if (split(copy, &folder, &name))
		return maui_err_set(err,
				    "%s: a socket's path has to be absolute, in a directory of "
				    "its own",
				    path);
	dir = open_directory(folder, err);
	if (dir < 0)
		return -1;
	rc = bind_in(dir, name, &address, l, err);
	close(dir);
	if (rc == 0)
		l->path = strdup(path);
	return rc;
}

void maui_query_unlisten(struct maui_query_listener *l)
{
	struct stat st;

	if (l->fd >= 0)
		close(l->fd);
	if (l->path && lstat(l->path, &st) == 0 && st.st_dev == l->dev && st.st_ino == l->ino)
		unlink(l->path);
	free(l->path);
	*l = (struct maui_query_listener){ .fd = -1 };
}
