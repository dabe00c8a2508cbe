/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trust.h - whether a program is safe to run, or a directory to be written to: no other user could
 * have changed it
 *
 * Trusted users are root and `user`. The file must be a regular file of a trusted owner, not
 * writable by its group or others. Each directory and symbolic link on the way to the file, also on
 * the way that a link points to, must have a trusted owner. Neither group nor others may write to a
 * directory, unless it has the sticky bit, which protects files of other users.
 */
#ifndef MAUI_BASE_TRUST_H
#define MAUI_BASE_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

/* 0 when the file is safe; -1 with err: the reason, also when the file does not exist. `path` is
 * absolute. */
int maui_trust_file(const char *path, uid_t user, struct maui_err *err);

/* 0 if only root and the caller can change the directory and the directories above it: a file
 * written there stays there. The sticky bit does not suffice for the directory itself, because
 * others could make files in it first. may_be_missing: checks as much of the path as exists. */
int maui_trust_directory(const char *path, bool may_be_missing, struct maui_err *err);

#endif
