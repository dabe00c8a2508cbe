/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.c - one question to the name service */

#include "base/user.h"

#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>

int maui_user_find(const char *name, bool *ret)
{
	struct passwd entry, *found = NULL;
	char *room = NULL;
	size_t size = 1024;
	int rc;

	do {
		size *= 2;
		free(room);
		room = malloc(size);
		rc = room ? getpwnam_r(name, &entry, room, size, &found) : ENOMEM;
	} while (rc == ERANGE);
	free(room);
	*ret = rc == 0 && found;
	return maui_user_means_unknown(rc) ? 0 : rc;
}
