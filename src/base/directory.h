/* SPDX-License-Identifier: GPL-2.0-or-later */
/* directory.h - opens the directory of a file that a user has named
 *
 * A symbolic link on the way may be another user's, who would decide where a file of the caller's
 * goes: such links are refused, those of root and of the caller are followed. What is done with the
 * descriptor happens in the directory that was found, whatever becomes of its name.
 */
#ifndef MAUI_BASE_DIRECTORY_H
#define MAUI_BASE_DIRECTORY_H

#include "base/err.h"

/* A descriptor for openat() and its kin; *ret_name: the last name of the path, which leads to it.
 * -1 with err. */
int maui_directory_open(const char *path, const char **ret_name, struct maui_err *err);

#endif
