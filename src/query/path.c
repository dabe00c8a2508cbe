/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.c - where the query socket is */
#include "query/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char place[] = "maui.query/socket";

/* A directory; of any owner if `owner` is NULL. */
static bool is_directory(const char *path, const uid_t *owner)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && (!owner || st.st_uid == *owner);
}

static char *joined(const char *dir, size_t length)
{
	char *path;

	while (length > 1 && dir[length - 1] == '/')
		length--;
	return asprintf(&path, "%.*s/%s", (int)length, dir, place) < 0 ? NULL : path;
}

char *maui_query_path(const char *pid_file, const char *state_dir, uid_t slurm_user,
		      struct maui_err *err)
{
	const char *slash = pid_file && pid_file[0] == '/' ? strrchr(pid_file, '/') : NULL;
	char *path = NULL, *dir;

	if (slash && slash > pid_file) {
		dir = strndup(pid_file, (size_t)(slash - pid_file));
		if (dir && is_directory(dir, &slurm_user))
			path = joined(dir, strlen(dir));
		free(dir);
	}
	/* not checked: the command's user may lack permission, and connect() reports that */
	if (!path && state_dir && state_dir[0] == '/')
		path = joined(state_dir, strlen(state_dir));
	if (!path)
		maui_err_set(err,
			     "no place for the query socket: neither the directory of "
			     "SlurmctldPidFile nor StateSaveLocation will do; set QUERYSOCKET in "
			     "maui.cfg");
	return path;
}

bool maui_query_path_is_open(const char *path, char **ret_dir)
{
	char *copy = strdup(path), *at = copy;
	bool open = true;
	struct stat st;

	*ret_dir = NULL;
	while (copy && open && (at = strchr(at + 1, '/'))) {
		*at = '\0';
		open = stat(copy, &st) != 0 || (st.st_mode & S_IXOTH);
		if (!open)
			*ret_dir = strdup(copy);
		*at = '/';
	}
	free(copy);
	return open;
}
