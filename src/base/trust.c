/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trust.c - the file, and every step of the way to it */
#include "base/trust.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int check_owner(const char *path, const struct stat *seen, uid_t user, struct maui_err *err)
{
	if (seen->st_uid == 0 || seen->st_uid == user)
		return 0;
	return maui_err_set(err, "%s: belongs to uid %u, who is neither root nor SlurmUser", path,
			    (unsigned)seen->st_uid);
}

/* A directory, or a link: what it leads to is looked at by itself. */
static int check_step(const char *path, uid_t user, struct maui_err *err)
{
	struct stat seen;

	if (lstat(path, &seen))
		return maui_err_errno(err, "%s", path);
	if (check_owner(path, &seen, user, err))
		return -1;
	if (S_ISDIR(seen.st_mode) && (seen.st_mode & S_IWOTH) && !(seen.st_mode & S_ISVTX))
		return maui_err_set(err, "%s: everybody may write to that directory", path);
	return 0;
}

/* Every prefix of `path`, which is cut and mended on the way, and itself. */
static int check_way(char *path, uid_t user, struct maui_err *err)
{
	if (check_step("/", user, err))
		return -1;
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		int rc;

		*at = '\0';
		rc = check_step(path, user, err);
		*at = '/';
		if (rc)
			return -1;
	}
	return check_step(path, user, err);
}

static int check_file(const char *path, uid_t user, struct maui_err *err)
{
	struct stat seen;

	if (stat(path, &seen))
		return maui_err_errno(err, "%s", path);
	if (!S_ISREG(seen.st_mode))
		return maui_err_set(err, "%s: not a regular file", path);
	if (check_owner(path, &seen, user, err))
		return -1;
	if (seen.st_mode & (S_IWGRP | S_IWOTH))
		return maui_err_set(err, "%s: its group or everybody may write to it", path);
	return 0;
}

int maui_trust_file(const char *path, uid_t user, struct maui_err *err)
{
	char *written, *real;
	int rc = -1;

	if (path[0] != '/')
		return maui_err_set(err, "%s: not an absolute path", path);
	written = strdup(path);
	real = realpath(path, NULL);
	if (!real)
		maui_err_errno(err, "%s", path);
	else if (!written)
		maui_err_set(err, "no memory");
	else if (check_file(real, user, err) == 0 && check_way(written, user, err) == 0)
		rc = check_way(real, user, err);
	free(written);
	free(real);
	return rc;
}
