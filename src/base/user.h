/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.h - asks the name service whether a user or group exists */
#ifndef MAUI_BASE_USER_H
#define MAUI_BASE_USER_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether an error of getpwnam_r(3) means "no such entry": name services use all of these. */
static inline bool maui_user_means_unknown(int rc)
{
	return rc == 0 || rc == ENOENT || rc == ESRCH || rc == EBADF || rc == EPERM;
}

/* Whether a user or group of this name exists. Returns 0, or an errno when the name service
 * could not answer (*ret false). May take as long as the name service does. */
int maui_user_find(const char *name, bool *ret);
int maui_user_find_group(const char *name, bool *ret);

/* The same of the user with this number, which must be a decimal one. */
int maui_user_find_id(const char *id, bool *ret);

/* For commands, which have one thread: the name of the user who runs the program, by its effective
 * id. False: the id has no name, and buf is empty. */
bool maui_user_own_name(char *buf, size_t size);

/* The same; an id without a name has the name under which slurmctld counts its jobs (FS-12): its
 * number, or "+1007" where another user, or group, has the number 1007 for a name. The group is the
 * one that newgrp(1) set; in place of one without a name, the user's own. */
void maui_user_own_counted_name(char *buf, size_t size);
void maui_user_own_counted_group(char *buf, size_t size);

#endif
