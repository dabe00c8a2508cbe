/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trust.c - checks a file or a directory, and every directory and link on the way to it */
#include "base/trust.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as many links as the kernel follows */

/* The way to the file: `at` is checked and has no links, `rest` is still to be walked. */
struct way {
	char at[PATH_MAX], rest[PATH_MAX];
	int links;
	uid_t user;
	const char *user_is; /* what messages call the user */
};

static int check_owner(const struct way *way, const char *path, const struct stat *seen,
		       struct maui_err *err)
{
	if (seen->st_uid == 0 || seen->st_uid == way->user)
		return 0;
	return maui_err_set(err, "%s: belongs to uid %u, who is neither root nor %s", path,
			    (unsigned)seen->st_uid, way->user_is);
}

/* The mask of an access control list shows as the group's permissions. */
static int check_writers(const char *path, const struct stat *seen, struct maui_err *err)
{
	if (seen->st_mode & S_IWOTH)
		return maui_err_set(err, "%s: everybody may write to that directory", path);
	if (seen->st_mode & S_IWGRP)
		return maui_err_set(err, "%s: its group may write to that directory", path);
	return 0;
}

/* In a directory with the sticky bit no user can replace another user's file. */
static int check_step(const struct way *way, const char *path, struct stat *seen,
		      struct maui_err *err)
{
	if (lstat(path, seen))
		return maui_err_errno(err, "%s", path);
	if (check_owner(way, path, seen, err))
		return -1;
	if (!S_ISDIR(seen->st_mode) || (seen->st_mode & S_ISVTX))
		return 0;
	return check_writers(path, seen, err);
}

static int check_file(const char *path, const struct stat *seen, struct maui_err *err)
{
	if (!S_ISREG(seen->st_mode))
		return maui_err_set(err, "%s: not a regular file", path);
	if (seen->st_mode & (S_IWGRP | S_IWOTH))
		return maui_err_set(err, "%s: its group or everybody may write to it", path);
	return 0;
}

static int too_long(const char *path, struct maui_err *err)
{
	errno = ENAMETOOLONG;
	return maui_err_errno(err, "%s", path);
}

static void go_up(struct way *way)
{
	char *slash = strrchr(way->at, '/');

	*(slash ? slash : way->at) = '\0'; /* "" is the root */
}

/* Puts the target of the link at the end of `at` before the rest. */
static int follow(struct way *way, struct maui_err *err)
{
	char target[PATH_MAX], joined[PATH_MAX];
	ssize_t length = readlink(way->at, target, sizeof(target) - 1);

	if (length > 0 && ++way->links > LINKS_MAX) {
		errno = ELOOP;
		length = -1;
	}
	if (length <= 0)
		return maui_err_errno(err, "%s", way->at);
	target[length] = '\0';
	if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", target, way->rest) >= sizeof(joined))
		return too_long(way->at, err);
	strcpy(way->rest, joined);
	if (target[0] == '/')
		way->at[0] = '\0';
	else
		go_up(way);
	return 0;
}

/* Walks to the next name of the rest; *seen is its stat. */
static int go_on(struct way *way, struct stat *seen, struct maui_err *err)
{
	size_t had = strlen(way->at), length = strcspn(way->rest, "/");
	size_t next = length + strspn(way->rest + length, "/");
	bool up = length == 2 && memcmp(way->rest, "..", 2) == 0;
	bool stay = length == 0 || (length == 1 && way->rest[0] == '.');

	if (had + 1 + length >= sizeof(way->at))
		return too_long(way->rest, err);
	if (!up && !stay) {
		way->at[had] = '/';
		memcpy(way->at + had + 1, way->rest, length);
		way->at[had + 1 + length] = '\0';
	}
	memmove(way->rest, way->rest + next, strlen(way->rest + next) + 1);
	if (up)
		go_up(way);
	if (check_step(way, way->at[0] ? way->at : "/", seen, err))
		return -1;
	return S_ISLNK(seen->st_mode) ? follow(way, err) : 0;
}

/* Walks to the end; *seen is the stat of what is there. errno is ENOENT only if a step is
 * missing. */
static int walk(struct way *way, struct stat *seen, struct maui_err *err)
{
	int rc;

	errno = 0;
	rc = check_step(way, "/", seen, err);
	while (rc == 0 && way->rest[0]) {
		errno = 0;
		rc = go_on(way, seen, err);
	}
	return rc;
}

int maui_trust_file(const char *path, uid_t user, struct maui_err *err)
{
	struct way way = { .user = user, .user_is = "SlurmUser" };
	struct stat seen;

	if (path[0] != '/')
		return maui_err_set(err, "%s: not an absolute path", path);
	if (strlen(path) >= sizeof(way.rest))
		return too_long(path, err);
	strcpy(way.rest, path);
	return walk(&way, &seen, err) ? -1 : check_file(way.at, &seen, err);
}

/* Puts an absolute path into way->rest. */
static int begin_at(struct way *way, const char *path, struct maui_err *err)
{
	size_t length = 0;

	if (path[0] != '/') {
		if (!getcwd(way->rest, sizeof(way->rest)))
			return maui_err_errno(err, "%s", path);
		length = strlen(way->rest);
	}
	if (length + strlen(path) + 2 > sizeof(way->rest))
		return too_long(path, err);
	sprintf(way->rest + length, "%s%s", length ? "/" : "", path);
	return 0;
}

int maui_trust_directory(const char *path, bool may_be_missing, struct maui_err *err)
{
	struct way way = { .user = geteuid(), .user_is = "you" };
	struct stat seen;

	if (begin_at(&way, path, err))
		return -1;
	if (walk(&way, &seen, err))
		return may_be_missing && errno == ENOENT ? 0 : -1;
	if (!S_ISDIR(seen.st_mode))
		return maui_err_set(err, "%s: not a directory", way.at);
	return check_writers(way.at[0] ? way.at : "/", &seen, err);
}
