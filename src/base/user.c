/* SPDX-License-Identifier: GPL-2.0-or-later */
/* user.c - asks the name service whether a user or group exists */

#include "base/user.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { OWN_ROOM = 16 * 1024 }; /* a user's entry is short */

typedef int (*find_fn)(const char *name, bool *ret);

/* Asks the name service; `room`: for the entry. */
typedef int (*ask_fn)(const char *name, char *room, size_t size, void *ret);

static int ask_user(const char *name, char *room, size_t size, void *ret)
{
	struct passwd entry, *found = NULL;
	int rc = getpwnam_r(name, &entry, room, size, &found);

	*(bool *)ret = rc == 0 && found;
	return rc;
}

/* name: the user's number */
static int ask_user_id(const char *name, char *room, size_t size, void *ret)
{
	struct passwd entry, *found = NULL;
	int rc = getpwuid_r((uid_t)strtoul(name, NULL, 10), &entry, room, size, &found);

	*(bool *)ret = rc == 0 && found;
	return rc;
}

static int ask_group(const char *name, char *room, size_t size, void *ret)
{
	struct group entry, *found = NULL;
	int rc = getgrnam_r(name, &entry, room, size, &found);

	*(bool *)ret = rc == 0 && found;
	return rc;
}

/* A name that goes to a buffer. */
struct name_buf {
	char *buf;
	size_t size;
	bool found;
};

/* name: the group's number */
static int ask_group_name(const char *name, char *room, size_t size, void *ret)
{
	struct group entry, *found = NULL;
	struct name_buf *to = ret;
	int rc = getgrgid_r((gid_t)strtoul(name, NULL, 10), &entry, room, size, &found);

	to->found = rc == 0 && found;
	if (to->found)
		snprintf(to->buf, to->size, "%s", found->gr_name);
	return rc;
}

/* Asks with a buffer that grows as the answer needs: a group may have thousands of members. */
static int ask_with_room(ask_fn ask, const char *name, void *ret)
{
	char *room = NULL;
	size_t size = 1024;
	int rc;

	do {
		size *= 2;
		free(room);
		room = malloc(size);
		rc = room ? ask(name, room, size, ret) : ENOMEM;
	} while (rc == ERANGE);
	free(room);
	return rc;
}

static int find(ask_fn ask, const char *name, bool *ret)
{
	int rc;

	*ret = false;
	rc = ask_with_room(ask, name, ret);
	return maui_user_means_unknown(rc) ? 0 : rc;
}

int maui_user_find(const char *name, bool *ret)
{
	return find(ask_user, name, ret);
}

int maui_user_find_id(const char *id, bool *ret)
{
	return find(ask_user_id, id, ret);
}

int maui_user_find_group(const char *name, bool *ret)
{
	return find(ask_group, name, ret);
}

/* The entry of the user who runs the program; NULL: none. */
static struct passwd *find_own(struct passwd *entry, char *room, size_t size)
{
	struct passwd *own = NULL;

	return getpwuid_r(geteuid(), entry, room, size, &own) == 0 ? own : NULL;
}

static bool get_group_name(gid_t gid, char *buf, size_t size)
{
	struct name_buf name = { .buf = buf, .size = size };
	char number[16];

	snprintf(number, sizeof(number), "%u", gid);
	(void)ask_with_room(ask_group_name, number, &name);
	return name.found;
}

static void count_by_number(unsigned id, find_fn find_name, char *buf, size_t size)
{
	char number[16];
	bool taken;

	snprintf(number, sizeof(number), "%u", id);
	find_name(number, &taken);
	snprintf(buf, size, "%s%s", taken ? "+" : "", number);
}

bool maui_user_own_name(char *buf, size_t size)
{
	char room[OWN_ROOM];
	struct passwd entry, *own = find_own(&entry, room, sizeof(room));

	snprintf(buf, size, "%s", own ? own->pw_name : "");
	return own != NULL;
}

void maui_user_own_counted_name(char *buf, size_t size)
{
	if (!maui_user_own_name(buf, size))
		count_by_number(geteuid(), maui_user_find, buf, size);
}

void maui_user_own_counted_group(char *buf, size_t size)
{
	char room[OWN_ROOM];
	struct passwd entry, *own = find_own(&entry, room, sizeof(room));

	if (!get_group_name(getegid(), buf, size) &&
	    !(own && get_group_name(own->pw_gid, buf, size)))
		count_by_number(getegid(), maui_user_find_group, buf, size);
}
