/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.h - what the name service says of a user: yes, no, or that it cannot tell */
#ifndef MAUI_BASE_USER_H
#define MAUI_BASE_USER_H

#include <errno.h>
#include <stdbool.h>

/* "No such entry" in all the words that name services have for it (getpwnam_r(3)). */
static inline bool maui_user_means_unknown(int rc)
{
	return rc == 0 || rc == ENOENT || rc == ESRCH || rc == EBADF || rc == EPERM;
}

/* Whether there is a user, a group of this name. 0, or why nobody could tell (an errno; *ret
 * false). May take as long as the name service does. */
int maui_user_find(const char *name, bool *ret);
int maui_user_find_group(const char *name, bool *ret);

#endif
