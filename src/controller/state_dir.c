/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_dir.c - notices when the state directory is removed while slurmctld runs, and writes
 * everything again; and when another slurmctld has taken the state over
 *
 * The directory is held open, so that a new directory in its place differs from it, even with the
 * same inode number.
 *
 * A controller that hangs does not end when a backup takes over. When it wakes up it has the state
 * of before, and must not write it over the backup's. So whoever reads the state first writes its
 * name into a file, and saves only as long as this name is there. NFS reads a file anew when it is
 * opened, unlike what stat() says of it.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "controller/good_config.h"

static const char owner_name[] = "owner";

void maui_state_dir_forget(struct maui_controller *c)
{
	if (c->state_fd >= 0)
		close(c->state_fd);
	c->state_fd = -1;
}

/* Whether the open directory, in StateSaveLocation, was removed, moved away or replaced. When
 * stat() fails for another reason, the next write reports the error. */
static bool is_gone(const struct maui_controller *c)
{
	struct stat here, known;

	if (stat(c->state_dir, &here) != 0)
		return errno == ENOENT;
	return c->state_fd >= 0 && fstat(c->state_fd, &known) == 0 &&
	       (here.st_dev != known.st_dev || here.st_ino != known.st_ino);
}

/* Marks all state in memory for saving. */
static void save_everything(struct maui_controller *c)
{
	for (size_t i = 0; i < c->usage.count; i++) {
		c->usage.windows[i].dirty = true;
		c->usage.windows[i].blocked = false;
	}
	c->store_blocked = false;
	if (c->config)
		maui_save_good(c, c->config);
	if (c->sched)
		maui_crash_guard_move(&c->crash_guard, c->state_dir);
}

/* Makes the directory unless it is there, and holds it open. In StateSaveLocation. */
static int open_dir(struct maui_controller *c, struct maui_err *err)
{
	maui_state_dir_forget(c);
	if (maui_file_mkdir(c->state_dir, err))
		return -1;
	c->state_fd = open(c->state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return 0;
}

static int write_owner(struct maui_controller *c, struct maui_err *err)
{
	char *path = maui_state_path(c, owner_name);
	int rc = path ? maui_file_write(path, c->state_owner, strlen(c->state_owner), 0, err) :
			maui_err_no_memory(err);

	free(path);
	return rc;
}

int maui_state_dir_claim(struct maui_controller *c, struct maui_err *err)
{
	char host[128] = "", text[sizeof(c->state_owner)];
	struct timespec now;

	gethostname(host, sizeof(host) - 1);
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(text, sizeof(text), "%s pid %ld, since %lld.%09ld\n", host, (long)getpid(),
		 (long long)now.tv_sec, now.tv_nsec);
	memcpy(c->state_owner, text, sizeof(text));
	if (open_dir(c, err) == 0 && write_owner(c, err) == 0)
		return 0;
	c->state_owner[0] = '\0'; /* the next check tries again */
	return -1;
}

/* In StateSaveLocation. */
static int check_owner(struct maui_controller *c, struct maui_err *err)
{
	char *path = maui_state_path(c, owner_name), *text = NULL;
	size_t length;
	int rc;

	if (!path)
		return maui_err_no_memory(err);
	if (c->state_owner[0] == '\0')
		rc = maui_state_dir_claim(c, err);
	else if ((rc = maui_file_read(path, sizeof(c->state_owner), &text, &length, err)) != 0 &&
		 errno == ENOENT)
		rc = write_owner(c, err);
	if (text && strcmp(text, c->state_owner) != 0)
		rc = maui_err_set(
			err,
			"another slurmctld has taken over (%s: %.*s): restart this one if "
			"it is to be in charge",
			path, (int)strcspn(text, ","), text);
	free(text);
	free(path);
	return rc;
}

/* In StateSaveLocation. */
int maui_state_dir_check(struct maui_controller *c, struct maui_err *err)
{
	bool known = c->state_fd >= 0;

	if (known && !is_gone(c))
		return check_owner(c, err);
	if (open_dir(c, err))
		return -1;
	if (!known)
		return 0;
	error("slurm-maui: %s was removed: made again, and all state is saved again", c->state_dir);
	save_everything(c);
	return 0;
}
