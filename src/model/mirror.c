/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.c - recognises the name and the form of a mirror */

#include "model/mirror.h"

#include <stddef.h>
#include <string.h>

const struct maui_mirror_form maui_mirror_forms[MAUI_MIRROR_FORM_COUNT] = {
	[MAUI_MIRROR_BY_NOBODY] = { .users = "nobody" },
	[MAUI_MIRROR_BY_NOBODYS_ID] = { .users = "65534" },
	[MAUI_MIRROR_BY_ACCOUNT] = { .accounts = "-root" },
	[MAUI_MIRROR_BY_ROOT] = { .users = "root" },
};

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool maui_mirror_names_nobody(const char *users, const char *accounts)
{
	for (int i = 0; i < MAUI_MIRROR_FORM_COUNT; i++)
		if (same_text(users, maui_mirror_forms[i].users) &&
		    same_text(accounts, maui_mirror_forms[i].accounts))
			return true;
	return false;
}

bool maui_mirror_is_name(const char *text)
{
	size_t prefix = strlen(MAUI_MIRROR_PREFIX), digits;
	const char *day;

	if (!text || strncmp(text, MAUI_MIRROR_PREFIX, prefix) != 0)
		return false;
	text += prefix;
	day = strrchr(text, '.');
	if (!day || day == text)
		return false;
	digits = strspn(day + 1, "0123456789");
	return day[1 + digits] == '\0' && (digits == 8 || strcmp(day + 1, "0") == 0);
}
