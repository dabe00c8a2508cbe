/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_user.c - a failing name service does not mean that a user is unknown */
#include "base/user.h"

#include <pwd.h>
#include <stddef.h>

#include "rows.h"

static int says;
static bool knows;
static size_t wants_room;

/* Replaces the C library's function. */
int getpwnam_r(const char *name, struct passwd *pwd, char *buffer, size_t size, struct passwd **ret)
{
	(void)buffer;
	*ret = NULL;
	if (size < wants_room)
		return ERANGE;
	if (knows) {
		*pwd = (struct passwd){ .pw_name = (char *)name };
		*ret = pwd;
	}
	return says;
}

Test(user, answers)
{
	static const struct {
		bool knows;
		int says, rc;
		size_t room;
		bool found;
	} rows[] = {
		{ .knows = true, .found = true },
		{ .knows = true, .found = true, .room = 100000 },
		{ .knows = false },
		{ .says = ENOENT },
		{ .says = ESRCH },
		{ .says = EIO, .rc = EIO },
		{ .says = EAGAIN, .rc = EAGAIN },
		{ .says = ECONNREFUSED, .rc = ECONNREFUSED },
	};
	bool found;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		knows = rows[i].knows;
		says = rows[i].says;
		wants_room = rows[i].room;
		found = !rows[i].found;
		cr_expect_eq(maui_user_find("nobody", &found), rows[i].rc, "row %zu", i);
		cr_expect_eq(found, rows[i].found, "row %zu", i);
	}
}
