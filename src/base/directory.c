/* SPDX-License-Identifier: GPL-2.0-or-later */
/* directory.c - walks to a directory one name after another */
#include "base/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as many links as the kernel follows */

struct walk {
	const char *path;    /* for messages */
	char rest[PATH_MAX]; /* still to be walked */
	int at;
	int links;
};

static int fail(const struct walk *walk, struct maui_err *err)
{
	return maui_err_errno(err, "cannot write %s", walk->path);
}

/* Goes on in this directory, which the walk takes over. */
static void go_to(struct walk *walk, int fd)
{
	if (walk->at >= 0)
		close(walk->at);
	walk->at = fd;
}

static int go_to_root(struct walk *walk, struct maui_err *err)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return fail(walk, err);
	go_to(walk, fd);
	return 0;
}

/* Puts the target of the link before the rest. */
static int follow(struct walk *walk, int fd, const struct stat *seen, struct maui_err *err)
{
	char target[PATH_MAX], joined[PATH_MAX];
	ssize_t length = readlinkat(fd, "", target, sizeof(target) - 1);

	if (seen->st_uid != 0 && seen->st_uid != geteuid())
		return maui_err_set(err,
				    "cannot write %s: a symbolic link of user id %u is on the way",
				    walk->path, (unsigned)seen->st_uid);
	if (length > 0 && ++walk->links > LINKS_MAX) {
		errno = ELOOP;
		return fail(walk, err);
	}
	if (length <= 0)
		return fail(walk, err);
	target[length] = '\0';
	if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", target, walk->rest) >=
	    sizeof(joined)) {
		errno = ENAMETOOLONG;
		return fail(walk, err);
	}
	memcpy(walk->rest, joined, strlen(joined) + 1);
	return target[0] == '/' ? go_to_root(walk, err) : 0;
}

/* The next name of the rest, which becomes what is behind it. */
static void take_name(struct walk *walk, char *name)
{
	size_t blank = strspn(walk->rest, "/");
	size_t length = strcspn(walk->rest + blank, "/");

	memcpy(name, walk->rest + blank, length);
	name[length] = '\0';
	memmove(walk->rest, walk->rest + blank + length, strlen(walk->rest + blank + length) + 1);
}

static int step(struct walk *walk, const char *name, struct maui_err *err)
{
	int fd = openat(walk->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), rc;
	struct stat seen;

	if (fd < 0)
		return fail(walk, err);
	if (fstat(fd, &seen) == 0 && S_ISLNK(seen.st_mode)) {
		rc = follow(walk, fd, &seen, err);
		close(fd);
		return rc;
	}
	go_to(walk, fd); /* what is no directory fails in the next step */
	return 0;
}

static int walk_to_end(struct walk *walk, struct maui_err *err)
{
	char name[PATH_MAX];
	int fd;

	for (take_name(walk, name); *name; take_name(walk, name))
		if (step(walk, name, err))
			return -1;
	fd = openat(walk->at, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fail(walk, err);
	return fd;
}

int maui_directory_open(const char *path, const char **ret_name, struct maui_err *err)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	struct walk walk = { .path = path, .at = -1 };
	int fd = -1;

	*ret_name = path + length;
	if (length >= sizeof(walk.rest)) {
		errno = ENAMETOOLONG;
		return fail(&walk, err);
	}
	memcpy(walk.rest, path, length);
	walk.at = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	fd = walk.at < 0 ? fail(&walk, err) : walk_to_end(&walk, err);
	if (walk.at >= 0)
		close(walk.at);
	return fd;
}
