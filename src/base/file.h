/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - reads and writes whole files; no reader ever sees half a file */
#ifndef MAUI_BASE_FILE_H
#define MAUI_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Reads a regular file (or a pipe, within MAUI_FILE_MAX_WAIT_MS) of at most `max` bytes. *ret_text
 * is terminated and owned by the caller; it may hold NUL bytes inside: *ret_length tells. errno is
 * ENOENT when there is no such file, EFBIG when it is larger than `max`, EISDIR for a directory,
 * EINVAL for a device, ENXIO for a socket, ETIMEDOUT for a pipe that does not end. */
int maui_file_read(const char *path, size_t max, char **ret_text, size_t *ret_length,
		   struct maui_err *err);

/* Writes path.new, fsync, rename to path, fsync of the directory. keep_old: path.old becomes a
 * hard link of the present file, or a copy where links are refused. One writer at a time for a
 * path. On failure the present file is untouched and path.new is gone. Mode 0600; root leaves
 * the file to its present owner. A device or a FIFO is not replaced. */
int maui_file_write(const char *path, const char *text, size_t length, int keep_old,
		    struct maui_err *err);

/* The same with this mode, without the umask. No other user may be able to write to the
 * directory (maui_trust_directory()). */
int maui_file_write_as(const char *path, const char *text, size_t length, int keep_old,
		       unsigned mode, struct maui_err *err);

/* The same without path.old, for a file that a user has named. `secret`: with mode 0600, else with
 * 0666 as far as the umask lets, as any new file. Writes into a device, such as /dev/null. Refuses
 * a symbolic link and a directory as well: others, who may write to the directory, may have made
 * the link; and on the way to it links of other users than root and the caller
 * (base/directory.h). */
int maui_file_publish(const char *path, const char *text, size_t length, bool secret,
		      struct maui_err *err);
/* Whether it would be refused now: for programs that work for hours before they write. */
int maui_file_can_publish(const char *path, struct maui_err *err);

/* Renames an unusable file to "<path>.bad", or .bad.1 to .bad.9 if that exists; if all exist,
 * the oldest is replaced. *ret_name, if not NULL, gets the new name (the caller frees). */
int maui_file_set_aside(const char *path, char **ret_name, struct maui_err *err);

/* mkdir -p; new directories get mode 0700. */
int maui_file_mkdir(const char *path, struct maui_err *err);

#endif
