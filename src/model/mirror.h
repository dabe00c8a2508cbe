/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.h - what our mirrors look like in Slurm, and how to recognise one
 *
 * A mirror has a certain name, the flags FLEX, OVERLAP and IGNORE_JOBS, and certain users or
 * accounts. slurm/mirror makes mirrors; `maui detach` has to recognise them without slurmctld.
 */
#ifndef MAUI_MODEL_MIRROR_H
#define MAUI_MODEL_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#define MAUI_MIRROR_PREFIX "maui."

/* The users and accounts that the mirror names; NULL: none. */
struct maui_mirror_form {
	const char *users, *accounts;
};

enum maui_mirror_form_kind {
	/* names user nobody, who has no association, so idle time is charged to no account */
	MAUI_MIRROR_BY_NOBODY,
	/* the same by the number that Linux gives this user: Slurm 25.11 refuses the name */
	MAUI_MIRROR_BY_NOBODYS_ID,
	/* excludes account root and with it every account; where users must have an association */
	MAUI_MIRROR_BY_ACCOUNT,
	/* names user root: used where neither user nobody nor accounts exist */
	MAUI_MIRROR_BY_ROOT,
	MAUI_MIRROR_FORM_COUNT
};

extern const struct maui_mirror_form maui_mirror_forms[MAUI_MIRROR_FORM_COUNT];

/* Whether users and accounts are one of these forms; NULL and "" are the same. */
bool maui_mirror_names_nobody(const char *users, const char *accounts);

/* Whether `text` is maui.<name>.<day>; day: YYYYMMDD or 0. NULL is not. */
bool maui_mirror_is_name(const char *text);

#endif
