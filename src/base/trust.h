/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trust.h - whether a file is safe to be run as somebody: nobody else could have written it
 *
 * A trusted one is root or `user`. The file is a regular one, of a trusted owner, and neither its
 * group nor others may write to it. Each directory and symbolic link on the way to it, all that
 * links lead to included, is of a trusted owner too, and neither a directory's group (whatever
 * group that is) nor others may write to it, but where the sticky bit keeps them from another's
 * files.
 */
#ifndef MAUI_BASE_TRUST_H
#define MAUI_BASE_TRUST_H

#include <sys/types.h>

#include "base/err.h"

/* 0, or -1 with err: why not; also when it is not there. `path` is absolute. */
int maui_trust_file(const char *path, uid_t user, struct maui_err *err);

#endif
