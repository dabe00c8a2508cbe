/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_creds.h - which credentials a user may see: PrivateData=users and accounts
 *
 * A user sees the own name, groups and accounts of own jobs, and accounts that the user
 * coordinates.
 * PrivateData hides neither QOS nor classes.
 *
 * Rules: CMD-9.
 */
#ifndef MAUI_ANSWERS_OWN_CREDS_H
#define MAUI_ANSWERS_OWN_CREDS_H

#include <stdbool.h>

#include "answers/document.h"

/* What one user may see; borrows from the document. */
struct maui_own_creds {
	const struct maui_document *document;
	const char *user; /* the user's name; NULL: not known */
	bool *of_jobs;    /* of each of the snapshot's credentials: a job of the user has them */
	uid_t uid;
	bool all; /* nothing is hidden from the user */
};

/* -1 without memory. */
int maui_own_creds_find(const struct maui_document *p, uid_t uid, struct maui_own_creds *ret);
void maui_own_creds_finish(struct maui_own_creds *own);

/* Whether the user may see what concerns this credential. */
bool maui_own_creds_shows(const struct maui_own_creds *own, enum maui_cred_kind kind,
			  const char *name);

#endif
