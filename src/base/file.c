/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.c - reads and writes whole files
 *
 * These functions run inside a daemon that must not hang. A path may turn out to be a fifo without
 * a writer, so files are opened without waiting, and pipes get MAUI_FILE_MAX_WAIT_MS in all.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h> /* for dirname() */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/directory.h"
#include "base/limits.h"
#include "base/monotonic.h"

#define FIRST_READ 4096
#define BAD_NAMES  10

/* ---- reading ---- */

struct input {
	int fd;
	size_t max;
	int64_t give_up_ms; /* on the monotonic clock; 0: a regular file, nothing to wait for */
	char *text;
	size_t length;
	size_t alloc; /* at most max + 1: one byte more than allowed, or the NUL */
};

/* Opens a file or a pipe. errno says what is wrong. */
static int open_input(const char *path, struct input *in)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		goto fail;
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		goto fail;
	errno = EFBIG;
	if (S_ISREG(st.st_mode) && st.st_size > 0 && (uintmax_t)st.st_size > in->max)
		goto fail;
	in->alloc = S_ISREG(st.st_mode) ? (size_t)st.st_size : 0;
	in->give_up_ms = S_ISREG(st.st_mode) ? 0 : maui_monotonic_ms() + MAUI_FILE_MAX_WAIT_MS;
	in->fd = fd;
	return 0;
fail:
	close(fd);
	return -1;
}

/* Reserves room for at least one byte and the NUL, doubling up to max + 1. */
static int grow(struct input *in)
{
	size_t wanted = in->text ? in->alloc * 2 : in->alloc + 1;
	char *grown;

	if (wanted < FIRST_READ)
		wanted = FIRST_READ;
	if (wanted > in->max + 1)
		wanted = in->max + 1;
	grown = realloc(in->text, wanted + 1);
	if (!grown)
		return -1;
	in->text = grown;
	in->alloc = wanted;
	return 0;
}

/* Waits until there is data or the end. A fifo that no writer has opened has no end yet. */
static int wait_for_input(const struct input *in)
{
	struct pollfd watched = { .fd = in->fd, .events = POLLIN };
	int64_t left;
	int ready = 0;

	if (!in->give_up_ms)
		return 0;
	do {
		left = in->give_up_ms - maui_monotonic_ms();
		if (left > 0)
			ready = poll(&watched, 1, (int)left);
		if (left <= 0 || ready == 0) {
			errno = ETIMEDOUT;
			return -1;
		}
	} while (ready < 0 && errno == EINTR);
	return ready < 0 ? -1 : 0;
}

/* Reads to the end. errno says what is wrong. */
static int read_all(struct input *in)
{
	ssize_t got = 1;

	while (got != 0) {
		if ((!in->text || in->length == in->alloc) && grow(in) < 0)
			return -1;
		if (wait_for_input(in) < 0)
			return -1;
		got = read(in->fd, in->text + in->length, in->alloc - in->length);
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		if (got > 0)
			in->length += (size_t)got;
		if (in->length > in->max) {
			errno = EFBIG;
			return -1;
		}
	}
	in->text[in->length] = '\0';
	return 0;
}

static int read_failed(const char *path, size_t max, struct maui_err *err)
{
	switch (errno) {
	case EFBIG:
		return maui_err_set(err, "cannot read %s: larger than %zu bytes", path, max);
	case EINVAL:
		return maui_err_set(err, "cannot read %s: neither a file nor a pipe", path);
	case ETIMEDOUT:
		return maui_err_set(err, "cannot read %s: incomplete after %d s", path,
				    MAUI_FILE_MAX_WAIT_MS / 1000);
	default:
		return maui_err_errno(err, "cannot read %s", path);
	}
}

int maui_file_read(const char *path, size_t max, char **ret_text, size_t *ret_length,
		   struct maui_err *err)
{
	struct input in = { .max = max < SIZE_MAX / 4 ? max : SIZE_MAX / 4 };
	int saved;

	if (open_input(path, &in) < 0)
		return read_failed(path, max, err);
	if (read_all(&in) < 0) {
		saved = errno;
		close(in.fd);
		free(in.text);
		errno = saved;
		return read_failed(path, max, err);
	}
	close(in.fd);
	*ret_text = in.text;
	*ret_length = in.length;
	return 0;
}

/* ---- writing ---- */

/* path + suffix; the caller frees. */
static char *join(const char *path, const char *suffix)
{
	char *name;

	return asprintf(&name, "%s%s", path, suffix) < 0 ? NULL : name;
}

static int put_bytes(int fd, const char *text, size_t length)
{
	ssize_t put;

	while (length) {
		put = write(fd, text, length);
		if (put < 0 && errno != EINTR)
			return -1;
		if (put > 0) {
			text += put;
			length -= (size_t)put;
		}
	}
	return 0;
}

static int write_bytes(int fd, const char *text, size_t length)
{
	return put_bytes(fd, text, length) < 0 ? -1 : fsync(fd);
}

/* root gives the new file to the owner of that one, if it exists. */
static int keep_owner(int fd, const char *like)
{
	struct stat st;

	if (!like || geteuid() != 0 || lstat(like, &st) < 0 || st.st_uid == 0)
		return 0;
	return fchown(fd, st.st_uid, st.st_gid);
}

/* A mode for create_file(): that of any new file, 0666 as far as the umask lets. */
enum { AS_UMASK_LETS = 0 };

/* Writes a new file with this content to disk. On failure (errno) the file does not exist. `dir`:
 * where a relative name begins. */
static int create_file(int dir, const char *name, const char *like, const char *text, size_t length,
		       mode_t mode)
{
	int fd, saved;

	/* removes what a crash left; O_EXCL then refuses to follow a link */
	unlinkat(dir, name, 0);
	fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		    mode == AS_UMASK_LETS ? 0666 : 0600);
	if (fd < 0)
		return -1;
	if ((mode != 0600 && mode != AS_UMASK_LETS && fchmod(fd, mode) < 0) ||
	    keep_owner(fd, like) < 0 || write_bytes(fd, text, length) < 0) {
		saved = errno;
		close(fd);
		errno = saved;
	} else if (close(fd) == 0) {
		return 0; /* on NFS close() may report a full disk, too */
	}
	saved = errno;
	unlinkat(dir, name, 0);
	errno = saved;
	return -1;
}

static bool is_link(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 && S_ISLNK(found.st_mode);
}

/* Gives the present file, if any, a second name, or copies it where links are refused. */
static int link_or_copy(const char *path, const char *name)
{
	char *text;
	size_t length;
	int copied;

	unlink(name);
	if (link(path, name) == 0)
		return 0;
	/* file systems without links, and other users' files (fs.protected_hardlinks); what a
	 * symbolic link leads to is not read */
	if ((errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK) || is_link(path))
		return -1;
	if (maui_file_read(path, MAUI_STATE_MAX_BYTES, &text, &length, NULL) < 0)
		return -1;
	copied = create_file(AT_FDCWD, name, path, text, length, 0600);
	free(text);
	return copied;
}

/* Keeps the present file as old_name. When there is no present file, old_name stays. */
static int keep_as(const char *path, const char *old_name)
{
	char *spare = join(old_name, ".new");
	int result = -1, saved;

	if (!spare)
		return -1;
	if (link_or_copy(path, spare) < 0)
		result = errno == ENOENT ? 0 : -1;
	else
		result = rename(spare, old_name);
	saved = errno;
	unlink(spare); /* rename() does nothing when both names are the same file */
	errno = saved;
	free(spare);
	return result;
}

/* Writes the directory to disk, without which the new name may be lost. A failure is not an
 * error: the new file is complete and in place. */
static void sync_directory(const char *path)
{
	char *copy = strdup(path);
	int fd;

	if (!copy)
		return;
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copy);
}

/* rename() replaces any of these without a word. */
static bool is_special(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode) &&
	       !S_ISDIR(found.st_mode);
}

static int replace(const char *path, const char *like, const char *text, size_t length,
		   int keep_old, mode_t mode, struct maui_err *err)
{
	char *new_name, *old_name;
	int result = -1;

	if (is_special(path))
		return maui_err_set(err, "%s is not a regular file", path);
	new_name = join(path, ".new");
	old_name = join(path, ".old");
	if (!new_name || !old_name) {
		maui_err_errno(err, "cannot write %s", path);
	} else if (create_file(AT_FDCWD, new_name, like, text, length, mode) < 0) {
		maui_err_errno(err, "cannot write %s", new_name);
	} else if (keep_old && keep_as(path, old_name) < 0) {
		maui_err_errno(err, "cannot keep %s as %s", path, old_name);
		unlink(new_name);
	} else if (rename(new_name, path) < 0) {
		maui_err_errno(err, "cannot rename %s to %s", new_name, path);
		unlink(new_name);
	} else {
		sync_directory(path);
		result = 0;
	}
	free(new_name);
	free(old_name);
	return result;
}

int maui_file_write(const char *path, const char *text, size_t length, int keep_old,
		    struct maui_err *err)
{
	return replace(path, path, text, length, keep_old, 0600, err);
}

int maui_file_write_as(const char *path, const char *text, size_t length, int keep_old,
		       unsigned mode, struct maui_err *err)
{
	return replace(path, path, text, length, keep_old, (mode_t)mode, err);
}

/* ---- setting aside ---- */

static int64_t written_ns(const struct stat *st)
{
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* The first unused of the ten names, otherwise the name of the oldest file. NULL without memory. */
static char *choose_bad_name(const char *path)
{
	char suffix[16], *name, *oldest = NULL;
	int64_t oldest_ns = INT64_MAX;
	struct stat st;

	for (int i = 0; i < BAD_NAMES; i++) {
		snprintf(suffix, sizeof(suffix), i ? ".bad.%d" : ".bad", i);
		name = join(path, suffix);
		if (!name || lstat(name, &st) < 0) {
			free(oldest);
			return name;
		}
		if (written_ns(&st) < oldest_ns) {
			free(oldest);
			oldest = name;
			oldest_ns = written_ns(&st);
		} else {
			free(name);
		}
	}
	return oldest;
}

int maui_file_set_aside(const char *path, char **ret_name, struct maui_err *err)
{
	char *name = choose_bad_name(path);

	if (!name)
		return maui_err_errno(err, "cannot set %s aside", path);
	if (rename(path, name) < 0) {
		maui_err_errno(err, "cannot set %s aside as %s", path, name);
		free(name);
		return -1;
	}
	sync_directory(path);
	if (ret_name)
		*ret_name = name;
	else
		free(name);
	return 0;
}

/* ---- directories ---- */

static int make_directory(const char *path)
{
	struct stat st;

	if (mkdir(path, 0700) == 0)
		return 0;
	if (errno == EEXIST && stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return 0;
		errno = ENOTDIR;
	}
	return -1;
}

int maui_file_mkdir(const char *path, struct maui_err *err)
{
	char *copy = strdup(path), *slash;
	int result = 0;

	if (!copy)
		return maui_err_errno(err, "cannot make directory %s", path);
	for (slash = copy + strspn(copy, "/"); !result && *slash; slash += strspn(slash, "/")) {
		slash += strcspn(slash, "/");
		if (*slash) {
			*slash = '\0';
			result = make_directory(copy);
			*slash++ = '/';
		} else {
			result = make_directory(copy);
		}
	}
	if (result < 0)
		maui_err_errno(err, "cannot make directory %s", path);
	free(copy);
	return result;
}

/* NULL: the name is free, or a file that may be replaced, or a device. */
static const char *refuse(int dir, const char *name, bool *ret_device)
{
	struct stat found;

	*ret_device = false;
	if (!*name)
		return "is a directory";
	if (fstatat(dir, name, &found, AT_SYMLINK_NOFOLLOW) < 0 || S_ISREG(found.st_mode))
		return NULL;
	*ret_device = S_ISCHR(found.st_mode);
	return *ret_device            ? NULL :
	       S_ISLNK(found.st_mode) ? "is a symbolic link; name the file itself" :
	       S_ISDIR(found.st_mode) ? "is a directory" :
					"is not a regular file";
}

/* Into a device, /dev/null above all, which only root can have made. */
static int write_device(int dir, const char *path, const char *name, const char *text,
			size_t length, struct maui_err *err)
{
	int fd = openat(dir, name, O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
	int result = fd < 0 ? -1 : put_bytes(fd, text, length);

	if (result < 0)
		maui_err_errno(err, "cannot write %s", path);
	if (fd >= 0)
		close(fd);
	return result;
}

static int publish_in(int dir, const char *path, const char *name, const char *text, size_t length,
		      mode_t mode, struct maui_err *err)
{
	char *new_name = join(name, ".new");
	int result = -1;
	bool device;
	const char *why = refuse(dir, name, &device);

	if (why) {
		maui_err_set(err, "%s %s", path, why);
	} else if (device) {
		result = write_device(dir, path, name, text, length, err);
	} else if (!new_name || create_file(dir, new_name, NULL, text, length, mode) < 0) {
		maui_err_errno(err, "cannot write %s.new", path);
	} else if (renameat(dir, new_name, dir, name) < 0) {
		maui_err_errno(err, "cannot rename %s.new to %s", path, path);
		unlinkat(dir, new_name, 0);
	} else {
		result = 0;
	}
	free(new_name);
	return result;
}

int maui_file_publish(const char *path, const char *text, size_t length, bool secret,
		      struct maui_err *err)
{
	const char *name;
	int dir = maui_directory_open(path, &name, err), result;

	if (dir < 0)
		return -1;
	result = publish_in(dir, path, name, text, length, secret ? 0600 : AS_UMASK_LETS, err);
	close(dir);
	return result;
}

int maui_file_can_publish(const char *path, struct maui_err *err)
{
	const char *name, *why;
	int dir = maui_directory_open(path, &name, err), result = -1;
	bool device;

	if (dir < 0)
		return -1;
	why = refuse(dir, name, &device);
	if (why)
		maui_err_set(err, "%s %s", path, why);
	else if (faccessat(dir, device ? name : ".", W_OK, AT_EACCESS) < 0)
		maui_err_errno(err, "cannot write %s", path);
	else
		result = 0;
	close(dir);
	return result;
}
