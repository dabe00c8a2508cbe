/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_dir.c - notices when the state directory is removed while slurmctld runs, and writes
 * everything again
 *
 * The directory is held open, so that a new directory in its place differs from it, even with the
 * same inode number.
 */

#include "slurm/compat.h"

#include "controller/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "controller/good_config.h"

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

/* In StateSaveLocation. */
int maui_state_dir_check(struct maui_controller *c, struct maui_err *err)
{
	bool known = c->state_fd >= 0;

	if (known && !is_gone(c))
		return 0;
	maui_state_dir_forget(c);
	if (maui_file_mkdir(c->state_dir, err))
		return -1;
	c->state_fd = open(c->state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (!known)
		return 0;
	error("slurm-maui: %s was removed: made again, and all state is saved again", c->state_dir);
	save_everything(c);
	return 0;
}
