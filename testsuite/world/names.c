/* SPDX-License-Identifier: GPL-2.0-or-later */
/* names.c - the name service of slurmctld's host: root, nobody, and the users u0, u1, ... */

#include "world.h"

#include <grp.h>
#include <pwd.h>

static int find_user(const char *name, uid_t uid, struct passwd *entry, char *room, size_t size,
		     struct passwd **found)
{
	unsigned number;

	*found = NULL;
	if (name && (strcmp(name, "nobody") == 0 || strcmp(name, "root") == 0))
		uid = name[0] == 'r' ? 0 : 65534;
	else if (name && sscanf(name, "u%u", &number) == 1)
		uid = WORLD_USER_0 + number;
	else if (name)
		return 0;
	if (uid == 0 || uid == 65534)
		snprintf(room, size, uid == 0 ? "root" : "nobody");
	else
		snprintf(room, size, "u%u", uid - WORLD_USER_0);
	*entry = (struct passwd){ .pw_name = room,
				  .pw_uid = uid,
				  .pw_gid = 100,
				  .pw_passwd = room,
				  .pw_dir = room,
				  .pw_gecos = room,
				  .pw_shell = room };
	*found = entry;
	return 0;
}

static void check_lookup(void)
{
	if (world_in_agent() && world_locked())
		world_fault("a name is looked up while slurmctld's locks are held");
	world_mortal();
}

int getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size,
	       struct passwd **found)
{
	check_lookup();
	return find_user(name, 0, entry, room, size, found);
}

int getpwuid_r(uid_t uid, struct passwd *entry, char *room, size_t size, struct passwd **found)
{
	check_lookup();
	return find_user(NULL, uid, entry, room, size, found);
}

static int fill_group(struct group *entry, char *room, size_t size, struct group **found)
{
	static char *nobody[] = { NULL };

	snprintf(room, size, "users");
	*entry = (struct group){
		.gr_name = room, .gr_gid = 100, .gr_mem = nobody, .gr_passwd = room
	};
	*found = entry;
	return 0;
}

int getgrgid_r(gid_t gid, struct group *entry, char *room, size_t size, struct group **found)
{
	check_lookup();
	*found = NULL;
	return gid == 100 ? fill_group(entry, room, size, found) : 0;
}

int getgrnam_r(const char *name, struct group *entry, char *room, size_t size, struct group **found)
{
	check_lookup();
	*found = NULL;
	return strcmp(name, "users") == 0 ? fill_group(entry, room, size, found) : 0;
}
