/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk.c - the calls by which slurm-maui writes its files: they fail, write a part, or are the last
 * ones of the process, after any byte
 *
 * A process may die with the machine. Then of a file that was not synced a part is lost, even if
 * the file was renamed since.
 */

#include "world.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 32, KEPT_FDS = 64 };

static unsigned failing;
static bool failed;
static int first_fd;
static ino_t unsynced[FILES]; /* files */

static bool is_file(int fd, ino_t *ret)
{
	struct stat st;

	if (!world_in_fiber() || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*ret = st.st_ino;
	return true;
}

static void note_unsynced(ino_t file)
{
	int place = 0;

	for (int i = 0; i < FILES; i++) {
		if (unsynced[i] == file)
			return;
		if (unsynced[i] == 0)
			place = i;
	}
	unsynced[place] = file;
}

static void note_synced(ino_t file)
{
	for (int i = 0; i < FILES; i++)
		if (unsynced[i] == file)
			unsynced[i] = 0;
}

/* Whether this call fails. */
static bool fails(void)
{
	if (failing == 0)
		return false;
	failing--;
	if (!world_chance(40))
		return false;
	failed = true;
	world.cuts++;
	errno = world_chance(50) ? ENOSPC : EIO;
	return true;
}

static void check_locks(const char *call)
{
	if (world_in_agent() && world_locked())
		world_fault("%s() while slurmctld's locks are held", call);
}

ssize_t write(int fd, const void *text, size_t length)
{
	ino_t file;

	if (!is_file(fd, &file))
		return syscall(SYS_write, fd, text, length);
	check_locks("write");
	note_unsynced(file);
	if (fails())
		return -1;
	if (failing > 0 && length > 1 && world_chance(30))
		length = 1 + world_random(length - 1);
	if (world_fibers_armed() && length > 0 && world_chance(30)) {
		if (syscall(SYS_write, fd, text, world_random(length + 1)) < 0)
			errno = EIO;
		world_fibers_arm(1);
	}
	world_mortal();
	return syscall(SYS_write, fd, text, length);
}

ssize_t pwrite(int fd, const void *text, size_t length, off_t at)
{
	check_locks("pwrite");
	world_mortal();
	return syscall(SYS_pwrite64, fd, text, length, at);
}

int fsync(int fd)
{
	ino_t file;

	if (!is_file(fd, &file))
		return 0;
	check_locks("fsync");
	if (fails())
		return -1;
	world_mortal();
	note_synced(file);
	return 0;
}

int rename(const char *from, const char *to)
{
	if (world_in_fiber() && fails())
		return -1;
	world_mortal();
	return (int)syscall(SYS_rename, from, to);
}

int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
	if (world_in_fiber() && fails())
		return -1;
	world_mortal();
	return (int)syscall(SYS_renameat, from_dir, from, to_dir, to);
}

int link(const char *from, const char *to)
{
	world_mortal();
	return (int)syscall(SYS_link, from, to);
}

int unlink(const char *path)
{
	world_mortal();
	return (int)syscall(SYS_unlink, path);
}

void world_disk_fail(unsigned writes)
{
	failing = writes;
}

bool world_disk_failed(void)
{
	bool ret = failed;

	failed = false;
	return ret;
}

void world_disk_reopen(void)
{
	failing = 0;
}

void world_disk_begin(void)
{
	first_fd = dup(STDERR_FILENO);
	close(first_fd);
	memset(unsynced, 0, sizeof(unsynced));
}

/* The machine dies: what was not synced is cut anywhere. */
static void lose_unsynced(void)
{
	char path[300];
	DIR *dir;
	const struct dirent *entry;
	struct stat st;

	snprintf(path, sizeof(path), "%s/maui", world.dir);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/maui/%s", world.dir, entry->d_name);
		if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		for (int i = 0; i < FILES; i++)
			if (unsynced[i] && unsynced[i] == st.st_ino &&
			    truncate(path, (off_t)world_random((uint64_t)st.st_size + 1)) == 0)
				world_note("power: %s is cut", entry->d_name);
	}
	if (dir)
		closedir(dir);
}

void world_disk_close(void)
{
	syscall(SYS_close_range, first_fd, ~0U, 0);
	if (world_chance(50))
		lose_unsynced();
	memset(unsynced, 0, sizeof(unsynced));
	failing = 0;
}
