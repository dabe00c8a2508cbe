/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trust.h - whether a file is safe to be run as somebody: nobody else could have written it
 *
 * A trusted one is root or `user`. The file is a regular one, of a trusted owner, and neither its
 * group nor others may write to it. Each directory and symbolic link on the way to it, as written
 * and where the links lead, is of a trusted owner too, and others may not write to the directories,
 * but where the sticky bit keeps them from another's files. Links that links lead to in between are
 * not looked at.
 */
#ifndef MAUI_BASE_TRUST_H
#define MAUI_BASE_TRUST_H

#include <sys/types.h>

#include "base/err.h"

/* 0, or -1 with err: why not; also when it is not there. `path` is absolute. */
int maui_trust_file(const char *path, uid_t user, struct maui_err *err);

#endif
