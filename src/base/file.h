/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file.h - whole files in and out, so that no reader ever sees half a file */
#ifndef MAUI_BASE_FILE_H
#define MAUI_BASE_FILE_H

#include <stddef.h>

#include "base/err.h"

/* Reads a regular file (or a pipe, within MAUI_FILE_MAX_WAIT_MS) of at most `max` bytes. *ret_text
 * is terminated and owned by the caller; it may hold NUL bytes inside: *ret_length tells. errno is
 * ENOENT when there is no such file, EFBIG when it is larger than `max`, EISDIR for a directory,
 * EINVAL for a device, ENXIO for a socket, ETIMEDOUT for a pipe that does not end. */
int maui_file_read(const char *path, size_t max, char **ret_text, size_t *ret_length,
		   struct maui_err *err);

/* Writes path.new, fsync, (keep_old: hard link of the present file, if any, to path.old, or a copy
 * where links are refused), rename, fsync of the directory. One writer at a time for a path. On
 * failure the present file is untouched and path.new is gone. Mode 0600. */
int maui_file_write(const char *path, const char *text, size_t length, int keep_old,
		    struct maui_err *err);

/* Renames a file that cannot be used to "<path>.bad" (.bad.1 .. .bad.9 if taken; with all taken
 * the one that was last written longest ago gives way). *ret_name, if not NULL, gets the new name
 * (caller frees). */
int maui_file_set_aside(const char *path, char **ret_name, struct maui_err *err);

/* mkdir -p with mode 0700 for what is made. */
int maui_file_mkdir(const char *path, struct maui_err *err);

#endif
