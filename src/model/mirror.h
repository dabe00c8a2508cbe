/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mirror.h - what our reservations look like as Slurm's: how one is told from anybody else's
 *
 * Name, flags FLEX, OVERLAP and IGNORE_JOBS, and whom it names. Slurm's side makes them so
 * (slurm/mirror.h); `maui detach` has to know them without it.
 */
#ifndef MAUI_MODEL_MIRROR_H
#define MAUI_MODEL_MIRROR_H

#include <stdbool.h>
#include <stdint.h>

#define MAUI_MIRROR_PREFIX "maui."

/* Whom it names; NULL: nobody. */
struct maui_mirror_form {
	const char *users, *accounts;
};

enum maui_mirror_form_kind {
	MAUI_MIRROR_BY_NOBODY,  /* its idle time goes to no account: nobody has an association */
	MAUI_MIRROR_BY_ACCOUNT, /* nor is any outside of account root, so all are kept out: where a
				   user must have an association */
	MAUI_MIRROR_BY_ROOT,    /* what is left without the user and without accounts */
	MAUI_MIRROR_FORM_COUNT
};

extern const struct maui_mirror_form maui_mirror_forms[MAUI_MIRROR_FORM_COUNT];

/* Whether these are one of the forms; NULL and "" are the same. */
bool maui_mirror_names_nobody(const char *users, const char *accounts);

/* maui.<name>.<day>: YYYYMMDD or 0. NULL is none. */
bool maui_mirror_is_name(const char *text);

#endif
